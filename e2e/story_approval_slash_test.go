//go:build e2e

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

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
