package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/libexec"
	"keepsake/pkg/project/session"
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
		!strings.Contains(shown, "It can't be made any more") || !strings.Contains(out, "inbox reject "+id) {
		t.Errorf("exit %d, %s: %s\n%s", code, b, out, shown)
	}
	if said, _ := hostCall(t, s, "mcp-1", "memory",
		`{"command":"view","path":"/memories/old.md"}`); !strings.Contains(
		said, "     1\ttheirs\n\nYour proposed change "+id+" is not in this") {
		t.Errorf("the session is told: %s", said)
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
		!strings.Contains(shown, "NOWHERE") || !strings.Contains(out, "Saved: decision (create)") {
		t.Fatalf("exit %d: %s%s\n%s", code, out, errs, shown)
	}
	if strings.Contains(out+errs, "held") {
		t.Errorf("what the person was shown and approved is held: %s%s", out, errs)
	}
	if said, _ := hostCall(t, s, "mcp-2", "recall", `{"query":"mails postmark"}`); !strings.Contains(said,
		"we decided to send mails with Postmark") {
		t.Errorf("it is not recalled: %s", said)
	}
	const other = `{"text":"We decided to host the status page with Netlify."}`
	if said, failed := hostCall(t, s, "mcp-1", "propose", other); failed || !strings.Contains(said, "[3]") {
		t.Fatalf("%v: %s", failed, said)
	}
	if out, errs, _, code := answering("y\n", now, "--project", s.Root, "inbox", "reject",
		"3"); code != exitDone {
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
		{"recall", `{"query":5}`, "arguments: query has the wrong type, number"},
		{"recall", `{"query":"mails","limit":"two"}`, "arguments: limit has the wrong type, string"},
		{"recall", `{"query":"mails","depth":2}`, `arguments: json: unknown field "depth"`},
		{"show", `{}`, "show: there is no id"},
		{"propose", `{"text":" "}`, "propose: there is no text"},
		{"propose", `{"text":"We use tabs.","category":"habit"}`, "habit"},
		{"memory", `{"command":"view","path":["/memories"]}`, "arguments: path has the wrong type, array"},
		{"nope", `{}`, `there is no tool "nope"`},
	} {
		said, failed := hostCall(t, s, "mcp-1", c.tool, c.args)
		if !failed || !strings.Contains(said, c.want) {
			t.Errorf("%s %s: %s, want %s", c.tool, c.args, said, c.want)
		}
	}
}
