//go:build e2e

package e2e

import (
	"strings"
	"testing"
)

// The person types what to remember behind /keepsake:save. It is noted as theirs at once, and the agent
// writes it up by one command: two requests, without a dialog and without a drafter. What is typed later
// about the same thing amends it, and no Stop notices it a second time.
func TestSaveByHand(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const (
			ten  = "We decided to keep invoices for ten years because the tax office demands it."
			more = "Invoices are kept for ten years with their receipts because the tax office demands it " +
				"of us."
			id   = "keep-invoices-for-ten-years"
			with = "Invoices are kept for ten years with their receipts."
		)
		l := NewLab(t, c)
		l.InstallKeepsake()
		scribe := &Scribe{Model: l.Model, Drafts: func(near string) map[string]any {
			if near != "" {
				return map[string]any{"category": "decision", "target": near, "content": map[string]any{
					"decision": with}}
			}
			return map[string]any{"category": "decision", "title": "Keep invoices for ten years",
				"content": map[string]any{
					"context": "The tax office demands it.", "decision": "Invoices are kept for ten years.",
					"rationale": []string{"The tax office demands it."}}}
		}}
		l.Model.Mind("main", Match{}, scribe.Answer)
		term := l.Terminal("--permission-mode", "default")
		term.Send("/keepsake:save decision " + ten)
		term.Wait(closing + `decision \(create\)`)
		record := l.record("decisions", id)
		content, _ := record["content"].(map[string]any)
		why, _ := content["rationale"].([]any)
		if record["record_status"] != "active" || content["decision"] != "Invoices are kept for ten years." ||
			len(why) != 1 ||
			why[0] != "The tax office demands it." {
			t.Errorf("the record is %v", record)
		}
		if n := len(l.Model.Answered("main")); n != 2 { // the command, and what it printed
			t.Errorf("%d requests for a save, want 2\n%s", n, l.Model.Digest())
		}
		term.Send("/keepsake:save decision " + more)
		term.Wait(closing + `decision \(update\)`)
		if record = l.record("decisions", id); record["content"].(map[string]any)["decision"] != with ||
			record["times_updated"] != 1.0 {
			t.Errorf("the amended record is %v", record)
		}
		term.Send(thanks)
		term.Wait(`says answer`)
		if files := l.Files(l.memories("decisions")); len(files) != 1 {
			t.Errorf("the decisions are %q, want one", files)
		}
		if said := l.cli("inbox"); !strings.Contains(said, "nothing waits for you") {
			t.Errorf("the inbox says %q: what the person typed is not theirs", said)
		}
		for _, screen := range term.Dialogs() {
			t.Errorf("a dialog was shown\n%s", screen)
		}
		if n := len(l.Model.Tails(heard("Stop", ""))); n != 0 {
			t.Errorf("%d Stop feedbacks after saves by hand, want none\n%s", n, l.Model.Digest())
		}
		for _, f := range l.Files(l.Runtime) {
			if strings.Contains(f, "intent-") || strings.Contains(f, "context-") {
				t.Errorf("the stage still holds %s", f)
			}
		}
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}
