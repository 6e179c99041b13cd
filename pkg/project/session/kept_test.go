package session

import (
	"errors"
	"os"
	"testing"
)

// TestCountKept: what was counted is counted again when its files changed, or what was kept is damaged or gone.
func TestCountKept(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	calls := 0
	count := func(of string) int {
		t.Helper()
		n, err := countKept(s.Place, "x", of, func() (int, error) { calls++; return 10 * calls, nil })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	path := s.cachePath("count-x-1.json")
	for _, step := range []struct {
		of   string
		with string // written over what is kept first
		want int
	}{{"a", "", 10}, {"a", "", 10}, {"b", "", 20}, {"a", "", 30}, {"", "", 40}, {"a", "", 30},
		{"a", "{", 50}, {"a", "", 50}, {"a", `{"of":"a","count":"x"}`, 60}} {
		if step.with != "" {
			if err := os.WriteFile(path, []byte(step.with), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := count(step.of); got != step.want {
			t.Errorf("%+v: %d", step, got)
		}
	}
	if err := os.Remove(path); err != nil || count("a") != 70 {
		t.Errorf("deleted: %v, %d calls", err, calls)
	}
	failed := errors.New("x")
	for range 2 { // a failure is not kept
		if _, err := countKept(s.Place, "x", "c", func() (int, error) { return 0, failed }); err != failed {
			t.Error(err)
		}
	}
}
