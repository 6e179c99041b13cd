package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// A word that should never have been stored is removed from the records, the files set aside and the history.
// Afterwards the index is up to date, and the last plan can be undone.
func TestScrub(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{Derive: titles, Cache: filepath.Join(t.TempDir(), "x.idx")})
	clean := func(text string) string { return strings.ReplaceAll(text, "hunter2", "[redacted]") }
	leaks := preference("a", 0)
	leaks.Title, leaks.Content["value"] = "The word is hunter2", "hunter2\nand more"
	apply(t, s, create(leaks), create(preference("b", 0)))
	was := read(t, s, "preferences/a.json")
	next := was.Record
	next.TimesUpdated, next.Content = 1, memory.Content{"topic": "a", "value": "hunter2 twice hunter2",
		"reason": "r", "strength": "soft"}
	next.Changes = []memory.Change{{Date: "2026-11-20T09:00:00Z", Summary: "hunter2 again"}}
	apply(t, s, update(was, next))
	gone := read(t, s, "preferences/b.json")
	retired, err := gone.Record.Retire("because of hunter2", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, plan.Edit{Path: gone.Path, Verb: plan.Retire, Before: gone.Digest,
		After: retired.Record.Encode(), Category: string(gone.Category), Title: gone.Title})
	if err := os.WriteFile(filepath.Join(root, "preferences", "c.json.invalid.1"), []byte("{ hunter2"),
		0o644); err != nil {
		t.Fatal(err)
	}
	untouched := tree(t, root)[".gitignore"]

	changed, err := s.Scrub(background, clean)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range tree(t, root) {
		if strings.Contains(text, "hunter2") || strings.Contains(name, "hunter2") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if len(changed) != 6 || tree(t, root)[".gitignore"] != untouched {
		t.Errorf("changed %q", changed)
	}
	loaded := load(t, s)
	if len(loaded.Records) != 2 || len(loaded.Bad) != 0 {
		t.Fatalf("%d records, bad %v", len(loaded.Records), loaded.Bad)
	}
	ix, err := s.Rebuild()
	if err != nil {
		t.Fatal(err)
	}
	ix.Close()
	if f, _, err := s.Validate(); err != nil || !f.OK() {
		t.Errorf("%+v, %v", f, err)
	}
	for _, a := range past(t, s) { // latest first
		undo(t, s, a)
		if len(past(t, s)) > 5 {
			break
		}
	}
	if loaded := load(t, s); len(loaded.Records) != 0 {
		t.Errorf("%d records after all was undone", len(loaded.Records))
	}
	if again, err := s.Scrub(background, clean); err != nil || len(again) != 0 {
		t.Errorf("a second time: %q, %v", again, err)
	}
}

func TestScrubOfNothing(t *testing.T) {
	root := newRoot(t)
	if changed, err := Open(root, Options{}).Scrub(background, strings.ToUpper); err != nil ||
		len(changed) != 0 {
		t.Error(changed, err)
	}
	if _, err := os.Stat(root); err == nil {
		t.Error("a store was made by looking")
	}
}
