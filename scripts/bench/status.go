package main

import (
	"fmt"
	"path/filepath"
)

// statuses are how things stand, whole and as a segment for the client's status line, which asks often: in a
// project of nothing, and in one with records and findings.
func (w *world) statuses() ([]bench, error) {
	keepsake := filepath.Join(w.bin, "keepsake")
	var out []bench
	add := func(here *world, of string) {
		out = append(out,
			bench{name: "keepsake status, " + of, aim: "<= 3", argv: []string{keepsake, "status"},
				world: here},
			bench{name: "keepsake status --line, " + of, aim: "<= 3", argv: []string{keepsake, "status", "--line"},
				world: here})
	}
	for _, size := range []struct{ records, findings int }{{0, 0}, {40, 100}, {200, 2000}} {
		here, err := w.with(size.records, size.findings)
		if err != nil {
			return nil, err
		}
		of := "nothing stored"
		if size.records > 0 {
			of = fmt.Sprintf("%d records and %d findings", size.records, size.findings)
		}
		add(here, of)
	}
	return out, nil
}

// with returns a world with a project of as many records and findings.
func (w *world) with(records, findings int) (*world, error) {
	here, err := w.at(records)
	if err != nil {
		return nil, err
	}
	if _, _, err := here.once([]string{filepath.Join(w.bin, "keepsake"), "index", "rebuild"},
		nil); err != nil {
		return nil, err
	}
	id := fmt.Sprint("status-", findings)
	if _, err := here.session(id, filepath.Join(w.dir, "none.jsonl"), nil); err != nil {
		return nil, err
	}
	state, err := here.state(id)
	if err != nil {
		return nil, err
	}
	return here, writeJournal(filepath.Join(filepath.Dir(filepath.Dir(state)), "journal.jsonl"), findings)
}
