package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/erase"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/secret"
	"keepsake/pkg/store"
)

type forgetCmd struct {
	What    []string `arg:"" name:"ID|WORDS" help:"Id of a memory, the beginning of one, words of its title; the number of a finding; or wing/room/drawer of what was promoted."`
	Reason  string   `help:"Why; it is kept with the memory." placeholder:"TEXT"`
	ForGood bool     `help:"Delete it, with what Keepsake keeps of its past. Nothing brings it back."`
	changeFlags
}

func (forgetCmd) Help() string {
	return `Takes one thing back. A memory is retired, so that it is no longer recalled; keepsake records
restore brings it back. A finding that waits is set aside. What was noticed and led to the memory is not
offered again. If several things fit, they are listed and nothing is done.

What was promoted goes with its memory: the drawer is no longer recalled, and you are asked whether to
withdraw it. A drawer named as wing/room/drawer is withdrawn after a yes at the terminal; nothing brings
it back.

--for-good deletes, after a yes at the terminal:

  - the memory's file and its whole history, so that undo and restore can't bring it back;
  - the statements that it was made of and those that say the same, with what was said around them;
  - its words and its name in all that Keepsake keeps: the search index, sessions, unsaved work,
    approvals.

It names what it can't delete because it is not Keepsake's: commits of git, transcripts of the client, its
memory files and their snapshots, your notes.

Examples:

    keepsake forget use-redis
    keepsake forget the redis queue
    keepsake forget 7
    keepsake forget use-redis --for-good
    keepsake forget shop/decisions/use-redis-for-the-cache-0f9c3a71d2e4`
}

// forgottenJSON is what forget prints with --json for a finding, and with --for-good.
// For a memory it prints what retire does.
type forgottenJSON struct {
	Status   string `json:"status"` // "rejected", "set_aside" or "deleted"
	Target   string `json:"target,omitempty"`
	Findings []int  `json:"findings"`
	Plans    int    `json:"plans,omitempty"` // of the history, that had to do with it
	DryRun   bool   `json:"dry_run,omitempty"`
}

func (v forgetCmd) Run(c *call, s *session.Session) error {
	what := strings.TrimSpace(strings.Join(v.What, " "))
	if isDrawer(what) {
		return v.forgetDrawer(c, s, what)
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	agent := !c.person.asks()
	loaded = c.nameable(s, loaded, what)
	book, err := s.Whole()
	if err != nil {
		if book.Len() == 0 || v.ForGood {
			return failed(err)
		}
		c.note("%v", err)
	}
	t, err := erase.FindTarget(s.Store(), loaded, book, what, v.ForGood, agent)
	switch {
	case err != nil:
		return err
	case v.ForGood:
		return v.delete(c, s, book, t)
	case t.Finding != nil:
		return v.setAside(c, s, *t.Finding)
	}
	reason := cmp.Or(v.Reason, "forgotten")
	return c.move(t.Path, v.changeFlags, move{plan.Retire, memory.Retired, "forgotten",
		func(r memory.Record) (memory.Moved, error) {
			return r.Retire(secret.Redact(reason), c.now())
		}})
}

// setAside takes a finding that waits off everybody's hands: on the person's word it is
// rejected, on the agent's set aside.
func (v forgetCmd) setAside(c *call, s *session.Session, f finding.Status) error {
	m := finding.Move{At: c.now().UTC(), Act: finding.Reject, Numbers: []int{f.Number}, By: "person",
		Why: brief.Text(secret.Redact(v.Reason), save.MaxReason)}
	out := forgottenJSON{Status: string(finding.Rejected), Findings: m.Numbers, DryRun: v.DryRun}
	if inside(s) {
		m.Act, m.By, out.Status = finding.PutAside, "agent", string(finding.SetAside)
	}
	if v.DryRun {
		c.line("%s [%d] %q", strings.ReplaceAll(out.Status, "_", " "), f.Number,
			cut(brief.Line(f.Text), answer.SnippetRunes))
		c.line("nothing was written: this was a dry run")
	} else {
		if err := s.MoveFindings(m); err != nil {
			return failed(err)
		}
		if tty, err := c.person.open(); err == nil { // else nobody knows whose word it is
			tty.Close()
			if err := s.Answered(f.Finding, false, c.now()); err != nil {
				c.note("nothing was learned from your answer: %v", err)
			}
		}
		c.line("forgotten: [%d]; it is not offered again", f.Number)
	}
	c.value(out)
	return nil
}

// delete takes something away for good, if the person says so.
func (v forgetCmd) delete(c *call, s *session.Session, book *finding.Book, t erase.Target) error {
	d := erase.NewDeletion(s, book, t)
	out := forgottenJSON{Status: "deleted", Target: d.Path, Findings: d.Numbers, DryRun: v.DryRun}
	shown := d.Lines()
	if c.hidesTarget(s, t) {
		shown = []string{brief.Line(t.Path)}
		c.noteHeld(1)
	}
	if v.DryRun {
		for _, line := range shown {
			c.line("%s", line)
		}
		c.line("nothing was written: this was a dry run")
		c.value(out)
		return nil
	}
	tty, err := c.person.open(yourself, "keepsake forget without --for-good takes it out of what is recalled")
	if err != nil {
		return err
	}
	defer tty.Close()
	fmt.Fprintf(tty, "%s\n\n", strings.Join(shown, "\n"))
	answers := bufio.NewReader(tty)
	if ask(tty, answers, "Delete this for good?", yesOrNo...) != yes {
		c.line("nothing was deleted")
		return nil
	}
	out.Plans, err = d.Delete(c.ctx, c.now().UTC())
	switch {
	case errors.Is(err, store.ErrConflict):
		return &failure{exitConflict, err,
			[]string{"look at it again and repeat the command: nothing was deleted"}}
	case err != nil:
		return err
	}
	c.line("deleted for good: %s", strings.Join(deleted(t, out), ", "))
	if t.Path != "" {
		c.askDrawers(s, tty, answers, c.overOf(s, t.Path))
	}
	for _, line := range d.Left(c.ctx, c.unreadable) {
		c.note("%s", line)
	}
	c.value(out)
	return nil
}

// deleted returns the names of what was deleted, for people.
func deleted(t erase.Target, out forgottenJSON) (parts []string) {
	if t.Path != "" {
		parts = append(parts, brief.Line(t.Path), count(out.Plans, "plan")+" of its history")
	}
	for _, n := range out.Findings {
		parts = append(parts, fmt.Sprintf("[%d]", n))
	}
	return parts
}
