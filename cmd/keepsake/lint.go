package main

import (
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/project/session"
)

type lintCmd struct {
	Dir     string `arg:"" optional:"" help:"A directory of memories (default: the client's own memory of this project)."`
	Profile string `help:"How it is laid out: auto, pointer, density or table (default: memdir.profile of the settings)." placeholder:"PROFILE" enum:",auto,pointer,density,table" default:""`
	Rules   bool   `help:"Explain the rules instead."`
	JSON    bool   `help:"Print one JSON value."`
}

func (lintCmd) Help() string {
	return `Checks a directory of Markdown memories and changes nothing:

  - MEMORY.md is short enough to be loaded and has only pointers
  - every pointer leads to a file, and every file has a pointer to it
  - frontmatter says what a file is for
  - nothing is said twice, dated by words such as "yesterday", or unchecked for 90 days

A problem is "fixable" if a rule can mend it and nobody has to judge what a text means. The exit code is 1
when something was found.

Examples:

    keepsake md lint
    keepsake md lint ~/.claude/projects/-home-me-shop/memory --profile table
    keepsake md lint --json | jq '.findings[] | select(.level == "error")'
    keepsake md lint --rules`
}

// lintJSON is what lint --json prints.
type lintJSON struct {
	Dir      string           `json:"dir"`
	Profile  string           `json:"profile"`
	Files    int              `json:"files"`
	Findings []memdir.Finding `json:"findings"`
	Passed   []folder.Passed  `json:"passed"` // what was not looked at
}

// Run is that of md check --each.
func (v lintCmd) Run(c *call) error { return checkCmd{lintCmd: v, Each: true}.Run(c) }

// readMemories reads a directory with all that is known of it, by default the client's of this project.
func (c *call) readMemories(s *session.Session, dir, profile string) (folder.Folder, error) {
	if dir != "" && !filepath.IsAbs(dir) {
		dir = filepath.Join(c.cwd, dir)
	}
	if dir != "" {
		s.Notes(dir).Tidy()
	}
	f, err := folder.Open(s, dir, profile, c.now())
	c.passedOver(f)
	if err != nil {
		return f, err
	}
	f.MarkRewritten(c.ctx)
	return f, nil
}

// passedOver notes the files of a directory that were left out.
func (c *call) passedOver(f folder.Folder) {
	for _, p := range f.Passed {
		c.note("%s", brief.Line(p.Why))
	}
}

// tellEach prints findings with file and line.
func tellEach(c *call, findings []memdir.Finding) {
	for _, f := range findings {
		tags := f.Rule
		if f.Fixable {
			tags += ", fixable"
		}
		if f.Line > 0 {
			c.line("%s:%d: %s: %s [%s]", brief.Line(f.Path), f.Line, f.Level, brief.Line(f.Why), tags)
		} else {
			c.line("%s: %s: %s [%s]", brief.Line(f.Path), f.Level, brief.Line(f.Why), tags)
		}
	}
}

// tellSum prints how many findings there are. set reports that the caller named the profile.
func tellSum(c *call, out lintJSON, set bool) {
	errs, fixable := 0, 0
	for _, f := range out.Findings {
		if f.Fixable {
			fixable++
		}
		if f.Level == memdir.Error {
			errs++
		}
	}
	profile := "profile " + out.Profile
	if !set {
		profile += ", by its looks"
	}
	switch n := len(out.Findings); {
	case n > 0:
		c.line("%s in %s (%s): %s, %s; %d fixable", count(n, "problem"), count(out.Files, "file"), profile,
			count(errs, "error"), count(n-errs, "warning"), fixable)
	case out.Files > 0:
		c.line("%s in order (%s)", count(out.Files, "file"), profile)
	}
}

// ruleJSON is a rule as lint --rules --json prints it.
type ruleJSON struct {
	Rule     string       `json:"rule"`
	Level    memdir.Level `json:"level"`
	Profiles []string     `json:"profiles"`
	Says     string       `json:"says"`
}

func (v lintCmd) explain(c *call) error {
	if v.Dir != "" {
		return usage("--rules and %s: want one of them", v.Dir)
	}
	rules := []ruleJSON{}
	c.line("Profiles:")
	for _, p := range memdir.Profiles() {
		c.line("  %-8s %s", p.Name, p.Says)
	}
	c.line("\nRules, for all profiles where none is named:")
	for _, r := range memdir.Rules() {
		in := r.In()
		if v.Profile != "" && v.Profile != "auto" && !slices.Contains(in, v.Profile) {
			continue
		}
		only := ""
		if len(in) < len(memdir.Profiles()) {
			only = " (" + strings.Join(in, ", ") + ")"
		}
		c.line("  %-17s %-7s %s%s", r.ID, r.Level, r.Says, only)
		rules = append(rules, ruleJSON{r.ID, r.Level, in, r.Says})
	}
	c.value(rules)
	return nil
}
