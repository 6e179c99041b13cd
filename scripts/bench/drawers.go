package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// drawers are the end of a turn beside n of Keepsake's own drawers: nothing came
// since, and a drawer came in every turn. They have a home of their own, as palaces
// have.
func (w *world) drawers(n int) ([]bench, error) {
	here := *w
	home := filepath.Join(w.dir, "drawers-home")
	here.env = slices.DeleteFunc(slices.Clone(w.env), func(v string) bool {
		return strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "XDG_DATA_HOME=")
	})
	here.env = append(here.env, "HOME="+home, "XDG_DATA_HOME="+home)
	put := func(i int) error {
		dir := filepath.Join(home, "keepsake", "drawers", fmt.Sprintf("wing%d", i%20),
			fmt.Sprintf("room%d", i%3))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir,
			fmt.Sprintf("decided-to-use-postgres-over-sqlite-%012x.md", i)), nil, 0o600)
	}
	for i := range n {
		if err := put(i); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Join(home, ".claude", "projects", "-p"), 0o700); err != nil {
		return nil, err
	}
	transcript, err := here.transcript(filepath.Join("drawers-home", ".claude", "projects", "-p",
		"drawers.jsonl"), 5, 0)
	if err != nil {
		return nil, err
	}
	if _, err := here.session("drawers", transcript, nil); err != nil {
		return nil, err
	}
	stop := w.hook("Stop")
	stdin := w.stopEvent("drawers", transcript)
	if _, _, err := here.once(stop, stdin); err != nil { // reads the transcript and counts
		return nil, err
	}
	more := func() error { n++; return put(n) }
	return []bench{
		{name: fmt.Sprintf("Stop, %d own drawers", n), aim: "<= 5", argv: stop, stdin: stdin, world: &here},
		{name: "Stop, own drawers and one more", aim: "< 30 ms", argv: stop, stdin: stdin, prepare: more,
			world: &here},
	}, nil
}
