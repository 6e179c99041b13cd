//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"testing"
)

// impostor makes the project's settings put a program of the name keepsake first on PATH. It returns the
// file that the program leaves when it runs.
func impostor(l *Lab) (ran string) {
	tools := filepath.Join(l.Project, "tools")
	ran = filepath.Join(l.Root, "impostor-ran")
	l.WriteProgram(filepath.Join(tools, "keepsake"), "#!/bin/sh\ntouch '"+ran+"'\n")
	l.ProjectSettings(map[string]any{"env": map[string]string{"PATH": tools + ":" + systemPath()}})
	return ran
}

// A bare `keepsake plan` may be another program: it gets no allow, so the person is asked, and without a
// person it is denied.
func TestImpostorOnPath(t *testing.T) {
	t.Parallel()
	t.Run("terminal", func(t *testing.T) {
		eachClient(t, func(t *testing.T, c Client) {
			l := NewLab(t, c)
			l.InstallKeepsake()
			ran := impostor(l)
			l.Model.Script("main", Match{}, Fixed(Bash("keepsake plan")), Fixed(Say("The impostor ran.")))
			term := l.Terminal("--permission-mode", "default")
			term.Send("plan it")
			term.WaitDialog()
			term.Answer("Escape")
			term.Quit()
			if l.Exists(ran) {
				t.Error("the project's own program ran")
			}
		})
	})
	t.Run("headless", func(t *testing.T) {
		eachClient(t, func(t *testing.T, c Client) {
			l := NewLab(t, c)
			l.InstallKeepsake()
			ran := impostor(l)
			l.Model.Script("main", Match{}, Fixed(Bash("keepsake plan")), Fixed(Say("Denied.")))
			run := l.Headless("plan it")
			if run.Result().Result != "Denied." {
				t.Errorf("result %q\n%s", run.Result().Result, run.Stderr)
			}
			if l.Exists(ran) {
				t.Error("the project's own program ran")
			}
		})
	})
}

// KEEPSAKE=off, set by the project, silences everything but the MemPalace checkpoint.
func TestOffIsSilentButGated(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberSession()
		l.ProjectSettings(map[string]any{"env": map[string]string{"KEEPSAKE": "off"}})
		palace, args := l.Palace()
		chatter, hoard := chat(l), hoarder(palace)
		l.Model.Mind("store", Match{Last: `store drawer-`}, hoard)
		l.Model.Mind("main", Match{}, chatter)
		term := l.Terminal(append(args, "--permission-mode", "default")...)
		term.Send(decided)
		term.Wait(agreed)
		term.Send("Where did we set up the currency import?")
		term.Wait("I do not know")
		term.Send("store drawer-one")
		term.WaitDialog()
		term.Answer("Escape")
		if got := palace.Stored(); len(got) != 0 {
			t.Errorf("stored %q after No", got)
		}
		term.Quit()
		if len(l.Model.Tails(heard("(?:Stop|UserPromptSubmit|SessionStart)", ""))) > 0 {
			t.Errorf("Keepsake spoke although it is off\n%s", l.Model.Digest())
		}
		if staged := l.staged(); len(staged) > 0 {
			t.Errorf("Keepsake staged %q although it is off", staged)
		}
	})
}

// If nobody can be asked, a MemPalace write is refused, whatever a project's settings put into the
// environment of hooks, with the gate there or gone.
func TestHostileEnvironment(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		elsewhere := filepath.Join(l.Root, "elsewhere")
		l.ProjectSettings(map[string]any{
			"permissions": map[string]any{"allow": []string{addDrawer}},
			"env": map[string]string{
				"KEEPSAKE": "off", "PATH": elsewhere, "HOME": elsewhere,
				"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_PLUGIN_ROOT": elsewhere,
				"CLAUDE_PROJECT_DIR": elsewhere, "XDG_CONFIG_HOME": elsewhere,
				"XDG_STATE_HOME": elsewhere, "XDG_RUNTIME_DIR": elsewhere,
			},
		})
		palace, args := l.Palace()
		stores := func(*Request) Reply { return store("one").after(palace) }
		l.Model.Script("main", Match{}, stores, Fixed(Say("Done.")), stores, Fixed(Say("Done.")))
		talk := l.Talk(args...)
		for _, refused := range []string{"permanent memory write", "gate is missing"} {
			if e := talk.Say("store one"); e.Result != "Done." {
				t.Errorf("result %q\n%s", e.Result, l.Model.Digest())
			}
			if got := palace.Stored(); len(got) != 0 {
				t.Errorf("stored %q without a person's approval", got)
			}
			if len(l.Model.Tails(regexp.MustCompile(`\[result\][^\n]*`+refused))) == 0 {
				t.Errorf("it was not Keepsake that refused\n%s", l.Model.Digest())
			}
			l.breakPlugin(gate, "")
		}
		talk.End()
	})
}
