package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/candidate"
)

// inboxLab is a project with one candidate and one draft that could not be saved.
func inboxLab(t *testing.T, now time.Time) (s *session.Session, candidate, draft string) {
	t.Helper()
	dir := t.TempDir()
	for env, d := range map[string]string{"HOME": "home", "XDG_CONFIG_HOME": "config",
		"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run",
		"CLAUDE_CONFIG_DIR": "claude"} {
		path := filepath.Join(dir, d)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(env, path)
	}
	for _, env := range []string{"CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "VISUAL", "EDITOR"} {
		t.Setenv(env, "")
	}
	project := filepath.Join(dir, "shop")
	notes := filepath.Join(project, ".agents", "memory", "scratch")
	if err := os.MkdirAll(notes, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(notes, "general.md"),
		[]byte("## 2026-04-23T10:30:00Z\nDecided to use Postgres over SQLite.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := session.At(project)
	if err != nil {
		t.Fatal(err)
	}
	r,
		err := s.Propose("> Decided to use Postgres over SQLite.\nSource: "+
		".agents/memory/scratch/general.md:2\nReason: it is settled", now, now)
	if err != nil || r.Taken() != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	err = s.Pending().Add("s1",
		stage.Context{Category: memory.Preference, Excerpt: "Always run make migrate."})
	if err == nil {
		err = s.Pending().Refuse("s1",
			stage.Refused{Category: memory.Preference, Title: "T", Reason: "content.topic: is missing",
				At: now.UTC(), Draft: `{"category":"preference"}`})
	}
	kept, rerr := s.Pending().Refused()
	if err != nil || rerr != nil || len(kept) != 1 {
		t.Fatal(err, rerr, kept)
	}
	return s, r.Items[0].ID, kept[0].ID()
}

// editor has the person's editor write a text.
func editor(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "edit")
	if err := os.WriteFile(path, []byte("#!/bin/sh\ncat > \"$2\" <<'END'\n"+text+"\nEND\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", path+" --wait")
}

func TestRejectCandidate(t *testing.T) {
	now := time.Now()
	s, id, draft := inboxLab(t, now)
	ask := func(typed string, args ...string) (string, string, int) {
		out, errs, shown, code := answering(typed, now, append([]string{"--project", s.Root}, args...)...)
		return out + errs, shown, code
	}
	if out, shown, code := ask("\n", "reject", id); code != exitDone ||
		!strings.Contains(out, id+" still waits") ||
		!strings.Contains(shown, "  | Decided to use Postgres over SQLite.\n") ||
		!strings.Contains(shown, "it is settled") {
		t.Errorf("exit %d, %q, %q", code, out, shown)
	}
	if out, _, code := ask("y\n", "reject", strings.ToUpper(id)); code != exitDone ||
		!strings.Contains(out, "rejected: "+id) {
		t.Errorf("exit %d, %q", code, out)
	}
	if c, err := s.Inbox().Find(id); err != nil || c.State != candidate.Rejected {
		t.Errorf("%+v, %v", c, err)
	}
	if out, _, code := ask("y\n", "reject", id); code != exitFailed ||
		!strings.Contains(out, "is rejected already") {
		t.Errorf("exit %d, %q", code, out)
	}
	for _, args := range [][]string{{"inbox", "later", id}, {"inbox", "edit", id}} {
		editor(t, "x")
		if out, _, code := ask("", args...); code != exitFailed ||
			!strings.Contains(out, "is answered already") {
			t.Errorf("%v: exit %d, %q", args, code, out)
		}
	}

	if out, _, code := ask("y\n", "approve", draft); code != exitFailed ||
		!strings.Contains(out, "hint: keepsake inbox edit "+draft) {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, _, code := ask("", "inbox", "later", draft); code != exitFailed ||
		!strings.Contains(out, "only a candidate") {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, shown, code := ask("y\n", "reject", draft); code != exitDone ||
		!strings.Contains(out, "dropped: "+draft+", and what it was made from") ||
		!strings.Contains(shown, "content.topic: is missing") {
		t.Errorf("exit %d, %q, %q", code, out, shown)
	}
	if left, err := s.Pending().Waiting(); len(left) != 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
	if out, _, code := ask("", "inbox"); code != exitDone ||
		!strings.HasPrefix(out, "nothing waits for you\n") {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestLater(t *testing.T) {
	now := time.Now()
	s, id, _ := inboxLab(t, now)
	out, errs, _, code := answering("", now, "--project", s.Root, "inbox", "later", id)
	if code != exitDone || out != "later: "+id+", tomorrow again\n" {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	if out, _, _, _ := answering("", now, "--project", s.Root, "inbox"); !strings.Contains(out,
		"  1 put off\n") || strings.Contains(out, id) {
		t.Errorf("%q", out)
	}
	if out, _, _, _ := answering("", now.AddDate(0, 0, 1), "--project", s.Root,
		"inbox"); !strings.Contains(out, "  "+id+" ") {
		t.Errorf("the next day: %q", out)
	}
}

func TestEdit(t *testing.T) {
	now := time.Now()
	s, id, draft := inboxLab(t, now)
	for _, tt := range []struct {
		id, text string
		code     int
		says     string
	}{
		{id, "Decided to use Postgres over SQLite.", exitDone, id + " stays as it was"},
		{id, "  ", exitFailed, "nothing is left of it"},
		{id, "The key is AKIA" + "IOSFODNN7EXAMPLE.", exitFailed, "would hold a secret (AWS"},
		{id, "Postgres, not SQLite.", exitDone, "edited: " + id + "; it still waits"},
		{draft, `{"category":"preference","new_info_summary":"x"`, exitFailed, "kept, and not right yet"},
		{draft,
			`{"category":"preference","new_info_summary":"Migrations run with make migrate.","partial_content":{"title":"Run migrations with make migrate","tags":["make"],"change_summary":"First record","content":{"topic":"migrations","value":"make migrate","reason":"Staging stays the same.","strength":"strong"}}}`,
			exitDone, "edited: " + draft +
				"; next: keepsake records triage --pending, then keepsake records commit"},
	} {
		editor(t, tt.text)
		out, errs, _, code := answering("", now, "--project", s.Root, "inbox", "edit", tt.id)
		if code != tt.code || !strings.Contains(out+errs, tt.says) {
			t.Errorf("%s: exit %d, %q, %q", tt.text, code, out, errs)
		}
	}
	if c, err := s.Inbox().Find(id); err != nil || c.Text != "Postgres, not SQLite." ||
		c.Quote != "Decided to use Postgres over SQLite." {
		t.Errorf("%+v, %v", c, err)
	}
	t.Setenv("VISUAL", "false")
	if _, errs, _, code := answering("", now, "--project", s.Root, "inbox", "edit", id); code != exitFailed ||
		!strings.Contains(errs, "stays as it was") {
		t.Errorf("an editor that fails: exit %d, %q", code, errs)
	}
	left, err := os.ReadDir(filepath.Join(s.Inbox().Dir, "edit"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}

	// The mended draft is saved like any other, and is no longer listed then.
	for _, args := range [][]string{{"triage", "--pending"}, {"commit"}} {
		out, errs, _, code := answering("", now, append([]string{"--project", s.Root}, args...)...)
		if code != exitDone || args[0] == "commit" && !strings.Contains(out, "Saved: preference (create)") {
			t.Fatalf("%v: exit %d, %q, %q", args, code, out, errs)
		}
	}
	if kept, err := s.Pending().Refused(); len(kept) != 0 || err != nil {
		t.Errorf("%+v, %v", kept, err)
	}
}

// TestReviewAll: everything that waits comes, each with the answers that it takes.
func TestReviewAll(t *testing.T) {
	now := time.Now()
	s, id, draft := inboxLab(t, now)
	editor(t, "Postgres, not SQLite.")
	out, errs, shown, code := answering("e\nl\n", now, "--project", s.Root, "review")
	if code != exitDone || errs != "" || !strings.Contains(shown,
		"1 of 2. Promote it? [y]es, [n]o, [e]dit, [l]ater, [q]uit, [?]: ") ||
		!strings.Contains(shown, "2 of 2. Keep this draft? [n]o, [e]dit, [l]ater, [u]ndo, [q]uit, [?]: ") {
		t.Fatalf("exit %d, %q, %q", code, errs, shown)
	}
	if !strings.Contains(out, "edited: "+id) || !strings.Contains(out, draft+" still waits") {
		t.Errorf("%q", out)
	}
	if out, _, _, _ := answering("n\nn\n", now, "--project", s.Root, "review"); !strings.Contains(out,
		"rejected: "+id) || !strings.Contains(out, "dropped: "+draft) {
		t.Errorf("%q", out)
	}
	if out, _, _, _ := answering("", now, "--project", s.Root, "review"); out != "nothing waits for you\n" {
		t.Errorf("%q", out)
	}
}

// TestApproveCandidate: a yes writes what is shown, what was edited included, once;
// a no leaves it waiting.
func TestApproveCandidate(t *testing.T) {
	now := time.Now()
	s, id, _ := inboxLab(t, now)
	editor(t, "Postgres, not SQLite.")
	if _, errs, _, code := answering("", now, "--project", s.Root, "inbox", "edit", id); code != exitDone {
		t.Fatal(errs)
	}
	out, errs, _, code := answering("n\n", now, "--project", s.Root, "approve", id)
	if code != exitDone || !strings.Contains(out, "nothing was written") {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	if w, err := s.Inbox().Waiting(now); len(w) != 1 || err != nil {
		t.Fatalf("%v, %v", w, err)
	}
	out, errs, shown, code := answering("y\ny\nq\n", now, "--project", s.Root, "review")
	if code != exitDone || errs != "" || !strings.Contains(out, "Promoted to ") ||
		!strings.Contains(shown, "Approve? [y]es, [n]o: ") ||
		!strings.Contains(shown, "Postgres, not SQLite.") {
		t.Fatalf("exit %d, %q, %q, %q", code, out, errs, shown)
	}
	if c, err := s.Inbox().Find(id); err != nil || c.State != candidate.Promoted || len(c.Stored) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if b, err := os.ReadFile(filepath.Join(s.Root, ".agents", "memory", "scratch",
		"general.md")); err != nil || !strings.Contains(string(b), "\nPROMOTED to MemPalace at ") {
		t.Errorf("%s, %v", b, err)
	}
	if _, errs, _, code := answering("y\n", now, "--project", s.Root, "approve", id); code != exitFailed ||
		!strings.Contains(errs, "has been promoted") {
		t.Errorf("exit %d, %q", code, errs)
	}
	if _, errs, _, code := answering("y\n", now, "--project", s.Root, "reject", id); code != exitFailed ||
		!strings.Contains(errs, "it is promoted") {
		t.Errorf("exit %d, %q", code, errs)
	}
}

// TestApproveWithRouter: where another skill keeps what is promoted, a yes to a
// candidate names it and keeps nothing among Keepsake's own drawers, which nobody
// would ask.
func TestApproveWithRouter(t *testing.T) {
	now := time.Now()
	s, id, _ := inboxLab(t, now)
	skill := filepath.Join(os.Getenv("CLAUDE_CONFIG_DIR"), "skills", "code-memory-router", "SKILL.md")
	if err := os.MkdirAll(filepath.Dir(skill), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(skill, []byte("---\nname: code-memory-router\n---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs, _, code := answering("", now, "--project", s.Root, "config", "set", "tiers.router",
		"code-memory-router"); code != exitDone {
		t.Fatal(errs)
	}
	for _, typed := range [][]string{{"y\n", "approve", id}, {"y\ny\n", "review"}} {
		out, errs, _, code := answering(typed[0], now, append([]string{"--project", s.Root}, typed[1:]...)...)
		if code != exitFailed ||
			!strings.Contains(out, "call the skill code-memory-router: save to MemPalace") ||
			!strings.Contains(errs, "nothing is saved yet") {
			t.Errorf("%v: exit %d, %q, %q", typed[1:], code, out, errs)
		}
	}
	if w, err := s.Inbox().Waiting(now); len(w) != 1 || err != nil {
		t.Errorf("%v, %v", w, err)
	}
}
