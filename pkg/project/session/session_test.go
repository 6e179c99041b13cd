package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
)

// home gives the test a home of its own and returns its project.
func home(t *testing.T) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for env, d := range map[string]string{"HOME": "home", "XDG_CONFIG_HOME": "config",
		"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run",
		"CLAUDE_PROJECT_DIR": "project"} {
		os.MkdirAll(filepath.Join(base, d), 0o700)
		t.Setenv(env, filepath.Join(base, d))
	}
	return filepath.Join(base, "project")
}

func open1(t *testing.T, id string) *Session {
	t.Helper()
	s, err := Open(Call{ID: id, Transcript: "/t/" + id + ".jsonl", Cwd: "/"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func touch(t *testing.T, s *Session, change func(*stage.State)) {
	t.Helper()
	if err := s.Update(func(st *stage.State) error { change(st); return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestOpeningCreatesNothing(t *testing.T) {
	project := home(t)
	s := open1(t, "s1")
	if s.Root != project || s.Known || len(s.Warnings) > 0 {
		t.Errorf("%+v", s)
	}
	for _, dir := range []string{project, os.Getenv("XDG_STATE_HOME"), os.Getenv("XDG_RUNTIME_DIR"),
		os.Getenv("XDG_CACHE_HOME")} {
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("%s holds %v", dir, entries)
		}
	}
}

// The desk stays where the session began, whatever the environment says later:
// hooks and the agent's shell may see different ones.
func TestTheDeskStays(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	touch(t, s, func(*stage.State) {})
	moved := t.TempDir()
	os.Chmod(moved, 0o700)
	t.Setenv("XDG_RUNTIME_DIR", moved)
	if again := open1(t, "s1"); again.Desk != s.Desk {
		t.Errorf("moved from %s to %s", s.Desk.Dir, again.Desk.Dir)
	}
}

func TestTwoSessionsNeverShareADesk(t *testing.T) {
	home(t)
	a, b := open1(t, "s1"), open1(t, "s2")
	if a.Desk == b.Desk || filepath.Dir(a.Desk.Dir) != filepath.Dir(b.Desk.Dir) {
		t.Errorf("%s and %s", a.Desk.Dir, b.Desk.Dir)
	}
}

func TestFindNeedsOnlyTheId(t *testing.T) {
	project := home(t)
	touch(t, open1(t, "s1"), func(*stage.State) {})
	t.Setenv("CLAUDE_PROJECT_DIR", "")
	t.Chdir(t.TempDir())
	s, err := Find("s1")
	if err != nil || s.Root != project || s.State.Transcript != "/t/s1.jsonl" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Find("never"); err == nil || !strings.Contains(err.Error(), "hint:") {
		t.Errorf("%v", err)
	}
}

// asNobody runs a test, which is t, once more as a user for whom permissions count.
func asNobody(t *testing.T, test func(*testing.T)) {
	t.Helper()
	const again, nobody = "KEEPSAKE_TEST_AS_NOBODY", 65534
	if os.Getenv(again) != "" {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobody),
			syscall.Setuid(nobody)); err != nil {
			fmt.Print("no other user here: ", err)
			os.Exit(0)
		}
		t.Run("as nobody", test)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), again+"=1", "TMPDIR=/tmp")
	out, err := cmd.CombinedOutput()
	if why, ok := strings.CutPrefix(string(out[bytes.LastIndexByte(out, '\n')+1:]),
		"no other user here: "); ok && err == nil {
		t.Skip(why)
	}
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name()+"/as_nobody")) {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}

// TestFindSaysWhatItMayNotRead: a state that is there and can't be opened is not an
// unknown session, unless another project's says where it works.
func TestFindSaysWhatItMayNotRead(t *testing.T) {
	if os.Geteuid() == 0 { // who may read everything
		asNobody(t, TestFindSaysWhatItMayNotRead)
		return
	}
	home(t)
	s := open1(t, "s1")
	touch(t, s, func(*stage.State) {})
	other := filepath.Join(s.Dirs.State, "other", "sessions", "s1.json")
	os.MkdirAll(filepath.Dir(other), 0o700)
	os.WriteFile(other, nil, 0)
	if found, err := Find("s1"); err != nil || found.Root != s.Root {
		t.Errorf("beside one that may be read: %v", err)
	}
	os.Remove(filepath.Join(s.Sessions().Dir, "s1.json"))
	if _, err := Find("s1"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("alone: %v", err)
	}
}

func TestAtPrefersTheSessionWithWork(t *testing.T) {
	project := home(t)
	idle, busy := open1(t, "idle"), open1(t, "busy")
	busy.Desk.Put(stage.Context{Category: memory.Decision, Excerpt: "x"})
	touch(t, busy, func(*stage.State) {})
	touch(t, idle, func(*stage.State) {})
	s, err := At(project)
	if err != nil || s.ID != "busy" {
		t.Errorf("%s, %v", s.ID, err)
	}
}

func TestNewerStateIsNamed(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	touch(t, s, func(*stage.State) {})
	path := filepath.Join(s.Sessions().Dir, "s1.json")
	os.WriteFile(path, []byte(`{"version":99}`), 0o600)
	s = open1(t, "s1") // recall does without a state
	if err := s.Update(func(*stage.State) error {
		t.Error("changed")
		return nil
	}); !errors.Is(err, stage.ErrNewer) || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}

func TestBadSettingsWarn(t *testing.T) {
	project := home(t)
	// a folder in its place
	os.MkdirAll(filepath.Join(project, ".claude", "memory", "memory-config.json"), 0o755)
	os.MkdirAll(filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "keepsake"), 0o755)
	os.WriteFile(filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "keepsake", "config.json"),
		[]byte(`{"capture":{"on_stop":"never"}}`), 0o644)
	if s := open1(t, "s1"); len(s.Warnings) != 2 || !slices.ContainsFunc(s.Warnings, func(w string) bool {
		return strings.Contains(w, "memory-config.json")
	}) {
		t.Errorf("%q", s.Warnings)
	}
}

