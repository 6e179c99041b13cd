//go:build e2e

package e2e

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// Two sessions save in one project at once: both are drafting at the same time, and each has its plan before
// the other applies. Both memories are there, and no file of one was on the other's stage.
func TestTwoSessionsAtOnce(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		s := &Saver{Chat: chat(l), Model: l.Model}
		drafter := func(category string, calls int) func(*Request) bool {
			return func(r *Request) bool {
				return r.Route == "drafter" && strings.Contains(r.First(), "Category: "+category+"\n") &&
					len(r.Messages) > calls
			}
		}
		var stages map[string][]string // what lay on each when both were drafting
		l.Model.Mind("drafter", Match{First: drafterTask.String()}, func(r *Request) Reply {
			reply := s.Drafter(r)
			switch {
			case r.LastCall().Name != "":
			case drafter("decision", 0)(r):
				reply.Hold = func() {
					l.Model.Hold(drafter("preference", 0))()
					stages = l.stages()
				}
			default: // until the decision's drafter goes on
				reply.Hold = l.Model.Hold(drafter("decision", 1))
			}
			return reply
		})
		planned := func(said string) func(*Request) bool {
			return func(r *Request) bool {
				return strings.Contains(r.Text(), said) &&
					strings.Contains(r.Tail(), "next: keepsake records apply")
			}
		}
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			reply := s.Answer(r)
			if command, _ := reply.Blocks[0].Input["command"].(string); strings.Contains(command,
				"/bin/keepsake apply ") {
				other := preferred
				if strings.Contains(r.Text(), preferred) {
					other = decided
				}
				reply.Hold = l.Model.Hold(planned(other))
			}
			return reply
		})

		one, two := l.Terminal("--permission-mode", "default"), l.Terminal("--permission-mode", "default")
		one.Send(decided)
		l.Model.Await("the decision's drafter", drafter("decision", 0))
		two.Send(preferred)
		one.Wait(closing + `decision \(create\)`)
		two.Wait(closing + `preference \(create\)`)
		for _, term := range []*Terminal{one, two} {
			for _, screen := range term.Dialogs() {
				t.Errorf("a dialog was shown\n%s", screen)
			}
			checkQuietHooks(t, l, term)
			term.Quit()
		}

		var lay []string
		for _, files := range stages {
			lay = append(lay, strings.Join(files, " "))
		}
		slices.Sort(lay)
		if want := []string{"context-decision.txt triage-data.json",
			"context-preference.txt triage-data.json"}; !slices.Equal(lay, want) {
			t.Errorf("the stages held %q, want %q", lay, want)
		}
		index := l.Read(l.memories("index.md"))
		for folder, title := range map[string]string{"decisions": "Keep the job queue in PostgreSQL",
			"preferences": "Run migrations with make migrate"} {
			if got := l.memory(folder)["title"]; got != title {
				t.Errorf("%s holds %v, want %s", folder, got, title)
			}
			if !strings.Contains(index, title) {
				t.Errorf("index.md does not list %s:\n%s", title, index)
			}
		}
		if left := l.stages(); len(left) > 0 {
			t.Errorf("the stages still hold %v", left)
		}
	})
}

// stages are the files on each session's stage, by its folder.
func (l *Lab) stages() map[string][]string {
	l.t.Helper()
	out := map[string][]string{}
	for _, f := range l.Files(l.Runtime) {
		dir, name := path.Split(f)
		if strings.HasPrefix(f, ".keepsake-staging") {
			out[dir] = append(out[dir], name)
		}
	}
	return out
}
