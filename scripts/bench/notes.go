package main

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
)

// notes are saving a note and finding one, in a project with a plan and with
// notes of ten topics, as the agent's shell calls them.
func (w *world) notes() ([]bench, error) {
	here, err := w.at(100)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewSource(1))
	dir := filepath.Join(here.project, ".agents", "memory", "scratch")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for topic := range 10 {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "## 2026-11-20T09:%02d:%02dZ\n%s\n\n", topic, i, text(rng, 25))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("phase-%d.md", topic)), []byte(b.String()),
			0o600); err != nil {
			return nil, err
		}
	}
	plan := "# Plan\n\n## Phases\n" +
		strings.Repeat("\n### Phase 1: Discovery\n- [x] read\n- **Status:** complete\n", 20) +
		"\n### Phase 2: Data model\n- [ ] tables\n- **Status:** in_progress\n"
	if err := os.WriteFile(filepath.Join(here.project, "task_plan.md"), []byte(plan), 0o644); err != nil {
		return nil, err
	}
	if _, err := here.session("notes", filepath.Join(w.dir, "none.jsonl"), nil); err != nil {
		return nil, err
	}
	here.env = append(here.env, "CLAUDE_CODE_SESSION_ID=notes")
	keepsake := filepath.Join(w.bin, "keepsake")
	note := []string{keepsake, "save", "the billing webhook needs the new token"}
	waiting, seen, err := here.keepers(keepsake)
	if err != nil {
		return nil, err
	}
	return []bench{
		waiting, seen,
		{name: "keepsake save", aim: "<= 3", argv: note, world: here},
		{name: "keepsake save, over one fsync", aim: "", argv: note, base: []string{w.fsyncs, dir, "1"},
			world: here},
		{name: "keepsake recall --tier scratch, 200 notes", aim: "<= 3",
			argv:  []string{keepsake, "recall", "--tier", "scratch", "billing", "webhook", "token"},
			world: here},
		{name: "keepsake recall, 200 notes and 100 records", aim: "<= 3",
			argv: []string{keepsake, "recall", "billing", "webhook", "token"}, world: here},
	}, nil
}

// keepers are a Stop that counts 200 notes that no memory-keeper has looked at, and
// has said so, and one once they have been looked at.
func (w *world) keepers(keepsake string) (waiting, seen bench, err error) {
	stop := func(name, session string, before func() error, keeper any) (bench, error) {
		path, err := w.transcript(session+".jsonl", 2, 0)
		if err != nil {
			return bench{}, err
		}
		start, err := w.session(session, path, func(s map[string]any) {
			s["fresh"], s["keeper"] = true, keeper
		})
		prepare := func() error { return errors.Join(before(), start()) }
		return bench{name: name, aim: "<= 3", argv: w.hook("Stop"),
			stdin: w.stopEvent(session, path), prepare: prepare, world: w}, err
	}
	forget := func() error {
		found, err := filepath.Glob(filepath.Join(w.dir, "state", "keepsake", "*", "inbox"))
		for _, dir := range found {
			err = errors.Join(err, os.RemoveAll(dir))
		}
		return err
	}
	look := func() error {
		_, _, err := w.once([]string{keepsake, "candidates"}, []byte("Read: 200, proposed: 0, left: 200"))
		return err
	}
	waiting, err = stop("Stop, 200 notes to look through", "waiting", forget,
		map[string]any{"named": 1, "unread": 200})
	if err == nil {
		seen, err = stop("Stop, 200 notes looked through", "seen", look, map[string]any{})
	}
	return waiting, seen, err
}
