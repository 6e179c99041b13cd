package main

import (
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/store"
)

type undoCmd struct {
	Digest string `arg:"" optional:"" default:"last" help:"Digest of an applied plan, its first 8 characters or more, or last."`
	changeFlags
}

func (undoCmd) Help() string {
	return `Brings back what the memories said before a plan, whole: what it created goes, what it changed, retired or deleted is as it was. If one of them has changed since, nothing is written and the exit code is 3. An undo is a plan like any other, so it can be undone.

Examples:

    keepsake undo --dry-run --diff
    keepsake undo last
    keepsake history use-postgres-for-the-job-queue
    keepsake undo 1f0c2a9d44b1`
}

// undoneJSON is what undo prints with --json.
type undoneJSON struct {
	Undone string     `json:"undone"` // digest of the plan that was undone
	Digest string     `json:"digest"` // of the plan that undid it
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
		return usage("digest %q: want last, or at least %d hex digits of what keepsake history printed", v.Digest, minDigest)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	var found *store.Applied
	err = s.Store().History(func(a store.Applied) bool {
		if want == "last" || strings.HasPrefix(a.Digest, want) {
			found = &a
		}
		return found == nil
	}, func(b store.Bad) { c.note("%s: %v", b.Path, b.Err) })
	if err != nil {
		return err
	}
	if found == nil {
		no := &memory.Refusal{Code: memory.CodeUndo, Problem: memory.Problem{
			Field: "digest", Expected: "a plan that was applied here and is still kept", Got: want, Fix: "keepsake history ID shows the plans of a memory",
		}}
		if want == "last" {
			no.Got, no.Fix = "nothing: no plan was applied yet", ""
		}
		return fmt.Errorf("undo: %w", no)
	}
	p := found.Undo()
	out := undoneJSON{Undone: found.Digest, Digest: p.Digest(), Edits: []undoEdit{}, DryRun: v.DryRun}
	c.edits(p, v.changeFlags)
	if err := c.change(s, p, v.changeFlags); err != nil {
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
	c.value(out)
	return nil
}
