package main

import (
	"errors"
	"fmt"
	"strings"

	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/memdir/tidy"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

type tidyCmd struct {
	Sheet tidySheetCmd `cmd:"" default:"withargs" help:"List what is to be judged in a directory of Markdown memories."`
	Plan  tidyPlanCmd  `cmd:"" help:"Turn the answers into a plan, and print it with its digest."`
	Apply tidyApplyCmd `cmd:"" help:"Write exactly the plan with this digest."`
}

func (tidyCmd) Help() string {
	return `Lists what only a reader can decide about a directory of Markdown memories: which of two
statements holds, whether a fact is still true of the project, whether two say the same, what a file is
about. Run keepsake md fix first.

The sheet numbers what is to be decided, with the statements word for word, at most 40 calls at a time
(--from lists the next). The answers go into the file that it names, as {"answers": [...]}. Each answer has an
action:

` + actionsText() + `
file, line and text name a statement; text is the whole statement, word for word, and an answer whose text is
not there is refused. call is the number on the sheet. Nothing is written before keepsake md tidy apply.

Examples:

    keepsake md tidy
    keepsake md tidy --from 41
    keepsake md tidy plan
    keepsake md tidy apply 1f0c2a9d44b1`
}

func actionsText() string {
	var b strings.Builder
	for _, a := range tidy.Actions() {
		fmt.Fprintf(&b, "  - %s: %s (%s)\n", a.Name, a.Says, a.Needs)
	}
	return b.String()
}

type tidySheetCmd struct {
	Dir     string `arg:"" optional:"" help:"A directory of memories (default: the client's own memory of this project)."`
	Profile string `help:"How it is laid out: auto, pointer, density or table (default: memdir.profile of the settings)." placeholder:"PROFILE" enum:",auto,pointer,density,table" default:""`
	From    int    `help:"Begin with the judgement call of this number." placeholder:"N" default:"1"`
	Kept    bool   `help:"List the calls that were answered with keep, too."`
	JSON    bool   `help:"Print one JSON object: dir, profile, files, fixable, calls, all, kept, later, next, answers."`
}

func (tidySheetCmd) Help() string {
	return `The same as keepsake md tidy alone. It changes no memory.

The calls are ranked: what the project's own files prove comes first, then contradictions across files, then
descriptions that say nothing. A call keeps its number as long as the directory stays as it is. One page has
at most 40; --from lists the next. What keepsake md tidy plan read as keep is not asked again until one of
its statements changes, and a file that is only old is asked about again after 90 days.

Examples:

    keepsake md tidy sheet --json
    keepsake md tidy --from 41
    keepsake md tidy --kept`
}

type tidySheetJSON struct {
	Dir     string `json:"dir"`
	Profile string `json:"profile"`
	Files   int    `json:"files"`
	tidy.Sheet
	Answers string `json:"answers"` // the file that they go into
}

func (v tidySheetCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	f, err := c.readMemories(s, v.Dir, v.Profile)
	if err == nil {
		err = f.CheckIndex()
	}
	if err != nil {
		return err
	}
	if err := s.Desk.Make(); err != nil { // so that the answers can be written
		return err
	}
	out := tidySheetJSON{f.Root, f.Profile.Name, len(f.Files), v.page(f, c), folder.TidyAnswers(s)}
	if out.Calls == nil {
		out.Calls = []tidy.Call{}
	}
	tellSheet(c, out)
	c.value(out)
	return nil
}

// page returns the part of the sheet that is to be shown.
func (v tidySheetCmd) page(f folder.Folder, c *call) tidy.Sheet {
	var kept tidy.Kept
	if !v.Kept {
		kept = f.TidyKept()
	}
	return f.TidySheet(c.ctx).Open(kept).From(v.From)
}

type tidyPlanCmd struct {
	Dir     string `arg:"" optional:"" help:"The directory that the answers are about (default: the client's own memory of this project)."`
	Profile string `help:"How it is laid out: auto, pointer, density or table (default: memdir.profile of the settings)." placeholder:"PROFILE" enum:",auto,pointer,density,table" default:""`
	JSON    bool   `help:"Print one JSON object: dir, digest, done, kept, refused, open, files, notes, resolved, standing, ages."`
}

func (tidyPlanCmd) Help() string {
	return `Reads the answers, compares each with what the directory says now, and prints what would be
done: each deleted statement with the reason, each new text, the files before and after, the answers that
are refused and why, and the questions without an answer. No memory is written; the plan waits for keepsake
md tidy apply. Which calls were answered with keep is remembered. Exit code 1 says that nothing is to be done, or that answers were refused.

Example:

    keepsake md tidy plan`
}

// tidyPlanJSON is what tidy plan and tidy apply print with --json.
type tidyPlanJSON struct {
	Dir    string `json:"dir"`
	Digest string `json:"digest,omitempty"` // none when nothing is to be done
	tidy.Report
	Applied bool `json:"applied"`
	effectJSON
}

func (v tidyPlanCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	f, err := c.readMemories(s, v.Dir, v.Profile)
	if err == nil {
		err = f.CheckIndex()
	}
	if err != nil {
		return err
	}
	p, err := f.PlanTidy(c.ctx)
	if err != nil {
		return err
	}
	tellTidyPlan(c, p)
	c.value(tidyPlanJSON{p.Dir, p.Digest, p.Report, false, c.tidyEffect(s, p)})
	if p.Digest == "" || len(p.Refused) > 0 {
		return quiet{exitFailed}
	}
	return nil
}

type tidyApplyCmd struct {
	Digest string `arg:"" help:"Digest that keepsake md tidy plan printed; its first 8 characters or more."`
	DryRun bool   `help:"Say what would be done, counted, and write nothing." short:"n"`
	JSON   bool   `help:"Print one JSON object, as tidy plan does."`
}

func (tidyApplyCmd) Help() string {
	return `Writes exactly the plan with this digest, whole or not at all, and reports what became of the
directory. If a file changed since the plan was made nothing is written and the exit code is 3: plan
again. keepsake undo brings everything back.

Example:

    keepsake md tidy apply 1f0c2a9d44b1`
}

func (v tidyApplyCmd) Run(c *call) error {
	c.json = v.JSON
	digest := strings.ToLower(v.Digest)
	if len(digest) < minDigest || strings.Trim(digest, "0123456789abcdef") != "" {
		return usage("digest %q: want at least %d hex digits of what keepsake md tidy plan printed", v.Digest,
			minDigest)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	p, err := folder.WaitingTidy(s)
	switch {
	case err == nil && strings.HasPrefix(p.Digest, digest):
	case c.saver(s).Applied(digest):
		c.line("Tidied already: this plan was applied before")
		c.value(tidyPlanJSON{Digest: digest, Applied: true})
		return nil
	case isAbsent(err):
		return failed(fmt.Errorf("no plan waits: %w", err),
			"keepsake md tidy plan makes one from the answers")
	case err != nil:
		return err
	default:
		return failed(fmt.Errorf("digest %s: the plan that waits is %s", digest, p.Digest[:12]),
			"keepsake md tidy plan shows it; apply takes the digest of the plan that was shown last")
	}
	effect := c.tidyEffect(s, p)
	if v.DryRun {
		c.line("it would do: %s", effect.Effect)
		c.value(tidyPlanJSON{p.Dir, p.Digest, p.Report, false, effect})
		return nil
	}
	err = p.Apply(c.ctx, s, c.note)
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrExists) {
		return &failure{exitConflict, err, []string{"run keepsake md tidy plan again: nothing was written"}}
	}
	if err != nil {
		return err
	}
	tellTidied(c, p)
	c.value(tidyPlanJSON{p.Dir, p.Digest, p.Report, true, effect})
	return nil
}

// tidyEffect counts what a plan of tidy does.
func (c *call) tidyEffect(s *session.Session, p folder.TidyPlan) effectJSON {
	merged, _ := p.Gone()
	statements := 0
	for _, d := range p.Done {
		if d.Action == "delete" {
			statements++
		}
	}
	return c.notesOf(s, p.Dir).effectOf(p.Plan, 0, merged, statements)
}
