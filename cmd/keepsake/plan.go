package main

import (
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
)

type planCmd struct {
	Partial bool `help:"Plan with the drafts that are there, even if a noticed category has none and its drafter may still run."`
	excludeFlags
	Diff bool `short:"d" help:"Also show every change as a diff."`
	JSON bool `help:"Print one JSON object: digest, drafts with their outcome, edits."`
}

func (planCmd) Help() string {
	return `Reads the drafts (intent-*.json) on the session's stage, compares them with the memories that
exist, and decides for each: create, update, retire, nothing or rejected. It writes no memory. keepsake
records apply DIGEST then writes exactly what was shown.

Drafts held back with --exclude end as blocked; they are kept with their reason, and not saved. With
triage.parallel.verification_enabled the plan also names the drafts that should be verified, each with a
file to read.

Exit code 5 says that a noticed category has no draft yet and its drafter may still be running. Plan again
when the last drafter has ended.

Examples:

    keepsake records plan
    keepsake records plan --diff
    keepsake records plan --json | jq .digest`
}

func (v planCmd) Run(c *call, w *save.Saver) error {
	p, err := w.Plan(save.Options{Partial: v.Partial, HoldBack: save.HoldBack(v.excludeFlags)})
	if err == nil {
		err = w.Stage(p)
	}
	if err != nil {
		return err
	}
	c.block(brief.Outcomes(p.Outcomes()))
	p.Upkeep = c.shownActs(recordsOf(w.Session), p.Upkeep)
	c.sayActs(p.Upkeep)
	if len(p.Without) > 0 {
		c.line("not drafted, stays on the stage: %s", strings.Join(p.Without, ", "))
	}
	c.sayLeft(p.Left)
	if v.Diff {
		c.line("")
		c.planDiff(recordsOf(w.Session), p.Plan)
		c.line("")
	}
	for _, d := range p.Drafts {
		if d.Verify != "" {
			c.line("verify %s (%s): %s", d.Name, d.Risk, d.Verify)
		}
	}
	c.line("plan %s", p.Digest)
	c.line("next: keepsake records apply %s", p.Digest[:12])
	c.value(c.planShown(recordsOf(w.Session), p))
	return nil
}

// excludeFlags hold drafts back from a plan.
type excludeFlags struct {
	Exclude []string `help:"Hold these drafts back: categories, or names such as decision.2 where there are several. They are kept as blocked." placeholder:"NAME,…" sep:","`
	Reason  string   `help:"Why they are held back; it is kept with them." placeholder:"TEXT"`
}

// planJSON is what plan --json prints.
type planJSON struct {
	Digest  string       `json:"digest"`
	Drafts  []save.Draft `json:"drafts"`
	Edits   []editJSON   `json:"edits"`
	Upkeep  []upkeep.Act `json:"upkeep,omitempty"`
	Without []string     `json:"without"`
	// Left are noticed statements that no draft takes up; they stay open.
	Left []save.Left `json:"left,omitempty"`
}

type editJSON struct {
	Path  string    `json:"path"`
	Verb  plan.Verb `json:"verb"`
	Title string    `json:"title"`
	After string    `json:"after"` // the file as it shall be
}

func (c *call) planShown(at place, p save.Plan) planJSON {
	out := planJSON{Digest: p.Digest, Drafts: p.Drafts, Edits: []editJSON{}, Upkeep: p.Upkeep,
		Without: append([]string{}, p.Without...), Left: p.Left}
	for _, e := range c.shownEdits(at, p.Plan) {
		out.Edits = append(out.Edits, editJSON{e.Path, e.Verb, e.Title, string(e.After)})
	}
	return out
}

// sayLeft prints the statements that no draft covers, so that a drafter's omission is seen.
func (c *call) sayLeft(left []save.Left) {
	for _, f := range left {
		c.line("not in any %s draft, stays open: [%d] %s", f.Category, f.Number,
			cut(brief.Line(f.Text), reasonRunes))
	}
}
