package draft

import (
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// TestChecks: what a draft proposes is read by the closed list, and the rest is left out with a note.
func TestChecks(t *testing.T) {
	d, notes, err := Parse([]byte(`{"category":"decision","title":"Jobs in Redis","verify":["path_exists a.go",
		"path_exists  a.go", "run id", "path_exists /etc/passwd", "before 2030-01-01"],
		"content":{"context":"Jobs","decision":"Redis","rationale":["fast"]}}`), "")
	if err != nil || !slices.Equal(d.Verify, []string{"path_exists a.go", "before 2030-01-01"}) || !d.Checks {
		t.Errorf("%+v, %v", d.Verify, err)
	}
	for _, want := range []string{`verify: "run id" is left out: "run" is no check`,
		`verify: "path_exists /etc/passwd" is left out: "/etc/passwd" is no path`} {
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, want) }) {
			t.Errorf("no note %q: %q", want, notes)
		}
	}
}

func TestUniteChecks(t *testing.T) {
	exists := func(file string) bool { return file != "gone.go" }
	for name, c := range map[string]struct {
		old   []string
		draft Draft
		want  string
	}{
		"nothing new": {[]string{"path_exists a.go"}, Draft{}, "path_exists a.go"},
		"one more": {[]string{"path_exists a.go"}, Draft{Verify: []string{"path_exists b.go"}},
			"path_exists a.go, path_exists b.go"},
		"the same": {[]string{"path_exists a.go"}, Draft{Verify: []string{"path_exists a.go"}},
			"path_exists a.go"},
		"gone, unnamed": {[]string{"path_exists gone.go"}, Draft{}, "path_exists gone.go"},
		"gone": {[]string{"path_exists gone.go", "path_exists a.go"},
			Draft{RelatedFiles: []string{"b.go"}, Verify: []string{"path_exists b.go"}},
			"path_exists a.go, path_exists b.go"},
		"a later version": {[]string{"requires go.mod go 1.25"},
			Draft{Verify: []string{"requires go.mod go 1.26"}},
			"requires go.mod go 1.26"},
		"of a newer version": {[]string{"of tomorrow"}, Draft{}, ""},
	} {
		if got := strings.Join(uniteChecks(c.old, c.draft, exists), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	many := []string{}
	for _, f := range strings.Split("abcdefgh", "") {
		many = append(many, "path_exists "+f)
	}
	if got := uniteChecks(many, Draft{Verify: []string{"path_exists z"}},
		exists); len(got) != memory.MaxChecks ||
		got[len(got)-1] != "path_exists z" {
		t.Error(got)
	}
}
