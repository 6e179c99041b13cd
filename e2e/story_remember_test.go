//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// keepLine is how Stop names a finding to be draftsOf up, and formOf what SessionStart says of how that is done.
var (
	keepLine = regexp.MustCompile(`keepsake: keep \[(\d+)\] (\w+) \\?"`)
	formOf   = regexp.MustCompile(`<keepsake-form>[^<]*?(/[^ ]*/bin/keepsake) remember`)
)

// A Rememberer is the mind of a model that answers "keepsake: keep" as the form says: with one command.
type Rememberer struct {
	Chat Turn
	// Write makes the drafts for what it is asked to keep, by number and category.
	Write func(asked [][2]string) string
}

// Answer answers one request of the main conversation.
func (m *Rememberer) Answer(r *Request) Reply {
	tail := r.Tail()
	asked := keepLine.FindAllStringSubmatch(tail, -1)
	form := formOf.FindStringSubmatch(r.Text())
	switch {
	case strings.Contains(tail, thanks):
		return m.Chat(r)
	case len(asked) > 0 && form != nil && !strings.Contains(tail, "Saved:"):
		var all [][2]string
		for _, a := range asked {
			all = append(all, [2]string{a[1], a[2]})
		}
		return Bash(form[1] + " remember '" + m.Write(all) + "'")
	case strings.Contains(tail, "Saved: "):
		return Say("Noted.")
	}
	return m.Chat(r)
}

// draftsOf are drafts of the two things that the decision stories say.
func draftsOf(asked [][2]string) string {
	var drafts []map[string]any
	for _, a := range asked {
		d := map[string]any{"covers": []json.Number{json.Number(a[0])}, "category": a[1], "tags": []string{"queue"}}
		switch a[1] {
		case "decision":
			d["title"] = "Keep the job queue in PostgreSQL"
			d["content"] = map[string]any{"status": "accepted", "context": "Jobs must survive a restart.",
				"decision": "The job queue stays in PostgreSQL instead of Redis.", "rationale": []string{"Jobs must survive a restart", "We already run Postgres"}}
		default:
			d["title"] = "Run migrations with make migrate"
			d["content"] = map[string]any{"topic": "migrations", "value": "make migrate, never by hand", "reason": "staging and production stay the same", "strength": "strong"}
		}
		drafts = append(drafts, d)
	}
	b, _ := json.Marshal(drafts)
	return string(b)
}

// TestRemember: what was decided is draftsOf up in one command, without a dialog and without a drafter, and the next
// session knows it.
func TestRemember(t *testing.T) {
	eachMode(t, func(t *testing.T, c Client, mode string) {
		l := NewLab(t, c)
		l.Env = map[string]string{"KEEPSAKE_CAPTURE_DRAFTERS": ""}
		l.InstallKeepsake()
		m := &Rememberer{Chat: chat(l), Write: draftsOf}
		l.Model.Mind("main", Match{}, m.Answer)

		term := l.Terminal("--permission-mode", mode)
		term.Send(lookAround)
		term.Wait(regexp.QuoteMeta(findings[:40]))
		before := len(l.Model.Answered("main"))
		term.Send(decided + " " + preferred)
		l.Model.AwaitTail(keepLine.String())
		term.Wait("Saved: decision")
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		checkSave(t, l, term)
		if os.Getenv("KEEPSAKE_SCREEN") != "" {
			t.Logf("the screen\n%s", term.History())
		}
		spent := l.Model.Answered("main")[before:]
		asked := 0
		for _, r := range spent {
			if keepLine.MatchString(r.Tail()) {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("asked %d times to keep something, want once\n%s", asked, l.Model.Digest())
		}
		if n := len(spent); n != 3 { // the answer, the command, the thanks
			t.Errorf("%d requests from the decision to the thanks, want 3\n%s", n, l.Model.Digest())
		}
		term.Quit()
		if got := l.memory("preferences")["title"]; got != "Run migrations with make migrate" {
			t.Errorf("the preference on disk is %v", got)
		}
	})
}
