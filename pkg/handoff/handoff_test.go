package handoff_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/handoff"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/candidate"
)

const plan = "### Phase 2: Data model\n- [x] tables\n- [ ] ids as ULIDs\n- **Status:** in_progress\n"

var now = time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)

// lab returns a project with these files, and a session in it.
func lab(t *testing.T, files map[string]string) handoff.Look {
	t.Helper()
	root := t.TempDir()
	for _, v := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
		"XDG_RUNTIME_DIR"} {
		dir := filepath.Join(root, strings.ToLower(v))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(v, dir)
	}
	project := filepath.Join(root, "shop")
	files[".claude/memory/index.md"] = ""
	for name, text := range files {
		path := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := session.In(project, "s1")
	if err != nil {
		t.Fatal(err)
	}
	return handoff.Look{Session: s, Client: filepath.Join(root, "client"), Now: now}
}

func read(t *testing.T, l handoff.Look, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(l.Root, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

// TestWaiting: calls of this project and candidates are counted, those of another
// project are not.
func TestWaiting(t *testing.T) {
	l := lab(t, map[string]string{})
	dir := approval.Dir(layout.Approvals(l.Client))
	for _, project := range []string{l.Place.Home, "/elsewhere"} {
		if _, _, err := dir.Ask(approval.Request{Digest: strings.Repeat("a", 64),
			Checkpoint: "before_mempalace_write", Tool: "Bash", Args: []byte("{}"), Session: "s0",
			Project: project, Asked: now}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Inbox().Add([]candidate.Candidate{{Quote: "q", Text: "q", Source: "a:1", Wing: "shop",
		Room: "decisions"}}, 5, now, func(a, b candidate.Candidate) bool {
		return false
	}); err != nil {
		t.Fatal(err)
	}
	s, err := l.Standing(context.Background())
	if err != nil || s.Calls != 1 || s.Proposed != 1 || !s.InFlight() {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestLastDecision: it is the one with the newest date of its own, whatever the dates of the files, unless it
// is retired or cannot be read.
func TestLastDecision(t *testing.T) {
	record := func(id, status, date string) string {
		retired := ""
		if status != "active" {
			retired = `, "retired_at": "2026-11-20T09:00:00Z", "retired_reason": "gone"`
		}
		return `{"schema_version": "1.0", "category": "decision", "id": "` + id + `", "title": "Use ` + id + `", "record_status": "` + status + `",
			"created_at": "2026-10-01T09:00:00Z", "updated_at": "` + date + `", "tags": ["a"], "times_updated": 0,
			"content": {"status": "accepted", "context": "c", "decision": "d", "rationale": ["r"]}` + retired + `}`
	}
	l := lab(t, map[string]string{
		"task_plan.md":                          plan,
		".claude/memory/decisions/old.json":     record("old", "active", "2026-10-02T09:00:00Z"),
		".claude/memory/decisions/new.json":     record("new", "active", "2026-11-02T09:00:00Z"),
		".claude/memory/decisions/gone.json":    record("gone", "retired", "2026-11-19T09:00:00Z"),
		".claude/memory/decisions/broken.json":  `{"updated_at": "2026-11-20T09:00:00Z"`,
		".claude/memory/decisions/another.json": record("another", "active", "2026-10-20T09:00:00Z"),
	})
	for name, older := range map[string]string{"a clone": "", "as written": "old.json",
		"restored": "another.json"} {
		if older != "" {
			path := filepath.Join(l.Root, ".claude/memory/decisions", older)
			if err := os.Chtimes(path, time.Time{},
				time.Date(2026, 10, 30, 9, 0, 0, 0, time.UTC)); err != nil {
				t.Fatal(err)
			}
		}
		o, err := l.Opening(context.Background(), true)
		if err != nil || o.Standing.Decision == nil || o.Standing.Decision.ID != "new" {
			t.Errorf("%s: %+v, %v", name, o.Standing.Decision, err)
		}
	}
}

// TestOpposedDecision: of the last decision and what says the opposite the newer one is told, marked.
func TestOpposedDecision(t *testing.T) {
	record := func(category, id, status, date, content string) string {
		retired := ""
		if status != "active" {
			retired = `, "retired_at": "2026-11-20T09:00:00Z", "retired_reason": "gone"`
		}
		return `{"schema_version": "1.0", "category": "` + category + `", "id": "` + id + `", "title": "Use ` + id + ` for the cache.",
			"record_status": "` + status + `", "created_at": "` + date + `", "updated_at": "` + date + `", "tags": ["cache"],
			"times_updated": 0, "content": ` + content + retired + `}`
	}
	decision := func(id, date string) string {
		return record("decision", id, "active", date, `{"status": "accepted", "context": "c", "decision": "Use `+id+
			` for the cache.", "rationale": ["r"]}`)
	}
	preference := func(id, status, date string) string {
		return record("preference", id, status, date, `{"topic": "cache", "value": "Use `+id+
			` for the cache.", "reason": "r", "strength": "soft"}`)
	}
	const early, late = "2026-11-02T09:00:00Z", "2026-11-19T09:00:00Z"
	for name, tt := range map[string]struct {
		decision, preference, other string
		told, disputes              string
	}{
		"a newer preference": {decision("redis", early), preference("memcached", "active", late), "",
			"memcached", "Use redis for the cache."},
		"an older preference": {decision("redis", late), preference("memcached", "active", early), "",
			"redis", "Use memcached for the cache."},
		"a retired preference": {decision("redis", early), preference("memcached", "retired", late), "",
			"redis", ""},
		"no preference about it": {decision("redis", early), preference("redis", "active", late), "",
			"redis", ""},
		"an older decision": {decision("redis", late), "", decision("memcached", early),
			"redis", "Use memcached for the cache."},
	} {
		files := map[string]string{"task_plan.md": plan, ".claude/memory/decisions/redis.json": tt.decision}
		if tt.preference != "" {
			id := "memcached"
			if strings.Contains(tt.preference, `"id": "redis"`) {
				id = "redis"
			}
			files[".claude/memory/preferences/"+id+".json"] = tt.preference
		}
		if tt.other != "" {
			files[".claude/memory/decisions/memcached.json"] = tt.other
		}
		o, err := lab(t, files).Opening(context.Background(), true)
		d := o.Standing.Decision
		if err != nil || d == nil || d.ID != tt.told || len(d.Disputes) > 1 ||
			(len(d.Disputes) > 0) != (tt.disputes != "") ||
			len(d.Disputes) > 0 && d.Disputes[0].Title != tt.disputes {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// TestSomeonesWay: what somebody said about how to resume stays until the session is over, and is told then.
// The next session's note is its own.
func TestSomeonesWay(t *testing.T) {
	ctx := context.Background()
	l := lab(t, map[string]string{"task_plan.md": plan})
	begin := func(at time.Time) {
		t.Helper()
		if err := l.Update(func(st *stage.State) error { st.Started = at; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	said := func() string {
		t.Helper()
		s, err := l.Standing(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return s.Said.Text
	}
	begin(now.Add(-time.Hour))
	s, err := l.Standing(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if path, err := l.Note(ctx, s, "asking Ann, password=hunter2hunter2"); err != nil ||
		path != ".agents/memory/handoff.md" {
		t.Fatal(path, err)
	}
	const want = "asking Ann, password=[redacted"
	if got := said(); !strings.HasPrefix(got, want) {
		t.Errorf("says %q", got)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(l.Root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("task_plan.md", strings.Replace(plan, "[ ]", "[x]", 1))
	l.Now = now.Add(time.Minute)
	if err := l.Leave(ctx); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(read(t, l, ".agents/memory/handoff.md"), "### Handoff "); n != 2 ||
		!strings.HasPrefix(said(), want) {
		t.Errorf("%d notes, says %q", n, said())
	}
	// The next session first changes nothing, then something.
	begin(now.Add(time.Hour))
	l.Now = now.Add(2 * time.Hour)
	if err := l.Leave(ctx); err != nil || !strings.HasPrefix(said(), want) {
		t.Errorf("says %q, %v", said(), err)
	}
	write("task_plan.md", plan)
	if err := l.Leave(ctx); err != nil || said() != "" {
		t.Errorf("says %q, %v", said(), err)
	}
}

// TestManyLeave: sessions that end at once lose none of each other's notes, and the file stays readable.
func TestManyLeave(t *testing.T) {
	ctx := context.Background()
	l := lab(t, map[string]string{"task_plan.md": plan})
	s, err := l.Standing(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			s, l := s, l
			s.Notes.Open, l.Now = i, now.Add(time.Duration(i)*time.Second)
			if _, err := l.Note(ctx, s, ""); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if file := read(t, l, ".agents/memory/handoff.md"); strings.Count(file, "### Handoff ") != 12 ||
		strings.Count(file, "**Resume next session by:**") != 12 {
		t.Errorf("%s", file)
	}
}
