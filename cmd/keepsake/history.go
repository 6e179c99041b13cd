package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/layout"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

type historyCmd struct {
	ID   string `arg:"" name:"id|path" help:"Id of the memory, the beginning of one, or its file name, also of one that is gone. For a Markdown memory its path, such as user.md or archive/done.md."`
	Dir  string `help:"The directory that a Markdown memory lies in (default: the project's and the root scope's)." placeholder:"DIR"`
	Diff bool   `help:"Show every change as a diff." short:"d"`
	JSON bool   `help:"Print one JSON array."`
}

func (historyCmd) Help() string {
	return `Lists the plans that changed a memory, the latest first: when, the plan's digest, what it did.
keepsake undo DIGEST takes one back. Plans are kept for a year, or until there are a thousand, but at
least for the grace period (delete.grace_period_days).

Examples:

    keepsake records history use-postgres-for-the-job-queue
    keepsake records history use-postgres-for-the-job-queue --diff
    keepsake records history use-redis --json | jq -r '.[0].before'
    keepsake records history MEMORY.md --diff`
}

// pastJSON is one change of a memory as history --json prints it.
type pastJSON struct {
	At     time.Time `json:"applied_at"`
	Digest string    `json:"digest"`
	Dir    string    `json:"dir,omitempty"` // of Markdown memories; none for the project's records
	Path   string    `json:"path"`
	Verb   plan.Verb `json:"verb"`
	Title  string    `json:"title"`
	Before *string   `json:"before"` // the whole file; null: there was none
	After  *string   `json:"after"`
}

// past is one change of a file.
type past struct {
	store.Applied
	store.Done
}

func (v historyCmd) Run(c *call, s *session.Session) error {
	var err error
	out := []pastJSON{}
	if v.Dir != "" || strings.EqualFold(filepath.Ext(v.ID), ".md") || plan.CheckMarkdown(v.ID) == nil {
		err = v.markdown(c, s, &out)
	} else {
		err = v.record(c, s, &out)
	}
	if err == nil {
		c.value(out)
	}
	return err
}

// record prints the history of one of the project's records.
func (v historyCmd) record(c *call, s *session.Session, out *[]pastJSON) error {
	at := recordsOf(s)
	all, err := c.pastOf(at)
	if err != nil {
		return err
	}
	// A memory that is gone has a history, and one that nobody has changed with
	// keepsake has none, so names are looked for in both.
	var paths []string
	for _, ch := range all {
		if store.IsNamed(ch.Path, v.ID) || !c.hidesChange(at, ch) {
			paths = append(paths, ch.Path)
		}
	}
	loaded, err := at.Load()
	if err != nil {
		return err
	}
	loaded = c.nameable(s, loaded, v.ID)
	path, err := store.Named("history", v.ID, append(paths, loaded.Paths()...))
	if err != nil {
		return err
	}
	if path == "" {
		_, err := find(loaded, v.ID)
		return err
	}
	v.tell(c, at, path, all, out)
	return nil
}

// markdown prints the history of a file in each directory of Markdown memories that has one.
func (v historyCmd) markdown(c *call, s *session.Session, out *[]pastJSON) error {
	known := false
	for _, at := range c.memoryDirs(s, v.Dir) {
		path := v.ID
		if rel, ok := layout.Relative(at.root, path); ok {
			path = rel
		}
		if plan.CheckMarkdown(path) != nil {
			continue
		}
		all, err := c.pastOf(at)
		if err != nil {
			return err
		}
		_, err = os.Lstat(filepath.Join(at.root, filepath.FromSlash(path)))
		if err != nil && !slices.ContainsFunc(all, func(ch past) bool { return ch.Path == path }) {
			continue
		}
		known = true
		c.line("in %s:", brief.Line(at.root))
		v.tell(c, at, path, all, out)
	}
	if !known {
		return failed(errors.New(brief.Line(v.ID)+": no such Markdown memory"),
			"keepsake md check says where they are, --dir DIR names another directory")
	}
	return nil
}

// pastOf is every change of a place that is still kept, the latest first.
func (c *call) pastOf(at place) (all []past, err error) {
	err = at.History(func(a store.Applied) bool {
		for _, e := range a.Edits {
			all = append(all, past{a, e})
		}
		return true
	}, func(b store.Bad) { c.note("%s: %v", b.Path, b.Err) })
	return all, err
}

// tell prints the changes of the file at path.
func (v historyCmd) tell(c *call, at place, path string, all []past, out *[]pastJSON) {
	if !slices.ContainsFunc(all, func(ch past) bool { return ch.Path == path }) {
		c.line("no plan that is still kept has changed %s", brief.Line(path))
	}
	dir := ""
	if at.markdown {
		dir = at.root
	}
	held := 0
	for _, ch := range all {
		if ch.Path != path {
			continue
		}
		if c.hidesChange(at, ch) {
			held = 1
			continue
		}
		c.line("%s  %s  %s  %s", ch.At.Format("2006-01-02 15:04:05Z"), ch.Digest[:12], ch.Verb,
			brief.Line(ch.Title))
		if v.Diff {
			c.block(brief.Change(ch.Path, ch.Old, ch.After))
			c.line("")
		}
		*out = append(*out, pastJSON{ch.At, ch.Digest, dir, ch.Path, ch.Verb, ch.Title, whole(ch.Old),
			whole(ch.After)})
	}
	c.noteHeld(held)
}

// whole is a file in a JSON value.
func whole(b []byte) *string {
	if b == nil {
		return nil
	}
	s := string(b)
	return &s
}
