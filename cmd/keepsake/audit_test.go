package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/erase"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

// homeAndProject is an empty home, and an empty project beside it.
func homeAndProject(t *testing.T) (home, project string) {
	t.Helper()
	base := t.TempDir()
	home, project = filepath.Join(base, "home"), filepath.Join(base, "app")
	t.Setenv("HOME", home)
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
		"CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID"} {
		t.Setenv(v, "")
	}
	run := filepath.Join(base, "run")
	t.Setenv("XDG_RUNTIME_DIR", run)
	for _, dir := range []string{home, project, run} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, project, "init", "-q")
	return home, project
}

func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=a@b"},
		args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// auditing runs the verb in a project, for a person who types, or for an agent.
func auditing(project, typed string, alone error, args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	screen := &tty{typed: strings.NewReader(typed)}
	code = run(&call{
		ctx: context.Background(), args: args, cwd: project, now: time.Now, voice: voice{out: &o, err: &e},
		person: person{alone: func() error { return alone },
			terminal: func() (io.ReadWriteCloser, error) { return screen, nil },
			client:   func() string { return "" }},
	})
	return o.String(), e.String(), code
}

// holding lists the files below dir that hold a text.
func holding(t *testing.T, dir, text string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if rel, _ := filepath.Rel(dir, path); bytes.Contains(b, []byte(text)) &&
			!strings.HasPrefix(rel, "app/.git/") {
			all = append(all, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestAudit: secrets that an earlier version stored are found everywhere, told without
// being shown, and taken out after a yes; records stay valid and plans can be undone.
func TestAudit(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3d", 9)
	home, project := homeAndProject(t)
	keep := func(args ...string) {
		t.Helper()
		if out, errs, code := auditing(project, "", nil, args...); code != exitDone {
			t.Fatalf("%v: %d\n%s%s", args, code, out, errs)
		}
	}
	put := func(path, text string, mode fs.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	// A record as an earlier version stored it, with its history.
	record := memory.Record{
		Category: memory.Preference, ID: "staging", Title: "Staging is " + token, Status: memory.Active,
		CreatedAt: "2026-11-20T09:00:00Z", UpdatedAt: "2026-11-20T09:00:00Z", Tags: []string{"a"},
		Content: memory.Content{"topic": "staging", "value": token, "reason": "r", "strength": "soft"},
	}
	leak := plan.Plan{Version: plan.Version,
		Edits: []plan.Edit{{Path: memory.Path(record.Category, record.ID), Verb: plan.Create,
			After: record.Encode(), Category: "preference", Title: record.Title}}}
	if err := store.Open(filepath.Join(project, ".claude", "memory"),
		store.Options{}).Apply(context.Background(), leak); err != nil {
		t.Fatal(err)
	}
	// Then the word "heron" is a secret that was not known for one.
	keep("save", "staging is heron")
	keep("note", "--kind", "reference", "Staging is heron")
	keep("retire", "staging", "--reason", "heron is gone")
	keep("restore", "staging")
	base := filepath.Dir(home)
	if err := filepath.WalkDir(base, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.Contains(path, "/.git/") ||
			strings.Contains(path, "/.cache/") || filepath.Ext(path) == ".json" &&
			strings.Contains(path, "/.history/") {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && bytes.Contains(b, []byte("heron")) {
			info, _ := e.Info()
			err = os.WriteFile(path, bytes.ReplaceAll(b, []byte("heron"), []byte(token)), info.Mode())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(home, ".local", "state", "keepsake")
	notes := filepath.Join(state, "notes")
	asked := filepath.Join(home, ".claude", "keepsake", "approvals", "asked", "kx3f2a.json")
	put(asked, `{"version":1,"id":"kx3f2a","digest":"d","args":{"content":"`+token+
		`"},"reason":"r","session":"s","project":"/p","asked":"`+time.Now().UTC().Format(time.RFC3339)+`"}`+
		"\n", 0o600)
	past := filepath.Join(home, ".claude", "keepsake", "palace", "0123456789abcdef.jsonl")
	put(past, `{"path":"/p","version":1,"items":[{"id":"d1","text":"`+token+`"}]}`+"\n", 0o600)
	put(filepath.Join(state, "app-000000000000", "ledger.jsonl"),
		`{"why":"one"}`+"\n"+`{"why":"`+token+`"}`+"\n", 0o600)
	put(filepath.Join(state, "app-000000000000", "pending", "s1", "context-decision.txt"),
		"Category: decision\nuse "+token+"\n", 0o600)
	put(filepath.Join(notes, "memory-000000000000", "snapshots", "files", "abc"),
		"the token "+token+"\n", 0o600)
	put(filepath.Join(project, ".claude", "memory", "preferences", "x.json.invalid.1"), "{ "+token, 0o644)
	gitIn(t, project, "add", "-A", "-f", ".claude")
	gitIn(t, project, "commit", "-qm", "memories")

	before := holding(t, base, token)
	if len(before) < 8 {
		t.Fatalf("only %q hold it", before)
	}
	agent := errors.New("a client runs this")
	out, errs, code := auditing(project, "y\n", agent, "audit")
	if code != exitFailed || strings.Contains(out+errs, token) || !strings.Contains(out, ": GitHub token") ||
		!strings.Contains(errs, "type keepsake records audit yourself") {
		t.Errorf("an agent: %d\n%s%s", code, out, errs)
	}
	for _, path := range before {
		if !strings.Contains(out, path+":") {
			t.Errorf("%s holds it and is not named:\n%s", path, out)
		}
	}
	if _, errs, code := auditing(project, "", agent, "audit", "--yes"); code != exitPerson ||
		!strings.Contains(errs, "only a person") {
		t.Errorf("an agent says yes: %d, %s", code, errs)
	}
	if _, _, code := auditing(project, "n\n", nil, "audit"); code != exitFailed {
		t.Errorf("no: %d", code)
	}
	if after := holding(t, base, token); len(after) != len(before) {
		t.Fatalf("something was taken out without a yes: %q, was %q", after, before)
	}

	out, errs, code = auditing(project, "", nil, "audit", "--yes", "--json")
	var got erase.Audit
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitFailed || len(got.Git) == 0 ||
		len(got.Cleaned) == 0 || strings.Contains(out+errs, token) {
		t.Fatalf("%d, %v\n%s%s", code, err, out, errs)
	}
	for _, path := range holding(t, base, token) {
		mine := strings.HasPrefix(path, "home/.claude/projects/") || strings.Contains(path, "/snapshots/")
		if !mine {
			t.Errorf("%s still holds it", path)
		}
	}
	// What is left out of it would look like an edit.
	if _, err := os.Stat(past); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a palace said before is still there: %v", err)
	}
	if info, err := os.Stat(asked); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("an approval has another mode now", err)
	}
	if out, errs, code := auditing(project, "", nil, "index", "validate"); code != exitDone {
		t.Errorf("index: %d\n%s%s", code, out, errs)
	}
	if out, errs, code := auditing(project, "", nil, "show", "staging"); code != exitDone ||
		!strings.Contains(out, "[redacted]") {
		t.Errorf("show: %d\n%s%s", code, out, errs)
	}
	if out, _, code := auditing(project, "", nil, "approvals"); code != exitDone ||
		!strings.Contains(out, "kx3f2a") {
		t.Errorf("approvals: %d\n%s", code, out)
	}
}

func TestAuditOfNothing(t *testing.T) {
	_, project := homeAndProject(t)
	if out, errs, code := auditing(project, "", nil, "audit"); code != exitDone ||
		!strings.Contains(out, "no secret found") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if _, err := os.Stat(filepath.Join(project, ".claude")); err == nil {
		t.Error("looking made a store")
	}
}
