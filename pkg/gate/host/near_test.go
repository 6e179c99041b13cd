package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
)

// TestNear: titles of what says much the same, from the program beside this one;
// a program that fails is an error, one that is not there is none.
func TestNear(t *testing.T) {
	program := filepath.Join(t.TempDir(), "keepsake")
	at := func(text string) ([]string, error) { return closeTo(program, rules.Event{Cwd: t.TempDir()}, text) }
	if got, err := at("anything"); got != nil || err != nil {
		t.Errorf("without a program: %q, %v", got, err)
	}
	write := func(script string) {
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(`echo '{"results":[{"title":"A","score":0.99},{"title":"B","score":0.7},{"title":"C","score":0.95}]}'`)
	if got, err := at("anything"); !slices.Equal(got, []string{"A", "C"}) || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	write(`for last; do :; done; printf '{"results":[{"title":"%s","score":1}]}' "$last"`)
	if got, err := at("--limit\x00 9"); !slices.Equal(got, []string{"--limit  9"}) || err != nil {
		t.Errorf("the text arrived as %q, %v", got, err)
	}
	for _, script := range []string{"exit 3", "echo no JSON"} {
		write(script)
		if _, err := at("anything"); err == nil || !strings.Contains(err.Error(), "keepsake recall") {
			t.Errorf("%s: %v", script, err)
		}
	}
}
