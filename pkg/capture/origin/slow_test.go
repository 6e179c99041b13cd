package origin

import (
	"strings"
	"testing"
	"time"
)

// TestSlow holds that no text of a draft's size makes judging it slow.
func TestSlow(t *testing.T) {
	for _, unit := range []string{"a ", "a.b/", "a/", "`a ", "never a ", "a\n", "https://a.b/", "--a=",
		"curl a ", "x, ", "deploy ", "if never a said ", "he said, ", "'a b c' ", "\"a b c d\"\n> "} {
		text := strings.Repeat(unit, 64<<10/len(unit))
		e := New(Text{Person, text}, Text{Foreign, text}, Text{Agent, text})
		started := time.Now()
		e.Of(text)
		e.Of(text + " b")
		Draft(map[string]string{"title": text[:len(text)/2] + " c"}, nil, e)
		if took := time.Since(started); took > 3*time.Second {
			t.Errorf("%q took %v", unit, took)
		}
	}
}
