package main

import (
	"errors"
	"os"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/session"
	"keepsake/pkg/recovery"
	"keepsake/pkg/store"
)

type undoCmd struct {
	Digest string `arg:"" optional:"" default:"last" help:"Digest of an applied plan, its first 8 characters or more, or last."`
	Dir    string `help:"Only look at the plans of this directory of Markdown memories." placeholder:"DIR"`
	changeFlags

	inReview bool // which has its own key for the way back
}

func (undoCmd) Help() string {
	return `Brings back what the memories said before a plan. What it created is removed; what it changed,
retired or deleted is as it was. A finding that you had said yes to waits again. If one of these memories
has changed since, nothing is written and the exit code is 3.

Said again, it takes back the plan before that. An undo is a plan itself: it prints the command that does
again what it took back.

It looks at the plans of the project's memories, of its directory of Markdown memories and of the root
scope's (scope.root). last is the latest of all these that is not undone. An answer that wrote no memory, such
as a no, is no plan: u takes it back in a review. Settings are none either: keepsake config unset takes one
back, and where the project's settings were changed after the last plan, undo says so and wants the plan's
digest.

Examples:

    keepsake undo --dry-run --diff
    keepsake undo last
    keepsake records history use-postgres-for-the-job-queue
    keepsake undo 1f0c2a9d44b1
    keepsake undo --dir ~/.claude/projects/-home-me-shop/memory`
}

// undoneJSON is what undo prints with --json.
type undoneJSON struct {
	Undone string     `json:"undone"`        // digest of the plan that was undone
	Digest string     `json:"digest"`        // of the plan that undid it
	Dir    string     `json:"dir,omitempty"` // of Markdown memories; none for the project's records
	Edits  []undoEdit `json:"edits"`
	DryRun bool       `json:"dry_run,omitempty"`
}

type undoEdit struct {
	Path  string `json:"path"`
	Title string `json:"title"`
	Gone  bool   `json:"gone"` // the plan had made it
}

func (v undoCmd) Run(c *call) error {
	c.json = v.JSON
	want := strings.ToLower(v.Digest)
	if want != recovery.Latest && !isDigest(want) {
		return usage("digest %q: want last, or at least %d hex digits of what keepsake records history "+
			"printed", v.Digest, minDigest)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	at, found, err := c.applied(c.places(s, v.Dir), want)
	if err != nil {
		return err
	}
	if err := recovery.CheckUndo(s.Store(), found, want); err != nil {
		return err
	}
	if info, err := os.Stat(s.Place.Settings()); want == recovery.Latest && !v.DryRun && found != nil &&
		err == nil && info.ModTime().After(found.At) {
		return failed(errors.New("the project's settings were changed after the last plan, and no undo "+
			"takes those back"), "keepsake config unset KEY takes a setting back",
			"keepsake undo "+found.Digest[:12]+" takes back the memories of "+
				found.At.Local().Format("2006-01-02 15:04"))
	}
	p := found.Undo()
	out := undoneJSON{Undone: found.Digest, Digest: p.Digest(), Edits: []undoEdit{}, DryRun: v.DryRun}
	if at.markdown {
		out.Dir = at.root
		c.line("in %s:", brief.Line(at.root))
	}
	shown := c.shownEdits(at, p)
	c.edits(at, p, v.changeFlags)
	if err := c.change(at, p, v.changeFlags); err != nil {
		return v.refused(err, found)
	}
	original, redo, err := recovery.Original(at.Store, *found)
	if err != nil {
		c.note("what it undid is not known: %v", err)
	}
	var gone []string
	for _, e := range shown {
		out.Edits = append(out.Edits, undoEdit{e.Path, e.Title, e.Deletes()})
	}
	for _, e := range p.Edits {
		said := "as it was"
		switch {
		case e.Deletes():
			said, gone = "gone", append(gone, e.Path)
		case redo && e.Before == "":
			said = "there again"
		case redo:
			said = "changed again"
		}
		if !v.DryRun {
			c.line("%s: %s", said, brief.Line(e.Path))
		}
	}
	if !v.DryRun {
		if !at.markdown {
			if redo {
				c.didAgain(s, original.Digest, found.Digest)
			} else {
				c.tookBack(s, original.Digest, out.Digest, gone...)
			}
			c.promotedOf(s, true, gone...)
		}
		if !v.inReview {
			c.sayUndone(original, at, out.Digest, redo)
		}
	}
	c.value(out)
	return nil
}

// sayUndone prints which plan was undone or done again, and the command for the way back.
func (c *call) sayUndone(done store.Applied, at place, digest string, redo bool) {
	again := "keepsake undo " + digest[:minDigest]
	if at.markdown {
		again += " --dir " + brief.ShellWord(at.root)
	}
	when := done.At.Local().Format("2006-01-02 15:04")
	if redo {
		c.line("done again: what was done on %s; %s takes it back", when, again)
		return
	}
	c.line("taken back: what was done on %s; %s does it again", when, again)
}

// refused returns the error for an undo that could not be applied. Looking again does not help where a file
// has changed since: what was done later has to be taken back first.
func (v undoCmd) refused(err error, found *store.Applied) error {
	if errors.Is(err, store.ErrConflict) {
		return &failure{exitConflict, err, []string{
			"nothing was written: this was changed after " + found.At.Local().Format("2006-01-02 15:04"),
			"keepsake records history ID --diff shows what came after, keepsake undo DIGEST takes that back",
		}}
	}
	return err
}

// applied returns the latest plan whose digest begins with want, or the last plan, and the place that it
// changed. found is nil if there is none.
func (c *call) applied(places []place, want string) (at place, found *store.Applied, err error) {
	var stores []*store.Store
	for _, p := range places {
		stores = append(stores, p.Store)
	}
	in, found, err := recovery.FindPlan(stores, want, func(b store.Bad) { c.note("%s: %v", b.Path, b.Err) })
	if found != nil {
		at = places[in]
	}
	return at, found, err
}

// tookBack updates the findings that led to the plan or the records that were just taken back, and prints
// those that wait again.
func (c *call) tookBack(s *session.Session, undone, by string, paths ...string) {
	again, err := c.saver(s).TakeBack(undone, by, paths...)
	if err != nil {
		c.note("it is taken back, but the findings could not be updated: %v", err)
		return
	}
	for _, n := range again {
		c.line("[%d] waits again in the inbox", n)
	}
}

// didAgain updates the findings that an undo of a plan had wait again or set aside, and prints those that
// wait no more.
func (c *call) didAgain(s *session.Session, again, undo string) {
	settled, err := c.saver(s).DoAgain(again, undo)
	if err != nil {
		c.note("it is done again, but the findings could not be updated: %v", err)
		return
	}
	for _, n := range settled {
		c.line("[%d] waits no more", n)
	}
}
