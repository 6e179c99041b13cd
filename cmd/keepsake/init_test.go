package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// initLab is a project with transcripts of two sessions from before Keepsake.
func initLab(t *testing.T, now time.Time) *session.Session {
	t.Helper()
	s, _, _ := inboxLab(t, now)
	answering("n\nn\n", now, "--project", s.Root, "review") // the candidate and the draft are for other tests
	said := func(session string, texts ...string) {
		path := layout.Transcript(os.Getenv("CLAUDE_CONFIG_DIR"), s.Root, session)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i, text := range texts {
			line, _ := json.Marshal(map[string]any{"type": "user", "uuid": fmt.Sprint(session, i),
				"cwd": s.Root, "timestamp": "2026-10-20T09:00:00.000Z", "promptSource": "typed",
				"message": map[string]any{"role": "user", "content": text}})
			b.Write(append(line, '\n'))
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said("old1", "We decided to keep the billing jobs in Postgres because they must survive a restart.",
		"Remember that the staging host is called heron.")
	said("old2", "We decided to use Redis for the session cache because it is fast.",
		"Good morning, what is left to do?")
	return s
}

// TestInit: a person has earlier sessions read and reviews what was found. Before their yes nothing of it is
// sure, and afterwards it is a memory that is told.
func TestInit(t *testing.T) {
	now := time.Now()
	s := initLab(t, now)
	out, errs, shown, code := answering("n\n", now, "--project", s.Root, "init")
	if code != exitDone || !strings.Contains(out, "nothing was read") || s.Backfill().Size() > 0 {
		t.Fatalf("exit %d, %q, %q, shown %q", code, out, errs, shown)
	}
	if out, errs, _, code = answering("y\nn\n", now, "--project", s.Root, "init"); code != exitDone {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	// The best comes first, wherever it is listed.
	listed := regexp.MustCompile(`(?m)^  \[\d+\]|\[\d+\] (?:decision|preference|constraint), said`)
	order := func(said string) (all []string) {
		for _, found := range listed.FindAllString(said, -1) {
			all = append(all, regexp.MustCompile(`\d+`).FindString(found))
		}
		return all
	}
	offered := order(out)
	inbox, _, _, _ := answering("", now, "--project", s.Root, "inbox")
	_, _, reviewed, _ := answering("l\nl\nl\n", now, "--project", s.Root, "review")
	if len(offered) != 3 || !slices.Equal(order(inbox), offered) || !slices.Equal(order(reviewed), offered) {
		t.Errorf("init lists %q, the inbox %q, a review %q", offered, order(inbox), order(reviewed))
	}

	// What was found waits for the person, and every place says so in the same words.
	page := filepath.Join(t.TempDir(), "page.html")
	for want, args := range map[string][]string{
		"3 to review\n": {"status", "--line"},
		"review   3 to review: 3 findings (keepsake review)\n": {"status"},
		`"to_review": 3`: {"status", "--line", "--json"},
		"Found by keepsake init (keepsake review goes through it; ": {"inbox"},
		"not counted as noticed: 3 findings of keepsake init":       {"stats", "--since", "365d"},
		"": {"report", "--html", page},
	} {
		out, errs, _, code := answering("", now, append([]string{"--project", s.Root}, args...)...)
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("%q: exit %d, %q is not in %q, %q", args, code, want, out, errs)
		}
	}
	out, _, _, _ = answering("", now, "--project", s.Root, "stats", "--since", "365d")
	if strings.Contains(out, "2026-10-20") {
		t.Errorf("something was noticed on a day before Keepsake was there:\n%s", out)
	}
	if b, err := os.ReadFile(page); err != nil || !strings.Contains(string(b), `"to_review":3,`) {
		t.Errorf("the report does not say how much is to review; %v", err)
	}
	out, errs, shown, code = answering("y\ny\ny\nn\nl\n", now, "--project", s.Root, "init")
	if code != exitDone || errs != "" {
		t.Fatalf("exit %d, %q, %q, shown %q", code, out, errs, shown)
	}
	for line := range strings.Lines(out) {
		if len(line) > 81 && strings.Contains(strings.TrimSpace(line), " ") &&
			!strings.Contains(line, "Saved") {
			t.Errorf("a terminal of 80 columns breaks in a word: %q", line)
		}
	}
	for _, want := range []string{"    2 sessions, ", "3 candidates for your review, 0 of them new",
		", said by the user in an earlier session\n", "next: keepsake review", "Saved: "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	for _, want := range []string{"Read them now?", "Review them now?", "1 of 3. ",
		"the staging host is called"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q was not shown in\n%s", want, shown)
		}
	}
	states := map[finding.State]int{}
	book, err := s.Whole()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range book.Each(func(f finding.Status) bool { return f.Imported }) {
		states[f.State]++
		if f.Level != finding.Candidate {
			t.Errorf("%+v", f)
		}
		if f.State != finding.Open {
			continue
		}
		recall := []string{"--project", s.Root, "recall", f.Text}
		if out, _, _, _ := answering("", now, recall...); !strings.Contains(out, f.Text) {
			t.Errorf("the person does not find what waits for them:\n%s", out)
		}
		var out bytes.Buffer
		run(&call{ctx: context.Background(), args: recall, cwd: "/", now: time.Now,
			voice:  voice{out: &out, err: io.Discard},
			person: person{alone: func() error { return errors.New("an agent") }}})
		if strings.Contains(out.String(), f.Text) || !strings.Contains(out.String(), "scratch") {
			t.Errorf("the agent finds what waits for a yes:\n%s", out.Bytes())
		}
	}
	if states[finding.Saved] != 1 || states[finding.Rejected] != 1 || states[finding.Open] != 1 {
		t.Errorf("%v", states)
	}
	loaded, err := s.Store().Load()
	if err != nil || len(loaded.Records) != 1 {
		t.Fatalf("%+v, %v", loaded, err)
	}
	if trust := s.TrustOf(loaded.Records[0]); trust.Held {
		t.Errorf("what the person said yes to is held: %s", trust.Why)
	}

	// What is forgotten for good is not left in the log of what was read.
	has := func() bool {
		b, err := os.ReadFile(string(s.Backfill()))
		return err != nil || strings.Contains(string(b), "staging host is called heron")
	}
	if !has() {
		t.Fatal("the log does not have what was found")
	}
	forget := []string{"--project", s.Root, "forget", "--for-good", loaded.Records[0].ID}
	if out, errs, shown, code := answering("y\ny\ny\n", now, forget...); code != exitDone || has() {
		t.Errorf("forgotten: exit %d, in the log %v\n%s\n%s\n%s", code, has(), out, errs, shown)
	}

	out, errs, _, code = answering("y\nn\n", now, "--project", s.Root, "init")
	if code != exitDone || errs != "" ||
		!strings.Contains(out, "1 candidate for your review, 0 of them new") {
		t.Errorf("a second time: exit %d, %q\n%s", code, errs, out)
	}
}

// TestInitReview: what a review shows of a finding of init, whose session no hook saw: what was said
// around it, whose words it has, and whether it may be answered with others.
func TestInitReview(t *testing.T) {
	now := time.Now()
	s := initLab(t, now)
	var old strings.Builder
	for i, text := range []string{"What do we call the new server?",
		"Remember that the build server is called osprey."} {
		line, _ := json.Marshal(map[string]any{"type": "user", "uuid": fmt.Sprint("older", i), "cwd": s.Root,
			"timestamp": "2026-10-19T09:00:00.000Z",
			"message":   map[string]any{"role": "user", "content": text}})
		old.Write(append(line, '\n'))
	}
	var sent strings.Builder
	for i, text := range []string{"Remember that the mirror host is called petrel.",
		"Remember that the archive host is called kestrel."} {
		line, _ := json.Marshal(map[string]any{"type": "user", "uuid": fmt.Sprint("sent", i), "cwd": s.Root,
			"timestamp": "2026-10-19T10:00:00.000Z", "promptSource": "sdk",
			"message": map[string]any{"role": "user", "content": text}})
		sent.Write(append(line, '\n'))
	}
	elsewhere := layout.Transcript(os.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(s.Root, "sub"), "older")
	program := layout.Transcript(os.Getenv("CLAUDE_CONFIG_DIR"), s.Root, "sent")
	decided := filepath.Join(s.Root, "docs", "adr", "0001-lint.md")
	for path, text := range map[string]string{elsewhere: old.String(), program: sent.String(),
		decided: "# 1. Lint\n\n## Decision\n\nWe run make lint before a push.\n"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if out, errs, _, code := answering("y\nn\n", now, "--project", s.Root, "init"); code != exitDone {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	b, err := (&call{ctx: context.Background(), cwd: s.Root, now: time.Now,
		person: person{alone: func() error { return nil }}}).inbox()
	if err != nil {
		t.Fatal(err)
	}
	book, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]struct {
		shown  []string
		alone  bool
		origin finding.Origin // of the memory that a yes makes
	}{
		"staging host": {[]string{" typed  | Remember that the staging", "what was said around it:",
			" typed  | We decided to keep the billing jobs in Postgres", " typed  | (these words)"},
			false, finding.FromPerson},
		"build server": {[]string{" typed? | Remember that the build", "the transcript does not say whether",
			" typed? | What do we call the new server?"}, false, finding.FromAgent},
		"archive host": {[]string{"given by a program", " program| Remember that the archive",
			"explains it:\n program| Remember that the mirror", " program| (these words)"}, true,
			finding.Tainted},
		"make lint": {[]string{" file   | Lint: We run make lint"}, true, finding.NoOrigin},
	} {
		at := slices.IndexFunc(book.Waiting(), func(f finding.Status) bool {
			return strings.Contains(f.Text, said)
		})
		if at < 0 {
			t.Fatalf("%q was not found", said)
		}
		thing, err := b.Find(fmt.Sprint(book.Waiting()[at].Number))
		if err != nil {
			t.Fatal(err)
		}
		v := thing.View()
		for _, line := range want.shown {
			if !strings.Contains(v.Text, line) {
				t.Errorf("%q is not in\n%s", line, v.Text)
			}
		}
		if (v.Alone != "") != want.alone || strings.Contains(v.Text, "gone") {
			t.Errorf("alone: %q, in\n%s", v.Alone, v.Text)
		}
		done, err := thing.Answer(context.Background(), true)
		if err != nil {
			t.Fatal(err)
		}
		path := done.Saved.Result.Written.Edits[0].Path
		reopened, err := session.In(s.Root, s.ID)
		if err != nil {
			t.Fatal(err)
		}
		made, err := reopened.Store().Read(path)
		if trust := reopened.TrustOf(made); err != nil ||
			trust.Held != (want.origin == finding.Tainted) || trust.Origin != want.origin {
			t.Errorf("%s: held %v, origin %q, want %q; %v", path, trust.Held, trust.Origin, want.origin, err)
		}
	}
}

// TestInitWithoutATerminal: with --yes nothing is asked, and with --json one value is printed.
func TestInitWithoutATerminal(t *testing.T) {
	now := time.Now()
	s := initLab(t, now)
	var got initJSON
	out, errs, shown, code := answering("", now, "--project", s.Root, "init", "--yes", "--json")
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone || errs != "" || shown != "" {
		t.Fatalf("exit %d, %q, %q, shown %q, %v", code, out, errs, shown, err)
	}
	if !got.Read || got.Heard != 3 || len(got.Offered) != 3 || len(got.Folders) != 1 ||
		len(got.Writes) != 2 || len(got.Failed) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestProgress: whoever was asked sees the bar there, and whoever said --yes where errors go, if that is a
// terminal.
func TestProgress(t *testing.T) {
	device, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer device.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "errors"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	asked := &bytes.Buffer{}
	for name, tt := range map[string]struct {
		tty, errs io.Writer
		term      string
		want      io.Writer
	}{
		"asked":                {asked, device, "xterm", asked},
		"asked, errors kept":   {asked, file, "xterm", asked},
		"--yes":                {nil, device, "xterm", device},
		"--yes, errors kept":   {nil, file, "xterm", nil},
		"--yes, no file":       {nil, &bytes.Buffer{}, "xterm", nil},
		"--yes, dumb terminal": {nil, device, "dumb", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TERM", tt.term)
			t.Setenv("ACCESSIBLE", "")
			if p := (&call{voice: voice{err: tt.errs}}).progress(tt.tty, 1); p.tty != tt.want {
				t.Errorf("%v, want %v", p.tty, tt.want)
			}
		})
	}
}

func TestBar(t *testing.T) {
	const mb = 1 << 20
	for _, tt := range []struct {
		spent       time.Duration
		done, total int64
		want        string
	}{
		{0, 0, 100 * mb, "reading [----------------------------]   0 %  0 KB of 100 MB"},
		{10 * time.Second, 25 * mb, 100 * mb,
			"reading [#######---------------------]  25 %  25 MB of 100 MB, 30s left"},
		{time.Minute, 100 * mb, 100 * mb, "reading [############################] 100 %  100 MB of 100 MB"},
		{time.Hour, 1, 1000 * mb, "reading [----------------------------]   0 %  1 KB of 1000 MB, "},
	} {
		got := barOf(tt.done, tt.total, leftOf(tt.spent, tt.done, tt.total))
		if !strings.HasPrefix(got, tt.want) || tt.total <= 100*mb && len(got) > 79 {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
