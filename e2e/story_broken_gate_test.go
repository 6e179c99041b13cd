//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gate is the gate's binary inside a plugin.
const gate = "bin/hooks/pretooluse"

// bashThenStore runs an ordinary command and then tries a MemPalace write.
func bashThenStore(l *Lab, p *Palace) {
	l.Model.Script("main", Match{},
		Fixed(Bash("touch mark")),
		func(*Request) Reply { return store("one").after(p) },
		Fixed(Say("Both calls are over.")))
}

// With the gate's binary gone, or all of bin, a MemPalace write is still refused, and ordinary Bash works.
func TestGateMissing(t *testing.T) {
	t.Parallel()
	t.Run("headless", func(t *testing.T) {
		eachClient(t, func(t *testing.T, c Client) {
			l, palace, args := brokenLab(t, c, gate, "")
			talk := l.Talk(append(args, "--allowedTools", "Bash,"+addDrawer)...)
			for _, gone := range []string{gate, "bin"} {
				l.breakPlugin(gone, "")
				checkBroken(t, l, palace, talk, gone, true)
			}
			talk.End()
		})
	})
	for _, gone := range []string{gate, "bin"} {
		t.Run("terminal without "+filepath.Base(gone), func(t *testing.T) {
			eachClient(t, func(t *testing.T, c Client) {
				l, palace, args := brokenLab(t, c, gone, "")
				term := l.Terminal(append(args, "--permission-mode", "bypassPermissions")...)
				if gone == "bin" {
					term.Wait("programs are missing")
				}
				bashThenStore(l, palace)
				term.Send("work")
				term.Wait("Both calls are over")
				checkRan(t, l, palace, true)
				term.Quit()
			})
		})
	}
}

// A plugin folder that vanishes in mid-session ends no work. The client says it beside each call. The newer
// one still stops what names a palace.
func TestPluginVanishes(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		palace, args := l.Palace()
		inPalace := filepath.Join(l.Home, ".mempalace", "notes.md")
		l.Model.Script("main", Match{},
			Fixed(Bash("touch before")),
			func(*Request) Reply {
				if err := os.RemoveAll(l.Plugin); err != nil {
					t.Error(err)
				}
				return Bash("touch mark")
			},
			Fixed(Bash("touch mempalace-mark")),
			func(*Request) Reply { return store("one").after(palace) },
			Fixed(Call("Write", map[string]any{"file_path": inPalace, "content": "kept"})),
			Fixed(Call("Write", map[string]any{"file_path": filepath.Join(l.Project, "written"),
				"content": "x"})),
			Fixed(Say("All calls are over.")))
		term := l.Terminal(append(args, "--permission-mode", "bypassPermissions")...)
		term.Send("work")
		term.Wait("All calls are over")
		files := l.Files(l.Project)
		for _, f := range []string{"before", "mark", "written"} {
			if !slices.Contains(files, f) {
				t.Errorf("no %s in %q: a vanished plugin stops ordinary work\n%s", f, files, term.History())
			}
		}
		if !strings.Contains(term.History(), "Plugin directory does not exist") {
			t.Errorf("nobody is told that the plugin is gone\n%s", term.History())
		}
		if c.Version == versions[1] {
			if got := palace.Stored(); len(got) != 0 || slices.Contains(files, "mempalace-mark") {
				t.Errorf("stored %q, files %q: the gate is open\n%s", got, files, term.History())
			}
			if _, err := os.Stat(inPalace); err == nil {
				t.Errorf("a file in the palace was written\n%s", term.History())
			}
			if !strings.Contains(l.Model.Digest(), "install the plugin again") {
				t.Errorf("the agent is not told what to do\n%s", l.Model.Digest())
			}
		}
		term.Quit()
	})
}

// If the gate crashes, the call that it was asked about is refused.
func TestGateCrashes(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const exits = "#!/bin/sh\nexit 1\n"
		l, palace, args := brokenLab(t, c, gate, exits)
		talk := l.Talk(append(args, "--permission-mode", "bypassPermissions",
			"--allowedTools", "Bash,"+addDrawer)...)
		for name, script := range map[string]string{
			"exits 1":      exits,
			"is killed":    "#!/bin/sh\nkill -9 $$\n",
			"exits 2":      "#!/bin/sh\nexit 2\n",
			"cannot start": "#!/no/such/interpreter\n",
		} {
			l.breakPlugin(gate, script)
			checkBroken(t, l, palace, talk, name, false)
		}
		talk.End()
	})
}

// brokenLab has a Keepsake whose part is gone, or replaced by a program.
func brokenLab(t *testing.T, c Client, part, program string) (*Lab, *Palace, []string) {
	t.Helper()
	l := NewLab(t, c)
	l.InstallKeepsake()
	l.breakPlugin(part, program)
	palace, args := l.Palace()
	return l, palace, args
}

// breakPlugin takes a part of the plugin away, or puts a program in its place.
func (l *Lab) breakPlugin(part, program string) {
	l.t.Helper()
	path := filepath.Join(l.Plugin, part)
	if err := os.RemoveAll(path); err != nil {
		l.t.Fatal(err)
	}
	if program != "" {
		l.WriteProgram(path, program)
	}
}

// checkBroken asserts, with a gate that is broken in the named way, that nothing is stored, and whether a
// Bash call runs.
func checkBroken(t *testing.T, l *Lab, p *Palace, talk *Talk, name string, bash bool) {
	t.Helper()
	bashThenStore(l, p)
	if result := talk.Say("work").Result; result != "Both calls are over." {
		t.Errorf("%s: result %q\n%s", name, result, l.Model.Digest())
	}
	checkRan(t, l, p, bash)
	if t.Failed() {
		t.Fatal("the gate: " + name)
	}
	if err := os.RemoveAll(filepath.Join(l.Project, "mark")); err != nil {
		t.Fatal(err)
	}
}

// checkRan asserts that nothing was stored, and whether the Bash call ran.
func checkRan(t *testing.T, l *Lab, p *Palace, bash bool) {
	t.Helper()
	if got := p.Stored(); len(got) != 0 {
		t.Errorf("stored %q with a broken gate", got)
	}
	if ran := slices.Contains(l.Files(l.Project), "mark"); ran != bash {
		t.Errorf("the Bash call ran: %v, want %v\n%s", ran, bash, l.Model.Digest())
	}
}
