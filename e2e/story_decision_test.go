//go:build e2e

package e2e

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	agreed = "Understood."
	thanks = "Thank you, that is all for today."
	bye    = "See you tomorrow."
	// closing is how the model's own closing line begins; the command's output has no bullet.
	closing = "● Saved: "
)

// chat is the ordinary part of the decision stories.
func chat(l *Lab) Turn {
	return func(r *Request) Reply {
		tail := r.Tail()
		switch {
		case strings.Contains(tail, lookAround):
			return Call("Read", map[string]any{"file_path": filepath.Join(l.Project, queueFile)})
		case r.LastCall().Name == "Read":
			return Say(findings)
		case strings.Contains(tail, "save what we decided"):
			return Call("Skill", map[string]any{"skill": "keepsake:save"})
		case strings.Contains(tail, decided) && !strings.Contains(tail, "<memory-context"): // not told of it
			return Say(agreed)
		case strings.Contains(tail, thanks):
			return Say(bye)
		}
		return Say("I do not know what to say to that.")
	}
}

// saver makes a model that chats and saves.
func (l *Lab) saver() *Saver {
	s := &Saver{Chat: chat(l), Model: l.Model}
	l.Model.Mind("drafter", Match{First: drafterTask.String()}, s.Drafter)
	l.Model.Mind("verifier", Match{First: verifierTask.String()}, s.Verifier)
	l.Model.Mind("main", Match{}, s.Answer)
	return s
}

// A person decides something; Keepsake notices; drafters, plan and apply run without one dialog; the record
// is on disk; and the next session knows it.
func TestDecision(t *testing.T) {
	eachMode(t, func(t *testing.T, c Client, mode string) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberSession()
		s := l.saver()
		s.Slow = c.Backgrounds()

		term := l.Terminal("--permission-mode", mode)
		term.Send(lookAround)
		term.Wait(regexp.QuoteMeta(findings[:40]))
		term.Send(decided + " " + preferred)
		l.Model.AwaitTail(feedback.String())
		term.Wait(closing)
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		checkSave(t, l, term)
		if n := len(l.Model.Tails(exitFive)); s.Slow && n != 2 {
			t.Errorf("plan said %d times that drafts are missing, want 2\n%s", n, l.Model.Digest())
		}
		if n := len(l.Model.Tails(feedback)); n != 1 {
			t.Errorf("%d Stop feedbacks, want one\n%s", n, l.Model.Digest())
		}
		term.Quit()
		checkRecall(t, l, mode)
	})
}

// The person asks for a save in words, and the model invokes the skill without any feedback before it.
func TestSaveOnRequest(t *testing.T) {
	eachMode(t, func(t *testing.T, c Client, mode string) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver()

		term := l.Terminal("--permission-mode", mode)
		term.Send(decided + " Please save what we decided.")
		term.Wait(closing)
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		checkSave(t, l, term)
		if n := len(l.Model.Tails(feedback)); n != 0 {
			t.Errorf("%d Stop feedbacks around a save that the person asked for, want none\n%s", n,
				l.Model.Digest())
		}
		term.Quit()
	})
}

// When no drafter delivers, drafts are made from the person's own words. They wait, unapplied, and the next
// session says so.
func TestDraftersDeliverNothing(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver().Idle = true

		term := l.Terminal("--permission-mode", "default")
		term.Send(decided)
		term.Wait("Drafts made from your own words are waiting")
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		for _, screen := range term.Dialogs() {
			t.Errorf("a dialog was shown\n%s", screen)
		}
		if n := len(l.Model.Tails(feedback)); n != 1 {
			t.Errorf("%d Stop feedbacks, want one\n%s", n, l.Model.Digest())
		}
		term.Quit()
		if got := l.Files(filepath.Join(l.Project, ".claude", "memory", "decisions")); len(got) > 0 {
			t.Errorf("the store holds %q although nobody applied a draft", got)
		}

		term = l.Terminal("--permission-mode", "default")
		term.Send(thanks)
		l.Model.AwaitTail(heard("SessionStart", "decision").String())
		term.Quit()
	})
}

