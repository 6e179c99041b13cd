package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// A yard is a home with a project, for programs that run side by side.
type yard struct {
	t       *testing.T
	project string
	env     []string
}

func newYard(t *testing.T, settings string) yard {
	t.Helper()
	dir := t.TempDir()
	y := yard{t, filepath.Join(dir, "p"), nil}
	for _, d := range []string{"home", "run", "p/.git", "p/.claude/memory"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "run"))
	t.Setenv("PROJECT", y.project)
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
		"CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID"} {
		t.Setenv(v, "")
	}
	y.write(".claude/memory/memory-config.json", settings)
	return y
}

func (y yard) write(name, text string) {
	y.t.Helper()
	path := filepath.Join(y.project, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
		os.WriteFile(path, []byte(text), 0o644)); err != nil {
		y.t.Fatal(err)
	}
}

// command is a program of the scripts, in the project: see TestMain.
func (y yard) command(session string, argv ...string) *exec.Cmd {
	y.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		y.t.Fatal(err)
	}
	return &exec.Cmd{Path: exe, Args: argv, Dir: y.project,
		Env: append(os.Environ(), "CLAUDE_CODE_SESSION_ID="+session)}
}

func (y yard) run(session string, argv ...string) string {
	y.t.Helper()
	out, err := y.command(session, argv...).CombinedOutput()
	if err != nil {
		y.t.Fatalf("%v: %v\n%s", argv, err, out)
	}
	return string(out)
}

// records are all that the project remembers.
func (y yard) records() []memory.Stored {
	y.t.Helper()
	s, err := session.In(y.project, "look")
	if err != nil {
		y.t.Fatal(err)
	}
	l, err := s.Store().Load()
	if err != nil || len(l.Bad) > 0 {
		y.t.Fatalf("%v %v", err, l.Bad)
	}
	return l.Records
}

// TestCommitsSideBySide: sessions that save a summary at the same moment all
// plan for the same window. All are saved, and the window holds as many as it
// should, whether or not it was full before. So many at once are refused where
// each only tries again.
func TestCommitsSideBySide(t *testing.T) {
	const sessions, window = 20, 4
	y := newYard(t, fmt.Sprintf(`{"categories": {"session_summary": {"max_retained": %d}}}`, window))
	for i := range sessions {
		y.run("", "lab", "session", fmt.Sprint("s", i))
	}
	const rounds = 2
	again := 0
	for round := range rounds {
		var side []*exec.Cmd
		for i := range sessions {
			draft := fmt.Sprintf(`{"category": "session_summary", "new_info_summary": "Round %[1]d of %[2]d.", "partial_content": {"title": "Round %[1]d of session %[2]d", "tags": ["x"],
				"change_summary": "first", "content": {"goal": "Go round %[1]d as %[2]d", "outcome": "success", "completed": ["a round"], "next_actions": []}}}`, round, i)
			y.write("draft.json", draft)
			id := fmt.Sprint("s", i)
			y.run("", "lab", "put", id, "intent-session_summary.json", filepath.Join(y.project, "draft.json"))
			side = append(side, y.command(id, "keepsake", "commit"))
		}
		var wg sync.WaitGroup
		said := make([]bytes.Buffer, sessions)
		for i, cmd := range side {
			cmd.Stdout, cmd.Stderr = &said[i], &said[i]
			wg.Go(func() {
				if err := cmd.Run(); err != nil {
					t.Errorf("session %d: %v\n%s", i, err, said[i].String())
				}
			})
		}
		wg.Wait()
		active := 0
		records := y.records()
		for _, r := range records {
			if r.Status == memory.Active {
				active++
			}
		}
		if want := sessions * (round + 1); len(records) != want || active != min(want, window) {
			t.Fatalf("round %d: %d records, %d active; want %d and %d\n%s", round, len(records), active, want,
				min(want, window), outputs(said))
		}
		for i := range said {
			again += strings.Count(said[i].String(), "planned again")
		}
	}
	t.Logf("%d times planned again", again)
	y.run("", "keepsake", "index", "validate")
}

