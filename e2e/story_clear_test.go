//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// /clear ends a session and begins another in the same terminal. What was noticed before waits for the
// new session, which is told once and can save it; a memory that the old one was shown comes back once. The
// person's status line says so, and nothing once it is saved.
func TestClear(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const (
			known = "Ten workers at most"
			save  = "Save what was left over, please."
		)
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Settings(map[string]any{"statusLine": map[string]any{"type": "command",
			"command": "cd / && " + l.keepsake() + " status --line"}}) // it goes by what the client says
		l.rememberLimits(1, known)
		l.Remember("memory-config.json", map[string]any{"capture": map[string]any{"on_stop": "stage"}})
		s := l.saver()
		s.Pending = true
		s.Chat = func(r *Request) Reply {
			if strings.Contains(r.Tail(), save) {
				return Call("Skill", map[string]any{"skill": "keepsake:save"})
			}
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		}
		term := l.Terminal("--permission-mode", "default")
		ask := func(prompt string) *Request {
			before := len(l.Model.Requests())
			term.Send(prompt)
			r := l.Model.Await(prompt, func(r *Request) bool {
				return r.N > before && r.Route == "main" && strings.Contains(r.Tail(), prompt)
			})
			term.Wait(fmt.Sprintf("answer %d", r.N))
			return r
		}
		const question = "How many workers may a job queue have?"
		if r := ask(question); !strings.Contains(recalled(r), known) {
			t.Errorf("the memory did not come back before /clear:\n%s", r.Tail())
		}
		ask(decided)
		term.until("the decision is staged", func() bool { return len(l.staged()) > 0 })

		term.Send("/clear")
		term.until(
			"the new session has begun",
			func() bool { return !strings.Contains(term.Screen(), decided[:40]) },
		)
		r := ask(question)
		if strings.Contains(r.Text(), "I see, says answer") {
			t.Fatalf("the conversation was not cleared:\n%s", r.Text())
		}
		if !heard("UserPromptSubmit", `\[HEARD\] "We decided to keep the job queue`).MatchString(r.Tail()) {
			t.Errorf("what the person said before /clear did not come back:\n%s", r.Tail())
		}
		if !strings.Contains(recalled(r), known) {
			t.Errorf("the memory did not come back after /clear:\n%s", r.Tail())
		}
		left := regexp.MustCompile(`Left unsaved: ([^\[]*) \[`)
		if m := left.FindString(r.Text()); m != "" {
			t.Errorf("the model was told %q, which is for the person\n%s", m, r.Text())
		}
		term.Wait(`1 thing of an earlier session waits \(keepsake inbox\)`)
		term.Wait(`(?m)^ *1 to review`)
		if r := ask("And again: how many workers may a job queue have?"); recalled(r) != "" ||
			left.MatchString(r.Tail()) {
			t.Errorf("told a second time:\n%s", r.Tail())
		}

		term.Send(save)
		term.Wait(closing)
		checkSave(t, l, term)
		term.Send("/clear")
		term.until(
			"the third session has begun",
			func() bool {
				return !strings.Contains(term.Screen(), save) && !strings.Contains(term.Screen(), "to review")
			},
		)
		if m := left.FindString(ask(thanks).Text()); m != "" {
			t.Errorf("nothing is left, and yet it was told: %s", m)
		}
		term.Quit()
	})
}
