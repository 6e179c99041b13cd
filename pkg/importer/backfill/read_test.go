package backfill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// world is a person's machine with a project and the client's folder.
type world struct {
	t             *testing.T
	project, home string
	now           time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, project: filepath.Join(dir, "shop"), home: filepath.Join(dir, "home"),
		now: time.Now().UTC()}
	for _, env := range []string{"CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR",
		"CODEX_HOME", "CODEX_THREAD_ID",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(env, "")
	}
	t.Setenv("HOME", w.home)
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "run"))
	w.write(filepath.Join(w.project, ".git", "HEAD"), "ref: refs/heads/main\n")
	w.write(filepath.Join(dir, "run", "x"), "")
	os.Chmod(filepath.Join(dir, "run"), 0o700)
	return w
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
		os.WriteFile(path, []byte(text), 0o644)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) session() *session.Session {
	w.t.Helper()
	s, err := session.At(w.project)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// folder returns the client's folder for sessions that were started in a folder.
func (w *world) folder(started string) string {
	return filepath.Join(w.home, ".claude", "projects", layout.ClientSlug(started))
}

// line is a prompt that the person typed in a working directory.
func line(cwd, uuid, text string, fields ...any) string {
	m := map[string]any{"type": "user", "uuid": uuid, "cwd": cwd, "timestamp": "2026-11-20T09:00:00.000Z",
		"promptSource": "typed", "origin": map[string]any{"kind": "human"},
		"message": map[string]any{"role": "user", "content": text}}
	for i := 0; i < len(fields); i += 2 {
		m[fields[i].(string)] = fields[i+1]
	}
	b, _ := json.Marshal(m)
	return string(b) + "\n"
}

// read reads all, and returns what the log has then, without what only takes something back.
func (w *world) read() (texts []string, done Done) {
	w.t.Helper()
	s := w.session()
	src, err := Look(s)
	if err == nil {
		done, err = Read(context.Background(), s, src, w.now, nil)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	book, err := loadBook(s)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range book.Each(func(f finding.Status) bool { return f.Kind == finding.Statement }) {
		texts = append(texts, f.Text)
	}
	return texts, done
}

const (
	postgres = "We decided to keep the billing jobs in Postgres because they must survive a restart."
	tabs     = "From now on always indent the Go code with tabs."
)

// TestRead: what is read of a transcript, and of which.
func TestRead(t *testing.T) {
	for name, tt := range map[string]struct {
		write func(w *world)
		want  []string
	}{
		"a session": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", postgres))
		}, []string{postgres}},
		"a folder below": {func(w *world) {
			w.write(w.folder(w.project+"/pkg")+"/a.jsonl", line(w.project+"/pkg", "u1", postgres))
		}, []string{postgres}},
		"another project whose folder has the same name": {func(w *world) {
			other := filepath.Dir(w.project) + "-shop"
			w.write(w.folder(w.project)+"/a.jsonl", line(other, "u1", postgres))
		}, nil},
		"a line of another project": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", tabs)+
				line("/elsewhere", "u2", postgres))
		}, []string{tabs}},
		"a repository in the project": {func(w *world) {
			w.write(w.project+"/vendor/x/.git/HEAD", "ref: refs/heads/main\n")
			w.write(w.folder(w.project+"/vendor/x")+"/a.jsonl", line(w.project+"/vendor/x", "u1", postgres))
		}, nil},
		"a worktree": {func(w *world) {
			tree := filepath.Join(filepath.Dir(w.project), "elsewhere")
			w.write(tree+"/.git", "gitdir: "+w.project+"/.git/worktrees/elsewhere\n")
			w.write(w.project+"/.git/worktrees/elsewhere/commondir", "../..\n")
			w.write(w.project+"/.git/worktrees/elsewhere/gitdir", tree+"/.git\n")
			w.write(w.folder(tree)+"/a.jsonl", line(tree, "u1", postgres))
		}, []string{postgres}},
		"an agent's own": {func(w *world) {
			w.write(w.folder(w.project)+"/agent-1.jsonl", line(w.project, "u1", postgres))
			w.write(w.folder(w.project)+"/a/subagents/agent-2.jsonl", line(w.project, "u1", postgres))
			w.write(w.folder(w.project)+"/b.jsonl", line(w.project, "u1", postgres, "isSidechain", true))
		}, nil},
		"a summary of the client's": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", postgres, "isCompactSummary", true))
		}, nil},
		"broken lines": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", "{\"type\":\"user\",\n\x00\x00{]\n"+
				line(w.project, "u1", postgres)+`{"type":"user","uui`)
		}, []string{postgres}},
		"a huge line": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", tabs)+
				line(w.project, "u2", "x", "toolUseResult", strings.Repeat("y", 9<<20))+
				line(w.project, "u3", postgres))
		}, []string{tabs, postgres}},
		"many pieces": {func(w *world) {
			text := line(w.project, "u1", tabs)
			for i := range 90 {
				text += line(w.project, fmt.Sprint("r", i), "ok", "toolUseResult",
					strings.Repeat("y", 100<<10))
			}
			w.write(w.folder(w.project)+"/a.jsonl", text+line(w.project, "u3", postgres))
		}, []string{tabs, postgres}},
		"a private part": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", "<private>"+postgres+"</private>"))
		}, nil},
		"a link": {func(w *world) {
			w.write(w.home+"/b.jsonl", line(w.project, "u1", postgres))
			w.write(w.folder(w.project)+"/x", "")
			os.Symlink(w.home+"/b.jsonl", w.folder(w.project)+"/a.jsonl")
		}, nil},
		"a copied folder": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", tabs)+
				line(w.project, "u2", postgres))
			w.write(w.folder(w.project)+"-copy/a.jsonl", line(w.project, "u1", tabs))
		}, []string{postgres, tabs}},
		"heard from its begin": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", postgres))
			w.heard("a", time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC), true)
		}, nil},
		"heard from later on": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", postgres)+
				line(w.project, "u2", tabs, "timestamp", "2026-11-20T11:00:00.000Z"))
			w.heard("a", time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), true)
		}, []string{postgres}},
		"heard now": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", postgres))
			w.heard("a", time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), false)
		}, nil},
		"the session that this runs in": {func(w *world) {
			w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", postgres))
			w.t.Setenv("CLAUDE_CODE_SESSION_ID", "a")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			tt.write(w)
			if got, done := w.read(); !slices.Equal(got, tt.want) || len(done.Failed) > 0 {
				t.Errorf("heard %q, want %q; failed %v", got, tt.want, done.Failed)
			}
			if got, done := w.read(); !slices.Equal(got, tt.want) || done.Heard > 0 {
				t.Errorf("a second time %q, want %q", got, tt.want)
			}
		})
	}
}