// TestStopGC stops gc with a signal while it writes. Nothing has changed then,
// and nothing is left behind; the next gc does it all.
func TestStopGC(t *testing.T) {
	const many = 1500
	y := newYard(t, `{"delete": {"grace_period_days": 0}}`)
	for i := range many {
		y.write(fmt.Sprintf(".claude/memory/preferences/p%d.json", i), fmt.Sprintf(`{"schema_version": "1.0", "category": "preference", "id": "p%d", "title": "Preference %d",
			"record_status": "retired", "retired_at": "2026-01-01T00:00:00Z", "retired_reason": "old", "created_at": "2025-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "tags": ["x"],
			"times_updated": 0, "content": {"topic": "t", "value": "v", "reason": "r", "strength": "soft"}}`, i, i))
	}
	root := filepath.Join(y.project, ".claude", "memory")
	stopped := false
	for try := 0; try < 20 && !stopped; try++ {
		var done, said bytes.Buffer
		gc := y.command("", "keepsake", "gc")
		gc.Stdout, gc.Stderr = &done, &said
		if err := gc.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- gc.Wait() }()
		var err error
		for writing := false; !writing; {
			select {
			case err = <-ended:
				writing = true
			default:
				if _, serr := os.Lstat(filepath.Join(root, ".redo.json.begun")); serr == nil {
					writing = true
					gc.Process.Signal(syscall.SIGTERM)
					err = <-ended
				}
			}
		}
		stopped = err != nil
		archived := 0
		for _, r := range y.records() {
			if r.Status == memory.Archived {
				archived++
			}
		}
		if want := map[bool]int{false: many}[stopped]; archived != want {
			t.Fatalf("stopped %v, %d archived\n%s", stopped, archived, said.Bytes())
		}
		if stopped && (!strings.Contains(said.String(), store.ErrStopped.Error()) || done.Len() > 0) {
			t.Fatalf("%v: %s%s", err, said.Bytes(), done.Bytes())
		}
		if entries, err := os.ReadDir(filepath.Join(root, "preferences")); err != nil ||
			len(entries) != many {
			t.Errorf("%d files, %v", len(entries), err)
		}
		if !stopped { // the signal came when all was decided
			y.run("", "keepsake", "undo")
		}
	}
	if !stopped {
		t.Error("no signal came in time")
	}
	y.run("", "keepsake", "gc")
	if r := y.records(); len(r) != many || r[0].Status != memory.Archived {
		t.Errorf("%d records, %s", len(r), r[0].Status)
	}
}

// TestGCInParts: more than fits one plan is done in several, each of which undo takes back.
func TestGCInParts(t *testing.T) {
	const many = 18 // of almost 1 MiB, the most that a record may have
	y := newYard(t, `{"delete": {"grace_period_days": 0}}`)
	long := strings.Repeat("all of it ", 104_000)
	for i := range many {
		y.write(fmt.Sprintf(".claude/memory/preferences/p%02d.json", i), fmt.Sprintf(`{"schema_version": "1.0",
			"category": "preference", "id": "p%02d", "title": "Preference %d", "record_status": "retired",
			"retired_at": "2026-01-01T00:00:00Z", "retired_reason": "old", "created_at": "2025-01-01T00:00:00Z",
			"updated_at": "2026-01-01T00:00:00Z", "tags": ["x"], "times_updated": 0,
			"content": {"topic": "t", "value": "v", "reason": %q, "strength": "soft"}}`, i, i, long))
	}
	archived := func() (n int) {
		for _, r := range y.records() {
			if r.Status == memory.Archived && r.Content["reason"] == long {
				n++
			}
		}
		return n
	}
	said := y.run("", "keepsake", "gc")
	_, other, _ := strings.Cut(said, "keepsake undo ")
	_, other, _ = strings.Cut(other, "keepsake undo ")
	if !strings.Contains(said, "done in 2 plans") || archived() != many {
		t.Errorf("%d archived: %s", archived(), said[max(0, len(said)-200):])
	}
	y.run("", "keepsake", "undo")
	first := archived()
	y.run("", "keepsake", "undo", strings.TrimSpace(other))
	if first == 0 || first == many || archived() != 0 {
		t.Errorf("archived after one undo %d, after two %d", first, archived())
	}
}

func outputs(said []bytes.Buffer) (out string) {
	for i := range said {
		out += said[i].String()
	}
	return out
}
