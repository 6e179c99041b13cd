//go:build e2e

package e2e

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// sandboxed are settings of the client that run Bash, and all that it starts, with nothing but the project
// to write to. A story that needs them is left out where a machine allows no sandbox, as a container may.
func sandboxed(t *testing.T) map[string]any {
	t.Helper()
	if runtime.GOOS == "linux" {
		for _, program := range []string{"bwrap", "socat"} {
			if _, err := exec.LookPath(program); err != nil {
				t.Fatalf("%s is missing: run e2e/install.sh", program)
			}
		}
		out, err := exec.Command("bwrap", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--dev",
			"/dev", "--proc", "/proc", "true").CombinedOutput()
		if err != nil {
			t.Skipf("this machine allows no sandbox: %v: %s", err, out)
		}
	}
	return map[string]any{"sandbox": map[string]any{
		"enabled": true, "failIfUnavailable": true, "allowUnsandboxedCommands": false,
	}}
}

// TestSandboxedSave: where the client runs Bash in its sandbox, a save goes through as it does without, by
// one command and by the skill with its drafters.
func TestSandboxedSave(t *testing.T) {
	eachModeOf(t, []string{"default", "auto"}, func(t *testing.T, c Client, mode string) {
		l := NewLab(t, c)
		l.Settings(sandboxed(t))
		done := closing
		if mode == "default" {
			l.Env = map[string]string{"KEEPSAKE_CAPTURE_DRAFTERS": ""}
			m := &Rememberer{Chat: chat(l), Write: draftsOf}
			l.Model.Mind("main", Match{}, m.Answer)
			done = "Saved: decision"
			l.InstallKeepsake()
		} else {
			l.InstallKeepsake()
			l.saver()
		}

		term := l.Terminal("--permission-mode", mode)
		term.Send(lookAround)
		term.Wait(regexp.QuoteMeta(findings[:40]))
		term.Send(decided + " " + preferred)
		term.Wait(done)
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		checkSave(t, l, term)
		term.Quit()
	})
}

// TestSandboxedCalls: what saves is run outside of the sandbox, for a subagent too, and the agent sees what
// it printed and its exit code. What is no plain command is refused, with the cause and what to do.
func TestSandboxedCalls(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.Settings(sandboxed(t))
		l.InstallKeepsake()
		own := l.keepsake()
		said := map[string]string{}
		calls := []struct{ command, want string }{
			{"touch ~/outside", "Read-only file system"},
			{"cd internal && " + own + " remember 'We keep jobs in Postgres because of restarts'",
				"hint: the client's sandbox keeps Bash from writing there: a save is run outside " +
					"of it if it is one plain command that begins with " + own},
			{own + " records plan --partial", "Exit code 1\nkeepsake: "}, // the same code and words
			{own + " remember <<'END'\nWe keep jobs in Postgres, because it's safe in restarts.\nEND\n",
				"Saved: decision (create)"},
			{own + " md note --kind project --why 'an audit' --how 'no merge' 'A freeze begins 2027-03-01'",
				"noted (project) in a new file"},
			{own + " list", "1 memory is held and not shown"}, // the agent said it
		}
		l.Model.Mind("reviewer", Match{First: "Review the importer"}, func(r *Request) Reply {
			if r.LastCall().Name == "Bash" {
				said["a subagent"] = r.Tail()
				return Say("Found the cause.")
			}
			return Bash(own + " notes handoff promote --resume 'mend the importer'")
		})
		n := 0
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			if n > 0 && n <= len(calls) {
				said[calls[n-1].command] = r.Tail()
			}
			n++
			switch {
			case n <= len(calls):
				return Bash(calls[n-1].command)
			case n == len(calls)+1:
				return Call("Agent", map[string]any{"subagent_type": "general-purpose",
					"description": "Review", "prompt": "Review the importer.", "run_in_background": false})
			}
			return Say("Done.")
		})
		l.Headless("Go on.", "--permission-mode", "bypassPermissions")
		for _, call := range calls {
			if !strings.Contains(said[call.command], call.want) {
				t.Errorf("%s\nsays %q\nwant %q", call.command, said[call.command], call.want)
			}
		}
		if !strings.Contains(said["a subagent"], "handoff") {
			t.Errorf("a subagent was told %q", said["a subagent"])
		}
		if l.Exists(filepath.Join(l.Home, "outside")) {
			t.Error("there was no sandbox")
		}
	})
}

// TestSandboxLock: a script that is made in one call and run in the next gets past the gate and changes a
// palace. With the lock in the sandbox it changes nothing, a save still works, and doctor says that the lock
// holds. Taken out again, the settings are as they were.
func TestSandboxLock(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		sandboxed(t) // what it needs is there
		l.InstallKeepsake()
		settings := filepath.Join(l.Home, ".claude", "settings.json")
		before := l.Read(settings)
		palace := filepath.Join(l.Home, ".mempalace", "palace", "rows")
		l.Write(palace, "as it was")
		answer := func(done string, questions []string, args ...string) {
			t.Helper()
			term := l.TerminalFor(140, 50, l.keepsake(), append([]string{"gate", "install-lock", "--sandbox"},
				args...)...)
			for _, question := range questions {
				term.Wait(question + `\? \[y\]es, \[n\]o:`)
				term.Key("y", "Enter")
			}
			term.Wait(done)
			term.Wait("CLIENT-ENDED-0")
		}
		saved := ""
		script := "import pathlib, sys\n" +
			"for f in next(pathlib.Path.home().glob('.m*e')).glob('*/rows'):\n    f.write_text(sys.argv[1])\n"
		changes := func(text string) {
			t.Helper()
			turns := []Turn{
				Fixed(Call("Write", map[string]any{"file_path": filepath.Join(l.Project, text+".py"),
					"content": script})),
				Fixed(Bash("python3 " + text + ".py " + text)),
				Fixed(Bash(l.keepsake() + " remember 'We keep jobs in Postgres because of " + text + "'")),
				func(r *Request) Reply {
					saved = r.Tail()
					return Say("Done.")
				},
			}
			l.Model.Script("main", Match{Any: "call it " + text}, turns...)
			l.Headless("call it "+text, "--permission-mode", "bypassPermissions")
			if !strings.Contains(saved, "Saved: ") {
				t.Errorf("%s: the save says %q", text, saved)
			}
		}

		changes("swapped")
		if got := l.Read(palace); got != "swapped" {
			t.Fatalf("the gate stopped what this story needs to get past it: %q\n%s", got, l.Model.Digest())
		}
		answer("the lock is in", []string{"settings.json", "Switch the sandbox on"})
		changes("replaced")
		if got := l.Read(palace); got != "swapped" {
			t.Errorf("behind the wall the palace says %q", got)
		}
		term := l.TerminalFor(160, 50, l.keepsake(), "--project", l.Project, "doctor")
		term.Wait(`ok +sandbox +Bash can't write to \d folders \(tried\)`)
		term.Wait("CLIENT-ENDED-0")
		answer("the lock is out of", []string{"settings.json"}, "--remove")
		if after := l.Read(settings); after != before {
			t.Errorf("the settings were\n%s\nand are\n%s", before, after)
		}
	})
}
