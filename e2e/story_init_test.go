//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A person decides something before Keepsake is there. It is installed, keepsake init reads the client's
// transcripts and offers what was decided. No session is told of it before their yes, and the next one after
// it is.
func TestInit(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const question = "Where does the job queue keep its jobs?"
		l := NewLab(t, c)
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		})
		ask := func(prompt string) *Request {
			t.Helper()
			before := len(l.Model.Requests())
			term := l.Terminal("--permission-mode", "default")
			term.Send(prompt)
			r := l.Model.Await(prompt, func(r *Request) bool {
				return r.N > before && r.Route == "main" && strings.Contains(r.Tail(), prompt)
			})
			term.Wait(fmt.Sprintf("answer %d", r.N))
			term.Quit()
			return r
		}
		ask(decided)

		l.InstallKeepsake()
		l.cli("init", "--dry-run")
		screen := l.AtTerminal([]string{"init"}, "y", "n")
		for _, want := range []string{"1 session", "1 candidate for your review", decided[:40],
			"said by the user in an", "next: keepsake review"} {
			if !strings.Contains(screen, want) {
				t.Errorf("the terminal does not show %q\n%s", want, screen)
			}
		}
		if r := ask(question); strings.Contains(r.Text(), decided[:40]) {
			t.Errorf("the model was told of it before the person's yes:\n%s", r.Text())
		}

		term := l.TerminalFor(140, 50, l.keepsake(), "review")
		term.Wait(`\[y\]es \[n\]o`)
		time.Sleep(300 * time.Millisecond) // a key that comes too early answers nothing
		term.Key("y")
		term.Wait("Saved: ") // the page stays, so that the answer can be taken back
		term.Key("q")
		term.Wait("CLIENT-ENDED-")
		screen = term.History()
		term.close()
		if !strings.Contains(screen, "Saved: ") {
			t.Errorf("the yes saved nothing\n%s", screen)
		}
		if r := ask(question); !strings.Contains(recalled(r), decided[:40]) {
			t.Errorf("what the person said yes to did not come back:\n%s", r.Tail())
		}

		screen = l.AtTerminal([]string{"init"}, "y")
		if !strings.Contains(screen, "nothing new that may be worth keeping") {
			t.Errorf("it is offered a second time\n%s", screen)
		}
	})
}
