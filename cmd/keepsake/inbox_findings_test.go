package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/inbox"
)

// findingsLab is a project with findings that wait.
func findingsLab(t *testing.T, now time.Time, texts ...string) *session.Session {
	t.Helper()
	s, _, _ := inboxLab(t, now)
	answering("n\nn\n", now, "--project", s.Root, "review") // the candidate and the draft are for other tests
	for _, text := range texts {
		noteOne(t, s, finding.Finding{Text: text})
	}
	return s
}

// noteOne puts a finding into the journal: a decision that the person typed, where f says
// nothing else.
func noteOne(t *testing.T, s *session.Session, f finding.Finding) {
	t.Helper()
	if f.By == "" {
		f.By, f.Origin = finding.Typed, finding.FromPerson
	}
	if f.Category == "" && f.Moment == "" {
		f.Category = memory.Decision
	}
	if f.Level == "" {
		f.Level = finding.Sure
	}
	f.Time, f.Session = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), "s0"
	if _, err := s.NoteFindings([]finding.Finding{f}, time.Now()); err != nil {
		t.Fatal(err)
	}
}

func stateOf(t *testing.T, s *session.Session, number int) finding.Status {
	t.Helper()
	book, err := s.Whole()
	if err != nil {
		t.Fatal(err)
	}
	f, _ := book.Find(number)
	return f
}

func TestInboxLists(t *testing.T) {
	now := time.Now()
	s := findingsLab(t, now)
	for i := range 13 {
		noteOne(t, s, finding.Finding{Text: fmt.Sprintf("We decided to keep shard %d in Postgres.", i)})
	}
	noteOne(t, s, finding.Finding{Text: "Perhaps Redis is enough.", By: finding.Agent,
		Level: finding.Candidate})
	noteOne(t, s, finding.Finding{Text: "No, that is wrong.", Moment: memory.Moments()[0]})
	noteOne(t, s, finding.Finding{Text: "Shard 12 moved out again.", Kind: finding.Change, Target: "#13"})
	ask := func(args ...string) string {
		out, errs, _, code := answering("", now, append([]string{"--project", s.Root}, args...)...)
		if code != exitDone || errs != "" {
			t.Fatalf("exit %d, %q", code, errs)
		}
		return out
	}
	out := ask("inbox")
	for _, want := range []string{
		"Noticed, not saved (keepsake review goes through it; keepsake inbox approve or reject N):\n  [16] " +
			"  decision    \"Shard 12 moved out again.\" (said by the user, 2026-11-20)\n",
		"  [13]   decision    \"We decided to keep shard 12 in Postgres.\" (said by the user, 2026-11-20); " +
			"something said later turns against it\n",
		"  [1]    decision    \"We decided to keep shard 0 in Postgres.\" (said by the user, 2026-11-20)\n" +
			"Perhaps worth keeping:\n  [14]   decision    \"Perhaps Redis " +
			"is enough.\" (said by the agent, 2026-11-20)\n",
		"For the Markdown memories",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	for i := range 13 {
		if !strings.Contains(out, fmt.Sprintf("shard %d ", i)) {
			t.Errorf("shard %d is not in\n%s", i, out)
		}
	}
	if all := ask("inbox", "--all"); all != out { // which older versions wanted for that
		t.Errorf("%s", all)
	}
	var got inbox.List
	if err := json.Unmarshal([]byte(ask("inbox", "--json")), &got); err != nil || len(got.Findings) != 16 ||
		got.Findings[0].Number != 16 || got.Findings[15].Moment == "" {
		t.Errorf("%v, %+v", err, got.Findings)
	}
}

// TestReviewFindings: each answer does what it says, and one that is none asks again.
func TestReviewFindings(t *testing.T) {
	now := time.Now()
	s := findingsLab(t, now, "We decided to keep jobs in Postgres because they must survive a restart.",
		"We decided to use tabs.", "We decided to call staging heron.",
		"We decided to drop Redis.")
	noteOne(t, s, finding.Finding{Text: "No, that is wrong.", Moment: memory.Moments()[0]})
	editor(t, "Staging is called egret, since heron was taken.")
	out, errs, shown, code := answering("l\ne\nx\nn\ny\nn\n", now, "--project", s.Root, "review")
	if code != exitDone || errs != "" {
		t.Fatalf("exit %d, %q, %q, %q", code, errs, out, shown)
	}
	for number, want := range map[int]finding.State{1: finding.Saved, 2: finding.Rejected, 3: finding.Saved,
		4: finding.Open, 5: finding.Rejected, 6: finding.Saved} {
		if f := stateOf(t, s, number); f.State != want {
			t.Errorf("[%d] %q is %s, want %s\n%s\n%s", number, f.Text, f.State, want, shown, out)
		}
	}
	if f, e := stateOf(t, s, 3), stateOf(t, s, 6); f.To != e.To ||
		e.Text != "Staging is called egret, since heron was taken." || e.By != finding.Typed || e.Plan == "" {
		t.Errorf("%+v, %+v", f, e)
	}
	for _, want := range []string{"[4] still waits", "rejected: [2]; it is not offered again",
		"Saved: decision (create)"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %q", want, out)
		}
	}
	if !strings.Contains(shown, "1 of 5. Save it as it is? [y]es, [n]o, [e]dit, [l]ater, [q]uit, [?]: ") ||
		!strings.Contains(shown, "Please answer with one letter. [y]es") ||
		!strings.Contains(shown, "5 of 5. Keep this waiting? [n]o, [l]ater, [u]ndo, [q]uit, [?]: ") {
		t.Errorf("%q", shown)
	}
	if got, _, _, _ := answering("", now, "--project", s.Root, "show",
		"staging-is-called"); !strings.Contains(got, "egret") {
		t.Errorf("%q", got)
	}
}

