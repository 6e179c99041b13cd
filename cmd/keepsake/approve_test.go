package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/gate/approval"
	"keepsake/pkg/project/session"
)

// tty is a terminal with a person at it who has typed already.
type tty struct {
	typed io.Reader
	shown bytes.Buffer
}

func (t *tty) Read(b []byte) (int, error)  { return t.typed.Read(b) }
func (t *tty) Write(b []byte) (int, error) { return t.shown.Write(b) }
func (t *tty) Close() error                { return nil }

func stoppedCall(t *testing.T, at time.Time, content string) (approval.Dir, string) {
	t.Helper()
	d := approval.Dir(filepath.Join(t.TempDir(), "keepsake", "approvals"))
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Dir(filepath.Dir(string(d))))
	return d, stopAnother(t, d, at, content)
}

func stopAnother(t *testing.T, d approval.Dir, at time.Time, content string) string {
	t.Helper()
	id, _, err := d.Ask(approval.Request{
		Digest: "d-" + content, Checkpoint: "before_mempalace_write", Tool: "mcp__m__mempalace_add_drawer",
		Args:   []byte(`{"content":"` + content + `"}`),
		Reason: "permanent memory write: mempalace_add_drawer", Session: "s1", Project: "/p", Asked: at,
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func answering(typed string, now time.Time, args ...string) (out, errs, shown string, code int) {
	var o, e bytes.Buffer
	screen := &tty{typed: strings.NewReader(typed)}
	code = run(&call{
		ctx: context.Background(), args: args, cwd: "/", now: func() time.Time {
			return now
		}, voice: voice{out: &o, err: &e},
		person: person{alone: func() error {
			return nil
		}, terminal: func() (io.ReadWriteCloser, error) { return screen, nil }},
	})
	return o.String(), e.String(), screen.shown.String(), code
}

// typed is a program of the scripts, "typed KEYS ARG…": keepsake with these arguments, at a terminal at which
// a person types a line for each letter of KEYS. It prints what they are shown behind the rest.
func typed() {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "/"
	}
	screen := &tty{typed: strings.NewReader(strings.Join(strings.Split(os.Args[1], ""), "\n") + "\n")}
	code := run(&call{
		ctx: context.Background(), args: os.Args[2:], cwd: cwd, now: time.Now,
		voice: voice{out: os.Stdout, err: os.Stderr},
		person: person{alone: func() error { return nil },
			terminal: func() (io.ReadWriteCloser, error) { return screen, nil }},
	})
	fmt.Print(screen.shown.String())
	os.Exit(code)
}

func TestApprove(t *testing.T) {
	now := time.Now()
	for typed, want := range map[string]bool{
		"y\n": true, "yes\n": true, " YES \r": true,
		"": false, "\n": false, "n\n": false, "no\n": false, "y": false, "sure\n": false,
		"yes please\n": false,
		"x\n\ny\n":     true, "n\ny\n": false,
	} {
		d, id := stoppedCall(t, now, "one")
		out, errs, shown, code := answering(typed, now, "approve", id)
		if code != exitDone || errs != "" || !strings.Contains(shown, "content: one") ||
			!strings.Contains(shown, "Approve this one call? [y]es, [n]o: ") {
			t.Errorf("%q: exit %d, %q, shown %q", typed, code, errs, shown)
		}
		_, ok, err := d.Take("d-one", "s1", "/p", "u", now)
		if ok != want || err != nil || strings.Contains(out, "approved: "+id) != want {
			t.Errorf("%q: approved %v, %v; said %q", typed, ok, err, out)
		}
	}
}

func TestRejectAndUnknown(t *testing.T) {
	now := time.Now()
	d, id := stoppedCall(t, now, "one")
	if out, _, _, code := answering("y\n", now, "reject", id); code != exitDone ||
		!strings.Contains(out, "rejected: "+id) {
		t.Errorf("exit %d, %q", code, out)
	}
	if _, errs, _, code := answering("y\n", now, "reject", id); code != exitFailed ||
		!strings.Contains(errs, "already has this answer") {
		t.Errorf("exit %d, %q", code, errs)
	}
	if _, ok, _ := d.Take("d-one", "s1", "/p", "u", now); ok {
		t.Error("rejected and used")
	}
	if out, _, _, code := answering("n\n", now, "approve", id); code != exitDone ||
		!strings.Contains(out, "stays as you answered it") {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, _, _, code := answering("y\n", now, "approve", id); code != exitDone ||
		!strings.Contains(out, "approved: "+id) {
		t.Errorf("a person can't change their mind: exit %d, %q", code, out)
	}
	if _, ok, _ := d.Take("d-one", "s1", "/p", "u", now); !ok {
		t.Error("approved after all and not used")
	}
	if _, errs, _, code := answering("y\n", now, "approve", "zzzzzz"); code != exitFailed ||
		!strings.Contains(errs, "hint: keepsake inbox lists") {
		t.Errorf("exit %d, %q", code, errs)
	}
}

// TestOnlyAPersonAnswers: without a terminal, and inside a client, nothing is
// answered and the exit code says who is waited for.
func TestOnlyAPersonAnswers(t *testing.T) {
	now := time.Now()
	_, id := stoppedCall(t, now, "one")
	for name, p := range map[string]person{
		"no terminal": {func() error {
			return nil
		}, func() (io.ReadWriteCloser, error) {
			return nil, errors.New("open /dev/tty: no such device or address")
		}, nil},
		"in a client": {func() error {
			return session.ErrNested
		}, func() (io.ReadWriteCloser, error) { return &tty{typed: strings.NewReader("y\n")}, nil }, nil},
	} {
		for _, args := range [][]string{{"approve", id}, {"reject", id}, {"review"}} {
			var o, e bytes.Buffer
			code := run(&call{ctx: context.Background(), args: args, cwd: "/", now: time.Now,
				voice: voice{out: &o, err: &e}, person: p})
			if code != exitPerson || o.Len() > 0 || !strings.Contains(e.String(), "only a person") {
				t.Errorf("%s, %v: exit %d, %q, %q", name, args, code, o.String(), e.String())
			}
		}
	}
}

// TestInputIsNoPerson: whoever starts a program writes to its standard input, so the
// real terminal is never that.
func TestInputIsNoPerson(t *testing.T) {
	tty, err := atTerminal().terminal()
	if err != nil {
		if !strings.Contains(err.Error(), "/dev/tty") {
			t.Error(err)
		}
		return // none here: that is a no
	}
	defer tty.Close()
	if f, ok := tty.(*os.File); !ok || f.Name() != "/dev/tty" {
		t.Errorf("the person is asked at %v", tty)
	}
}

func TestReview(t *testing.T) {
	now := time.Now()
	d, first := stoppedCall(t, now.Add(-3*time.Minute), "one")
	second := stopAnother(t, d, now.Add(-2*time.Minute), "two")
	third := stopAnother(t, d, now.Add(-time.Minute), "three")
	fourth := stopAnother(t, d, now, "four")
	out, errs, shown, code := answering("y\nn\na\n\nl\nq\n", now, "review")
	if code != exitDone || errs != "" || !strings.Contains(shown,
		"1 of 4. Approve this one call? [y]es, [n]o, [l]ater, [q]uit, [?]: ") {
		t.Fatalf("exit %d, %q, %q", code, errs, shown)
	}
	for _, want := range []string{"approved: " + first, "rejected: " + second, third + " still waits"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %q", want, out)
		}
	}
	waiting, err := d.Waiting(now)
	if err != nil || len(waiting) != 2 || waiting[0].ID != third || waiting[1].ID != fourth {
		t.Errorf("%v, %v", waiting, err)
	}
	out, _, _, code = answering("", now, "approvals")
	for _, want := range []string{"Waits for you", "Approved, not used yet:", "Rejected:", first, second,
		third, fourth} {
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("%q is not in %q", want, out)
		}
	}
	if out, _, _, _ := answering("", now, "approvals", "--json"); !strings.Contains(out, `"waiting": [`) ||
		!strings.Contains(out, first) {
		t.Errorf("%q", out)
	}
}
