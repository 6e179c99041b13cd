package main

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/filing"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/resolve"
	"keepsake/pkg/session"
	"keepsake/pkg/store"
)

type undoCmd struct {
	Digest string `arg:"" optional:"" default:"last" help:"Digest of an applied plan, its first 8 characters or more, or last."`
	Dir    string `help:"Only look at the plans of this directory of Markdown memories." placeholder:"DIR"`
	changeFlags
}

func (undoCmd) Help() string {
	return `Brings back what the memories said before a plan, whole: what it created goes, what it changed, retired or deleted is as it was. If one of them has changed since, nothing is written and the exit code is 3. An undo is a plan like any other, so it can be undone.

The plans of the project's memories, of its directory of Markdown memories and of the root scope's (scope.root) are looked at; last is the latest of them all.

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
	if want != "last" && (len(want) < minDigest || strings.Trim(want, "0123456789abcdef") != "") {
		return usage("digest %q: want last, or at least %d hex digits of what keepsake records history printed", v.Digest, minDigest)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	at, found, err := c.applied(c.places(s, v.Dir), want)
	if err != nil {
		return err
	}
	if err := c.expunged(found, s, want); err != nil {
		return err
	}
	if found == nil {
		no := &memory.Refusal{Code: memory.CodeUndo, Problem: memory.Problem{
			Field: "digest", Expected: "a plan that was applied here and is still kept", Got: want, Fix: "keepsake records history ID shows the plans of a memory",
		}}
		if want == "last" {
			no.Got, no.Fix = "nothing: no plan was applied yet", ""
		}
		return fmt.Errorf("undo: %w", no)
	}
	p := found.Undo()
	out := undoneJSON{Undone: found.Digest, Digest: p.Digest(), Edits: []undoEdit{}, DryRun: v.DryRun}
	if at.markdown {
		out.Dir = at.root
		c.line("in %s:", brief.Line(at.root))
	}
	c.edits(p, v.changeFlags)
	if err := c.change(at, p, v.changeFlags); err != nil {
		return err
	}
	for _, e := range p.Edits {
		out.Edits = append(out.Edits, undoEdit{e.Path, e.Title, e.Deletes()})
		switch {
		case v.DryRun:
		case e.Deletes():
			c.line("gone: %s", brief.Line(e.Path))
		default:
			c.line("as it was: %s", brief.Line(e.Path))
		}
	}
	if !v.DryRun && !at.markdown {
		var gone []string
		for _, e := range out.Edits {
			if e.Gone {
				gone = append(gone, e.Path)
			}
		}
		c.tookBack(s, found.Digest, gone...)
		c.promotedOf(s, true, gone...)
	}
	c.value(out)
	return nil
}

// besideASave reports whether a plan is nothing that somebody did: it only adds to the
// log of the day that something was saved, or sums up a session that ended.
func besideASave(a store.Applied) bool {
	return !slices.ContainsFunc(a.Edits,
		func(e store.Done) bool { return e.Category != filing.LogCategory }) ||
		slices.ContainsFunc(a.Edits, automatic)
}

// automatic reports whether an edit made the summary of a session that ended, which
// nobody asked for.
func automatic(e store.Done) bool {
	if e.Verb != plan.Create || e.Category != string(memory.SessionSummary) {
		return false
	}
	r, err := memory.Decode(e.After)
	return err == nil && r.Provenance != nil && r.Provenance.Origin == resolve.Automatic
}

// applied finds the plan that has a digest that begins like this, or the last one; of
// several the latest. It is nil where there is none.
func (c *call) applied(places []place, want string) (at place, found *store.Applied, err error) {
	for _, p := range places {
		err := p.History(func(a store.Applied) bool {
			if want == "last" && besideASave(a) || want != "last" && !strings.HasPrefix(a.Digest, want) {
				return true
			}
			if found == nil || a.At.After(found.At) {
				at, found = p, &a
			}
			return false
		}, func(b store.Bad) { c.note("%s: %v", b.Path, b.Err) })
		if err != nil {
			return at, nil, err
		}
	}
	return at, found, nil
}

// expunged refuses to undo what was taken out for good, and to take something older for
// what was done last.
func (c *call) expunged(found *store.Applied, s *session.Session, want string) error {
	records := recordsOf(s)
	if want != "last" {
		now, was, err := records.WasExpunged(want)
		switch {
		case err != nil && found == nil:
			return failed(err)
		case !was || found != nil:
			return nil
		}
		no := &memory.Refusal{Code: memory.CodeUndo, Problem: memory.Problem{
			Field: "digest", Expected: "a plan that is still kept",
			Got: "one whose memory was forgotten for good", Fix: "nothing brings it back",
		}}
		if now != "" {
			no.Fix = "keepsake undo " + now[:12] + " takes back the rest of the plan"
		}
		return fmt.Errorf("undo: %w", no)
	}
	last, err := records.LastExpunged()
	if err != nil || last.IsZero() || found != nil && found.At.After(last) {
		return err
	}
	return fmt.Errorf("undo: %w", &memory.Refusal{Code: memory.CodeUndo, Problem: memory.Problem{
		Field: "digest", Expected: "a plan that can be taken back",
		Got: "what was done last: a memory was forgotten for good",
		Fix: "keepsake undo DIGEST takes back an older plan; keepsake records history ID shows them",
	}})
}

// tookBack settles what was noticed and led to what was just taken back.
func (c *call) tookBack(s *session.Session, digest string, paths ...string) {
	if err := takeBack(c, s, digest, paths...); err != nil {
		c.note("it is taken back, but not noted of what was noticed: %v", err)
	}
}
