package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/trust"
)

// heldStore makes a project with records: two that git tracks and nobody knows when
// tracked, and two of the user's own, of which one is tainted and one has no origin.
func heldStore(t *testing.T, tracked bool) *session.Session {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for env, d := range map[string]string{
		"HOME": "home", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache",
		"XDG_RUNTIME_DIR":    "run",
		"CLAUDE_PROJECT_DIR": "project", "CLAUDE_CONFIG_DIR": "home/.claude",
	} {
		if err := os.MkdirAll(filepath.Join(base, d), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(env, filepath.Join(base, d))
	}
	project := filepath.Join(base, "project")
	if tracked { // the row that git-setup commits
		s, err := session.In(project, "s1")
		if err != nil {
			t.Fatal(err)
		}
		writeTracked(t, s)
	}
	s, err := session.In(project, "s1")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]session.Judged{}
	var p plan.Plan
	for _, id := range []string{"tainted", "nobody", "pulled-one", "pulled-two"} {
		r := memory.Record{
			Category: memory.Decision, ID: id, Title: "Title of " + id, Status: memory.Active,
			CreatedAt: "2026-11-20T09:00:00Z", UpdatedAt: "2026-11-20T09:00:00Z",
			Tags: []string{"x"}, Content: memory.Content{"status": "accepted", "context": "hidden\u202etext",
				"decision": "d of " + id, "rationale": []string{"r"}},
		}
		e := plan.Edit{Path: memory.Path(r.Category, id), Verb: plan.Create, After: r.Encode(),
			Category: "decision", Title: r.Title}
		if strings.HasPrefix(id, "pulled") && !tracked {
			continue
		}
		p.Edits = append(p.Edits, e)
		switch id {
		case "tainted":
			known[e.Path] = session.Judged{Origin: finding.Tainted, Why: "it has words of a page"}
		case "nobody":
			known[e.Path] = session.Judged{Origin: finding.NoOrigin, Why: "nobody said it"}
		}
	}
	if err := s.Apply(context.Background(), p, nil); err != nil {
		t.Fatal(err)
	}
	// git brought the others
	p.Edits = slices.DeleteFunc(p.Edits, func(e plan.Edit) bool { return known[e.Path].Why == "" })
	if err := s.Trust(p, known, false, time.Now()); err != nil {
		t.Fatal(err)
	}
	return s
}

