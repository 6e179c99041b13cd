package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/importer"
	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

type importCmd struct {
	Source     string   `arg:"" optional:"" help:"A memory folder, a project that has one, a folder of notes of the client's own memory, a CLAUDE.md, or an export."`
	AutoMemory bool     `help:"Import the client's own memory of this project."`
	As         string   `help:"What the source is, if it is not recognised: store, auto-memory, rules or export." placeholder:"KIND" enum:",store,auto-memory,rules,export" default:""`
	All        bool     `help:"From a CLAUDE.md take every entry of a list, not only those that say how to do things."`
	Only       []string `help:"Import only the memories with these ids." placeholder:"ID" sep:","`
	Apply      bool     `help:"Write at once what would be planned. Not for a CLAUDE.md: which of its rules are worth keeping is for a person to say."`
	changeFlags
}

func (importCmd) Help() string {
	return `Brings memories from elsewhere into this project. An import only adds. What is here already
stays as it is, whatever its name or status, and a name that is taken gets a number. Secrets are redacted.
Importing the same again adds nothing.

Without --apply the plan waits on the stage, and keepsake records apply DIGEST writes it.

A store, also one of claude-memory, comes with its history and status. A note of the client's memory keeps
its whole text and becomes, by its type, a preference (user, feedback), a decision or a constraint
(project), or a runbook (reference). Rules of a CLAUDE.md become preferences.

Examples:

    keepsake records import ../other-project
    keepsake records import --auto-memory --dry-run
    keepsake records import CLAUDE.md --only use-tabs,wrap-errors
    keepsake records import memories.json --apply`
}

// importJSON is what import --json prints.
type importJSON struct {
	Source  string             `json:"source"`
	Kind    string             `json:"kind"`
	Digest  string             `json:"digest,omitempty"` // of the plan; none when there is nothing to add
	Added   bool               `json:"added"`            // written, not only planned
	Offers  []exchange.Outcome `json:"offers"`
	Passed  []exchange.Passed  `json:"passed"` // what the source has and no memory was made of
	Created int                `json:"created"`
}

func (v importCmd) Run(c *call, w *save.Saver) error {
	s := w.Session
	src, err := v.source(c, s)
	if err != nil {
		return err
	}
	if src.Kind == importer.Rules && v.Apply {
		return usage("--apply: a person chooses which rules of %s to keep: look at the plan, and apply it "+
			"by its digest", filepath.Base(src.Path))
	}
	loaded, err := c.load(s)
	if err != nil {
		return err
	}
	if len(v.Only) > 0 {
		if missing := src.Only(v.Only); missing != "" {
			return usage("--only %s: the source has no such memory", missing)
		}
	}
	branch, commit := s.Head(c.cwd)
	p, outcomes := src.Plan(loaded, branch, commit)
	out := importJSON{
		Source: src.Path, Kind: src.Kind, Created: len(p.Edits),
		Offers: append([]exchange.Outcome{}, outcomes...), Passed: append([]exchange.Passed{}, src.Passed...),
	}
	c.line("%s %s", src.Kind, brief.Line(src.Path))
	tellImport(c, out)
	switch {
	case len(p.Edits) == 0:
		c.line("nothing to add")
	case v.DryRun || v.Apply:
		if err := c.change(recordsOf(s), p, changeFlags{DryRun: v.DryRun, Diff: v.Diff}); err != nil {
			return err
		}
		out.Digest, out.Added = p.Digest(), !v.DryRun
		if out.Added {
			c.line("%s", noteImport(c, s, p))
		}
	default:
		if v.Diff {
			c.planDiff(recordsOf(s), p)
		}
		out.Digest = p.Digest()
		if err := importer.Put(s, src.Path, p, c.now().UTC()); err != nil {
			return err
		}
		c.line("plan %s", out.Digest)
		c.line("next: keepsake records apply %s", out.Digest[:12])
	}
	c.value(out)
	if refused := slices.ContainsFunc(outcomes, func(o exchange.Outcome) bool {
		return o.State == exchange.Rejected
	}); refused {
		return quiet{exitFailed}
	}
	return nil
}

// tellImport prints the outcome of every part of the source.
func tellImport(c *call, out importJSON) {
	for _, o := range out.Offers {
		switch o.State {
		case exchange.Create:
			c.line("  create %s  %s (%s)", brief.Line(o.Path), brief.Line(o.Title), brief.Line(o.From))
		case exchange.Nothing:
			c.line("  skip %s: %s %s", brief.Line(o.From), brief.Line(o.Path), brief.Line(o.Reason))
		default:
			c.line("  reject %s: %s", brief.Line(o.From), cut(brief.Line(o.Reason), reasonRunes))
		}
		for _, n := range o.Notes {
			c.line("    %s", brief.Line(n))
		}
	}
	for _, p := range out.Passed {
		c.line("  pass %s: %s", brief.Line(p.From), brief.Line(p.Why))
	}
}

// noteImport records an import in the session's state, and returns the line that reports it.
func noteImport(c *call, s *session.Session, p plan.Plan) string {
	line, err := importer.Note(s, p, c.now().UTC())
	if err != nil {
		c.note("session state: %v", err) // the memories are written
	}
	return line
}

// applyImport writes the import that waits on the stage.
func applyImport(c *call, s *session.Session, f importer.Waiting) error {
	if f.Root != s.Root {
		return failed(fmt.Errorf("the plan was made for %s, this is %s", f.Root, s.Root), "import again")
	}
	w := c.saver(s)
	if !w.Applied(f.Digest) {
		if err := w.ApplyPlan(c.ctx, f.Plan, nil); err != nil {
			return err
		}
		if err := s.Trust(f.Plan, nil, c.person.asks(), c.now().UTC()); err != nil {
			return fmt.Errorf("imported, but what is known of it could not be noted: %w", err)
		}
	}
	line := noteImport(c, s, f.Plan)
	if err := importer.Remove(s); err != nil {
		return fmt.Errorf("imported, but the plan stays on the stage: %w", err)
	}
	_ = os.Remove(s.Desk.Dir) // only when empty
	c.line("%s", line)
	c.value(applyJSON{Line: line, Saved: []save.Draft{}, Kept: []save.Draft{}})
	return nil
}

// source reads what is to be imported.
func (v importCmd) source(c *call, s *session.Session) (*importer.Source, error) {
	path := v.Source
	switch {
	case v.AutoMemory && path != "":
		return nil, usage("--auto-memory and %s: want one of them", path)
	case v.AutoMemory:
		path, v.As = s.MemoryDir(), importer.Notes
		if _, err := os.Stat(path); err != nil {
			return nil, failed(err,
				"the client keeps no memory of this project there; name the folder if autoMemoryDirectory "+
					"moved it")
		}
	case path == "":
		return nil, usage("import: want a folder or a file, or --auto-memory")
	}
	src, err := importer.Read(c.ctx, s, c.path(path), v.As, v.All)
	if errors.Is(err, importer.ErrOwnStore) {
		return nil, usage("%v", err)
	}
	return src, err
}
