package backfill

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
)

// day returns Codex CLI's folder for the sessions of a day.
func (w *world) day() string { return filepath.Join(w.home, ".codex", "sessions", "2026", "11", "20") }

// rollout returns the path of a session file of Codex CLI.
func (w *world) rollout(id string) string {
	return w.day() + "/rollout-2026-11-20T09-00-00-" + id + ".jsonl"
}

// rolled is a session file of Codex CLI that began in a folder, with prompts of turns that began in a way.
func rolled(cwd, trigger string, texts ...string) string {
	var b strings.Builder
	add := func(kind string, payload map[string]any) {
		p, _ := json.Marshal(payload)
		fmt.Fprintf(&b, `{"timestamp":"2026-11-20T09:00:%02dZ","type":"%s","payload":%s}`+"\n",
			strings.Count(b.String(), "\n"), kind, p)
	}
	add("session_meta", map[string]any{"cwd": cwd, "source": "cli", "thread_source": "user"})
	add("event_msg", map[string]any{"type": "task_started",
		"turn_attribution": map[string]any{"turn_trigger": trigger}})
	type object = map[string]any
	typed := object{"content_item_kinds": []any{"user.text"},
		"content_item_metadata": []any{object{"provenance": object{"type": "user"}}}}
	for i, text := range texts {
		add("response_item", object{"type": "message", "id": fmt.Sprint(cwd, text[:12], i), "role": "user",
			"content": []any{object{"type": "input_text", "text": text}},
			"internal_chat_message_metadata_passthrough": typed})
	}
	return b.String()
}

// turnIn is the line that says in which folder a turn of a session file of Codex CLI runs.
func turnIn(cwd string) string {
	return `{"timestamp":"2026-11-20T09:01:00Z","type":"turn_context","payload":{"cwd":"` + cwd + `"}}` + "\n"
}

// turnOf is what rolled returns, without its first lines: a turn behind another one.
func turnOf(cwd, text string) string {
	lines := strings.SplitAfter(rolled(cwd, "user", text), "\n")
	return lines[1] + turnIn(cwd) + strings.Join(lines[2:], "")
}

// TestReadRollouts: which session files of Codex CLI are read.
func TestReadRollouts(t *testing.T) {
	for name, tt := range map[string]struct {
		write func(w *world)
		want  []string
	}{
		"a session": {func(w *world) {
			w.write(w.rollout("a"), rolled(w.project, "user", postgres, tabs))
		}, []string{postgres, tabs}},
		"a folder below": {func(w *world) {
			w.write(w.rollout("a"), rolled(w.project+"/pkg", "user", postgres))
		}, []string{postgres}},
		"another project": {func(w *world) {
			w.write(w.rollout("a"), rolled(w.project+"-two", "user", postgres))
			w.write(w.rollout("b"), rolled("", "user", postgres))
		}, nil},
		"turns elsewhere": {func(w *world) {
			w.write(w.rollout("a"), rolled(w.project, "user", postgres)+
				turnOf(w.project+"-two", "We decided to use Redis for the cache.")+
				turnOf("", "We decided to use SQLite for the index.")+ // without a folder: in the last one
				turnOf(w.project+"/pkg", tabs))
		}, []string{postgres, tabs}},
		"a long turn elsewhere": {func(w *world) {
			result := `{"timestamp":"2026-11-20T09:01:00Z","type":"response_item","payload":` +
				`{"type":"function_call_output","call_id":"c","output":"` +
				strings.Repeat("x", piece) + "\"}}\n"
			said := func(text string) string { // more that was typed in the turn
				lines := strings.SplitAfter(rolled("", "user", text), "\n")
				return lines[2]
			}
			w.write(w.rollout("a"), rolled(w.project, "user", postgres)+
				turnIn(w.project+"-two")+result+said("We decided to use Redis for the cache.")+
				turnIn(w.project)+result+said(tabs))
		}, []string{postgres, tabs}},
		"an archived session": {func(w *world) {
			w.write(filepath.Join(w.home, ".codex", "archived_sessions",
				"rollout-2026-11-20T09-00-00-a.jsonl"), rolled(w.project, "user", postgres))
			w.write(filepath.Join(w.home, ".codex", "archived_sessions",
				"rollout-2026-11-20T09-00-00-b.jsonl"), rolled(w.project+"-two", "user", tabs))
		}, []string{postgres}},
		"an archived copy": {func(w *world) {
			w.write(w.rollout("a"), rolled(w.project, "user", postgres))
			w.write(filepath.Join(w.home, ".codex", "archived_sessions",
				"rollout-2026-11-20T09-00-00-a.jsonl"), rolled(w.project, "user", postgres, tabs))
		}, []string{postgres, tabs}},
		"a broken first line": {func(w *world) {
			whole := rolled(w.project, "user", postgres)
			_, rest, _ := strings.Cut(whole, "\n")
			w.write(w.rollout("a"), whole[:strings.Index(whole, w.project)+len(w.project)]+"\n"+rest)
			w.write(w.rollout("b"), "\x00{]\n"+whole)
			w.write(w.rollout("c"), rest)
			w.write(w.rollout("d"), rolled(w.project, "user", tabs))
		}, []string{tabs}},
		"a long first line": {func(w *world) {
			w.write(w.rollout("b"), strings.Replace(rolled(w.project, "user", tabs), "}}\n",
				`,"x":"`+strings.Repeat("x", 1<<20)+"\"}}\n", 1))
		}, []string{tabs}},
		"an agent's own": {func(w *world) {
			w.write(w.rollout("a"), strings.Replace(rolled(w.project, "user", postgres), `"user"`,
				`"subagent"`, 1))
			w.write(w.rollout("b"), strings.Replace(rolled(w.project, "user", postgres), `"cli"`,
				`{"subagent":"review"}`, 1))
		}, nil},
		"a link, and other files": {func(w *world) {
			w.write(w.home+"/b.jsonl", rolled(w.project, "user", postgres))
			w.write(w.day()+"/notes.jsonl", rolled(w.project, "user", postgres))
			w.write(w.rollout("a")+".bak", rolled(w.project, "user", postgres))
			os.Symlink(w.home+"/b.jsonl", w.rollout("a"))
		}, nil},
		"the session that this runs in": {func(w *world) {
			w.write(w.rollout("a"), rolled(w.project, "user", postgres))
			w.t.Setenv("CODEX_THREAD_ID", "a")
		}, nil},
		"heard now": {func(w *world) {
			w.write(w.rollout("a"), rolled(w.project, "user", postgres))
			w.heard("a", w.now, false)
		}, nil},
		"both clients": {func(w *world) {
			w.write(w.rollout("a"), rolled(w.project, "user", tabs))
			w.write(w.folder(w.project)+"/b.jsonl", line(w.project, "u1", postgres))
		}, []string{postgres, tabs}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			tt.write(w)
			got, done := w.read()
			if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(tt.want))) ||
				len(done.Failed) > 0 {
				t.Errorf("heard %q, want %q; failed %v", got, tt.want, done.Failed)
			}
			if _, done := w.read(); done.Heard > 0 {
				t.Errorf("a second time %d", done.Heard)
			}
		})
	}
}

