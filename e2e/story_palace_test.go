//go:build e2e

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// store asks MemPalace to keep a text.
func store(content string) Reply {
	return Call(addDrawer, map[string]any{"wing": "shop-wing", "room": "queue-room", "content": content})
}

// after holds the reply until the MCP server is connected; before that the client knows no such tool.
func (r Reply) after(p interface{ Connected() bool }) Reply {
	r.Hold = func() { p.Connected() }
	return r
}

// hoarder is a model that stores whatever word follows "store" in the prompt.
func hoarder(p *Palace) Turn {
	wish := regexp.MustCompile(`store (drawer-\w+)`)
	return func(r *Request) Reply {
		if m := wish.FindStringSubmatch(r.Tail()); m != nil {
			return store(m[1]).after(p)
		}
		return Say("The call is over.")
	}
}

// On the smallest usual screen, with a long text to store, the dialog still says what it is about.
func TestPalaceDialogFits(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		palace, args := l.Palace()
		long := strings.Repeat("A sentence of the text that is to be kept.\n", 60) + "AKIA" +
			strings.Repeat("Q7ZX", 4) + " \u202e"
		l.Model.Script("main", Match{}, func(*Request) Reply { return store(long).after(palace) })
		term := l.TerminalOf(80, 24, append(args, "--permission-mode", "default")...)
		term.Send("keep it")
		screen := term.WaitDialog()
		for _, want := range []string{"permanent memory write", ", 63 lines", "keepsake review", "shop-wing",
			"queue-room", "AWS key", "invisible character", "1. Yes", "No"} {
			if !strings.Contains(screen, want) {
				t.Errorf("the dialog does not show %q\n%s", want, screen)
			}
		}
		term.Answer("Escape")
		term.Quit()
		if got := palace.Stored(); len(got) != 0 {
			t.Errorf("stored after No: %q", got)
		}
	})
}

// checkRefused asserts that the model's first MemPalace write came back refused, with a remedy.
func checkRefused(t *testing.T, l *Lab, p *Palace) {
	t.Helper()
	if got := p.Stored(); len(got) != 0 {
		t.Errorf("stored %q without a person's approval", got)
	}
	if len(l.Model.Tails(regexp.MustCompile(`\[result\] .*permanent memory write`))) == 0 {
		t.Errorf("the refusal does not explain itself to the model\n%s", l.Model.Digest())
	}
}
