package text_test

import (
	"testing"

	"keepsake/pkg/text"
)

// TestShortID: an id stays what it was in all versions, since people and files have it.
func TestShortID(t *testing.T) {
	for about, want := range map[string]string{"": "3g42rw", "x": "dhp2q6"} {
		if got := text.ShortID(about, 6); got != want || !text.IsShortID(got) ||
			text.ShortID(about, 3) != want[:3] {
			t.Errorf("%q: %s, want %s", about, got, want)
		}
	}
}

func TestIsShortID(t *testing.T) {
	for s, want := range map[string]bool{"0z9": true, "": false, "o": false, "A": false, "a/b": false,
		"../a": false, "a b": false} {
		if got := text.IsShortID(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