func TestAClockThatStepsBack(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	future := time.Now().Add(48 * time.Hour).UTC()
	touch(t, s, func(st *stage.State) { st.Seen = future })
	touch(t, s, func(*stage.State) {})
	if !s.State.Seen.Equal(future) {
		t.Errorf("seen went back to %v", s.State.Seen)
	}
}

func TestSweepTakesOnlyTheDead(t *testing.T) {
	home(t)
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-30 * 24 * time.Hour)
	for id, set := range map[string]func(*stage.State){
		"dead":    func(st *stage.State) { st.Client = stage.Process{PID: dead.Process.Pid, Start: "1"} },
		"reused":  func(st *stage.State) { st.Client = stage.Process{PID: os.Getpid(), Start: "1"} },
		"alive":   func(st *stage.State) { st.Client = stage.ProcessOf(os.Getpid()); st.Seen = long },
		"unknown": func(st *stage.State) {},
		"silent":  func(st *stage.State) { st.Seen = long },
		"me":      func(st *stage.State) { st.Client = stage.Process{PID: dead.Process.Pid, Start: "1"} },
	} {
		s := open1(t, id)
		s.Desk.Put(stage.Context{Category: memory.Decision, Excerpt: id})
		touch(t, s, set)
	}
	me := open1(t, "me")
	if err := me.Sweep(); err != nil {
		t.Fatal(err)
	}
	waiting, err := me.Pending().Waiting()
	var ids []string
	for id := range waiting {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	want := []string{"dead", "reused", "silent"}
	if stage.ProcessOf(os.Getpid()).Start == "" { // a platform that can't tell a reused number
		want = []string{"dead", "silent"}
	}
	if err != nil || !slices.Equal(ids, want) {
		t.Errorf("swept %v, want %v (%v)", ids, want, err)
	}
}

// A terminal that goes away in the middle of a turn has no Stop and no SessionEnd.
func TestSweepHearsTheLastWords(t *testing.T) {
	project := home(t)
	path := filepath.Join(filepath.Dir(project), "dead.jsonl")
	os.WriteFile(path,
		[]byte(`{"type":"user","uuid":"u1","promptSource":"typed","origin":{"kind":"human"},"message":{"role":"user","content":"We decided to use Postgres instead of SQLite because billing needs concurrent writers."}}`+"\n"), 0o600)
	dead, err := Open(Call{ID: "dead", Transcript: path, Cwd: "/"})
	if err != nil {
		t.Fatal(err)
	}
	gone := exec.Command("true")
	gone.Run()
	touch(t, dead, func(st *stage.State) {
		st.Fresh, st.Client = true, stage.Process{PID: gone.Process.Pid, Start: "1"}
	})
	me := open1(t, "me")
	for range 2 { // the second time there is nothing left to hear
		if err := me.Sweep(); err != nil {
			t.Fatal(err)
		}
		book, err := me.Book()
		heard := book.Waiting()
		if err != nil || len(heard) != 1 || !strings.Contains(heard[0].Text, "Postgres") ||
			heard[0].Session != "dead" {
			t.Fatalf("%+v, %v", heard, err)
		}
		if waiting, err := me.Pending().Waiting(); len(waiting) > 0 || err != nil {
			t.Errorf("waits twice: %v, %v", waiting, err)
		}
	}
}

