package main

import (
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

type historyCmd struct {
	ID   string `arg:"" help:"Id of the memory, also of one that is gone, its file name, or the beginning of an id that is enough to tell it."`
	Diff bool   `help:"Show every change as a diff." short:"d"`
	JSON bool   `help:"Print one JSON array."`
}

func (historyCmd) Help() string {
	return `Lists the plans that changed a memory, the latest first: when, the plan's digest, what it did. keepsake undo DIGEST takes one back. Plans are kept for a year, or until there are a thousand, but for the grace period (delete.grace_period_days) at least.

Examples:

    keepsake history use-postgres-for-the-job-queue
    keepsake history use-postgres-for-the-job-queue --diff
    keepsake history use-redis --json | jq -r '.[0].before'`
}

// pastJSON is one change of a memory as history --json prints it.
type pastJSON struct {
	At     time.Time `json:"applied_at"`
	Digest string    `json:"digest"`
	Path   string    `json:"path"`
	Verb   plan.Verb `json:"verb"`
	Title  string    `json:"title"`
	Before *string   `json:"before"` // the whole file; null: there was none
	After  *string   `json:"after"`
}

func (v historyCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	type change struct {
		store.Applied
		store.Done
	}
	var all []change
	err = s.Store().History(func(a store.Applied) bool {
		for _, e := range a.Edits {
			all = append(all, change{a, e})
		}
		return true
	}, func(b store.Bad) { c.note("%s: %v", b.Path, b.Err) })
	if err != nil {
		return err
	}
	// A memory that is gone has a history, and one that nobody has changed with
	// keepsake has none, so names are looked for in both.
	var paths []string
	for _, ch := range all {
		paths = append(paths, ch.Path)
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	for _, r := range loaded.Records {
		paths = append(paths, r.Path)
	}
	path, err := findPath("history", v.ID, paths)
	if err != nil {
		return err
	}
	if path == "" {
		_, err := find(loaded, v.ID)
		return err
	}
	if !slices.ContainsFunc(all, func(ch change) bool { return ch.Path == path }) {
		c.line("no plan that is still kept has changed %s", brief.Line(path))
	}
	out := []pastJSON{}
	for _, ch := range all {
		if ch.Path != path {
			continue
		}
		c.line("%s  %s  %s  %s", ch.At.Format("2006-01-02 15:04:05Z"), ch.Digest[:12], ch.Verb, brief.Line(ch.Title))
		if v.Diff {
			c.block(brief.Change(ch.Path, ch.Old, ch.After))
			c.line("")
		}
		out = append(out, pastJSON{ch.At, ch.Digest, ch.Path, ch.Verb, ch.Title, whole(ch.Old), whole(ch.After)})
	}
	c.value(out)
	return nil
}

// whole is a file in a JSON value.
func whole(b []byte) *string {
	if len(b) == 0 {
		return nil
	}
	s := string(b)
	return &s
}
