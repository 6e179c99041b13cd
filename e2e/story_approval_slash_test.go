//go:build e2e

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// In every permission mode the call opens a dialog, also over a rule that allows it; Yes stores. After a No
// the person may still approve it by the slash command: then the same call passes without a dialog, once.
// Rejected, it is denied without a dialog. An answer typed while a turn runs counts when the turn is over. In
// plan mode 2.1.329 asks by itself what a hook allows.
func TestApprovedByCommand(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"} {
		t.Run(mode, func(t *testing.T) {
			eachClient(t, func(t *testing.T, c Client) {
				l, k, args := keeperLab(t, c)
				l.Settings(map[string]any{"permissions": map[string]any{"allow": []string{addDrawer}}})
				term := l.Terminal(append(args, "--permission-mode", mode)...)
				asksItself := mode == "plan" && c.Version != "2.1.197"
				dialogs := 0
				no := func(content string) (id string) {
					term.Send("store " + content)
					if screen := term.WaitDialog(); !strings.Contains(screen, "permanent memory write") ||
						!strings.Contains(screen, content) {
						t.Errorf("another dialog\n%s", screen)
					}
					term.Answer("Escape")
					dialogs++
					return l.Waits(content)
				}
				passes := func() { // what was approved
					if asksItself {
						term.WaitDialog()
						term.Answer("1")
						dialogs++
					}
				}

				one := no("drawer-one")
				k.Turn(term, func() {
					term.Send("/keepsake:approve " + one)
					term.Wait("keepsake: approved " + one)
					passes()
				})
				checkKept(t, l, k, "drawer-one")
				checkSettled(t, l, one, "slash", "stored", drawerID("drawer-one"))

				if again := no("drawer-one"); again != one {
					t.Errorf("the same call of the same session is first %s and then %s", one, again)
				}
				if mode != "default" {
					k.Turn(term, func() {
						term.Send("store drawer-two")
						term.WaitDialog()
						term.Answer("1")
						dialogs++
					})
					checkKept(t, l, k, "drawer-one", "drawer-two")
					checkDialogs(t, term, dialogs)
					term.Quit()
					return
				}
				k.Turn(term, func() {
					term.Send("/keepsake:reject " + one)
					term.Wait("keepsake: rejected " + one)
				})
				k.Turn(term, func() { term.Send("store drawer-one") })
				checkAttempts(t, l, attempt{"drawer-one", isRefused})

				two := no("drawer-two")
				before := k.Ended()
				term.Send("work slowly")
				l.Model.AwaitTail("work slowly")
				term.Interject("/keepsake:approve " + two)
				close(k.Held)
				passes()
				k.Await(term, before+2)
				checkKept(t, l, k, "drawer-one", "drawer-two")
				checkSettled(t, l, two, "slash", "stored", drawerID("drawer-two"))
				checkDialogs(t, term, dialogs)
				term.Quit()
			})
		})
	}
}

// What is approved is one call with these bytes, in the session that asked; an answer that is not taken says
// why.
func TestApprovedForThisCallAlone(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l, k, args := keeperLab(t, c)
		args = append(args, "--permission-mode", "default")
		term := l.Terminal(args...)
		term.Send("store drawer-one")
		term.WaitDialog()
		term.Answer("Escape")
		id := l.Waits("drawer-one")

		other := l.Terminal(args...)
		for typed, says := range map[string]string{
			"/keepsake:approve " + id:  "asked in another session",
			"/keepsake:reject " + id:   "asked in another session",
			"/keepsake:approve aaaaaa": "nothing of this id waits",
			"/keepsake:approve":        "the id is missing",
		} {
			k.Turn(other, func() {
				other.Send(typed)
				other.Wait("keepsake: nothing was answered[^\n]*(?:\n[^\n]*)?" + says)
			})
		}
		other.Quit()
		if s := l.Approvals(); len(s.Approved)+len(s.Rejected)+len(s.Waiting) != 0 {
			t.Errorf("%+v", s)
		}

		k.misfit = "s"
		term.Send("/keepsake:approve " + id)
		if screen := term.WaitDialog(); !strings.Contains(screen, "drawer-ones") {
			t.Errorf("the dialog does not show the changed text\n%s", screen)
		}
		term.Answer("Escape")
		checkKept(t, l, k)
		k.Turn(term, func() {
			term.Send("store drawer-one, drawer-one")
			term.WaitDialog()
			term.Answer("1")
		})
		checkKept(t, l, k, "drawer-one", "drawer-one")
		checkAttempts(t, l, attempt{"drawer-one", kept}, attempt{"drawer-one", kept})
		checkDialogs(t, term, 3)
		by := regexp.MustCompile(`slash.*dialog`)
		if s := l.Approvals().Ran(); len(s) != 2 || !by.MatchString(s[0].By+" "+s[1].By) {
			t.Errorf("settled: %+v", s)
		}
		term.Quit()
	})
}
