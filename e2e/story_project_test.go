//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The blackboard is kept up to date: a milestone makes card and registry without a dialog, a topic that the
// person closes is summed up on the card, and /clear leaves open items there.
func TestProjectCard(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const (
			milestone = "Both feeds are read now, please keep that."
			closes    = "Great, that's done. Next: the exporter."
		)
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Write(filepath.Join(l.Project, "task_plan.md"),
			"### Phase 2: Data model\n- [x] tables\n- [ ] ids as ULIDs\n- **Status:** in_progress\n")
		bin := l.keepsake()
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			tail, last := r.Tail(), r.LastCall()
			switch {
			case last.Name == "Read":
				return Bash(bin + " project progress 'Both feeds are read'")
			case last.Name == "Bash":
				return Say("Written: " + strings.Join(strings.Fields(tail), " "))
			case strings.Contains(tail, "The user closed a topic"):
				return Bash(bin +
					" project topic 'The importer' --points 'Both feeds are read.' --follow-up 'the " +
					"exporter'")
			case strings.Contains(tail, milestone):
				return Call("Read", map[string]any{"file_path": filepath.Join(l.Project, "task_plan.md")})
			}
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		})
		board := filepath.Join(l.autoMemory(), "blackboard")
		card := filepath.Join(board, "projects", filepath.Base(l.Project)+".md")
		has := func(file, text string) func() bool {
			return func() bool { return l.Exists(file) && strings.Contains(l.Read(file), text) }
		}

		term := l.Terminal("--permission-mode", "default")
		term.Send(milestone)
		term.until("the milestone is on the card", has(card, "] Both feeds are read\n"))
		term.Wait("Written:")
		if !has(filepath.Join(board, "REGISTRY.md"), "| active | none | Both feeds are read |")() {
			t.Errorf("the registry says\n%s", l.Read(filepath.Join(board, "REGISTRY.md")))
		}

		term.Send(closes)
		r := l.Model.Await("the topic is named", func(r *Request) bool {
			return r.Route == "main" && strings.Contains(r.Tail(), "The user closed a topic")
		})
		if !strings.Contains(r.Tail(), `"`+closes+`" [source: user]`) {
			t.Errorf("the feedback is\n%s", r.Tail())
		}
		term.until("the topic is on the card",
			has(card,
				"] The importer\n\nStatus: ✅ done  \nKey points: Both feeds are read.  \nFollow-up: the "+
					"exporter\n"))

		term.Send("/clear")
		term.until("what is open is on the card", has(card, "\n## Open items\n\n- [ ] ids as ULIDs\n"))
		if got := term.Dialogs(); len(got) > 0 {
			t.Errorf("dialogs: %q", got)
		}
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}
