//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A memory comes back once in a session, and once more after a compaction, which took it from the model.
func TestRecallAfterCompaction(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const known = "Jobs are rows of the PostgreSQL table jobs"
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberDecision()
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		})
		term := l.Terminal("--permission-mode", "default")
		ask := func(prompt string) *Request {
			term.Send(prompt)
			r := l.Model.Await(prompt, func(r *Request) bool {
				return r.Route == "main" && strings.Contains(r.Tail(), prompt)
			})
			term.Wait(fmt.Sprintf("answer %d", r.N))
			return r
		}
		for _, step := range []struct {
			prompt string
			told   bool
		}{
			{"Where does the job queue keep its jobs?", true},
			{"And once more, where does the job queue keep its jobs?", false},
			{"", false},
			{"After all that, where does the job queue keep its jobs?", true},
			{"For the last time, where does the job queue keep its jobs?", false},
		} {
			if step.prompt == "" {
				term.Send("/compact")
				term.Wait("(?i)compacted")
				continue
			}
			r := ask(step.prompt)
			// after a compaction the tail begins with the summary
			newest := r.Tail()[strings.Index(r.Tail(), step.prompt):]
			if told := strings.Contains(newest, known); told != step.told {
				t.Errorf("prompt %q: recalled %v, want %v\n%s", step.prompt, told, step.told, r.Tail())
			}
		}
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}

// rememberDecision puts the decision of the decision stories into the store.
func (l *Lab) rememberDecision() {
	l.t.Helper()
	draft := drafts["decision"].(map[string]any)["partial_content"].(map[string]any)
	l.WriteJSON(filepath.Join(l.Project, ".claude", "memory", "decisions",
		"keep-the-job-queue-in-postgresql.json"), map[string]any{
		"schema_version": "1.0", "category": "decision", "id": "keep-the-job-queue-in-postgresql",
		"title": draft["title"], "record_status": "active", "created_at": ago(4), "updated_at": ago(4),
		"tags": draft["tags"], "related_files": nil, "confidence": 0.9, "changes": nil, "times_updated": 0,
		"content": draft["content"],
	})
}
