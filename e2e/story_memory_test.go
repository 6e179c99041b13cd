//go:build e2e

package e2e

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// The person looks after the memories by hand. Looking asks nothing; each step that ends a memory or brings
// one back shows one dialog, and No leaves it as it was.
func TestMemoryByHand(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const id, old = "keep-the-job-queue-in-postgresql", "no-more-than-ten-workers"
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberDecision()
		l.Remember("constraints/"+old+".json", map[string]any{
			"schema_version": "1.0", "category": "constraint", "id": old, "title": "No more than ten workers",
			"record_status": "retired",
			"retired_at":    "2024-11-18T10:00:00Z", "retired_reason": "the server was replaced",
			"created_at": "2024-10-18T10:00:00Z", "updated_at": "2024-11-18T10:00:00Z",
			"tags":          []string{"workers"},
			"related_files": nil, "confidence": 0.9, "changes": nil, "times_updated": 0,
			"content": map[string]any{"kind": "technical", "rule": "Ten workers at most",
				"impact": []string{"Jobs wait"}, "severity": "low", "active": false},
		})
		k := &Curator{Model: l.Model}
		l.Model.Mind("main", Match{}, k.Answer)
		term := l.Terminal("--permission-mode", "default")

		asked := 0 // dialogs so far
		for _, step := range []struct {
			typed string
			// what is answered to the dialog, "" when none comes; what the command then prints
			key, says        string
			folder, id, then string // a memory, and its status afterwards
		}{
			{"/keepsake:memory", "", "Keep the job queue", "decisions", id, "active"},
			{"/keepsake:memory --retire keep-the-job", "Escape", "", "decisions", id, "active"},
			{"/keepsake:memory --retire keep-the-job Redis is back", "1", "retired: ", "decisions", id,
				"retired"},
			{"/keepsake:memory --restore keep-the-job", "1", "restored: ", "decisions", id, "active"},
			{"/keepsake:memory --archive keep-the-job", "1", "archived: ", "decisions", id, "archived"},
			{"/keepsake:memory --list-archived", "", `Keep the job queue.*\(archived\)`, "decisions", id,
				"archived"},
			{"/keepsake:memory --unarchive keep-the-job", "1", "unarchived: ", "decisions", id, "active"},
			{"/keepsake:memory --gc", "", "this was a dry run", "constraints", old, "retired"},
			{yesDo, "1", "archive constraints", "constraints", old, "archived"},
		} {
			before := len(l.Model.Requests())
			term.Send(step.typed)
			if step.key != "" {
				asked++
				if screen := term.WaitDialog(); !strings.Contains(screen, "bin/keepsake") {
					t.Errorf("%s: the dialog does not show the command\n%s", step.typed, screen)
				}
				term.Answer(step.key)
			}
			if step.says != "" {
				l.Model.Await(step.typed+" said "+step.says, func(r *Request) bool {
					return r.N > before &&
						regexp.MustCompile(`\[result\] [\s\S]*`+step.says).MatchString(r.Tail())
				})
			}
			record := l.record(step.folder, step.id)
			if got := record["record_status"]; got != step.then {
				t.Errorf("after %s the memory is %v, want %s\n%s", step.typed, got, step.then,
					l.Model.Digest())
			}
			if _, why, _ := strings.Cut(step.typed, "--retire keep-the-job "); why != "" &&
				record["retired_reason"] != why {
				t.Errorf("after %s the reason is %v", step.typed, record["retired_reason"])
			}
		}
		if got := term.Dialogs(); len(got) != asked {
			t.Errorf("%d dialogs, want %d", len(got), asked)
		}
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}

// record is one record of the project's store.
func (l *Lab) record(folder, id string) (record map[string]any) {
	l.t.Helper()
	if err := json.Unmarshal([]byte(l.Read(l.memories(folder+"/"+id+".json"))), &record); err != nil {
		l.t.Fatalf("%s: %v", id, err)
	}
	return record
}
