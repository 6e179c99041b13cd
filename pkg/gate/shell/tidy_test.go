package shell

import (
	"path"
	"testing"

	"pgregory.net/rapid"
)

// TestTidy: it is path.Clean.
func TestTidy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.StringMatching(`[/.a-c]{0,12}`).Draw(t, "path")
		if got, want := cleanPath(p), path.Clean(p); got != want {
			t.Fatalf("%q became %q, want %q", p, got, want)
		}
	})
}