// checkSave asserts what a finished save leaves behind: the record, one line, and no dialog on the way.
func checkSave(t *testing.T, l *Lab, term *Terminal) {
	t.Helper()
	for _, screen := range term.Dialogs() {
		t.Errorf("a dialog was shown during the save\n%s", screen)
	}
	for _, request := range l.PermissionRequests() {
		t.Errorf("the client asked for a permission during the save: %s", request)
	}
	checkQuietHooks(t, l, term)
	if odd := l.Model.Unscripted(); len(odd) > 0 {
		t.Errorf("%d unscripted requests\n%s", len(odd), l.Model.Digest())
	}
	record := l.memory("decisions")
	if record["title"] != "Keep the job queue in PostgreSQL" || record["record_status"] != "active" ||
		record["category"] != "decision" {
		t.Errorf("the decision on disk is %v", record)
	}
	if index := l.Read(filepath.Join(l.Project, ".claude", "memory", "index.md")); !strings.Contains(index,
		"Keep the job queue in PostgreSQL") {
		t.Errorf("index.md does not list the decision:\n%s", index)
	}
	if !regexp.MustCompile(`Saved: .*decision \(create\)`).MatchString(term.History()) {
		t.Errorf("the closing line is not on the screen\n%s", term.History())
	}
}

// checkQuietHooks asserts that no hook failed, neither on the screen nor in the failure ledger.
func checkQuietHooks(t *testing.T, l *Lab, term *Terminal) {
	t.Helper()
	if m := regexp.MustCompile(`(?i)hook (?:error|failed)|hook reported a problem|hook problem`).FindString(term.History()); m != "" {
		t.Errorf("the screen says %q\n%s", m, term.History())
	}
	if failures := l.failures(); failures != "" {
		t.Errorf("the failure ledger holds\n%s", failures)
	}
}

// failures is what the failure ledger holds.
func (l *Lab) failures() string {
	l.t.Helper()
	all := ""
	for _, f := range l.Files(l.Home) {
		if filepath.Base(f) == "ledger.jsonl" {
			all += l.Read(filepath.Join(l.Home, f))
		}
	}
	return all
}

// checkRecall opens the next session and asks about the decision twice: it comes back once, and the session
// opens with the brief.
func checkRecall(t *testing.T, l *Lab, mode string) {
	t.Helper()
	const (
		first = "Where does the job queue keep its jobs, and why?"
		again = "Once more: where does the job queue keep its jobs?"
		known = "Jobs are rows of the PostgreSQL table jobs" // said by the record alone
	)
	before := len(l.Model.Requests())
	term := l.Terminal("--permission-mode", mode)
	term.Send(first)
	term.Wait("I do not know")
	term.Send(again)
	r := l.Model.Await("the second prompt", func(r *Request) bool {
		return r.N > before && r.Route == "main" && strings.Contains(r.Tail(), again)
	})
	term.Quit()
	if !heard("UserPromptSubmit", known).MatchString(r.Text()) {
		t.Errorf("the decision did not come back:\n%s", r.Text())
	}
	if !heard("UserPromptSubmit", "The user said: “"+decided[:60]).MatchString(r.Text()) {
		t.Errorf("the decision did not come back in the person's words:\n%s", r.Text())
	}
	if strings.Contains(r.Tail(), known) {
		t.Errorf("the decision came back a second time:\n%s", r.Tail())
	}
	if !sessionBrief.MatchString(r.Text()) {
		t.Errorf("the session did not open with the last session's summary:\n%s", r.Text())
	}
}

// lastSession is what the remembered session wanted next.
const lastSession = "Reconcile the currency tables"

// sessionBrief finds it in what the SessionStart hook told the model.
var sessionBrief = heard("SessionStart", lastSession)

// rememberSession puts the summary of an earlier session into the store, in the 1.0 schema of older tools.
func (l *Lab) rememberSession() {
	l.t.Helper()
	l.WriteJSON(filepath.Join(l.Project, ".claude", "memory", "sessions", "set-up-the-currency-import.json"),
		map[string]any{
			"schema_version": "1.0", "category": "session_summary", "id": "set-up-the-currency-import",
			"title": "Set up the currency import", "record_status": "active",
			"created_at": ago(4), "updated_at": ago(4), "tags": []string{"currency"},
			"related_files": nil, "confidence": 0.8, "changes": nil, "times_updated": 0,
			"content": map[string]any{"goal": "Set up the currency import", "outcome": "partial",
				"completed": []string{"Parser for the rate files"}, "next_actions": []string{lastSession}},
		})
}

// memory is the one record in a folder of the project's store; it ends the test when there is not exactly
// one.
func (l *Lab) memory(folder string) map[string]any {
	l.t.Helper()
	dir := filepath.Join(l.Project, ".claude", "memory", folder)
	files := l.Files(dir)
	if len(files) != 1 {
		l.t.Fatalf("%s holds %q, want one record\n%s", folder, files, l.Model.Digest())
	}
	var record map[string]any
	if err := json.Unmarshal([]byte(l.Read(filepath.Join(dir, files[0]))), &record); err != nil {
		l.t.Fatalf("%s: %v", files[0], err)
	}
	return record
}
