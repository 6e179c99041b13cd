//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each of these may be worth keeping, and none is sure by itself.
const (
	digestSaid = "We use Postgres for jobs. Redis instead of Memcached for the cache. " +
		"The limit is 100 calls a day. TODO: clean up the importer."
	digestSaid2 = "The exporter should not run twice."
)

const digestDraft = `[{"category": "decision", "lines": [1], "outcome": "accepted",
"new_info_summary": "Jobs are kept in Postgres.", "intended_action": "create",
"partial_content": {"title": "Keep the job queue in Postgres", "tags": ["postgres"], "confidence": 0.8,
"content": {"status": "accepted", "context": "Where to keep jobs",
"decision": "The job queue is kept in Postgres", "rationale": ["we use it for jobs"]}}}]`

// typedDigest is the skill's text as the person's command brings it.
var typedDigest = regexp.MustCompile(`(?m)^# Judge what waits`)

// startDigest is what skills/digest/SKILL.md says to do.
func startDigest(prompt string) Reply {
	return Call("Agent", map[string]any{
		"subagent_type": "keepsake:digest", "description": "Judge what waits",
		"run_in_background": true, "prompt": prompt,
	})
}

// What an ended session said is judged in the background when the person asks for it: one request of the
// main model and one of the small one, no dialog, no second turn, and the person sees what came of it.
func TestDigest(t *testing.T) {
	eachMode(t, func(t *testing.T, c Client, mode string) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		// In auto mode the client offers the agent a tool to hand its answer over by.
		l.Model.Mind(
			"digester",
			Match{First: `Judge what waits\.`, System: `pick the few things`},
			Fixed(Say(digestDraft)),
		)
		l.Model.Mind(
			"digester",
			Match{Bare: true, First: `Judge what waits\.`, System: `pick the few things`},
			Fixed(Say(digestDraft)),
		)
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			if typedDigest.MatchString(r.Tail()) {
				return startDigest("Judge what waits.")
			}
			if strings.Contains(r.Tail(), digestSaid2) {
				return Say("Noted again.")
			}
			return Say("Well noted.")
		})

		term := l.Terminal("--permission-mode", mode)
		term.Send(digestSaid)
		term.Wait("Well noted")
		term.Send(digestSaid2)
		l.Model.AwaitTail(digestSaid2)
		term.Wait("Noted again")
		term.Quit()

		term = l.Terminal("--permission-mode", mode)
		term.Wait(`5 things of your\s+last session may be worth\s+keeping`)
		before, all := len(l.Model.Answered("main")), len(l.Model.Requests())
		term.Send("/keepsake:digest")
		term.until("it is saved", func() bool {
			return l.Exists(
				filepath.Join(
					l.Project,
					".claude/memory/decisions/keep-the-job-queue-in-postgres.json",
				),
			)
		})
		term.Wait(`digest:\s+Saved:\s+decision`)
		asked := l.Model.Answered("digester")
		if len(asked) != 1 {
			t.Fatalf("%d requests of the small model\n%s", len(asked), l.Model.Digest())
		}
		if text := asked[0].Text(); strings.Count(text, "1* user: We use Postgres for jobs.") != 1 ||
			!strings.Contains(text, "Part 1 of 1") {
			t.Errorf("the excerpt is not in the request:\n%s", text)
		}
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Agent"} {
			if asked[0].Offers(tool) { // the client lists the agent with all tools
				t.Errorf("who reads the excerpt may call %s: %q", tool, asked[0].Tools)
			}
		}
		term.Send("Thank you.")
		l.Model.Await("the thanks", func(r *Request) bool {
			return r.Route == "main" && strings.Contains(r.Tail(), "Thank you")
		})
		if n := len(l.Model.Answered("main")) - before; n != 2 { // the typed skill, and the thanks
			t.Errorf("%d requests of the main model, want 2\n%s", n, l.Model.Digest())
		}
		for _, r := range l.Model.Requests()[all:] {
			// 2.1.197 has a title made of each prompt; its classifier is not asked about the agent.
			if r.Route != "main" && r.Route != "digester" &&
				!strings.Contains(r.Tail(), "<session>\nThank you.") {
				t.Errorf("a request beside these, answered by %s:\n%s", r.Route, r.Tail())
			}
		}
		for _, screen := range term.Dialogs() {
			t.Errorf("a dialog was shown\n%s", screen)
		}
		term.Quit()
	})
}