// TestReviewUndoIsOfTheLast: u never takes back an answer before the last one.
func TestReviewUndoIsOfTheLast(t *testing.T) {
	now := time.Now()
	s := findingsLab(t, now, "Perhaps.", "We decided to use tabs.", "We decided to drop Redis.")
	out, errs, shown, code := answering("n\nl\nu\nq\n", now, "--project", s.Root, "review")
	if code != exitDone || errs != "" || strings.Contains(out, "waits again") ||
		strings.Count(out, "[2] still waits") != 2 || strings.Count(shown, "2 of 3. ") != 2 {
		t.Errorf("exit %d, %q, %q, %q", code, errs, out, shown)
	}
	if f := stateOf(t, s, 3); f.State != finding.Rejected {
		t.Errorf("%+v", f)
	}
}

// TestReviewUndo: u takes back what the last answer did, saved memory and all, and asks again.
func TestReviewUndo(t *testing.T) {
	now := time.Now()
	s := findingsLab(t, now, "Perhaps.", "We decided to use tabs.", "We decided to drop Redis.")
	out, errs, shown, code := answering("y\nn\nu\n?\nu\nl\nl\nl\n", now, "--project", s.Root, "review")
	if code != exitDone || errs != "" {
		t.Fatalf("exit %d, %q, %q, %q", code, errs, out, shown)
	}
	for _, want := range []string{"Saved: decision (create)", "rejected: [2]", "[2] waits again",
		"gone: decisions/", "[3] waits again", "[3] still waits", "[2] still waits"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %q", want, out)
		}
	}
	if !strings.Contains(shown, keyHelp) {
		t.Errorf("no help in %q", shown)
	}
	for n := 2; n <= 3; n++ {
		if f := stateOf(t, s, n); f.State != finding.Open {
			t.Errorf("%+v", f)
		}
	}
	if loaded, err := s.Store().Load(); err != nil || len(loaded.Records) != 0 {
		t.Errorf("%+v, %v", loaded.Records, err)
	}
	if all, err := s.Answers(); err != nil || len(all) != 0 {
		t.Errorf("it still teaches: %+v, %v", all, err)
	}
	if out, _, _, _ := answering("y\n", now, "--project", s.Root, "approve", "3"); !strings.Contains(out,
		"Saved: decision (create)") {
		t.Errorf("%q", out)
	}
}

