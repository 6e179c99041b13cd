package memdir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// A Finding is something to be mended.
type Finding struct {
	Path  string `json:"path"`
	Line  int    `json:"line"` // from 1; 0 for the file as a whole
	Rule  string `json:"rule"`
	Level Level  `json:"level"`
	Why   string `json:"why"` // one line; it may hold words of the file
	// Fixable reports whether Format mends it. Then nobody has to judge what a text means.
	Fixable bool `json:"fixable"`
}

// Level is how bad a finding is.
type Level string

const (
	Error   Level = "error"   // something is not read, or leads nowhere
	Warning Level = "warning" // it will be harder to find, or to trust
)

// Lint holds a directory against a profile. The findings are in the order of the
// files, MEMORY.md and INDEX.md first, and of their lines.
func Lint(d Dir, p Profile) []Finding {
	v := look(d, p)
	v.mended = mendable()
	return v.lint()
}

// LintFor checks a directory by some of the rules only, which are given by their names. It marks no finding
// as fixable.
func LintFor(d Dir, p Profile, ids ...string) []Finding {
	v := look(d, p)
	v.run(func(id string) bool { return slices.Contains(ids, id) })
	return v.inOrder()
}

func (v *view) lint() []Finding {
	v.found = nil
	v.run(func(id string) bool { return true })
	return v.inOrder()
}

// run checks some of the profile's rules.
func (v *view) run(which func(id string) bool) {
	for i := range rules {
		if v.rule = &rules[i]; v.rule.in&v.in != 0 && which(v.rule.ID) {
			v.rule.check(v)
		}
	}
}

// inOrder returns the findings in the order of the files.
func (v *view) inOrder() []Finding {
	layer := func(f Finding) int {
		switch roleOf(f.Path, v.base) {
		case l0:
			return 0
		case l1:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(v.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(layer(a), layer(b)), strings.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line))
	})
	return v.found
}

// find notes a finding of the rule at hand. It is fixable if the rule says so,
// Format mends it, and the file may be written.
func (v *view) find(path string, line int, fixable bool, format string, args ...any) {
	if p := v.at[path]; fixable {
		fixable = v.mended[v.rule.ID] && (p == nil || v.free(p) || v.elsewhere() && !p.odd)
	}
	v.found = append(v.found, Finding{path, line, v.rule.ID, v.rule.Level, fmt.Sprintf(format, args...),
		fixable})
}

// elsewhere reports whether the current rule is mended in the indexes, not in the file that a finding
// names.
func (v *view) elsewhere() bool { return v.rule.ID == "orphan" || v.rule.ID == "layer-step" }

// maxShort is enough of a text for its beginning to be shown, in bytes.
const maxShort = 400

// short returns the beginning of a text, at most 60 characters, by which it can be recognised.
func short(s string) string {
	const most = 60
	s = text.OneLine(text.CutBytes(s, maxShort))
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}

// A RuleCount is how many findings a rule has.
type RuleCount struct {
	Rule    string `json:"rule"`
	Level   Level  `json:"level"`
	Found   int    `json:"found"`
	Fixable int    `json:"fixable"`
}

// CountByRule returns how many findings each rule has, the most first.
func CountByRule(findings []Finding) []RuleCount {
	counts := []RuleCount{}
	for _, f := range findings {
		i := slices.IndexFunc(counts, func(r RuleCount) bool {
			return r.Rule == f.Rule && r.Level == f.Level
		})
		if i < 0 {
			i = len(counts)
			counts = append(counts, RuleCount{Rule: f.Rule, Level: f.Level})
		}
		counts[i].Found++
		if f.Fixable {
			counts[i].Fixable++
		}
	}
	slices.SortStableFunc(counts, func(a, b RuleCount) int {
		return cmp.Or(cmp.Compare(b.Found, a.Found), strings.Compare(a.Rule, b.Rule))
	})
	return counts
}