// TestRolloutFolders: which folders are named, and what is counted in them.
func TestRolloutFolders(t *testing.T) {
	w := newWorld(t)
	claude := filepath.Join(w.home, ".claude", "projects")
	look := func() Sources {
		t.Helper()
		src, err := Look(w.session())
		if err != nil || len(src.Passed) > 0 {
			t.Fatalf("%v, %v", src.Passed, err)
		}
		return src
	}
	if src := look(); !slices.Equal(src.Roots, []string{claude}) {
		t.Errorf("without ~/.codex: %q", src.Roots)
	}
	w.write(w.home+"/.codex/config.toml", "")
	codex := filepath.Join(w.home, ".codex", "sessions")
	if src := look(); !slices.Equal(src.Roots, []string{claude, codex}) || len(src.Folders) > 0 {
		t.Errorf("%+v", src)
	}
	text := rolled(w.project, "user", postgres)
	w.write(w.rollout("a"), text)
	w.write(filepath.Join(codex, "2026", "12", "01", "rollout-2026-12-01T09-00-00-b.jsonl"), text)
	w.write(w.rollout("c"), rolled("/elsewhere", "user", postgres))
	want := []Folder{{codex, 2, 2 * int64(len(text))}}
	if src := look(); !slices.Equal(src.Folders, want) {
		t.Errorf("%+v, want %+v", src.Folders, want)
	}
	elsewhere := filepath.Join(t.TempDir(), "codex")
	t.Setenv("CODEX_HOME", elsewhere)
	w.write(filepath.Join(elsewhere, "sessions", "2026", "11", "20", "rollout-x.jsonl"), text)
	if src := look(); len(src.Folders) != 1 || src.Folders[0].Sessions != 1 ||
		src.Folders[0].Path != filepath.Join(elsewhere, "sessions") {
		t.Errorf("%+v", src.Folders)
	}
}

// TestRolloutSample: the client's own file, whose turns a program began, is heard as a program's.
func TestRolloutSample(t *testing.T) {
	w := newWorld(t)
	b, err := os.ReadFile("../../client/transcript/testdata/codex-0.171.0.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.rollout("0197e000-0000-7000-8000-000000000001"),
		strings.ReplaceAll(string(b), `"cwd":"/shop"`, `"cwd":"`+w.project+`"`))
	w.read()
	book, err := loadBook(w.session())
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	for _, f := range book.Each(nil) {
		heard = append(heard, f.Text)
		if f.Origin == finding.FromPerson || f.Session != "0197e000-0000-7000-8000-000000000001" {
			t.Errorf("%+v", f.Finding)
		}
	}
	said := strings.Join(heard, "\n")
	if !strings.Contains(said, "use Redis for the queue") || strings.Contains(said, "tabs") {
		t.Errorf("heard %q", heard)
	}
}

// TestAcrossClients: what was said in three sessions counts as that, and what is said later settles it,
// whichever client wrote it.
func TestAcrossClients(t *testing.T) {
	w := newWorld(t)
	w.write(w.rollout("a"), rolled(w.project, "user", tabs, "We decided to use Redis for the job queue."))
	w.write(w.rollout("b"), rolled(w.project+"/pkg", "user", tabs)) // in a fork it would have the same id
	w.write(w.folder(w.project)+"/c.jsonl", line(w.project, "u1", tabs)+
		line(w.project, "u2", "We no longer use Redis for the job queue.",
			"timestamp", "2026-11-21T09:00:00Z"))
	w.read()
	s := w.session()
	o, err := Fill(context.Background(), s, nil, w.now)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Findings) == 0 || o.Findings[0].Text != tabs || len(o.Settled) != 1 ||
		!strings.Contains(o.Settled[0].Text, "Redis") {
		t.Fatalf("%+v, settled %+v", o.Findings, o.Settled)
	}
	first := o.Findings[0]
	if n := len(first.Context); n == 0 || first.Context[n-1].Text != "said in 3 sessions" ||
		first.Origin != finding.FromPerson {
		t.Errorf("%+v", first.Finding)
	}
	said, at, err := s.Around(first.Finding, 2)
	if err != nil || said[at].Text != tabs {
		t.Errorf("around it %+v, %v", said, err)
	}
}