// heard gives a session a state: hooks ran in it since a time.
func (w *world) heard(id string, since time.Time, over bool) {
	w.t.Helper()
	s, err := session.In(w.project, id)
	if err == nil {
		err = s.Update(func(st *stage.State) error {
			st.Started, st.Over, st.Seen = since, over, w.now
			return nil
		})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	w := newWorld(t)
	w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", postgres))
	w.write(w.folder(w.project)+"/b.jsonl", line(w.project, "u2", tabs))
	os.Chmod(w.folder(w.project)+"/b.jsonl", 0)
	src, err := Look(w.session())
	if got, _ := w.read(); err != nil || !slices.Equal(got, []string{postgres}) || len(src.Passed) != 1 {
		t.Errorf("%q, %v, %v", got, src.Passed, err)
	}
}

// TestReadOn: a transcript that grew is read from where the last call ended, and one that was replaced anew.
func TestReadOn(t *testing.T) {
	w := newWorld(t)
	path := w.folder(w.project) + "/a.jsonl"
	w.write(path, line(w.project, "u1", postgres))
	w.read()
	w.write(path, line(w.project, "u1", postgres)+line(w.project, "u2", tabs))
	if got, done := w.read(); !slices.Equal(got, []string{postgres, tabs}) || done.Heard != 1 {
		t.Errorf("%q, %+v", got, done)
	}
	os.Remove(path)
	w.write(path, line(w.project, "v1", "We decided to call the staging host heron."))
	if got, done := w.read(); len(got) != 3 || done.Heard != 1 {
		t.Errorf("%q, %+v", got, done)
	}
}

// TestInterrupted: whenever a reading is interrupted, the next goes on, and in the end everything was read
// once.
func TestInterrupted(t *testing.T) {
	for stop := range 7 {
		w := newWorld(t)
		var want []string
		for i := range 6 {
			text := fmt.Sprintf("We decided to keep shard %c in Postgres because it must survive.", 'A'+i)
			want = append(want, text)
			w.write(fmt.Sprintf("%s/s%d.jsonl", w.folder(w.project), i),
				line(w.project, fmt.Sprint("u", i), text))
		}
		s := w.session()
		src, err := Look(s)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done, err := Read(ctx, s, src, w.now, func(d Done) {
			if d.Sessions >= stop {
				cancel()
			}
		})
		cancel()
		if stop < 5 && !errors.Is(err, context.Canceled) || done.Sessions > 6 {
			t.Fatalf("stopped at %d: %+v, %v", stop, done, err)
		}
		got, last := w.read()
		if slices.Sort(got); !slices.Equal(got, want) || last.Bytes != src.Bytes() || last.Sessions != 6 {
			t.Errorf("stopped at %d: %q, %+v", stop, got, last)
		}
	}
}

// TestSecretsStayOutside: they are taken out before anything is written.
func TestSecretsStayOutside(t *testing.T) {
	const key = "sk-ant-api03-" + "R2D2c3poR2D2c3poR2D2c3poR2D2c3poR2D2c3poR2D2c3poR2D2c3poR2D2c3po-AAAA"
	w := newWorld(t)
	w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1",
		"Remember: we decided that the deploy key is "+key+" because it never expires. We no "+
			"longer use "+key+"."))
	got, _ := w.read()
	b, err := os.ReadFile(string(w.session().Backfill()))
	if err != nil || strings.Contains(string(b), key) || len(got) == 0 {
		t.Errorf("%q, %v\n%s", got, err, b)
	}
}

