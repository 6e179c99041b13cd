package shortid

import "testing"

// TestOf: an id stays what it was in all versions, since people and files have it.
func TestOf(t *testing.T) {
	for about, want := range map[string]string{"": "3g42rw", "x": "dhp2q6"} {
		if got := Of(about, 6); got != want || !Is(got) || Of(about, 3) != want[:3] {
			t.Errorf("%q: %s, want %s", about, got, want)
		}
	}
}

func TestIs(t *testing.T) {
	for s, want := range map[string]bool{"0z9": true, "": false, "o": false, "A": false, "a/b": false, "../a": false, "a b": false} {
		if got := Is(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
