package main

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
)

// whys ask why, of n drawers in three rooms of two wings, in a project with few
// memories; the second question is a long one, of words that most drawers have.
func (w *world) whys(n int) ([]bench, error) {
	here, err := w.at(20)
	if err != nil {
		return nil, err
	}
	own := filepath.Base(here.project)
	rooms := []string{own + "/decisions", own + "/notes", "elsewhere/decisions"}
	for i := range n {
		rng := rand.New(rand.NewSource(int64(i)))
		room := rooms[i%len(rooms)]
		dir := filepath.Join(w.dir, "data", "keepsake", "drawers", room)
		if i < len(rooms) {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return nil, err
			}
		}
		wing, room, _ := strings.Cut(room, "/")
		file := fmt.Sprintf("---\nwing: %s\nroom: %s\nfiled: 2026-10-02T09:00:00Z\n---\nDecided to "+
			"%s.\n\n%s.\n%s.\n", wing, room, text(rng, 8), text(rng, 20), text(rng, 20))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("decided-%d.md", i)), []byte(file),
			0o600); err != nil {
			return nil, err
		}
	}
	ask := func(question string) []string {
		return []string{filepath.Join(w.bin, "keepsake"), "recall", "why " + question}
	}
	if _, _, err := here.once(ask("postgres"), nil); err != nil { // makes the index
		return nil, err
	}
	return []bench{
		{name: fmt.Sprintf("keepsake recall why, %d drawers", n), aim: "<= 4", argv: ask("postgres"),
			world: here},
		{name: fmt.Sprintf("keepsake recall why, %d drawers, 12 words", n), aim: "<= 4",
			argv: ask("does the billing webhook use the token of the invoice service again"), world: here},
	}, nil
}
