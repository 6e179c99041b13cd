package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

// TestOriginalsFiles: what seed 3's original wrote, in all categories and
// statuses, with nulls where it writes them, is read, listed, updated and taken
// through its life here, unchanged in meaning.
func TestOriginalsFiles(t *testing.T) {
	project := t.TempDir()
	t.Setenv("HOME", filepath.Join(project, "home"))
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
		"XDG_RUNTIME_DIR", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR"} {
		t.Setenv(name, "")
	}
	root := filepath.Join(project, ".claude", "memory")
	written := originals(t, root)
	st := store.Open(root, store.Options{})
	loaded, err := st.Load()
	if err != nil || len(loaded.Bad) > 0 || len(loaded.Records) != len(written) {
		t.Fatalf("%d records of %d, bad %v, %v", len(loaded.Records), len(written), loaded.Bad, err)
	}

	t.Run("read", func(t *testing.T) {
		for _, r := range loaded.Records {
			if got, want := meaning(t, r.Encode()),
				meaning(t, written[r.Path]); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: read as\n%v\nwant\n%v", r.Path, got, want)
			}
			if b, err := os.ReadFile(filepath.Join(root, r.Path)); err != nil ||
				!bytes.Equal(b, written[r.Path]) {
				t.Errorf("%s: reading changed it", r.Path)
			}
		}
	})
	t.Run("listed", func(t *testing.T) {
		for _, status := range []memory.Status{memory.Active, memory.Retired, memory.Archived} {
			var out, errs bytes.Buffer
			code := run(&call{
				ctx: context.Background(), cwd: project, now: time.Now, voice: voice{out: &out, err: &errs},
				person: person{alone: func() error { return nil }},
				args:   []string{"list", "--json", "--status", string(status)},
			})
			var got []listed
			if err := json.Unmarshal(out.Bytes(), &got); err != nil || code != exitDone ||
				len(got) != len(memory.Categories()) {
				t.Errorf("%s: %d listed, exit %d, %v, %s", status, len(got), code, err, errs.String())
			}
		}
	})
	t.Run("updated", func(t *testing.T) {
		for _, r := range loaded.Records {
			if r.Status != memory.Active || r.Category == memory.SessionSummary {
				continue // a session summary is never updated
			}
			d := draft.Draft{Category: r.Category, Summary: "Something changed.", Intended: "update",
				Target: r.ID, Tags: []string{"fresh"}, RelatedFiles: []string{"fresh.go"},
				ChangeSummary: "Tagged"}
			p, out := draft.Resolve(draft.Input{Drafts: []draft.Draft{d}, Existing: loaded.Records,
				Now: time.Now(), Provenance: &memory.Provenance{Origin: "drafter"}})
			if out[0].State != draft.Update {
				t.Errorf("%s: %+v", r.Path, out[0])
				continue
			}
			if err := st.Apply(context.Background(), p); err != nil {
				t.Fatal(err)
			}
			same(t, st, r.Path, written[r.Path], "updated_at", "times_updated", "tags", "related_files",
				"changes", "schema_version", "provenance")
			// The first write brings it to our schema, and the old one is kept.
			if now, err := st.Read(r.Path); err != nil || now.SchemaVersion != "1.1" {
				t.Errorf("%s: schema %q, %v", r.Path, now.SchemaVersion, err)
			}
			if err := st.History(func(a store.Applied) bool {
				if !bytes.Equal(a.Edits[0].Old, written[r.Path]) {
					t.Errorf("%s: the original is not in the history", r.Path)
				}
				return false
			}, nil); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("lived", func(t *testing.T) {
		now := time.Now()
		loaded, err := st.Load()
		if err != nil {
			t.Fatal(err)
		}
		p := plan.Plan{Version: plan.Version}
		for _, r := range loaded.Records {
			verb, m, err := plan.Retire, memory.Moved{}, error(nil)
			switch r.Status {
			case memory.Active:
				m, err = r.Retire("over", now)
			case memory.Retired:
				verb = plan.Restore
				m, err = r.Restore(now)
			case memory.Archived:
				verb = plan.Unarchive
				m, err = r.Unarchive(now)
			}
			if err != nil {
				t.Fatal(err)
			}
			p.Edits = append(p.Edits, upkeep.Edit(r, verb, m.Record))
		}
		if err := st.Apply(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		for _, r := range loaded.Records {
			same(t, st, r.Path, written[r.Path], "updated_at", "times_updated", "tags", "related_files",
				"changes", "schema_version", "provenance", "record_status", "retired_at", "retired_reason",
				"archived_at", "archived_reason")
		}
	})
}

// originals writes 18 files as the original does, and returns them by path.
func originals(t *testing.T, root string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../pkg/memory/testdata/original/*.json")
	if err != nil || len(files) != len(memory.Categories()) {
		t.Fatal(files, err)
	}
	written := map[string][]byte{}
	for _, file := range files {
		for _, status := range []string{"active", "retired", "archived"} {
			var r map[string]any
			if err := json.Unmarshal([]byte(read(t, file)), &r); err != nil {
				t.Fatal(err)
			}
			r["record_status"] = status
			r["id"] = fmt.Sprintf("%s-%s", r["id"], status)
			for _, key := range []string{"retired_at", "retired_reason", "archived_at", "archived_reason"} {
				r[key] = nil
			}
			if status != "active" {
				r[status+"_at"], r[status+"_reason"] = "2026-02-10T12:00:00Z", "because"
			}
			for _, key := range []string{"related_files", "confidence", "changes"} {
				if _, ok := r[key]; !ok {
					r[key] = nil
				}
			}
			b, err := json.MarshalIndent(r, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			path := memory.Path(memory.Category(r["category"].(string)), r["id"].(string))
			written[path] = append(b, '\n')
			full := filepath.Join(root, path)
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, written[path], 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return written
}

// same compares a record with what it said, but for some keys; what the changes
// said before must still be there, and no tag may be lost.
func same(t *testing.T, st *store.Store, path string, was []byte, but ...string) {
	t.Helper()
	r, err := st.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	got, want := meaning(t, r.Encode()), meaning(t, was)
	before, _ := want["changes"].([]any)
	after, _ := got["changes"].([]any)
	if len(after) <= len(before) ||
		!reflect.DeepEqual(slices.Clone(after[:len(before)]), slices.Clone(before)) && len(before) > 0 {
		t.Errorf("%s: changes %v, were %v", path, after, before)
	}
	for _, tag := range want["tags"].([]any) {
		if !slices.Contains(r.Tags, memory.CleanTag(tag.(string))) && len(r.Tags) < memory.MaxTags {
			t.Errorf("%s: lost the tag %v", path, tag)
		}
	}
	for _, key := range but {
		delete(got, key)
		delete(want, key)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: says\n%v\nbut said\n%v", path, got, want)
	}
}

// meaning is a record without what stands for absence.
func meaning(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err, strings.TrimSpace(string(b)))
	}
	var present func(m map[string]any)
	present = func(m map[string]any) {
		maps.DeleteFunc(m, func(_ string, v any) bool { return v == nil })
		for _, v := range m {
			if sub, ok := v.(map[string]any); ok {
				present(sub)
			}
		}
	}
	present(m)
	return m
}
