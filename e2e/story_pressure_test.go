//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fills is how the agent is told that its context window fills.
var fills = regexp.MustCompile(`Keepsake: the conversation fills (\d+) %`)

// The conversation fills the window. At 50 percent the next prompt says so; at 70 and at 85 percent the agent
// is told to save everything, once each, at 85 with a summary of the session and outside of the budget.
func TestContextPressure(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Remember("memory-config.json",
			map[string]any{"capture": map[string]any{"context_window": 100_000, "max_saves_per_session": 1}})
		tokens := 0
		l.Model.Mind("main", Match{}, l.occupies(&tokens))
		term := l.Terminal("--permission-mode", "default")
		for i, step := range []struct {
			tokens int
			beside string // told beside the prompt
			after  string // told when the turn has ended
		}{
			{40_000, "", ""},
			{55_000, "", ""},
			{56_000, "55", ""},
			{72_000, "", "72"},
			{73_000, "", ""},
			{88_000, "", "88"},
			{89_000, "", ""},
			{40_000, "", ""},
		} {
			tokens = step.tokens
			prompt := fmt.Sprintf("Look at part %d of the shop.", i+1)
			term.Send(prompt)
			r := l.Model.Await(prompt, func(r *Request) bool {
				return r.Route == "main" && strings.Contains(r.Tail(), prompt)
			})
			if got := filling(r.Tail()); got != step.beside {
				t.Errorf("%d tokens: beside the prompt it is told that %q per cent are full, want %q\n%s",
					step.tokens, got, step.beside, r.Tail())
			}
			seen := l.Model.Await("the end of "+prompt, func(q *Request) bool {
				return q.N > r.N && q.Route == "main" && q.LastCall().Name == "Read"
			})
			if step.after == "" {
				term.Wait(fmt.Sprintf("answer %d\\.", seen.N))
				continue
			}
			told := l.Model.Await("a feedback", func(q *Request) bool {
				return q.N > seen.N && q.Route == "main" && fills.MatchString(q.Tail())
			})
			if got := filling(told.Tail()); got != step.after {
				t.Errorf("%d tokens: at the end it is told that %q per cent are full, want %q", step.tokens,
					got, step.after)
			}
			whole := strings.Contains(told.Tail(), "[SESSION_SUMMARY]") &&
				strings.Contains(told.Tail(), "Before the work goes on")
			if whole != (step.after == "88") ||
				!strings.Contains(told.Tail(), "pending items and who owns them") {
				t.Errorf("%d tokens:\n%s", step.tokens, told.Tail())
			}
			term.Wait(fmt.Sprintf("answer %d\\.", told.N))
		}
		if n := len(l.Model.Tails(fills)); n != 3 {
			t.Errorf("told %d times, want 3", n)
		}
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}

// occupies makes a model that looks at a file and says that so many tokens were in its window.
func (l *Lab) occupies(tokens *int) Turn {
	return func(r *Request) Reply {
		reply := Say(fmt.Sprintf("I see, says answer %d.", r.N))
		if strings.Contains(r.Tail(), "Look at part") {
			reply = Call("Read", map[string]any{"file_path": filepath.Join(l.Project, queueFile)})
		}
		reply.Tokens = *tokens
		return reply
	}
}

// filling is the percentage that a text tells of, "" without one.
func filling(text string) string {
	if m := fills.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// The window follows from the model that the client names. If it is unknown, or nobody sits there, nothing is
// said.
func TestContextWindowOfTheModel(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		tokens := 145_000
		l.Model.Mind("main", Match{}, l.occupies(&tokens))
		l.Headless("Look at part 1 of the shop.", "--model", "claude-haiku-4-5")
		if n := len(l.Model.Tails(fills)); n != 0 {
			t.Errorf("told %d times where nobody sits", n)
		}
		term := l.Terminal("--permission-mode", "default", "--model", "claude-haiku-4-5")
		term.Send("Look at part 1 of the shop.")
		told := l.Model.AwaitTail(fills.String())
		if got := filling(told.Tail()); got != "72" {
			t.Errorf("%s per cent of the window are full, want 72\n%s", got, told.Tail())
		}
		term.Wait(fmt.Sprintf("answer %d\\.", told.N))
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}

// When a conversation is compacted, the summarising model and the one that goes on are told what was noticed
// and not saved.
func TestCompactionKeepsWhatWaits(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const (
			decided = "We decided to keep the job queue in PostgreSQL instead of Redis, because jobs and " +
				"orders must commit together."
			done = "Phase 2 is done, by the way."
		)
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Remember("memory-config.json", map[string]any{"capture": map[string]any{"on_stop": "stage"}})
		l.Model.Mind("compaction", Match{Last: "Your task is to create a detailed summary"},
			Fixed(Say("<analysis>a</analysis><summary>A summary of the conversation so far.</summary>")))
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		})
		term := l.Terminal("--permission-mode", "default")
		said := func(prompt string) *Request {
			term.Send(prompt)
			r := l.Model.Await(prompt, func(r *Request) bool {
				return r.Route == "main" && strings.Contains(r.Tail(), prompt)
			})
			term.Wait(fmt.Sprintf("answer %d\\.", r.N))
			return r
		}
		said("Where do we keep the jobs?")
		said(decided + " " + done)
		term.Send("/compact")
		term.Wait("(?i)compacted")
		summarised := l.Model.Await("the summary", func(r *Request) bool { return r.Route == "compaction" })
		for _, want := range []string{"every decision that was made, with its reason",
			"every pending item, and who owns it", "every thread that is not resolved", `[DECISION] "` +
				decided, `[PROGRESS] "Phase 2 is done`} {
			if !strings.Contains(summarised.Tail(), want) {
				t.Errorf("the summariser is not told %q\n%s", want, summarised.Tail())
			}
		}
		r := said("And where were we?")
		_, after, _ := strings.Cut(r.Text(), "From before the compaction, noticed and not saved yet")
		for _, want := range []string{`[DECISION] "` + decided, `[PROGRESS] "Phase 2 is done`,
			"keepsake:save"} {
			if !strings.Contains(after, want) {
				t.Errorf("after the compaction the model is not told %q\n%s", want, r.Text())
			}
		}
		if waits := l.staged(); len(waits) == 0 {
			t.Errorf("nothing is staged in %s", filepath.Join(l.Root, "run"))
		}
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}
