package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/git"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/store"
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
  - every pointer leads to a file, and some pointer leads to every file
  - frontmatter says what a file is for
  - nothing is said twice, dated by words such as "yesterday", or unchecked for 90 days

A finding is "fixable" if a rule can mend it and nobody has to judge what a text means. The exit code is 1
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
	Passed   []passedJSON     `json:"passed"` // what was not looked at
}

type passedJSON struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Run is that of md check --each.
func (v lintCmd) Run(c *call) error { return checkCmd{lintCmd: v, Each: true}.Run(c) }

// read reads the directory and what is wrong with it.
func (v lintCmd) read(c *call, out *lintJSON) (memories, error) {
	m, err := c.readMemories(v.Dir, v.Profile, func(name, why string) {
		out.Passed = append(out.Passed, passedJSON{name, why})
	})
	if err != nil {
		return m, err
	}
	m.Apart = blackboard.Apart
	out.Dir, out.Profile, out.Files = m.dir, m.profile.Name, len(m.Files)
	out.Findings = append(out.Findings, memdir.Lint(m.Dir, m.profile)...)
	return m, nil
}

// memories is a directory of memories as it was read.
type memories struct {
	memdir.Dir
	dir     string
	profile memdir.Profile
	set     bool // the profile was named
}

// readMemories reads a directory, by default the client's of this project.
func (c *call) readMemories(dir, profile string, pass func(name, why string)) (m memories, err error) {
	if dir == "" || profile == "" {
		s, err := c.where()
		if err != nil {
			return m, err
		}
		if profile == "" {
			profile = s.Config.Memdir.Profile
		}
		if dir == "" {
			dir = s.MemoryDir()
			if _, err := os.Stat(dir); err != nil {
				return m, failed(err,
					"the client keeps no memory of this project there; name the folder if "+
						"autoMemoryDirectory moved it")
			}
		}
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.cwd, dir)
	}
	m.dir = dir
	m.Dir, err = session.ReadMemories(dir, c.now(), func(name, why string) {
		c.note("%s", brief.Line(why))
		pass(name, why)
	})
	if err != nil {
		return m, err
	}
	m.Alike = alike.Notes
	if len(m.Files) == 0 {
		c.line("no memories in %s", brief.Line(dir))
	}
	if m.profile, m.set = memdir.Named(profile); !m.set {
		m.profile = memdir.Detect(m.Files)
	}
	rewritten(c.ctx, dir, m.Files)
	if err := c.ours(dir, m.Files); err != nil {
		c.note("%v; what keepsake wrote there is taken for a person's", err)
	}
	return m, nil
}

// ours marks the files with relative dates that a plan of keepsake's wrote last.
func (c *call) ours(dir string, files []memdir.File) error {
	s, err := session.At(c.cwd)
	if err != nil {
		return err
	}
	var ask map[string]int // files, as indices, that no plan was found for
	return s.Notes(dir).History(func(a store.Applied) bool {
		if ask == nil {
			ask = map[string]int{}
			for i, f := range files {
				if memdir.Timely(f) {
					ask[f.Path] = i
				}
			}
		}
		for _, e := range a.Edits {
			if i, ok := ask[e.Path]; ok {
				files[i].Ours = bytes.Equal(e.After, files[i].Bytes)
				delete(ask, e.Path)
			}
		}
		return len(ask) > 0
	}, nil)
}

// tellEach lists findings with file and line.
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

// tellSum says how many findings of which kind there are; set says that the profile was named.
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
		c.line("%s in %s (%s): %s, %s; %d fixable", count(n, "finding"), count(out.Files, "file"), profile,
			count(errs, "error"), count(n-errs, "warning"), fixable)
	case out.Files > 0:
		c.line("%s in order (%s)", count(out.Files, "file"), profile)
	}
}

// rewritten marks the files below events and cases that git knows to have been
// changed after they were added. Where git can't tell, nothing is marked: the
// dates in such a file tell as well.
func rewritten(ctx context.Context, dir string, files []memdir.File) {
	var folders []string
	for _, f := range files {
		for _, name := range [...]string{"user/events", "agent/cases"} {
			if at := strings.Index("/"+f.Path, "/"+name+"/"); at >= 0 {
				if folder := f.Path[:at] + name; !slices.Contains(folders, folder) {
					folders = append(folders, folder)
				}
			}
		}
	}
	if len(folders) == 0 {
		return
	}
	var changed []string
	for _, args := range [][]string{{"log", "--diff-filter=M", "--format=", "--name-only", "--no-renames",
		"--relative", "-z"}, {"diff", "HEAD", "--diff-filter=M", "--name-only", "--no-ext-diff", "--relative",
		"-z"}} {
		out, err := git.Run(ctx, dir, append(append(args, "--"), folders...)...)
		if err != nil {
			return // no repository, or no commit
		}
		changed = append(changed, strings.Split(out, "\x00")...)
	}
	for i := range files {
		files[i].Rewritten = slices.Contains(changed, files[i].Path)
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
