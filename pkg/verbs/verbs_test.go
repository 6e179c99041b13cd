package verbs

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for words, want := range map[string]struct {
		name string
		n    int
	}{
		"list": {"list", 1}, "md fix kb": {"md fix", 2}, "fmt kb": {"md fix", 1},
		"tidy": {"md tidy sheet", 1}, "tidy kb": {"md tidy sheet", 1}, "tidy plan": {"md tidy plan", 2},
		"md tidy": {"md tidy sheet", 2}, "md tidy apply x": {"md tidy apply", 3},
		"md tidy sheet kb": {"md tidy sheet", 3}, "lesson list x": {"md lesson list", 2},
		"inbox": {"inbox list", 1}, "inbox approve 3": {"inbox approve", 2},
		"approve 3": {"inbox approve", 1},
		"":          {"", 0}, "md": {"", 1}, "md fixed": {"", 1}, "handoff": {"", 1},
		"notes handoff x": {"", 2},
		"project shop":    {"", 1}, "listing": {"", 0}, "move x": {"", 0}, "merge a b c d": {"team merge", 1},
	} {
		v, n := Find(strings.Fields(words))
		name := ""
		if v != nil {
			name = v.Name
		}
		if name != want.name || n != want.n {
			t.Errorf("%q is %q by %d words, want %q by %d", words, name, n, want.name, want.n)
		}
	}
}

// TestTable: each spelling leads to its own row and to no other.
func TestTable(t *testing.T) {
	for i, v := range All() {
		for _, spelling := range v.Spellings() {
			words := strings.Fields(spelling)
			if found, n := Find(words); found != &table[i] || n != len(words) {
				t.Errorf("%q leads to %v by %d words, want %q", spelling, found, n, v.Name)
			}
		}
		if v.Name == v.Old {
			t.Errorf("%q is its own earlier spelling", v.Name)
		}
		if (v.Does == Nothing) != (v.Writes == "") {
			t.Errorf("%q says that it writes %q, and has the effect %d", v.Name, v.Writes, v.Does)
		}
		if v.Agent == Looks && v.Looks == "" || v.Agent == Free && v.Does != Nothing && v.Does != Stage &&
			v.With == "" {
			t.Errorf("%q: an agent may run it, and no flag says when it only looks", v.Name)
		}
	}
}
