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
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/digest"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// TestDigesterKnowsTheForm holds agents/digest.md to what the model of a terminal is told; KEEPSAKE_GOLDEN=1
// rewrites it.
func TestDigesterKnowsTheForm(t *testing.T) {
	const path, end = "../../agents/digest.md", "\n---\n\n"
	head, body, ok := strings.Cut(read(t, path), end)
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.WriteFile(path, []byte(head+end+digest.Prompt()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !ok || body != digest.Prompt() {
		t.Errorf("%s does not say what digest.Prompt says; KEEPSAKE_GOLDEN=1 rewrites it", path)
	}
	if n := text.ModelTokens(digest.Prompt()); n > 1200 {
		t.Errorf("the instructions have %d tokens", n)
	}
}

// A digestLab is a project with an ended session in which something may be worth
// keeping, and a program called claude.
type digestLab struct {
	t       *testing.T
	project string
	now     time.Time
	alone   error
	typed   string
}

func newDigestLab(t *testing.T) *digestLab {
	dir := t.TempDir()
	l := &digestLab{t: t, project: filepath.Join(dir, "shop"), now: time.Now(), typed: "y\n"}
	for _, name := range []string{"home", "run", "shop/.git", "bin"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{
		"HOME": filepath.Join(dir, "home"), "XDG_RUNTIME_DIR": filepath.Join(dir, "run"),
		"XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "",
		"XDG_STATE_HOME": "", "XDG_CACHE_HOME": "", "CLAUDE_CODE_SESSION_ID": "", "CLAUDECODE": "",
		"CLAUDE_PROJECT_DIR": l.project,
		"LAB":                dir, "PATH": filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"),
	} {
		t.Setenv(name, value)
	}
	l.told("s1", "We could keep the jobs in Postgres, maybe, since it is there.",
		"Yes, use that for the jobs, because they must survive a restart.",
		"The exporter may need a retry one day.")
	return l
}

// told is an ended session in which things were said, alternately by the agent and the
// person; all but what the person said are candidates.
func (l *digestLab) told(id string, said ...string) {
	l.t.Helper()
	s, err := session.In(l.project, id)
	if err != nil {
		l.t.Fatal(err)
	}
	path := filepath.Join(filepath.Dir(l.project), id+".jsonl")
	var file bytes.Buffer
	var found []finding.Finding
	for i, text := range said {
		record := map[string]any{"type": "assistant", "uuid": fmt.Sprint(id, "-", i),
			"timestamp": "2026-11-20T09:00:00.000Z",
			"message": map[string]any{"role": "assistant",
				"content": []any{map[string]any{"type": "text", "text": text}}}}
		if i%2 == 1 {
			record["type"], record["promptSource"], record["origin"] = "user", "typed",
				map[string]any{"kind": "human"}
			record["message"] = map[string]any{"role": "user", "content": text}
		} else {
			found = append(found, finding.Finding{Text: text, By: finding.Agent, Session: id,
				Record: fmt.Sprint(id, "-", i), Time: l.now,
				Category: memory.Decision, Score: .3, Level: finding.Candidate, Origin: finding.FromAgent})
		}
		b, _ := json.Marshal(record)
		file.Write(append(b, '\n'))
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		l.t.Fatal(err)
	}
	err = s.Update(func(st *stage.State) error {
		st.Transcript, st.Client = path, stage.Process{PID: 1 << 22, Start: "1"}
		_, err := s.AddFindings(st, transcript.Mark{Offset: int64(file.Len())}, found, l.now)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// client makes the program called claude, which notes how it was called.
func (l *digestLab) client(script string) {
	l.t.Helper()
	text := "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$LAB/args\"\npwd > \"$LAB/cwd\"\ncat > \"$LAB/stdin\"\n" +
		script + "\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(l.project), "bin", "claude"), []byte(text),
		0o755); err != nil {
		l.t.Fatal(err)
	}
}

// answers makes a client that answers with a text.
func (l *digestLab) answers(text string) {
	l.t.Helper()
	if err := os.WriteFile(l.file("answer"), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
	l.client(`cat "$LAB/answer"`)
}

func (l *digestLab) file(name string) string { return filepath.Join(filepath.Dir(l.project), name) }

func (l *digestLab) run(args ...string) (out, errs, shown string, code int) {
	var o, e bytes.Buffer
	screen := &tty{typed: strings.NewReader(l.typed)}
	code = run(&call{
		ctx: context.Background(), args: args, cwd: l.project, now: func() time.Time { return l.now },
		voice: voice{out: &o, err: &e},
		person: person{alone: func() error { return l.alone },
			terminal: func() (io.ReadWriteCloser, error) { return screen, nil }},
	})
	return o.String(), e.String(), screen.shown.String(), code
}

func (l *digestLab) states() (all string) {
	l.t.Helper()
	s, err := session.In(l.project, "terminal")
	if err != nil {
		l.t.Fatal(err)
	}
	book, err := s.Book()
	if err != nil {
		l.t.Fatal(err)
	}
	for _, f := range book.Each(nil) {
		all += fmt.Sprintf("%d %s %s %s %q\n", f.Number, f.State, f.MovedBy, f.Origin, f.Why)
	}
	return all
}

const jobsDraft = `{"category":"decision","lines":[1,2],"outcome":"accepted","new_info_summary":"Jobs are in Postgres.","intended_action":"create",
"partial_content":{"title":"Keep jobs in Postgres","tags":["postgres"],"confidence":0.8,"content":{"status":"accepted","context":"Where to keep the jobs",
"decision":"The jobs are kept in Postgres","rationale":["they must survive a restart"]}}}`

func TestDigest(t *testing.T) {
	l := newDigestLab(t)
	l.answers("```json\n[" + jobsDraft + "]\n```")
	out, errs, shown, code := l.run("digest")
	if code != 0 || !strings.Contains(out, "Saved: decision (create); 1 thing set aside") ||
		!strings.Contains(out, "decision: create decisions/keep-jobs-in-postgres.json") {
		t.Fatalf("%d\n%s\n%s", code, out, errs)
	}
	if want := "2 things of 1 session may be worth keeping. One request to haiku of about 1k tokens judges " +
		"them. Go on? [y]es, [n]o: "; shown != want {
		t.Errorf("shown %q", shown)
	}
	excerpt := read(t, l.file("stdin"))
	for _, want := range []string{"<conversation>\nproject: shop\n", "\n1* agent: We could keep the jobs",
		"\n2 user: Yes, use that", "\n3* agent: The exporter"} {
		if !strings.Contains(excerpt, want) {
			t.Errorf("the excerpt lacks %q:\n%s", want, excerpt)
		}
	}
	args := strings.ReplaceAll(read(t, l.file("args")), digest.Prompt(), "PROMPT")
	if want := "-p\n--model\nhaiku\n--safe-mode\n--system-prompt\nPROMPT\n" +
		"--tools\n\n--no-session-persistence\n"; args != want {
		t.Errorf("called with %q", args)
	}
	if cwd := read(t, l.file("cwd")); strings.Contains(cwd, "shop") {
		t.Errorf("ran in %s", cwd)
	}
	// The person's line has become a finding, and it is the memory's.
	want := "1 saved drafter agent \"\"\n2 set_aside drafter agent \"not worth keeping\"\n3 saved drafter " +
		"person \"\"\n"
	if got := l.states(); got != want {
		t.Errorf("states\n%swant\n%s", got, want)
	}
	record := read(t, filepath.Join(l.project, ".claude/memory/decisions/keep-jobs-in-postgres.json"))
	if !strings.Contains(record, `"s1"`) {
		t.Errorf("it is not of its session: %s", record)
	}
	if out, _, _, code := l.run("digest", "--yes"); code != 0 || out != "nothing waits to be judged\n" {
		t.Errorf("%d: %s", code, out)
	}
}

func TestDigestOutcomes(t *testing.T) {
	open := "1 open  agent \"\"\n2 open  agent \"\"\n"
	for name, c := range map[string]struct {
		answer, says, states string
		code                 int
	}{
		"nothing worth it": {"[]", "nothing was worth keeping; 2 things set aside",
			"1 set_aside drafter agent \"not worth keeping\"\n2 set_aside drafter agent \"not worth " +
				"keeping\"\n", 0},
		"reverted": {`[{"category":"decision","lines":[1],"outcome":"reverted"},{"category":"decision","lines":[3],"outcome":"reverted"}]`,
			"nothing was worth keeping; 2 things set aside",
			"1 set_aside drafter agent \"reverted later\"\n2 set_aside drafter agent \"reverted later\"\n",
			0},
		"cut off": {`[{"category":"decision","lines":[1],"outcome":"reverted"},{"categ`, "1 thing set aside",
			"1 set_aside drafter agent \"reverted later\"\n2 open  agent \"\"\n", 0},
		"no JSON": {"I can't help with that.", "the model's answer has no list of drafts in it", open, 1},
		"no line": {`[` + strings.Replace(jobsDraft, "[1,2]", "[77]", 1) +
			`,{"category":"decision","lines":[1,3],"outcome":"unknown"`,
			"it cites no line of the conversation", open, 0},
		"ungrounded": {`[{"category":"decision","lines":[1],"new_info_summary":"Frogs.","intended_action":"create","partial_content":{"title":"Frogs swim","content":
{"status":"accepted","context":"Frogs","decision":"Frogs swim","rationale":["ponds"]}}},{"category":"decision","li`, "could not be saved", open, 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := newDigestLab(t)
			l.answers(c.answer)
			out, errs, _, code := l.run("digest", "--yes")
			if code != c.code || !strings.Contains(out+errs, c.says) {
				t.Errorf("%d\n%s\n%s", code, out, errs)
			}
			if got := l.states(); got != c.states {
				t.Errorf("states\n%swant\n%s", got, c.states)
			}
		})
	}
}

func TestDigestIsAPersons(t *testing.T) {
	l := newDigestLab(t)
	l.client("echo called; exit 0")
	asked := func() bool { _, err := os.Stat(l.file("args")); return err == nil }
	l.alone = session.ErrNested
	for _, args := range [][]string{{"digest"}, {"digest", "--yes"}, {"digest", "--yes", "--json"}} {
		if out, errs, _, code := l.run(args...); code != exitPerson || asked() ||
			!strings.Contains(out+errs, "/keepsake:digest") {
			t.Errorf("%v: %d\n%s\n%s", args, code, out, errs)
		}
	}
	if out, errs, _, code := l.run("digest", "--print"); code != 0 || asked() ||
		!strings.Contains(out, "1* agent: We could keep") || !strings.Contains(errs, "about 1k tokens") {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
	l.alone, l.typed = nil, "n\n"
	if out, _, _, code := l.run("digest"); code != 0 || asked() || out != "nothing was asked\n" {
		t.Errorf("%d: %s", code, out)
	}
}

func TestDigestWithoutAClient(t *testing.T) {
	l := newDigestLab(t)
	t.Setenv("PATH", l.file("bin"))
	if _, errs, _, code := l.run("digest", "--yes"); code != 1 ||
		!strings.Contains(errs, "the client is not on PATH") ||
		!strings.Contains(errs, "hint: install Claude Code") {
		t.Errorf("%d: %s", code, errs)
	}
	t.Setenv("PATH", l.file("bin")+":/usr/bin:/bin")
	l.client("echo \"error: unknown option '--safe-mode'\" >&2; exit 1")
	if _, errs, _, code := l.run("digest", "--yes"); code != 1 ||
		!strings.Contains(errs, "unknown option '--safe-mode'") ||
		!strings.Contains(errs, "nothing was changed") {
		t.Errorf("%d: %s", code, errs)
	}
	l.client("echo 'Invalid API key · Please run /login'; exit 1")
	if _, errs, _, code := l.run("digest", "--yes"); code != 1 || !strings.Contains(errs, "Invalid API key") {
		t.Errorf("%d: %s", code, errs)
	}
	l.client("yes | head -c 400000; cat /dev/null")
	if _, errs, _, code := l.run("digest", "--yes"); code != 1 ||
		!strings.Contains(errs, "more than 256 KiB") {
		t.Errorf("%d: %s", code, errs)
	}
	if got, want := l.states(), "1 open  agent \"\"\n2 open  agent \"\"\n"; got != want {
		t.Errorf("%s", got)
	}
}

// TestDigestOfSeveralSessions judges the ended sessions together, and saves each thing
// as said in its own.
func TestDigestOfSeveralSessions(t *testing.T) {
	l := newDigestLab(t)
	l.told("s2", "Deploys may have to wait for the nightly backup.")
	l.answers(`[` + jobsDraft + `,{"category":"constraint","lines":[4],"outcome":"accepted","new_info_summary":"Deploys wait.","intended_action":"create",
"partial_content":{"title":"Deploys wait for the backup","tags":["deploy"],"confidence":0.7,"content":{"kind":"policy","rule":"Deploys wait for the nightly backup","impact":["no deploy before it"],"severity":"medium","active":true}}}]`)
	out, errs, _, code := l.run("digest", "--yes", "--json")
	var got digestJSON
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("%v %d\n%s\n%s", err, code, out, errs)
	}
	if fmt.Sprint(got.Sessions) != "[s1 s2]" || got.Waiting != 3 || len(got.Saved) != 2 || got.Aside != 1 ||
		got.Tokens < 1000 {
		t.Errorf("%+v", got)
	}
	record := read(t, filepath.Join(l.project, ".claude/memory/constraints/deploys-wait-for-the-backup.json"))
	if !strings.Contains(record, `"s2"`) {
		t.Errorf("%s", record)
	}
	// One that is named is judged alone.
	l.told("s3", "The log may be rotated weekly.")
	l.told("s4", "The cache may be dropped.")
	if out, _, _, _ := l.run("digest", "--session", "s3", "--print"); !strings.Contains(out, "rotated") ||
		strings.Contains(out, "dropped") {
		t.Errorf("%s", out)
	}
}

// TestDigestOfAGoneTranscript goes by what the journal knows.
func TestDigestOfAGoneTranscript(t *testing.T) {
	l := newDigestLab(t)
	if err := os.Remove(l.file("s1.jsonl")); err != nil {
		t.Fatal(err)
	}
	if out, errs, _, code := l.run("digest", "--print"); code != 0 ||
		!strings.Contains(out, "1* agent: We could keep the jobs") ||
		!strings.Contains(out, "2* agent: The exporter") {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
}

// TestDigestInASession goes the way of the background agent: the excerpt by parts, the
// answer noted, and the program saves it.
func TestDigestInASession(t *testing.T) {
	l := newDigestLab(t)
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
	s, err := session.Open(session.Call{ID: "now", Cwd: l.project})
	if err != nil {
		t.Fatal(err)
	}
	part := func(agent string, n int) string {
		t.Helper()
		text, err := s.DigestPart(agent, n, 10_000, l.now)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := part("a1", 2); got != "" {
		t.Errorf("a second part: %q", got)
	}
	if got := part("a1", 1); !strings.Contains(got, "1* agent: We could keep the jobs") ||
		!strings.HasPrefix(got, "Part 1 of 1") {
		t.Errorf("%q", got)
	}
	if got := part("a2", 1); !strings.HasPrefix(got, "Nothing waits") {
		t.Errorf("a second agent: %q", got)
	}
	if ok, err := s.KeepDigestAnswer("a2", "[]"); ok || err != nil {
		t.Errorf("another agent's answer: %t, %v", ok, err)
	}
	if ok, err := s.KeepDigestAnswer("a1", "["+jobsDraft+"]"); !ok || err != nil {
		t.Fatalf("%t, %v", ok, err)
	}
	l.alone = session.ErrNested
	out, errs, _, code := l.run("--project", l.project, "--session", "now", "digest", "--take")
	if code != 0 || !strings.Contains(out, "Saved: decision (create); 1 thing set aside") {
		t.Fatalf("%d\n%s\n%s", code, out, errs)
	}
	for prompt, want := range map[string]bool{
		"<task-notification>\n<task-id>a1</task-id>\n<result>done</result>":           true,
		"<agent-message from=\"a1\">[]</agent-message>":                               true,
		"<task-notification>\n<task-id>b7</task-id>\n<result>it spoke of a1</result>": false,
		"<agent-message from=\"b7\">a1</agent-message>":                               false,
		"what became of <task-notification> a1?":                                      false,
	} {
		if line, ended := s.EndedDigest(prompt); ended != want || ended &&
			line != "Saved: decision (create); 1 thing set aside" {
			t.Errorf("%q: %t %q", prompt, ended, line)
		}
	}
	if _, errs, _, code := l.run("--project", l.project, "--session", "now", "digest", "--take"); code != 1 ||
		!strings.Contains(errs, "no digest of this session") {
		t.Errorf("taken twice: %d %s", code, errs)
	}
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
	l.told("s9", "The log may be rotated weekly.")
	other, err := session.Open(session.Call{ID: "headless", Cwd: l.project})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := other.DigestPart("a5", 1, 10_000, l.now); err != nil ||
		!strings.HasPrefix(got, "Nothing waits") {
		t.Errorf("headless: %q, %v", got, err)
	}
}

func TestDigestAtStart(t *testing.T) {
	l := newDigestLab(t)
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
	start := func(id string) (row, context string) {
		t.Helper()
		s, err := session.Open(session.Call{ID: id, Cwd: l.project})
		if err == nil {
			row, context, err = s.DigestAtStart()
		}
		if err != nil {
			t.Fatal(err)
		}
		return row, context
	}
	if row, _ := start("n1"); row != "" {
		t.Errorf("two are few: %q", row)
	}
	l.told("s2", "It may be a.", "Aha.", "It may be b.", "Aha.", "It may be c.")
	if row, context := start("n2"); row != "keepsake: 5 things of your last 2 sessions may be worth "+
		"keeping. /keepsake:digest has a small model judge them (about 1k tokens)." || context != "" {
		t.Errorf("%q %q", row, context)
	}
	if row, _ := start("n3"); row != "" {
		t.Errorf("told twice: %q", row)
	}
	l.told("s3", "It may be d.", "Aha.", "It may be e.", "Aha.", "It may be f.", "Aha.", "It may be g.",
		"Aha.", "It may be h.")
	config := filepath.Join(os.Getenv("HOME"), ".config", "keepsake", "config.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(config), 0o700),
		os.WriteFile(config, []byte(`{"capture":{"digest":"auto"}}`), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
	if row, context := start("n4"); row+context != "" {
		t.Errorf("headless: %q %q", row, context)
	}
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
	if row, context := start("n5"); row != "" || !strings.Contains(context, "keepsake:digest") ||
		!strings.Contains(context, "10 things") {
		t.Errorf("%q %q", row, context)
	}
}
