package text

import (
	"strings"
	"testing"
)

func TestMemo(t *testing.T) {
	var m Memo[int]
	made := 0
	length := func(s string) int { made++; return len(s) }
	for range 3 {
		for _, s := range []string{"", "a", "bc"} {
			if got := m.Of(s, length); got != len(s) {
				t.Errorf("%q: %d", s, got)
			}
		}
	}
	if made != 3 {
		t.Errorf("made %d times for 3 texts", made)
	}
	long := strings.Repeat("x", maxMemo)
	for range 2 {
		if got := m.Of(long, length); got != len(long) {
			t.Errorf("a long text: %d", got)
		}
	}
	if m.Of("a", length); made != 5 || len(m.made) != 1 {
		t.Errorf("made %d times; %d texts are kept behind one that is too long", made, len(m.made))
	}
}
