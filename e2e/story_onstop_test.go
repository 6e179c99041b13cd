//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// onStop writes the person's setting of what Stop does. Hooks read it anew each time.
func (l *Lab) onStop(how string) {
	l.t.Helper()
	l.WriteJSON(filepath.Join(l.Home, ".config", "keepsake", "config.json"), map[string]any{
		"capture": map[string]any{"on_stop": how},
	})
}

// Stop follows the setting capture.on_stop: with "ride" it is silent, and the next prompt brings along what
// is to be written up beside the next call; with "heard" nobody is asked anything, and the next session's
// prompt has the person's own words; in plan mode it waits until the plan is approved.
func TestHowStopSpeaks(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const (
			migrations = "How do we run migrations on staging?"
			invoices   = "We decided to keep invoices for ten years because the tax office demands it."
			carryOut   = "That is the plan, go on."
		)
		l := NewLab(t, c)
		l.Env = map[string]string{"KEEPSAKE_CAPTURE_DRAFTERS": ""}
		l.InstallKeepsake()
		m := &Rememberer{Write: draftsOf}
		m.Chat = func(r *Request) Reply {
			switch tail := r.Tail(); {
			case strings.Contains(tail, invoices):
				return Say(agreed)
			case strings.Contains(tail, "keep invoices"): // what Stop asks for in the end
				return Say("Not now.")
			case strings.Contains(tail, preferred):
				return Say("I will.")
			case strings.Contains(tail, carryOut):
				return Call("ExitPlanMode", map[string]any{"plan": "Read the queue, then rename it."})
			case r.LastCall().Name == "ExitPlanMode":
				return Say("I go on.")
			}
			return chat(l)(r)
		}
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			if strings.Contains(r.Tail(), "keep invoices") {
				return m.Chat(r)
			}
			reply := m.Answer(r)
			if strings.Contains(r.Tail(), lookAround) && reply.Blocks[0].Tool == "Bash" {
				return m.Chat(r).And(reply) // beside the call that the prompt is about
			}
			return reply
		})

		l.onStop("ride")
		term := l.Terminal("--permission-mode", "default")
		term.Send(decided)
		term.Wait(agreed)
		term.Send(lookAround)
		term.Wait("Saved: decision")
		if l.memory("decisions")["title"] != "Keep the job queue in PostgreSQL" {
			t.Error("what rode along is not saved")
		}
		l.onStop("heard")
		term.Send(preferred)
		term.Wait(`Keepsake noted \[\d+\] preference "From now on always run migrations`)
		checkHeard(t, l, term)
		term.Quit()

		l.onStop("save")
		term = l.Terminal("--permission-mode", "plan")
		term.Send(migrations)
		term.Wait("I do not know")
		asked := l.Model.Answered("main")
		words := heard("UserPromptSubmit", `\[HEARD\] "From now on always run migrations with make migrate`)
		if tail := asked[len(asked)-1].Tail(); !words.MatchString(tail) {
			t.Errorf("the next session's prompt does not have what the person said:\n%s", tail)
		}
		term.Send(invoices)
		term.Wait(agreed)
		term.Send(carryOut)
		term.WaitDialog()
		if n := len(l.Model.Tails(heard("Stop", ""))); n != 0 {
			t.Errorf("Stop spoke %d times before the plan was approved\n%s", n, l.Model.Digest())
		}
		term.Answer("1")
		l.Model.AwaitTail(`keepsake: keep \[\d+\] decision "We decided to keep invoices`)
		term.Quit()
	})
}

// checkHeard asserts that neither what rode along nor what was only heard took a request of
// its own or a row of a Stop feedback: each prompt was answered, and one had a call.
func checkHeard(t *testing.T, l *Lab, term *Terminal) {
	t.Helper()
	asked := l.Model.Answered("main")
	if len(asked) != 4 { // the decision, the look around, what the calls came to, the preference
		t.Errorf("%d requests for three prompts and one call, want 4\n%s", len(asked), l.Model.Digest())
	}
	if rode := l.Model.Tails(heard("UserPromptSubmit", keepLine.String())); len(rode) != 1 ||
		!strings.Contains(rode[0].Tail(), lookAround) {
		t.Errorf(
			"%d prompts brought along what was noticed, want the one after it\n%s",
			len(rode),
			l.Model.Digest(),
		)
	}
	if n := len(l.Model.Tails(heard("Stop", ""))); n != 0 {
		t.Errorf("%d Stop feedbacks, want none\n%s", n, l.Model.Digest())
	}
	if strings.Contains(term.History(), "keepsake: keep") {
		t.Errorf("the person sees what the agent is asked\n%s", term.History())
	}
	if files := l.Files(filepath.Join(l.Project, ".claude", "memory", "preferences")); len(files) > 0 {
		t.Errorf("what is only heard was saved as %q", files)
	}
	waits := regexp.MustCompile(`\[\d+\].*From now on always run migrations`)
	if inbox := l.AtTerminal([]string{"inbox"}); !waits.MatchString(inbox) {
		t.Errorf("the inbox does not name what was heard\n%s", inbox)
	}
}
