package memory

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyBranch draws a branch that may be written.
func anyBranch(t *rapid.T) *Branch {
	sum := rapid.StringMatching(`[0-9a-f]{40}|[0-9a-f]{64}`)
	b := &Branch{Name: rapid.StringMatching(`[a-z]{1,5}(/[a-z0-9-]{1,9})?`).Draw(t, "branch"),
		Head: sum.Draw(t, "head")}
	switch rapid.IntRange(0, 2).Draw(t, "base") {
	case 1:
		b.Base = b.Head
	case 2:
		b.Base = sum.Draw(t, "base")
	}
	return b
}

func TestValidBranch(t *testing.T) {
	for _, name := range []string{"main", "feat/x", "feat/#12-größe", "a.b", "a/b/c", "x@y", "(a)", "$x",
		"r's",
		strings.Repeat("ü", MaxBranch)} {
		if !ValidBranch(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", "-x", "--upload-pack=x", "a b", "a..b", "a:b", "a^", "a~1", "a?", "a*",
		"[a]", "a\\b", "a@{1}", "@", "HEAD", "/a", "a/", "a//b", ".a", "a/.b", "a.", "a.lock", "a.lock/b",
		"a\nb", "a\x1b[2J", "a\u202eb", "a\x7f", strings.Repeat("x", MaxBranch+1)} {
		if ValidBranch(name) {
			t.Errorf("%q passes", name)
		}
	}
}

func TestBoundTo(t *testing.T) {
	sum, other := strings.Repeat("1", 40), strings.Repeat("a", 64)
	for name, tt := range map[string]struct {
		category Category
		branch   *Branch
		bound    bool
		field    string // that Validate refuses
	}{
		"decision":        {Decision, &Branch{"feat/x", sum, sum}, true, ""},
		"debt":            {TechDebt, &Branch{"feat/x", sum, other}, true, ""},
		"summary":         {SessionSummary, &Branch{"feat/x", other, ""}, true, ""},
		"a rule":          {Preference, &Branch{"feat/x", sum, sum}, false, ""},
		"constraint":      {Constraint, &Branch{"feat/x", sum, sum}, false, ""},
		"runbook":         {Runbook, &Branch{"feat/x", sum, sum}, false, ""},
		"none":            {Decision, nil, false, ""},
		"hostile name":    {Decision, &Branch{"--exec=x", sum, sum}, false, "branch.name"},
		"no commit":       {Decision, &Branch{"feat/x", "", ""}, false, "branch.head"},
		"short commit":    {Decision, &Branch{"feat/x", sum[:12], ""}, false, "branch.head"},
		"base, no commit": {Decision, &Branch{"feat/x", sum, "HEAD"}, false, "branch.base"},
	} {
		r := Record{Category: tt.category, Branch: tt.branch}
		if b, bound := r.BoundTo(); bound != tt.bound || bound && b != *tt.branch {
			t.Errorf("%s: %v, %v", name, b, bound)
		}
		r = whole()
		r.Branch = tt.branch
		err := r.Validate()
		if (err == nil) != (tt.field == "") || err != nil && !strings.HasPrefix(err.Error(), tt.field+":") {
			t.Errorf("%s: written with %v", name, err)
		}
		if _, err := Decode(r.Encode()); err != nil { // it costs the binding, not the memory
			t.Errorf("%s: read with %v", name, err)
		}
	}
}

func TestMergeBranches(t *testing.T) {
	x, y := &Branch{Name: "x", Head: "1"}, &Branch{Name: "y", Head: "2"}
	early, late := Record{UpdatedAt: "2026-11-20T09:00:00Z"}, Record{UpdatedAt: "2026-11-20T10:00:00Z"}
	for name, tt := range map[string]struct {
		base, a, b   *Branch
		ours, theirs Record
		want         *Branch
	}{
		"one side kept it":     {x, nil, x, late, early, nil},
		"the other kept it":    {x, x, nil, late, early, nil},
		"bound on one side":    {nil, x, nil, early, early, x},
		"bound and unbound":    {x, y, nil, late, early, nil},
		"the later of two":     {nil, x, y, early, late, y},
		"the later, exchanged": {nil, y, x, late, early, y},
		"as late":              {nil, x, y, early, early, y},
		"as late, exchanged":   {nil, y, x, early, early, y},
	} {
		if got := mergeBranches(tt.base, tt.a, tt.b, tt.ours, tt.theirs); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
