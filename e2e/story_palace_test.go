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

// A MemPalace write opens a dialog wherever the terminal shows dialogs, whatever the mode and the rules
// allow; No stores nothing, Yes stores. TestApprovedByCommand has the other modes.
func TestPalaceAsks(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, mode string
		rule       bool
	}{
		{"manual", "default", false},
		{"auto with allow rule", "auto", true},
		{"bypass", "bypassPermissions", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachClient(t, func(t *testing.T, c Client) {
				l := NewLab(t, c)
				l.InstallKeepsake()
				if tc.rule {
					l.Settings(map[string]any{"permissions": map[string]any{"allow": []string{addDrawer}}})
				}
				palace, args := l.Palace()
				l.Model.Mind("main", Match{}, hoarder(palace))
				term := l.Terminal(append(args, "--permission-mode", tc.mode)...)

				term.Send("store drawer-one")
				screen := term.WaitDialog()
				for _, want := range []string{"permanent memory write", "shop-wing", "queue-room",
					"drawer-one"} {
					if !strings.Contains(screen, want) {
						t.Errorf("the dialog does not show %q\n%s", want, screen)
					}
				}
				term.Answer("Escape")
				term.Send("store drawer-two")
				term.WaitDialog()
				if got := palace.Stored(); len(got) != 0 {
					t.Errorf("stored after No: %q", got)
				}
				term.Answer("1")
				term.Wait("The call is over")
				if got := palace.Stored(); len(got) != 1 || got[0] != "drawer-two" {
					t.Errorf("stored %q, want drawer-two alone", got)
				}
				if got := term.Dialogs(); len(got) != 2 {
					t.Errorf("%d dialogs, want 2", len(got))
				}
				term.Quit()
			})
		})
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

// Where nobody can be asked the write is refused and the model learns what would help; reads pass.
func TestPalaceHeadless(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"default", "bypassPermissions"} {
		t.Run(mode, func(t *testing.T) {
			eachClient(t, func(t *testing.T, c Client) {
				l := NewLab(t, c)
				l.InstallKeepsake()
				palace, args := l.Palace()
				l.Model.Script("main", Match{},
					func(*Request) Reply { return store("one").after(palace) },
					Fixed(Call(search, map[string]any{"query": "queue"})),
					Fixed(Say("Done.")))
				run := l.Headless("store one",
					append(args, "--permission-mode", mode, "--allowedTools", addDrawer+","+search)...)
				if run.Code != 0 || run.Result().Result != "Done." {
					t.Errorf("exit %d, result %q\n%s", run.Code, run.Result().Result, run.Stderr)
				}
				checkRefused(t, l, palace)
				if len(l.Model.Tails(regexp.MustCompile("nothing found"))) != 1 {
					t.Errorf("the search did not pass\n%s", l.Model.Digest())
				}
			})
		})
	}
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
