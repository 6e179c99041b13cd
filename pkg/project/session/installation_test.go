package session

import "testing"

func TestIsNewer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"0.2.0", "0.1.0", true}, {"0.10.0", "0.9.9", true}, {"1.0", "0.9.9", true}, {"1.0.1", "1.0", true},
		{"0.1.0", "0.1.0", false}, {"0.1.0", "0.2.0", false}, {"1.0", "1.0.1", false},
		{"", "0.1.0", false}, {"0.2.0", "dev", false}, {"latest", "0.1.0", false},
		{"0.2.0-rc1", "0.1.0", false},
		{"v0.2.0", "0.1.0", false}, {"0.-2", "0.1", false}, {"99999999999999999999.0", "0.1", false},
	} {
		if got := isNewer(c.a, c.b); got != c.want {
			t.Errorf("isNewer(%q, %q) = %v", c.a, c.b, got)
		}
	}
}
