package version

import (
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"1.2", "1.2.0", 0}, {"v1.10", "1.9.9", 1}, {"2", "v10", -1}, {"1.2.3-rc.1", "1.2.3", -1},
		{"1.2.3-rc.2", "1.2.3-rc.1", 1}, {"1.2.3-rc.10", "1.2.3-rc.9", 1}, {"1.2.3-1", "1.2.3-alpha", -1},
		{"1.2.3-rc", "1.2.3-rc.1", -1}, {"1.2.3-02", "1.2.3-2", 0}, {"1.2.3", "1.2.3-rc", 1},
		{"1.2.3.4", "1.2.3", 1}, {"v0.0.0-20230101000000-0123456789ab", "v0.1.0", -1},
		{"1.2.3+a", "1.2.3+b", 0},
	} {
		got, ok := Compare(c.a, c.b)
		if back, _ := Compare(c.b, c.a); !ok || got != c.want || back != -got {
			t.Errorf("%s %s: %d %v", c.a, c.b, got, ok)
		}
	}
	for _, v := range []string{"", "v", "latest", "1.2rc1", "1..2", "1.2.3.4.5", "-1", "+1", "1.+2", " 1",
		"1.2-", "1.2-a..b", "1.2-a_b", "1.2+", "1234567890", "1.2-" + strings.Repeat("a", 60)} {
		if _, ok := Compare(v, "1"); ok || Valid(v) || NextMajor(v) != "" {
			t.Errorf("%q is no version", v)
		}
	}
	for v, want := range map[string]string{"v5.6.0": "6", "0.4.1": "0.5", "17": "18"} {
		if got := NextMajor(v); got != want {
			t.Errorf("%s: %s", v, got)
		}
	}
}
