//go:build e2e

package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The harness itself, without Keepsake: a recording plugin stands in for it.

func TestHarnessHeadless(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallProbe(nil)
		l.Model.Script("main", Match{},
			Fixed(Say("I will run it.").And(Bash("touch mark"))),
			Fixed(Say("All done.")))
		run := l.Headless("run it", "--allowedTools", "Bash")
		if run.Code != 0 || run.Result().Result != "All done." {
			t.Fatalf("exit %d, result %q\n%s", run.Code, run.Result().Result, run.Stderr)
		}
		if errs := string(run.Init().PluginErrors); errs != "" && errs != "null" {
			t.Errorf("plugin errors: %s", errs)
		}
		if !slices.Contains(l.Files(l.Project), "mark") {
			t.Error("the Bash call did not run in the project")
		}
		for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop",
			"SessionEnd"} {
			if n := len(l.Recorded(event)); n != 1 {
				t.Errorf("the probe saw %s %d times, want once", event, n)
			}
		}
		if odd := l.Model.Unscripted(); len(odd) > 0 {
			t.Errorf("%d unscripted requests\n%s", len(odd), l.Model.Digest())
		}
	})
}

func TestHarnessTerminal(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		say := func(event, text string) map[string]any {
			return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event,
				"additionalContext": text}}
		}
		l.InstallProbe(map[string]any{
			"SessionStart":     say("SessionStart", "the probe opens"),
			"UserPromptSubmit": say("UserPromptSubmit", "the probe recalls"),
			"PreToolUse": map[string]any{"hookSpecificOutput": map[string]any{
				"hookEventName": "PreToolUse", "permissionDecision": "ask",
				"permissionDecisionReason": "the probe asks"}},
			"Stop": say("Stop", "the probe has feedback"),
		})
		palace, args := l.Palace()
		l.Model.Script("main", Match{},
			Fixed(Call(addDrawer, map[string]any{"wing": "w", "room": "r", "content": "kept text"})),
			Fixed(Say("First answer.")),
			Fixed(Say("Second answer.")))
		term := l.Terminal(append(args, "--permission-mode", "default")...)
		if !palace.Connected() {
			t.Fatalf("the client did not connect to the MCP server\n%s", l.Read(palace.log))
		}
		term.Send("store it please")
		if screen := term.WaitDialog(); !strings.Contains(screen, "the probe asks") {
			t.Errorf("the dialog does not show the hook's reason\n%s", screen)
		}
		if got := palace.Stored(); len(got) != 0 {
			t.Errorf("stored before the answer: %q", got)
		}
		// beside the dialog
		term.until("the question is recorded", func() bool { return len(l.PermissionRequests()) > 0 })
		term.Answer("1")
		for event, said := range map[string]string{
			"SessionStart": "the probe opens", "UserPromptSubmit": "the probe recalls",
			"Stop": "the probe has feedback"} {
			l.Model.AwaitTail(heard(event, said).String())
		}
		term.Wait("Second answer")
		if got := palace.Stored(); len(got) != 1 || got[0] != "kept text" {
			t.Errorf("stored %q, want the one text", got)
		}
		if got := term.Dialogs(); len(got) != 1 {
			t.Errorf("the watcher saw %d dialogs, want 1", len(got))
		}
		if got := len(l.PermissionRequests()); got != 1 {
			t.Errorf("%d PermissionRequest events, want 1", got)
		}
		term.Quit()
		if got := l.Transcripts(); len(got) != 1 ||
			!strings.HasPrefix(got[0], filepath.Join(l.Home, ".claude")) {
			t.Errorf("transcripts %q, want one", got)
		}
	})
}