// A turn of many megabytes is looked at in pieces, over several starts if need be,
// and summed up once; the line in which the client was killed is no reason to look
// again.
func TestSweepLooksAtALongTurnInPieces(t *testing.T) {
	project := home(t)
	path := filepath.Join(filepath.Dir(project), "dead.jsonl")
	var text strings.Builder
	say := func(what string) {
		fmt.Fprintf(&text,
			`{"type":"user","uuid":"u%d","promptSource":"typed","origin":{"kind":"human"},"message":{"role":"user","content":%q}}`+"\n", text.Len(), what)
	}
	work := func() {
		for range 10 {
			fmt.Fprintf(&text,
				`{"type":"assistant","uuid":"a%d","message":{"role":"assistant","content":[{"type":"tool_use","name":"Bash","input":{"command":%q}}]}}`+"\n", text.Len(), strings.Repeat("x", piece/9))
		}
	}
	say("We decided to use Postgres instead of SQLite because billing needs concurrent writers.")
	work()
	say("From now on always use tabs in this repo.")
	work()
	say("We decided to drop Redis because the queue lives in Postgres now.")
	text.WriteString(`{"type":"assistant","uuid":"cut","mess`)
	os.WriteFile(path, []byte(text.String()), 0o600)
	dead, err := Open(Call{ID: "dead", Transcript: path, Cwd: "/"})
	if err != nil {
		t.Fatal(err)
	}
	gone := exec.Command("true")
	gone.Run()
	touch(t, dead, func(st *stage.State) {
		st.Fresh, st.Client = true, stage.Process{PID: gone.Process.Pid, Start: "1"}
	})

	if _, err := dead.noticeRest(0); err != nil {
		t.Fatal(err)
	}
	me := open1(t, "me")
	left := stage.Desk{Dir: filepath.Join(me.Pending().Dir, "dead")}
	heard := func() (texts []string) {
		book, err := me.Book()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range book.Waiting() {
			texts = append(texts, f.Text)
		}
		return texts
	}
	if at := open1(t, "dead").State.Mark.Offset; at < piece || at > 2*piece {
		t.Errorf("read up to %d", at)
	}
	if texts := heard(); len(texts) != 1 || !strings.Contains(texts[0], "concurrent writers") {
		t.Errorf("after the first piece: %q", texts)
	}
	for range 20 { // a slow machine gets through it in more than one
		if err := me.Sweep(); err != nil {
			t.Fatal(err)
		}
	}
	if texts := heard(); len(texts) != 3 || !strings.Contains(texts[1], "tabs") ||
		!strings.Contains(texts[2], "Redis") {
		t.Errorf("%q", texts)
	}
	if c, err := left.Context(memory.SessionSummary); err != nil ||
		!strings.Contains(c.Excerpt, "tool uses: 20") {
		t.Errorf("summary: %.200s, %v", c.Excerpt, err)
	}
	done := open1(t, "dead").State
	if err := me.Sweep(); err != nil {
		t.Fatal(err)
	}
	if again := open1(t, "dead").State; !again.Seen.Equal(done.Seen) {
		t.Error("looked at once more")
	}
}

