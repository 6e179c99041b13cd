package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/plan"
)

// TestGoneProject: a project that was moved or removed in mid-session is not made again by what a session of
// it saves.
func TestGoneProject(t *testing.T) {
	home, project := t.TempDir(), filepath.Join(t.TempDir(), "shop")
	t.Setenv("HOME", home)
	if err := os.Mkdir(project, 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := In(project, "s1")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(project); err != nil {
		t.Fatal(err)
	}
	err = s.Store().Apply(t.Context(), plan.Plan{
		Edits: []plan.Edit{{Verb: plan.Create, Path: "decisions/x.json",
			After: []byte(goneRecord)}}})
	if err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("saved into a project that is gone: %v", err)
	}
	if err := s.Writable(); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("Writable: %v", err)
	}
	if _, err := os.Stat(project); err == nil {
		t.Error("the project was made again")
	}
}

const goneRecord = `{
  "schema_version": "1.0",
  "category": "decision",
  "id": "x",
  "title": "Use Postgres for billing",
  "record_status": "active",
  "created_at": "2026-10-02T09:00:00Z",
  "updated_at": "2026-10-02T09:00:00Z",
  "tags": [
    "billing"
  ],
  "content": {
    "status": "accepted",
    "context": "Billing needs transactions.",
    "decision": "Postgres 16, in a schema of its own.",
    "rationale": [
      "SQLite takes one writer at a time"
    ]
  },
  "times_updated": 0
}
`