// TestFindingsByNumber: a finding is answered by its number, however it is written.
func TestFindingsByNumber(t *testing.T) {
	now := time.Now()
	s := findingsLab(t, now, "We decided to keep jobs in Postgres because they must survive a restart.",
		"We decided to use tabs.", "We decided to drop Redis.")
	for _, tt := range []struct {
		typed string
		args  []string
		code  int
		says  string
	}{
		{"n\n", []string{"reject", "2"}, exitDone, "[2] still waits"},
		{"y\n", []string{"reject", "#2"}, exitDone, "rejected: [2]"},
		{"y\n", []string{"reject", "2"}, exitFailed, "[2] no longer waits: it is rejected"},
		{"y\n", []string{"reject", "77"}, exitFailed, "[77]: there is no such finding"},
		{"y\n", []string{"inbox", "later", "[3]"}, exitDone, "later: [3] waits on"},
		{"y\n", []string{"approve", "1"}, exitDone, "Saved: decision (create)"},
		{"", []string{"approve", "1"}, exitFailed, "[1] no longer waits: it is saved as decisions/"},
	} {
		out, errs, _, code := answering(tt.typed, now, append([]string{"--project", s.Root}, tt.args...)...)
		if code != tt.code || !strings.Contains(out+errs, tt.says) {
			t.Errorf("%v: exit %d, %q, %q", tt.args, code, out, errs)
		}
	}
	for _, text := range []string{" ", "The key is AKIA" + "IOSFODNN7EXAMPLE."} {
		editor(t, text)
		if out, errs, _, code := answering("", now, "--project", s.Root, "inbox", "edit",
			"3"); code != exitFailed || !strings.Contains(errs, "so it waits as it was") {
			t.Errorf("exit %d, %q, %q", code, out, errs)
		}
	}
	t.Setenv("VISUAL", "true") // somebody leaves the editor without a change
	if out, errs, _, code := answering("", now, "--project", s.Root, "inbox", "edit",
		"3"); code != exitDone || !strings.Contains(out, "stays as it was") ||
		stateOf(t, s, 3).State == finding.Saved {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	editor(t, "Redis is gone for good.")
	if out, errs, shown, code := answering("y\n", now, "--project", s.Root, "inbox", "edit",
		"3"); code != exitDone || !strings.Contains(out, "Saved: decision") ||
		stateOf(t, s, 3).State != finding.Saved {
		t.Errorf("exit %d, %q, %q, %q", code, out, errs, shown)
	}
}

// TestPromptsOfAProgramWait: what a program gave as a prompt, in a session at which nobody sat, is neither
// saved nor dropped with what is answered together. It waits until the person answers it alone.
func TestPromptsOfAProgramWait(t *testing.T) {
	now := time.Now()
	s := findingsLab(t, now, "We decided that invoices are numbered by the database.")
	path := filepath.Join(os.Getenv("CLAUDE_CONFIG_DIR"), "projects", "-shop", "robot.jsonl")
	var file strings.Builder
	var found []finding.Finding
	// 2.1.329 marks the line of a program's prompt; older clients mark all prompts of a terminal alike, and
	// that nobody sat there is known from the finding
	for i, by := range []string{"sdk", "typed"} {
		text := fmt.Sprintf("We decided to use Redis for cache %d because it is fast.", i)
		found = append(found, finding.Finding{Text: text, By: finding.Typed, Origin: finding.FromAgent,
			Level: finding.Sure, Category: memory.Decision, Session: "robot", Record: fmt.Sprint("r", i),
			Offset: int64(file.Len()), Time: now.Add(-time.Hour).UTC()})
		fmt.Fprintf(&file, `{"type":"user","uuid":"r%d","promptSource":%q,"timestamp":%q,"message":{`+
			`"role":"user","content":%q}}`+"\n", i, by, now.Add(-time.Hour).UTC().Format(time.RFC3339), text)
	}
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
		os.WriteFile(path, []byte(file.String()), 0o600))
	other, oerr := session.Open(session.Call{ID: "robot", Transcript: path, Cwd: s.Root})
	if err = errors.Join(err, oerr); err == nil {
		err = other.Update(func(*stage.State) error { return nil })
	}
	numbered, nerr := s.NoteFindings(found, now)
	if err = errors.Join(err, nerr); err != nil || len(numbered) != 2 {
		t.Fatal(numbered, err)
	}

	var out, errs bytes.Buffer
	c := &call{ctx: t.Context(), project: s.Root, cwd: "/", now: func() time.Time { return now },
		voice: voice{out: &out, err: &errs}, person: person{alone: func() error { return nil }}}
	b, err := c.inbox()
	if err != nil {
		t.Fatal(err)
	}
	things, _, _ := b.Everything()
	r := &review{call: c, inbox: b, tty: &tty{}}
	var all []int
	alone := map[string]int{} // those of a program
	for i, thing := range things {
		r.items = append(r.items, reviewed{id: thing.ID, thing: thing})
		if all = append(all, i); strings.Contains(thing.View().Text, " program| We decided to use Redis") {
			alone[thing.ID] = i
		}
	}
	if len(things) != 3 || len(alone) != 2 {
		t.Fatalf("%d things, of a program: %v", len(things), alone)
	}
	waits := func(when string, want ...finding.State) {
		t.Helper()
		for i, f := range numbered {
			if got := stateOf(t, s, f.Number).State; got != want[i] {
				t.Errorf("%s: [%d] is %s, want %s", when, f.Number, got, want[i])
			}
		}
	}
	stored := func() (titles []string) {
		t.Helper()
		loaded, err := s.Store().Load()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range loaded.Records {
			titles = append(titles, m.Title)
		}
		return titles
	}
	r.answer(no, slices.Collect(maps.Values(alone))...)
	waits("a no to several", finding.Open, finding.Open)
	r.answer(yes, all...)
	waits("a yes to several", finding.Open, finding.Open)
	if titles := stored(); len(titles) != 1 || !strings.Contains(titles[0], "nvoices") {
		t.Errorf("a yes to all saved %q", titles)
	}
	if !strings.Contains(errs.String(), "wants an answer of its own: a program gave it as a prompt") {
		t.Errorf("it is not said: %s", errs.String())
	}
	r.answer(yes, alone[fmt.Sprintf("[%d]", numbered[0].Number)])
	r.answer(no, alone[fmt.Sprintf("[%d]", numbered[1].Number)])
	waits("each alone", finding.Saved, finding.Rejected)
	if titles := stored(); len(titles) != 2 {
		t.Errorf("a yes of its own saved %q", titles)
	}
}
