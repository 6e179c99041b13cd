package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/layout"
)

// TestLoaded: what the client loads by itself is known, and what it may not load is not.
func TestLoaded(t *testing.T) {
	const says = "- The staging cluster is called heron.\n"
	for name, tt := range map[string]struct {
		files map[string]string // below the test's folder; MEMORY for the project's MEMORY.md
		env   string            // of the client's switch
		want  string            // the file that is named, "" for none
	}{
		"nothing": {},
		"of the project": {
			files: map[string]string{"project/CLAUDE.md": says},
			want:  "project/CLAUDE.md",
		},
		"in its folder": {
			files: map[string]string{"project/.claude/CLAUDE.md": says},
			want:  "project/.claude/CLAUDE.md",
		},
		"of this checkout alone": {
			files: map[string]string{"project/CLAUDE.local.md": says},
			want:  "project/CLAUDE.local.md",
		},
		"above": {files: map[string]string{"CLAUDE.md": says}, want: "CLAUDE.md"},
		"below": {files: map[string]string{"project/sub/CLAUDE.md": says}},
		"of the person": {
			files: map[string]string{"home/.claude/CLAUDE.md": says},
			want:  "home/.claude/CLAUDE.md",
		},
		"a rule": {
			files: map[string]string{"project/.claude/rules/a/b.md": says},
			want:  "project/.claude/rules/a/b.md",
		},
		"a rule of the person": {
			files: map[string]string{"home/.claude/rules/b.md": says},
			want:  "home/.claude/rules/b.md",
		},
		"a rule for some files": {
			files: map[string]string{"project/.claude/rules/b.md": "---\npaths: \"*.go\"\n---\n" + says},
		},
		"no rule": {files: map[string]string{"project/.claude/rules/b.txt": says}},
		"imported": {files: map[string]string{"project/CLAUDE.md": "See @docs/a.md for more.\n",
			"project/docs/a.md": "Text\n\n@b.md\n", "project/docs/b.md": says}, want: "project/docs/b.md"},
		"imported in a circle": {files: map[string]string{"project/CLAUDE.md": "@a.md\n",
			"project/a.md": "@CLAUDE.md\n@a.md\n" + says}, want: "project/a.md"},
		"imported from elsewhere": {files: map[string]string{"project/CLAUDE.md": "@../other/a.md\n",
			"other/a.md": says}},
		"imported in code": {files: map[string]string{"project/CLAUDE.md": "```\n@a.md\n```\n",
			"project/a.md": says}},
		"in code":      {files: map[string]string{"project/CLAUDE.md": "```\n" + says + "```\n"}},
		"in a comment": {files: map[string]string{"project/CLAUDE.md": "<!--\n" + says + "-->\n"}},
		"as a heading": {
			files: map[string]string{"project/CLAUDE.md": "# The staging cluster is called heron\n"},
		},
		"in a paragraph": {files: map[string]string{"project/CLAUDE.md": "We deploy on Fridays. The\n" +
			"staging cluster is called heron. It is slow.\n"}, want: "project/CLAUDE.md"},
		"too large": {files: map[string]string{"project/CLAUDE.md": says + strings.Repeat("x\n", maxLoaded)}},
		"MEMORY.md": {files: map[string]string{"MEMORY": "# Memory\n" + says}, want: "MEMORY"},
		"MEMORY.md, beyond what is loaded": {files: map[string]string{"MEMORY": strings.Repeat("# x\n", 200) +
			says}},
		"MEMORY.md, switched off":   {files: map[string]string{"MEMORY": says}, env: "1"},
		"MEMORY.md, not really off": {files: map[string]string{"MEMORY": says}, env: "0", want: "MEMORY"},
		"MEMORY.md, off by the settings": {files: map[string]string{"MEMORY": says,
			"home/.claude/settings.json": `{"autoMemoryEnabled": false}`}},
	} {
		t.Run(name, func(t *testing.T) {
			project := home(t)
			t.Setenv("CLAUDE_CONFIG_DIR", "")
			t.Setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", tt.env)
			base := filepath.Dir(project)
			at := func(name string) string {
				if name == "MEMORY" {
					client := layout.ClientIn(filepath.Join(base, "home"))
					return filepath.Join(layout.ClientMemory(client, project), "MEMORY.md")
				}
				return filepath.Join(base, filepath.FromSlash(name))
			}
			for name, text := range tt.files {
				if err := errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o755),
					os.WriteFile(at(name), []byte(text), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			want := ""
			if tt.want != "" {
				want = at(tt.want)
			}
			got, _ := open1(t, "s1").Loaded(time.Time{}).Says("The staging cluster is called heron.")
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestLoadedHere: a file that changed after the session had begun is not before the model, until its
// conversation is compacted.
func TestLoadedHere(t *testing.T) {
	project := home(t)
	file := filepath.Join(project, "CLAUDE.md")
	s := open1(t, "s1")
	begun := time.Now().UTC().Add(2 * time.Hour) // a file written now can't say that it was written before
	s.State.Started = begun
	for name, tt := range map[string]struct {
		changed, compacted time.Duration // after the begin
		want               bool
	}{
		"before":                     {-time.Hour, 0, true},
		"after":                      {time.Hour, 0, false},
		"before it was compacted":    {time.Hour, 2 * time.Hour, true},
		"after it was compacted":     {3 * time.Hour, 2 * time.Hour, false},
		"before all, and compacted":  {-time.Hour, 2 * time.Hour, true},
		"in the minute of beginning": {-time.Second, 0, true},
	} {
		if err := errors.Join(os.WriteFile(file, []byte("The staging cluster is called heron."), 0o644),
			os.Chtimes(file, begun.Add(tt.changed), begun.Add(tt.changed))); err != nil {
			t.Fatal(err)
		}
		s.State.Compaction = time.Time{}
		if tt.compacted > 0 {
			s.State.Compaction = begun.Add(tt.compacted)
		}
		if _, got := s.LoadedHere().Says("The staging cluster is called heron."); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
