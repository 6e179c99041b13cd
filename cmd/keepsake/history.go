package main

import (
	"fmt"
	"slices"
	"strings"
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
	path, err := findPath(paths, v.ID)
	if err != nil {
		return err
	}
	if path == "" {
		loaded, err := s.Store().Load()
		if err != nil {
			return err
		}
		r, err := find(loaded.Records, v.ID)
		if err != nil {
			return err
		}
		c.line("no plan that is still kept has changed %s", brief.Line(r.Path))
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

// findPath looks a memory up among paths as find does; "" when there is none.
func findPath(paths []string, id string) (string, error) {
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	name := strings.TrimPrefix(id, ".claude/memory/")
	stem := func(path string) string {
		_, file, _ := strings.Cut(path, "/")
		return strings.TrimSuffix(file, ".json")
	}
	for _, match := range []func(string) bool{
		func(p string) bool { return p == name },
		func(p string) bool { return stem(p) == id },
		func(p string) bool { return strings.HasPrefix(stem(p), id) },
	} {
		found := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !match(p) })
		if len(found) > 1 {
			f := &failure{exitFailed, fmt.Errorf("%s: is not enough to tell which", brief.Line(id)), nil}
			for _, p := range found {
				f.hints = append(f.hints, "keepsake history "+brief.Line(p))
			}
			return "", f
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return "", nil
}
