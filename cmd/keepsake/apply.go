package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/git"
	"keepsake/pkg/importer"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/checks"
	"keepsake/pkg/project/session"
)

type applyCmd struct {
	Digest string `arg:"" help:"Digest that keepsake records plan printed; its first 8 characters or more."`
	excludeFlags
	JSON bool `help:"Print one JSON object: line, saved, kept."`
}

func (applyCmd) Help() string {
	return `Writes exactly the plan with this digest, whole or not at all, and prints one line. If a
memory changed since the plan was made, nothing is written and the exit code is 3: plan again. Applying a
plan twice writes nothing the second time.

With --exclude these drafts are left out and the others are written as they were shown. If the others
would come out differently without them, nothing is written and the exit code is 3. Drafts that were held
back or rejected are kept with the reason; keepsake status lists them.

Examples:

    keepsake records apply 1f0c2a9d44b1
    keepsake records apply 1f0c2a9d44b1 --exclude constraint --reason 'the limit is not in the excerpt'`
}

// minDigest is the shortest abbreviation of a digest that apply takes.
const minDigest = 8

// isDigest reports whether a text can abbreviate a digest.
func isDigest(s string) bool { return len(s) >= minDigest && strings.Trim(s, "0123456789abcdef") == "" }

func (v applyCmd) Run(c *call) error {
	c.json = v.JSON
	digest := strings.ToLower(v.Digest)
	if !isDigest(digest) {
		return usage("digest %q: want at least %d hex digits of what keepsake records plan printed", v.Digest,
			minDigest)
	}
	s, err := c.staged()
	if err != nil {
		return err
	}
	w := c.saver(s)
	p, found, err := w.Find(digest, save.HoldBack(v.excludeFlags))
	switch {
	case found && err != nil:
		return err
	case found:
		r, err := w.Apply(c.ctx, p)
		return c.saved(s, p, r, err)
	}
	waits, ok, newer := importer.Find(s, digest)
	if ok {
		return applyImport(c, s, waits)
	}
	done := w.Applied(digest)
	if !done { // another session may have, or one that the terminal no longer takes for its own
		_, found, herr := c.applied([]place{recordsOf(s)}, digest)
		if herr != nil {
			return failed(herr)
		}
		done = found != nil
	}
	if done {
		c.line("Saved already: this plan was applied before")
		c.value(applyJSON{Line: "Saved already", Saved: []save.Draft{}, Kept: []save.Draft{}})
		return nil
	}
	switch {
	case newer != nil:
		return newer
	case isAbsent(err):
		return failed(fmt.Errorf("%s: %w", filepath.Join(s.Desk.Dir, stage.PlanName), fs.ErrNotExist),
			"keepsake records plan makes one from the drafts on the stage")
	case err != nil:
		return err
	}
	return failed(fmt.Errorf("digest %s: the plan on the stage is %s", digest, p.Digest[:12]),
		"keepsake records plan shows it; apply takes the digest of the plan that was shown last")
}

type applyJSON struct {
	Line  string       `json:"line"`
	Saved []save.Draft `json:"saved"` // drafts that were written, or were there already
	Kept  []save.Draft `json:"kept"`  // drafts that were rejected or held back, and are kept
	// Upkeep is what the save brought with it.
	Upkeep []upkeep.Act `json:"upkeep,omitempty"`
}

// reasonRunes is how much of a reason for rejection apply prints; keepsake records plan
// prints the whole and the kept draft has it.
const reasonRunes = 300

// saver saves for a session on behalf of whoever runs this.
func (c *call) saver(s *session.Session) *save.Saver {
	return &save.Saver{Session: s, Cwd: c.cwd, Inside: inside(s), Alone: c.person.alone,
		Git: git.Committed(s.Root),
		Check: func(d draft.Draft) (verify, notes []string) {
			return checks.Propose(s.Root, c.now(), d, func(commit string) (bool, error) {
				return git.HasCommit(c.ctx, s.Root, commit)
			})
		},
		Now: c.now, Note: c.note}
}

// saved prints the line of a save and what follows from the save. It returns err.
func (c *call) saved(s *session.Session, p save.Plan, r save.Result, err error) error {
	if r.Settled && (len(r.Saved) > 0 || !r.Refused()) {
		c.line("%s", r.Line)
	}
	c.sayAfter(s, p, r)
	return err
}

// sayAfter prints what follows from a save: drafts that were not saved, drawers of retired memories, and
// records that wait for the person's yes. It also adds the save to the log of the day.
func (c *call) sayAfter(s *session.Session, p save.Plan, r save.Result) {
	if r.Settled {
		for _, d := range r.Kept {
			c.note("%s: not saved, kept: %s", cmp.Or(string(d.Category), "a draft"),
				cut(brief.Line(d.Reason), reasonRunes))
		}
		c.value(applyJSON{r.Line, append([]save.Draft{}, r.Saved...), append([]save.Draft{}, r.Kept...),
			p.Upkeep})
	}
	for _, d := range p.Drafts {
		for _, n := range d.Notes {
			if strings.HasPrefix(n, draft.CheckNote) {
				c.note("%s", brief.Line(n))
			}
		}
	}
	if t := r.TakenBack; t.Ref != "" {
		c.line("%s", brief.TakenBack(t.Ref, t.Text, r.Written))
	}
	if len(r.Written.Edits) == 0 {
		return
	}
	c.sayReplaced(s, r, p.Upkeep)
	folder.LogSave(c.ctx, s, r.Line, r.Written, c.now)
	c.promotedOf(s, false, r.Retired...)
	for _, h := range r.Held {
		c.line("held until the person says yes to it (keepsake review, in a terminal): %s: %s",
			brief.Line(h.Path), brief.Line(h.Why))
	}
}

// sayReplaced prints a line for each memory whose place a save takes. Acts of upkeep have lines of their own.
func (c *call) sayReplaced(s *session.Session, r save.Result, acts []upkeep.Act) {
	replaced := slices.DeleteFunc(save.Replaced(r.Written, acts), func(e plan.Edit) bool {
		return c.hidesEdit(recordsOf(s), e)
	})
	if len(replaced) == 0 {
		return
	}
	armed, err := s.Armed().Entries()
	if err != nil {
		c.note("whether a guard no longer acts is not known: %v", err)
	}
	for _, e := range replaced {
		c.line("%s", brief.Retired(e, r.Written.Digest()))
		for _, a := range armed {
			if a.Record == e.Path && !a.Off {
				c.line("  its guard, which you armed, no longer acts; it does again when the memory is back")
			}
		}
	}
}