// TestFill: ten wait at once, each thing once, and what is known is not among them.
func TestFill(t *testing.T) {
	w := newWorld(t)
	var text [2]strings.Builder
	for i, name := range names {
		text[i%2].WriteString(line(w.project, fmt.Sprint("u", i),
			"We decided to keep the "+name+" jobs in Postgres because they must survive a restart."))
	}
	w.write(w.folder(w.project)+"/a.jsonl", text[0].String())
	w.write(w.folder(w.project)+"/c.jsonl", text[1].String())
	w.write(w.folder(w.project)+"/b.jsonl", line(w.project, "v1", tabs))
	w.write(w.project+"/CLAUDE.md", "# Rules\n\n- From now on always indent the Go code with tabs.\n")
	w.write(w.project+"/docs/adr/0001-cache.md",
		"# 1. Use Redis as a cache\n\n## Decision\n\nWe use Redis.\n")
	w.read()
	fill := func() Offer {
		t.Helper()
		s := w.session()
		src, err := Look(s)
		if err != nil {
			t.Fatal(err)
		}
		o, err := Fill(context.Background(), s, src.Files, w.now)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	o := fill()
	if len(o.Findings) != Offered || o.New != Offered || o.Known != 1 || o.Left == 0 {
		t.Fatalf("%d offered, %d new, %d known, %d left", len(o.Findings), o.New, o.Known, o.Left)
	}
	adr := 0
	for _, f := range o.Findings {
		if f.Level != finding.Candidate || !f.Imported || f.Explicit || strings.Contains(f.Text, "tabs") {
			t.Errorf("%+v", f.Finding)
		}
		if f.Cue == "docs/adr/0001-cache.md" {
			adr++
			if f.Origin != finding.NoOrigin || f.Text != "Use Redis as a cache: We use Redis." {
				t.Errorf("%+v", f.Finding)
			}
		} else if f.Origin != finding.FromPerson {
			t.Errorf("%+v", f.Finding)
		}
	}
	if adr != 1 {
		t.Errorf("%d decisions of the repository are offered", adr)
	}
	if again := fill(); len(again.Findings) != Offered || again.New != 0 {
		t.Errorf("a second time %d, %d of them new", len(again.Findings), again.New)
	}
	s := w.session()
	var answered []int
	for _, f := range o.Findings[:4] {
		answered = append(answered, f.Number)
	}
	if err := s.MoveFindings(finding.Move{Act: finding.Reject, Numbers: answered, By: "person"}); err != nil {
		t.Fatal(err)
	}
	next := fill()
	if len(next.Findings) != Offered || next.New != 4 {
		t.Errorf("after four answers %d wait, %d of them new", len(next.Findings), next.New)
	}
	seen := map[string]bool{}
	for _, f := range append(o.Findings, next.Findings[Offered-4:]...) {
		if seen[f.Text] {
			t.Errorf("%q is offered twice", f.Text)
		}
		seen[f.Text] = true
	}
}

var names = []string{"billing", "mail", "export", "search", "audit", "refund", "report", "image", "backup",
	"sync", "invoice", "login", "metrics", "archive"}

// TestExpiryCountsFromTheImport: not from when it was said.
func TestExpiryCountsFromTheImport(t *testing.T) {
	w := newWorld(t)
	w.write(w.folder(w.project)+"/a.jsonl", line(w.project, "u1", postgres,
		"timestamp", "2025-01-01T09:00:00Z"))
	w.read()
	s := w.session()
	o, err := Fill(context.Background(), s, nil, w.now)
	if err != nil || len(o.Findings) != 1 {
		t.Fatalf("%+v, %v", o, err)
	}
	if err := s.TidyFindings(w.now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if book, err := s.Book(); err != nil || len(book.Waiting()) != 1 {
		t.Errorf("%+v, %v", book.Each(nil), err)
	}
	if _, err := os.Stat(string(s.Backfill())); err != nil {
		t.Error(err)
	}
	age := time.Duration(s.Config.Capture.CandidateDays+1) * 24 * time.Hour
	if err := s.TidyFindings(w.now.Add(age)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(string(s.Backfill())); err == nil {
		t.Error("the log outlives its candidates")
	}
}
