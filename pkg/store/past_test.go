package store

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// TestPast: at each time between the plans a store has the records of then, and what no plan tells is taken
// from the records themselves.
func TestPast(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{})
	at := []time.Time{time.Now()}
	step := func(edits ...plan.Edit) {
		t.Helper()
		time.Sleep(2 * time.Millisecond)
		apply(t, s, edits...)
		time.Sleep(2 * time.Millisecond)
		at = append(at, time.Now())
	}
	record := func(path string) memory.Stored {
		t.Helper()
		r, err := s.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	tabs := preference("tabs", 1)
	step(create(tabs), create(preference("spaces", 1)))
	path := memory.Path(tabs.Category, tabs.ID)
	step(update(record(path), preference("tabs", 2)))
	moved, err := record(path).Retire("over", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	step(plan.Edit{Path: path, Verb: plan.Retire, Before: record(path).Digest, After: moved.Record.Encode(),
		Category: string(moved.Record.Category)})

	// By hand, later than all of it: created in 2025, retired in 2030, and one that is of 2031.
	for name, text := range map[string]string{
		"old": `"record_status": "retired", "retired_at": "2030-01-02T00:00:00Z", "retired_reason": "x",
			"created_at": "2025-01-01T00:00:00Z", "updated_at": "2030-01-02T00:00:00Z"`,
		"new": `"record_status": "active", "created_at": "2031-01-01T00:00:00Z",
			"updated_at": "2031-01-01T00:00:00Z"`,
		"changed": `"record_status": "active", "created_at": "2025-01-01T00:00:00Z",
			"updated_at": "2031-01-01T00:00:00Z"`,
	} {
		write(t, root+"/preferences/"+name+".json", strings.ReplaceAll(`{"schema_version": "1.0",
			"category": "preference", "id": "NAME", "title": "NAME", "tags": ["x"], `+text+`,
			"content": {"topic": "x", "value": "y", "reason": "z", "strength": "soft"}}`, "NAME", name))
	}
	p, err := s.Past(at[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"changed.json=y old.json=y",
		"changed.json=y old.json=y spaces.json=v tabs.json=v",
		"changed.json=y old.json=y spaces.json=v tabs.json=vv",
		"changed.json=y old.json=y spaces.json=v",
	} {
		records, unsure := p.At(at[i])
		var got []string
		for _, path := range slices.Sorted(maps.Keys(records)) {
			if r := records[path]; r.Status == memory.Active {
				_, name, _ := strings.Cut(path, "/")
				value, _ := r.Content["value"].(string)
				got = append(got, name+"="+value)
			}
		}
		if strings.Join(got, " ") != want || unsure != 1 {
			t.Errorf("after %d plans: %q, %d unsure; want %q, 1", i, got, unsure, want)
		}
	}

	// A plan of the history that can't be read is counted, and does not end it.
	past := past(t, s)
	if err := os.WriteFile(s.ownFile(historyName)+"/"+past[1].Name, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err = s.Past(at[0]); err != nil {
		t.Fatal(err)
	}
	if records, unsure := p.At(at[1]); unsure != 2 || len(records) != 4 {
		t.Errorf("%d records, %d unsure", len(records), unsure)
	}
}
