package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCachedIn(t *testing.T) {
	for plugin, want := range map[string]string{
		"/home/u/.claude/plugins/cache/shop/keepsake/0.1.0": "keepsake@shop",
		"/srv/claude/plugins/cache/shop/keepsake/abcdef":    "keepsake@shop",
		"/home/u/.codex/plugins/cache/shop/keepsake/0.1.0":  "keepsake@shop",
		"/home/u/src/keepsake":                              "",
		"/home/u/.claude/skills/keepsake":                   "",
		"/home/u/plugins/other/shop/keepsake/0.1.0":         "",
		"/home/u/cache/shop/keepsake/0.1.0":                 "",
		"/":                                                 "",
		"":                                                  "",
	} {
		c, ok := CachedIn(plugin)
		if ok != (want != "") || ok && c.ID() != want {
			t.Errorf("%s: %v, %v", plugin, c, ok)
		}
		if ok && c.OfCodex() != strings.Contains(plugin, ".codex") {
			t.Errorf("%s: of Codex: %v", plugin, c.OfCodex())
		}
	}
	c, _ := CachedIn("/h/.claude/plugins/cache/shop/keepsake/0.1.0")
	if got := c.Offers(); got != "/h/.claude/plugins/marketplaces/shop/.claude-plugin/marketplace.json" {
		t.Error(got)
	}
}

// TestLauncherFor: whatever a folder is called, the launcher starts the program in it and hands on each
// argument.
func TestLauncherFor(t *testing.T) {
	for _, name := range []string{"plain", "with space", "it's", `a"$(touch x)"`, "*", "-n", "a\nb"} {
		for _, cached := range []bool{false, true} {
			dir := t.TempDir()
			plugin := filepath.Join(dir, name)
			if cached {
				plugin = filepath.Join(dir, name, "plugins", "cache", "m", "keepsake", "0.1.0")
			}
			if err := os.MkdirAll(filepath.Join(plugin, "bin"), 0o755); err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(plugin, "bin", "keepsake")
			if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 3\n"),
				0o755); err != nil {
				t.Fatal(err)
			}
			text := LauncherFor(plugin)
			if !IsLauncher([]byte(text)) || strings.Contains(text, "@PROGRAMS@") {
				t.Errorf("%q: %s", name, text)
			}
			launcher := filepath.Join(dir, "launcher")
			if err := os.WriteFile(launcher, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(launcher, "a b", "", "*")
			cmd.Dir = dir
			cmd.Env = []string{"PATH=/nonexistent", "newest=/bin/false"}
			out, _ := cmd.CombinedOutput()
			if string(out) != "<a b><><*>" || cmd.ProcessState.ExitCode() != 3 {
				t.Errorf("%q, cached %v: exit %d, %s", name, cached, cmd.ProcessState.ExitCode(), out)
			}
			if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
				t.Errorf("%q was run", name)
			}
		}
	}
}

func TestIsLauncher(t *testing.T) {
	for _, other := range []string{"", "#!/bin/sh\n", "#!/bin/sh\nexec /opt/keepsake/bin/keepsake \"$@\"\n",
		"# " + launcherScript} {
		if IsLauncher([]byte(other)) {
			t.Errorf("%q is taken for ours", other)
		}
	}
}