func TestABrokenStateIsToldOf(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	touch(t, s, func(*stage.State) {})
	os.WriteFile(filepath.Join(s.Sessions().Dir, "s1.json"), []byte(`{"version":`), 0o600)
	again := open1(t, "s1")
	touch(t, again, func(*stage.State) {})
	touch(t, again, func(*stage.State) {})
	if got, err := journal.Failures(s.Ledger(), 5); err != nil || len(got) != 1 ||
		!strings.Contains(got[0].Why, "s1.json") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAClientThatCannotBeToldIsNotDead(t *testing.T) {
	t.Setenv("CLAUDE_PID", "")
	if c := Client(); c.Ended() {
		t.Errorf("%+v", c)
	}
	t.Setenv("CLAUDE_PID", strconv.Itoa(os.Getpid()))
	if c := Client(); c.PID != os.Getpid() || c.Ended() {
		t.Errorf("%+v", c)
	}
}

func TestWithoutAHomeItSaysSo(t *testing.T) {
	home(t)
	t.Setenv("HOME", "")
	t.Setenv("XDG_STATE_HOME", "")
	t.Chdir(t.TempDir())
	if _, err := Open(Call{ID: "s1"}); err == nil || !strings.Contains(err.Error(), "HOME") {
		t.Errorf("%v", err)
	}
	Fault(Call{ID: "s1", Cwd: "/"}, "stop", "x", nil)
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("wrote %v where it happened to be", left)
	}
}

func TestSweepForgetsTheLongGone(t *testing.T) {
	home(t)
	touch(t, open1(t, "old"), func(st *stage.State) { st.Seen = time.Now().Add(-100 * 24 * time.Hour) })
	me := open1(t, "me")
	touch(t, me, func(*stage.State) {})
	if err := me.Sweep(); err != nil {
		t.Fatal(err)
	}
	if open1(t, "old").Known || !open1(t, "me").Known {
		t.Error("forgot the wrong one")
	}
}

// TestSweepPutsToRest: of many sessions that are over, a start reads only the last; one with something to
// tell stays, and one that is resumed is as it was.
func TestSweepPutsToRest(t *testing.T) {
	home(t)
	gone := stage.Process{PID: 1 << 30, Start: "1"}
	begun := time.Now().Add(-48 * time.Hour).UTC()
	for i := range 40 {
		touch(t, open1(t, fmt.Sprint("s", i)), func(st *stage.State) {
			st.Client, st.Seen, st.Saves = gone, begun.Add(time.Duration(i)*time.Minute), i
			if i == 3 {
				st.Result = &stage.Result{At: begun, Line: "Saved: decision (create)"}
			}
		})
	}
	me := open1(t, "me")
	touch(t, me, func(*stage.State) {})
	if err := me.Sweep(); err != nil {
		t.Fatal(err)
	}
	recent, err := me.Sessions().Recent()
	all, aerr := me.Sessions().All()
	if err != nil || aerr != nil || len(recent) != awake+1 || len(all) != 41 {
		t.Errorf("%d recent, %d in all; %v, %v", len(recent), len(all), err, aerr)
	}
	if n, _ := me.NewsAtStart(time.Now()); n.Saved == "" {
		t.Error("a result that nobody was told of is lost")
	}
	back := open1(t, "s5")
	touch(t, back, func(*stage.State) {})
	if !back.Known || back.State.Saves != 5 || !back.Ended("s4") {
		t.Errorf("resumed: %v %+v", back.Known, back.State)
	}
}

