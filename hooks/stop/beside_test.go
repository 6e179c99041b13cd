package stop

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/memory"
)

func writes(tool, path string) map[string]any {
	return map[string]any{"type": "tool_use", "id": "t", "name": tool,
		"input": map[string]any{"file_path": path, "content": "x"}}
}

func runs(command string) map[string]any {
	return map[string]any{"type": "tool_use", "id": "t", "name": "Bash",
		"input": map[string]any{"command": command}}
}

// TestBeside: what the agent keeps in the client's own memory in a turn is staged and
// not asked to be saved again; what the person asked for is, unless a file says it.
func TestBeside(t *testing.T) {
	const asked = "Remember that integration tests use a real database."
	for name, tt := range map[string]struct {
		said  string
		wrote func(l *lab, dir string) // what the agent did
		text  string                   // what billing.md then says
		want  string                   // in the feedback; "" for none
	}{
		"wrote nothing": {decided, func(l *lab, dir string) {}, "", "[DECISION]"},
		"wrote its memory": {decided, func(l *lab, dir string) {
			l.agent(writes("Write", filepath.Join(dir, "billing.md")))
		}, "Something.", ""},
		"edited its memory": {decided, func(l *lab, dir string) {
			l.agent(writes("Edit", filepath.Join(dir, "billing.md")))
		}, "Something.", ""},
		"a milestone": {"Phase 2 is done.", func(l *lab, dir string) {}, "", "[PROGRESS]"},
		"a milestone, written": {"Phase 2 is done.", func(l *lab, dir string) {
			l.agent(runs("/p/bin/keepsake project progress 'The first one'"))
		}, "Something.", ""},
		"wrote elsewhere": {decided, func(l *lab, dir string) {
			l.agent(writes("Write", "/p/billing.md"))
		}, "Something.", "[DECISION]"},
		"wrote no memory there": {decided, func(l *lab, dir string) {
			l.agent(writes("Write", filepath.Join(dir, "x.json")))
		}, "Something.", "[DECISION]"},
		"above it": {decided, func(l *lab, dir string) {
			l.agent(writes("Write", filepath.Join(dir, "..", "billing.md")))
		}, "Something.", "[DECISION]"},
		"in its shell": {decided, func(l *lab, dir string) {
			l.agent(runs("echo x > " + filepath.Join(dir, "billing.md")))
		}, "Something.", ""},
		"noted with a verb": {decided, func(l *lab, dir string) {
			l.agent(runs("/p/bin/keepsake note 'We use it'"))
		}, "Something.", ""},
		"only looked for it": {decided, func(l *lab, dir string) {
			l.agent(runs("/p/bin/keepsake note 'We use it' --dry-run"))
		}, "", "[DECISION]"},
		"read in its shell": {decided, func(l *lab, dir string) {
			l.agent(runs("ls " + dir))
		}, "", "[DECISION]"},
		"asked, and it is there": {asked, func(l *lab, dir string) {
			l.agent(writes("Write", filepath.Join(dir, "billing.md")))
		}, "# Tests\n\nIntegration tests use a real database in every service.", ""},
		"asked, something else": {asked, func(l *lab, dir string) {
			l.agent(writes("Write", filepath.Join(dir, "billing.md")))
		}, "# Billing\n\nInvoices go out monthly.", "to be remembered"},
		"asked, gone again": {asked, func(l *lab, dir string) {
			l.agent(writes("Write", filepath.Join(dir, "gone.md")))
		}, "", "to be remembered"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			dir := l.memoryDir()
			l.person(tt.said)
			tt.wrote(l, dir)
			if tt.text != "" {
				path := filepath.Join(dir, "billing.md")
				if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
				os.Chtimes(path, l.now, l.now)
			}
			l.agent(says("Done."))
			said := l.stop("Done.")
			if tt.want == "" && said != "" || !strings.Contains(said, tt.want) {
				t.Errorf("said %q, want %q", said, tt.want)
			}
			if contexts, err := l.open().Desk.Contexts(); err != nil || len(contexts)+len(l.moments()) != 1 &&
				!strings.Contains(tt.want, "PROGRESS") {
				t.Errorf("staged %v, %v", contexts, err)
			}
		})
	}
}

// TestBesideALesson: also what the agent put among the lessons, where nothing is listed.
func TestBesideALesson(t *testing.T) {
	for wrote, want := range map[bool]string{false: "[CORRECTION]", true: ""} {
		l := newLab(t)
		path := filepath.Join(l.memoryDir(), filepath.FromSlash(lessons.Journal))
		l.person("That's wrong, the lock file stays.").agent(runs("/p/bin/keepsake lesson --kind " +
			"correction 'The lock file stays'"))
		if wrote {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
				os.WriteFile(path, []byte("# Lessons\n"), 0o600),
				os.Chtimes(path, l.now, l.now)); err != nil {
				t.Fatal(err)
			}
		}
		if said := l.stop("Sorry."); want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("wrote %v: said %q", wrote, said)
		}
	}
}

// TestBesideComesUpLater: with what is noticed next the agent is told of both, and
// what was told of before is not taken back.
func TestBesideComesUpLater(t *testing.T) {
	l := newLab(t)
	dir := l.memoryDir()
	l.person(decided).agent(writes("Write", filepath.Join(dir, "billing.md")), says("Done."))
	if said := l.stop("Done."); said != "" {
		t.Fatalf("said %q", said)
	}
	l.person("Thanks, go on.").agent(says(chatter))
	if said := l.stop(chatter); said != "" {
		t.Fatalf("a turn of nothing said %q", said)
	}
	l.person(prefers).agent(says("Done."))
	said := l.stop("Done.")
	for _, want := range []string{memory.Decision.Display(), memory.Preference.Display()} {
		if !strings.Contains(said, "["+want+"]") {
			t.Errorf("said %q, want %s", said, want)
		}
	}
}

func (l *lab) memoryDir() string {
	dir := filepath.Join(l.dir, "home", "memory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		l.t.Fatal(err)
	}
	user := filepath.Join(l.dir, "config", "keepsake")
	if err := os.MkdirAll(user, 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, "config.json"), []byte(`{"memdir": {"dir": "~/memory"}}`),
		0o600); err != nil {
		l.t.Fatal(err)
	}
	return dir
}
