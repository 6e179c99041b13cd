package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/libexec"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/inbox"
)

// hostCall carries out a call of a tool for a session of the server, and returns what the model is told.
func hostCall(t *testing.T, s *session.Session, id, tool, args string) (said string, failed bool) {
	t.Helper()
	in, err := json.Marshal(libexec.HostCall{Session: id, Tool: tool, Args: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	c := &call{ctx: context.Background(), cwd: s.Root, now: time.Now, voice: voice{out: &out, err: &errs}}
	if err := c.answerHost(bytes.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	var a libexec.HostAnswer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil || errs.Len() > 0 {
		t.Fatalf("%v, %q: %s", err, errs.String(), out.String())
	}
	return a.Text, a.Failed
}

var proposedAs = regexp.MustCompile(`Proposed as (n[0-9a-z]{5})`)

// propose has the memory tool change notes, and returns the id of the change.
func propose(t *testing.T, s *session.Session, args string) string {
	t.Helper()
	said, failed := hostCall(t, s, "mcp-1", "memory", args)
	m := proposedAs.FindStringSubmatch(said)
	if failed || m == nil {
		t.Fatalf("%s: %s", args, said)
	}
	return m[1]
}

// TestNoteChangesAreAnswered writes a proposed change as the person was shown it, and no other one.
func TestNoteChangesAreAnswered(t *testing.T) {
	now := time.Now()
	s, _, _ := inboxLab(t, now)
	answering("n\nn\n", now, "--project", s.Root, "review")
	dir := s.MemoryDir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "old.md")
	if err := os.WriteFile(old, []byte("Redis.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer := func(typed string, args ...string) (out, shown string, code int) {
		out, errs, shown, code := answering(typed, now, append([]string{"--project", s.Root}, args...)...)
		return out + errs, shown, code
	}
	id := propose(t, s,
		`{"command":"str_replace","path":"/memories/old.md","old_str":"Redis","new_str":"Postgres"}`)
	if same := propose(t, s,
		`{"command":"rename","old_path":"/memories/old.md","new_path":"/memories/queue.md"}`); same != id {
		t.Errorf("a change of the same file has another id: %s, %s", id, same)
	}
	if b, _ := os.ReadFile(old); string(b) != "Redis.\n" {
		t.Fatalf("written before a yes: %s", b)
	}
	out, shown, _ := answer("n\n", "inbox", "approve", id)
	for _, want := range []string{"a change of your notes that an agent proposed", "-Redis.\n",
		"+Postgres.\n",
		"delete old.md", "create queue.md"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the person is not shown %q:\n%s", want, shown)
		}
	}
	if !strings.Contains(out, id+" still waits") {
		t.Errorf("no yes: %s", out)
	}
	// A review takes a no back.
	other := propose(t, s, `{"command":"create","path":"/memories/other.md","file_text":"Other.\n"}`)
	if out, _, _ := answer("n\nu\nq\n", "review"); !strings.Contains(out, "rejected: "+id) ||
		!strings.Contains(out, id+" waits again") {
		t.Errorf("review: %s", out)
	}
	if out, _, code := answer("y\n", "inbox", "reject", other); code != exitDone ||
		!strings.Contains(out, "rejected: "+other+"; nothing was written") {
		t.Errorf("exit %d, %s", code, out)
	}
	if out, _, code := answer("y\n", "inbox", "approve", id); code != exitDone ||
		!strings.Contains(out, "written: "+id+", 2 files in ") {
		t.Fatalf("exit %d, %s", code, out)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "queue.md")); err != nil || string(b) != "Postgres.\n" {
		t.Errorf("written: %s, %v", b, err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the old name is still there")
	}
	if out, _, code := answer("y\n", "inbox", "approve", id); code == exitDone {
		t.Errorf("approved twice: %s", out)
	}
	if out, _, code := answer("", "undo", "last", "--dir", dir); code != exitDone {
		t.Errorf("undo: exit %d, %s", code, out)
	}
	if b, err := os.ReadFile(old); err != nil || string(b) != "Redis.\n" {
		t.Errorf("undone: %s, %v", b, err)
	}

	// Somebody else was faster: nothing is lost, and the session is told.
	id = propose(t, s, `{"command":"insert","path":"/memories/old.md","insert_line":1,"insert_text":"mine"}`)
	if err := os.WriteFile(old, []byte("theirs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, shown, code := answer("y\n", "inbox", "approve", id)
	if b, _ := os.ReadFile(old); code == exitDone || string(b) != "theirs\n" ||
		!strings.Contains(shown, "It can't be written: old.md: changed since") ||
		!strings.Contains(out, "inbox reject "+id) {
		t.Errorf("exit %d, %s: %s\n%s", code, b, out, shown)
	}
	if said, _ := hostCall(t, s, "mcp-1", "memory",
		`{"command":"view","path":"/memories/old.md"}`); !strings.Contains(
		said, "     1\ttheirs\n\nYour proposed change "+id+
			" is not in this, as it can't be written any more: old.md") {
		t.Errorf("the session is told: %s", said)
	}
}

// TestUnwritableChanges refuses a change of notes that could not be written. One that can't be any more is
// not counted as waiting, says why, and can only be dropped.
func TestUnwritableChanges(t *testing.T) {
	now := time.Now()
	s, _, _ := inboxLab(t, now)
	answering("n\nn\n", now, "--project", s.Root, "review")
	dir, outside := s.MemoryDir(), t.TempDir()
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.Symlink(outside, filepath.Join(dir, "linked")),
		os.WriteFile(filepath.Join(dir, "file"), nil, 0o600),
		os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("# Memory\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "locked.md"), []byte("Locked.\n"), 0o400)); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{"command":"create","path":"/memories/linked/x.md","file_text":"X"}`: "Error: " +
			"Not proposed: it can't be written: " + filepath.Join(dir, "linked") + ": is not a directory; " +
			"hint: a link is not followed here",
		`{"command":"create","path":"/memories/file/x.md","file_text":"X"}`: "is not a directory",
		`{"command":"create","path":"/memories/` + strings.Repeat("x", 300) + `.md","file_text":"X"}`: "has a name " +
			"of more than 255 bytes",
		`{"command":"create","path":"/memories/memory.md","file_text":"X"}`: "Error: File /memories/MEMORY.md " +
			"already exists",
		`{"command":"insert","path":"/memories/locked.md","insert_line":0,"insert_text":"X"}`: "is read-only",
	} {
		if said, failed := hostCall(t, s, "mcp-1", "memory", args); !failed || !strings.Contains(said, want) {
			t.Errorf("%.80s: %s", args, said)
		}
	}
	const create = `{"command":"create","path":"/memories/new.md","file_text":"New.\n"}`
	id := propose(t, s, create)
	said, failed := hostCall(t, s, "mcp-2", "memory", strings.Replace(create, "New.", "Newer.", 1))
	m := proposedAs.FindStringSubmatch(said)
	if failed || m == nil ||
		!strings.Contains(said, "Another session has proposed a change of the same note, "+id) {
		t.Fatalf("of a note that waits: %s", said)
	}
	waits := func() (count, list string) {
		t.Helper()
		b := inbox.Inbox{Now: time.Now, Open: func() (*save.Saver, error) {
			return (&call{ctx: context.Background(), now: time.Now}).saver(s), nil
		}}
		w, _ := b.Open()
		at, err := w.Session.Look()
		if err != nil {
			t.Error(err)
		}
		n, err := b.ToReview(w, at)
		if err != nil {
			t.Error(err)
		}
		out, _, _, _ := answering("", now, "--project", s.Root, "inbox")
		return fmt.Sprint(n.Total()), out
	}
	if n, list := waits(); n != "2" || strings.Contains(list, "can't be written") {
		t.Errorf("%s wait: %s", n, list)
	}
	answering("y\n", now, "--project", s.Root, "inbox", "approve", id)
	n, list := waits()
	if _, tail, _ := strings.Cut(list, "Proposed changes that can't be written"); n != "0" ||
		!strings.Contains(tail, m[1]) || !strings.Contains(tail, "new.md: is in the way of a new file") {
		t.Errorf("%s wait: %s", n, list)
	}
	out, errs, shown, code := answering("y\n", now, "--project", s.Root, "inbox", "approve", m[1])
	if code == exitDone || !strings.Contains(shown, "+Newer.") ||
		!strings.Contains(errs, m[1]+": can't be written: new.md: is in the way") ||
		!strings.Contains(errs, "keepsake inbox reject "+m[1]) {
		t.Errorf("exit %d, %s%s\n%s", code, out, errs, shown)
	}
	// In a review there is no yes to it.
	if out, _, shown, _ := answering("y\nn\n", now, "--project", s.Root, "review"); !strings.Contains(shown,
		"It can't be written. Keep it") || !strings.Contains(out, "rejected: "+m[1]) {
		t.Errorf("review: %s\n%s", out, shown)
	}
	// On a disk that tells names apart by their case, a yes still doesn't make two of one.
	id = propose(t, s, `{"command":"create","path":"/memories/topics/Late.md","file_text":"Late.\n"}`)
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "Topics"), 0o700),
		os.WriteFile(filepath.Join(dir, "Topics", "other.md"), []byte("Other.\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	out, errs, _, code = answering("y\n", now, "--project", s.Root, "inbox", "approve", id)
	if code == exitDone ||
		!strings.Contains(errs, "topics/Late.md: Topics/Late.md is there") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	// The session that proposed it can propose it anew, for what is there now.
	if said, _ := hostCall(t, s, "mcp-1", "memory", `{"command":"create","path":"/memories/topics/Late.md",`+
		`"file_text":"Late.\n"}`); !strings.Contains(said, "created successfully at: /memories/Topics/Late.md") {
		t.Errorf("anew: %s", said)
	}
}

// TestProposalsAreAnswered makes a memory of a proposal with the person's yes, and takes a no for an answer.
func TestProposalsAreAnswered(t *testing.T) {
	now := time.Now()
	s, _, _ := inboxLab(t, now)
	answering("n\nn\n", now, "--project", s.Root, "review")
	said, failed := hostCall(t, s, "mcp-1", "propose",
		`{"text":"We decided to send mails with Postmark, because SES was slow."}`)
	if failed || !strings.Contains(said, "Proposed as [1] (decision)") {
		t.Fatalf("%v: %s", failed, said)
	}
	if said, _ := hostCall(t, s, "mcp-2", "propose",
		`{"text":"we decided to send mails with Postmark, because SES was slow"}`); !strings.Contains(said, "[2]") {
		t.Errorf("again: %s", said)
	}
	out, errs, shown, code := answering("y\n", now, "--project", s.Root, "inbox", "approve", "2")
	if code != exitDone || !strings.Contains(shown, "proposed by an agent") ||
		!strings.Contains(shown, "NOWHERE") || strings.Contains(shown, "said around it") ||
		!strings.Contains(out, "Saved: decision (create)") {
		t.Fatalf("exit %d: %s%s\n%s", code, out, errs, shown)
	}
	if strings.Contains(out+errs, "held") {
		t.Errorf("what the person was shown and approved is held: %s%s", out, errs)
	}
	if said, _ := hostCall(t, s, "mcp-2", "recall", `{"query":"mails postmark"}`); !strings.Contains(said,
		"we decided to send mails with Postmark") {
		t.Errorf("it is not recalled: %s", said)
	}
	if said, _ := hostCall(t, s, "mcp-2", "propose", `{"text":"We use Minio for uploads, because S3 costs too `+
		`much."}`); !strings.Contains(said, "Proposed as [3] (decision)") {
		t.Errorf("a plain statement: %s", said)
	}
	const other = `{"text":"We decided to host the status page with Netlify."}`
	if said, failed := hostCall(t, s, "mcp-1", "propose", other); failed || !strings.Contains(said, "[4]") {
		t.Fatalf("%v: %s", failed, said)
	}
	if out, errs, _, code := answering("y\n", now, "--project", s.Root, "inbox", "reject",
		"4"); code != exitDone {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if said, failed := hostCall(t, s, "mcp-1", "propose", other); !failed ||
		!strings.Contains(said, "the answer was no") {
		t.Errorf("after a no: %s", said)
	}
}

// TestBadArguments tells the model which of its arguments is wrong.
func TestBadArguments(t *testing.T) {
	s, _, _ := inboxLab(t, time.Now())
	for _, c := range []struct{ tool, args, want string }{
		{"recall", `{}`, "recall: there is no query"},
		{"recall", `{"query":5}`, "arguments: query must be a text, not a number"},
		{"recall", `{"query":"mails","limit":"two"}`, "arguments: limit must be a whole number, not a text"},
		{"recall", `{"query":"mails","limit":1.5}`, "arguments: limit must be a whole number, not number 1.5"},
		{"recall", `{"query":"mails","depth":2}`, `arguments: there is none called "depth"`},
		{"recall", `[]`, "arguments: what they are in must be an object, not a list"},
		{"show", `{}`, "show: there is no id"},
		{"propose", `{"text":" "}`, "propose: there is no text"},
		{"propose", `{"text":"We use tabs.","category":"habit"}`, `propose: category "habit" is ` +
			"unknown: want decision, runbook, constraint, tech_debt or preference"},
		{"propose", `{"text":"We use tabs.","category":"session_summary"}`, `"session_summary" is unknown`},
		{"propose", `{"text":["We use tabs."]}`, "arguments: text must be a text, not a list"},
		{"memory", `{"command":"view","path":["/memories"]}`, "arguments: path must be a text, not a list"},
		{"memory", `{"command":"view","path":"/memories","view_range":"1-2"}`,
			"arguments: view_range must be a list, not a text"},
		{"memory", `{"command":"view","path":"/memories","view_range":["1"]}`,
			"arguments: view_range must be a whole number, not a text"},
		{"memory", `{"command":"insert","path":"/memories/a.md","insert_line":"2"}`,
			"arguments: insert_line must be a whole number, not a text"},
		{"memory", `{"command":"insert","path":"/memories/a.md","insert_line":0,"new_str":"x"}`,
			"insert needs `insert_text`"},
		{"memory", `{"command":"bogus"}`, `Unknown command: "bogus". The commands are view, create,`},
		{"nope", `{}`, `there is no tool "nope"`},
	} {
		said, failed := hostCall(t, s, "mcp-1", c.tool, c.args)
		if !failed || !strings.Contains(said, c.want) {
			t.Errorf("%s %s: %s, want %s", c.tool, c.args, said, c.want)
		}
		if strings.Contains(said, "json:") || strings.Contains(said, "struct") {
			t.Errorf("%s %s: Go's own words: %s", c.tool, c.args, said)
		}
	}
}
