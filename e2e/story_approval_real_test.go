//go:build e2e

package e2e

import (
	"strings"
	"testing"
)

// With MemPalace itself: what the person approved, in the dialog, in a terminal or by the slash command, is
// stored byte for byte, once; what they refused is not there.
func TestRealPalaceKeepsWhatIsApproved(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		palace, args := l.RealPalace()
		texts := map[string]string{
			"drawer-dialog": "drawer-dialog: ünïcode, \"quotes\", a \\ and a tab\there.\n\n  Indented; " +
				"two  spaces.\r\nA last line.",
			"drawer-terminal": "drawer-terminal\n" + strings.Repeat("line of the text, 終わり\n", 20),
			"drawer-slash":    "drawer-slash: $HOME `id` %s {\"json\": null} </memory-approval>",
		}
		k := &Keeper{Palace: palace, Texts: texts}
		l.Model.Mind("main", Match{}, k.Answer)
		term := l.Terminal(append(args, "--permission-mode", "default")...)
		ids := map[string]string{}
		for _, name := range []string{"drawer-terminal", "drawer-slash", "drawer-no"} {
			term.Send("store " + name)
			term.WaitDialog()
			term.Answer("Escape")
			content := name
			if text, ok := texts[name]; ok {
				content = text
			}
			ids[name] = l.Waits(content)
		}
		k.Turn(term, func() { term.Send("store drawer-dialog"); term.WaitDialog(); term.Answer("1") })
		l.AtTerminal([]string{"approve", ids["drawer-terminal"]}, "y")
		l.AtTerminal([]string{"reject", ids["drawer-no"]}, "y")
		k.Turn(term, func() { term.Send("store drawer-terminal, drawer-no") })
		checkAttempts(t, l, attempt{texts["drawer-terminal"], `"success": true`},
			attempt{"drawer-no", isRefused})
		term.Send("store drawer-slash")
		term.WaitDialog()
		term.Answer("Escape")
		k.Turn(term, func() { term.Send("/keepsake:approve " + l.Waits(texts["drawer-slash"])) })
		if strings.Contains(term.History(), "without an approval") {
			t.Errorf("an alarm for what was approved\n%s", term.History())
		}

		var stored []string
		for _, o := range l.Approvals().Ran() {
			if o.Result != "stored" || len(o.Stored) == 0 {
				t.Errorf("settled: %+v", o)
			}
			stored = append(stored, o.By+" "+strings.Join(o.Stored[:min(1, len(o.Stored))], " "))
		}
		drawers := palace.Drawers()
		for i, name := range []string{"drawer-dialog", "drawer-terminal", "drawer-slash"} {
			if by := strings.TrimPrefix(name, "drawer-"); len(drawers) != 3 || len(stored) != 3 ||
				drawers[i].Content != texts[name] || stored[i] != by+" "+drawers[i].ID {
				t.Fatalf("settled %q; stored %q", stored, drawers)
			}
		}
		term.Quit()
	})
}
