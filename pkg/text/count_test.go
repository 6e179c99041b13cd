package text

import (
	"strings"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n           int
		thing, want string
	}{
		{0, "draft", "0 drafts"}, {1, "memory", "1 memory"}, {2, "memory", "2 memories"},
		{3, "key", "3 keys"}, {2, "day", "2 days"}, {-1, "file", "-1 files"},
	} {
		if got := Count(tt.n, tt.thing); got != tt.want {
			t.Errorf("%d %s: %q, want %q", tt.n, tt.thing, got, tt.want)
		}
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 59 * time.Second: "59s", time.Minute: "1min", 119 * time.Minute: "1h",
		47 * time.Hour: "47h", 48 * time.Hour: "2 days", 240 * time.Hour: "10 days",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 KB", 1: "1 KB", 1024: "1 KB", 1025: "2 KB",
		3 << 20: "3.0 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestModelTokens(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 1, strings.Repeat("seven..", 100): 200, "記憶": 2} {
		if got := ModelTokens(s); got != want {
			t.Errorf("%.20q: %d, want %d", s, got, want)
		}
	}
}
