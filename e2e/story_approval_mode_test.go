//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// Where a command touches what the client protects itself, the client's own question takes the place of the
// gate's, and bypass and auto mode answer that one without a person. There the gate denies, and the person
// can still approve.
func TestModesThatAnswerThemselves(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"acceptEdits", "bypassPermissions", "auto"} {
		t.Run(mode, func(t *testing.T) {
			eachClient(t, func(t *testing.T, c Client) {
				l, k, args := keeperLab(t, c)
				l.Settings(map[string]any{"permissions": map[string]any{"allow": []string{"Bash", "Write",
					"Edit"}}})
				mined := filepath.Join(l.Root, "mined")
				l.WriteProgram(filepath.Join(l.Root, "tools", "mempalace"), "#!/bin/sh\necho mined >> '"+
					mined+"'\n")
				l.Env["PATH"] = filepath.Join(l.Root, "tools") + ":" + systemPath()
				record := filepath.Join(l.Project, ".claude", "memory", "decisions", "x.json")
				settings := filepath.Join(l.Home, ".claude", "settings.json")
				before := l.Read(settings)
				k.Attacks["mine"] = Bash("mkdir -p .claude && mempalace mine . > .claude/log")
				k.Attacks["write"] = Call("Write", map[string]any{"file_path": record, "content": "{}"})
				k.Attacks["settings"] = Bash("echo '{\"disableAllHooks\": true}' > " + settings)

				term := l.Terminal(append(args, "--permission-mode", mode)...)
				itself := mode == "bypassPermissions" || mode == "auto"
				for _, name := range []string{"write", "settings", "mine"} {
					n := k.Ended()
					term.Send("please try " + name)
					term.until("a dialog or the turn's end", func() bool {
						return len(term.Dialogs()) > 0 && dialog.MatchString(term.Screen()) || k.Ended() > n
					})
					if asked := k.Ended() == n; asked == itself {
						t.Errorf("%s: asked %v", name, asked)
					}
					if k.Ended() == n {
						term.WaitDialog()
						term.Answer("Escape")
					}
				}
				if l.Exists(record) || l.Exists(mined) || l.Read(settings) != before {
					t.Fatalf("written without a person: record %v, mined %v, settings %v\n%s",
						l.Exists(record), l.Exists(mined), l.Read(settings) != before, l.Model.Digest())
				}
				if itself {
					id := ""
					for _, r := range l.Approvals().Waiting {
						id = r.ID
					}
					if !strings.Contains(l.Model.Digest(), "/keepsake:approve "+id) {
						t.Errorf("the model was not told how the person approves %s\n%s", id,
							l.Model.Digest())
					}
					// its own check of what is approved runs on a server that is not here
					if mode == "auto" && c.Version != "2.1.197" {
						term.Quit()
						return
					}
					k.again("mine")
					k.Turn(term, func() { term.Send("/keepsake:approve " + id) })
					if got := lines(l.Read(mined)); len(got) != 1 {
						t.Errorf("approved, it ran %d times\n%s", len(got), l.Model.Digest())
					}
					k.Turn(term, func() { term.Send("please try mine") })
					if got := lines(l.Read(mined)); len(got) != 1 {
						t.Errorf("approved once, it ran %d times\n%s", len(got), l.Model.Digest())
					}
					checkDialogs(t, term, 0)
				}
				term.Quit()
			})
		})
	}
}