func TestFaultsReachTheLedger(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	s.Fault("apply", "a draft was refused", errors.New("no title"))
	Fault(Call{ID: "s1", Cwd: "/"}, "stop", "not looked at", nil)
	got, err := journal.Failures(s.Ledger(), 5)
	if err != nil || len(got) != 2 || got[0].Why != "no title" || got[1].Where != "stop" ||
		got[1].Session != "s1" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestOpenTranscriptRefusesWhatCouldBlock(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{pipe, dir, filepath.Join(dir, "none")} {
		if f, err := OpenTranscript(p); err == nil {
			f.Close()
			t.Errorf("opened %s", p)
		}
	}
}

func TestSinceKeepsBothEndsOfALongSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.jsonl")
	line := func(uuid, text string) string {
		return `{"type":"user","uuid":"` + uuid +
			`","promptSource":"typed","origin":{"kind":"human"},"message":{"role":"user","content":"` + text +
			`"}}` + "\n"
	}
	var b strings.Builder
	b.WriteString(line("u0", "the very first request"))
	for b.Len() < windowHead+windowTail+1<<20 {
		b.WriteString(line("um", strings.Repeat("middle ", 100)))
	}
	b.WriteString(line("u9", "the very last request"))
	os.WriteFile(path, []byte(b.String()), 0o600)
	f, err := OpenTranscript(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	said := Since(f, 0)
	if len(said) < 2 || said[0].Text != "the very first request" ||
		said[len(said)-1].Text != "the very last request" {
		t.Fatalf("%d passages", len(said))
	}
	if all := strings.Count(b.String(), "\n"); len(said) >= all {
		t.Errorf("read all %d", all)
	}
}

func TestPassagesAreWhatWasSaid(t *testing.T) {
	got := Passages([]transcript.Entry{
		{Who: transcript.Person, Text: "p", UUID: "1"}, {Who: transcript.Assistant, Text: "a"},
		{Who: transcript.Assistant, Tool: "Bash", Text: "x"},
		{Who: transcript.Tool, Text: "out"}, {Who: transcript.Injected, Text: "i"},
		{Who: transcript.Notification, Text: "n"}, {Who: transcript.Summary, Text: "s"},
		{Who: transcript.Person},
	})
	if len(got) != 2 || got[0].Text != "p" || got[0].ID != "1" || got[1].Text != "a" {
		t.Errorf("%+v", got)
	}
}

// TestRelateInALargeStore: among many memories of a category the drafter is still
// shown the one that a quote is about.
func TestRelateInALargeStore(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	dir := filepath.Join(s.MemoryRoot(), memory.Decision.Folder())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(id, title, text string) {
		r := memory.Record{
			Category: memory.Decision, ID: id, Title: title, Status: memory.Active,
			CreatedAt: "2026-11-01T09:00:00Z", UpdatedAt: "2026-11-01T09:00:00Z",
			Tags: []string{"x"}, Content: memory.Content{"status": "accepted", "context": "It was asked.",
				"decision": text, "rationale": []string{"it is known"}},
		}
		if err := os.WriteFile(filepath.Join(dir, id+".json"), r.Encode(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 * readAll {
		put(fmt.Sprintf("other-%d", i), fmt.Sprintf("Service %d deploys on its own", i),
			fmt.Sprintf("Team %d owns it", i))
	}
	put("billing-db", "Use Postgres for billing", "Billing is kept in Postgres")
	c := stage.Context{Category: memory.Decision, Excerpt: "e",
		Snippets: []stage.Snippet{{Text: "We decided to use MySQL instead of PostgreSQL for billing."}}}
	if err := errors.Join(s.Desk.Put(c), s.Relate()); err != nil {
		t.Fatal(err)
	}
	got, err := s.Desk.Context(memory.Decision)
	if err != nil || len(got.Existing) == 0 || got.Existing[0].ID != "billing-db" {
		t.Errorf("%+v, %v", got.Existing, err)
	}
}

// TestRelateToTheClientsMemory: a drafter is told what the client's own memory has,
// the newest first, and loses what is gone.
func TestRelateToTheClientsMemory(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	dir := filepath.Join(t.TempDir(), "memory")
	s.Config.Memdir.Dir = dir
	if err := os.MkdirAll(filepath.Join(dir, "teams"), 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(name, head string, age time.Duration) {
		path := filepath.Join(dir, name)
		at := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, []byte(head+"\nThe text itself is not told.\n"), 0o644),
			os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	put("MEMORY.md", "- [A](a.md) — a\n", 0)
	put("testing.md",
		"---\nname: testing\ndescription: No mocks in integration tests\nmetadata:\n  type: feedback\n---\n",
		time.Hour)
	put("teams/billing.md", "---\ndescription: How billing talks to the ledger\n---\n", time.Minute)
	put("bare.md", "# Bare\n", 0)
	c := stage.Context{Category: memory.Preference, Excerpt: "e",
		Snippets: []stage.Snippet{{Text: "I prefer real databases in tests."}}}
	if err := errors.Join(s.Desk.Put(c), s.Relate()); err != nil {
		t.Fatal(err)
	}
	got, err := s.Desk.Context(memory.Preference)
	if want := []string{"teams/billing.md: How billing talks to the ledger",
		"[feedback] testing.md: No mocks in integration tests"}; err != nil ||
		!slices.Equal(got.Files, want) {
		t.Errorf("%q, %v", got.Files, err)
	}
	if err := errors.Join(os.RemoveAll(dir), s.Relate()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Desk.Context(memory.Preference); err != nil || len(got.Files) != 0 {
		t.Errorf("%q, %v", got.Files, err)
	}
}