// writeTracked notes that git tracks the store.
func writeTracked(t *testing.T, s *session.Session) {
	t.Helper()
	dir := filepath.Join(os.Getenv("XDG_STATE_HOME"), "keepsake", layout.Key(s.Place.Home))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"` + s.MemoryRoot() + `": {"tracked": true, "since": "2026-11-20T09:00:00Z"}}`
	if err := os.WriteFile(filepath.Join(dir, "tracked.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func standsAt(t *testing.T, s *session.Session, id string) session.TrustLevel {
	t.Helper()
	again, err := session.In(s.Root, "s1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := again.Store().Read(memory.Path(memory.Decision, id))
	if err != nil {
		t.Fatal(err)
	}
	return again.TrustOf(r)
}

// TestReviewHeld: each memory that nothing supports is a question of its own, and what
// was pulled is one, after all of it was shown.
func TestReviewHeld(t *testing.T) {
	now := time.Now()
	s := heldStore(t, true)
	out, errs, shown, code := answering("y\ny\ny\ny\n", now, "--project", s.Root, "review")
	if code != exitDone || errs != "" {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	if strings.Count(shown, "[y]es") != 3 || strings.Contains(shown, "\u202e") ||
		!strings.Contains(shown, `hidden\u202etext`) {
		t.Errorf("shown %q", shown)
	}
	for _, want := range []string{"it has words of a page", "nobody said it", "d of pulled-one",
		"d of pulled-two", "2 memories that came with the repository", "of these 2"} {
		if !strings.Contains(shown, want) {
			t.Errorf("not shown: %s", want)
		}
	}
	for _, id := range []string{"tainted", "nobody", "pulled-one", "pulled-two"} {
		if got := standsAt(t, s, id); got.Held || !got.Accepted() {
			t.Errorf("%s: %+v", id, got)
		}
	}
	if out, _, _, _ := answering("", now, "--project", s.Root, "review"); !strings.Contains(out,
		"nothing waits") {
		t.Errorf("asked again: %q", out)
	}
}

func TestReviewHeldAnswers(t *testing.T) {
	now := time.Now()
	for typed, want := range map[string]string{
		"":          "held held held",
		"l\nl\nl":   "held held held",
		"a\na\na":   "held held held", // no other key is a yes
		"q\n":       "held held held",
		"y\nq\n":    "accepted held held",
		"l\ny\n":    "held accepted held",
		"n\nl\ny":   "refused held held", // a line that does not end is no answer
		"n\nl\nn\n": "refused held refused",
	} {
		s := heldStore(t, true)
		_, errs, _, code := answering(typed, now, "--project", s.Root, "review")
		if code != exitDone || errs != "" {
			t.Fatalf("%q: exit %d, %q", typed, code, errs)
		}
		var got []string
		for _, id := range []string{"nobody", "tainted", "pulled-one"} {
			state := standsAt(t, s, id)
			switch {
			case !state.Held:
				got = append(got, "accepted")
			case state.Act == trust.Refused:
				got = append(got, "refused")
			default:
				got = append(got, "held")
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", typed, got, want)
		}
	}
}

// TestRefusedIsRetired: a no takes the user's own memory out of what is recalled, and
// leaves the files of a repository alone.
func TestRefusedIsRetired(t *testing.T) {
	now := time.Now()
	for _, tracked := range []bool{false, true} {
		s := heldStore(t, tracked)
		if _, errs, _, code := answering("n\nn\nn\n", now, "--project", s.Root, "review"); code != exitDone ||
			errs != "" {
			t.Fatalf("exit %d, %q", code, errs)
		}
		loaded, err := s.Store().Load()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range loaded.Records {
			want := memory.Retired
			if strings.HasPrefix(r.ID, "pulled") {
				want = memory.Active
			}
			if r.Status != want || !standsAt(t, s, r.ID).Held {
				t.Errorf("%s is %s, %+v", r.ID, r.Status, standsAt(t, s, r.ID))
			}
		}
	}
}

// TestAnswerHeldByID: approve and reject take the ids of the inbox, of one memory each.
func TestAnswerHeldByID(t *testing.T) {
	now := time.Now()
	s := heldStore(t, false)
	list, _, _, _ := answering("", now, "--project", s.Root, "inbox")
	for id, want := range map[string]bool{"tainted": true, "nobody": false} {
		var short string
		for line := range strings.Lines(list) {
			if strings.Contains(line, "/"+id+".json") {
				short = strings.Fields(line)[0]
			}
		}
		if _, errs, _, code := answering("", now, "--project", s.Root, "inbox", "edit",
			short); code != exitFailed || !strings.Contains(errs, "only a finding, a candidate or a draft") {
			t.Errorf("edit %s: exit %d, %q", short, code, errs)
		}
		verb := "reject"
		if want {
			verb = "approve"
		}
		if out, errs, shown, code := answering("y\n", now, "--project", s.Root, verb,
			short); code != exitDone || !strings.Contains(shown, "d of "+id) {
			t.Fatalf("%q: exit %d, %q, %q, shown %q", short, code, out, errs, shown)
		}
		if got := standsAt(t, s, id); got.Held == want {
			t.Errorf("%s %s: %+v", verb, id, got)
		}
		if _, _, _, code := answering("y\n", now, "--project", s.Root, verb, short); code == exitDone {
			t.Errorf("%s has an answer, and its id still waits", id)
		}
	}
}

// TestRecallShowsThePersonWhatIsHeld and no agent.
func TestRecallShowsThePersonWhatIsHeld(t *testing.T) {
	s := heldStore(t, false)
	out, _, _, code := answering("", time.Now(), "--project", s.Root, "recall", "title", "tainted")
	if code != exitDone || !strings.Contains(out, "held: it has words of a page") {
		t.Errorf("exit %d, %q", code, out)
	}
}
