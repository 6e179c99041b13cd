//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The client's own dialog: Yes stores once and is settled with the drawer's id; No, Esc and No with words
// store nothing, which is settled when the turn is over. A failure that MemPalace tells as an ordinary result
// is no success.
func TestApprovedInDialog(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l, k, args := keeperLab(t, c)
		term := l.Terminal(append(args, "--permission-mode", "default")...)

		k.Turn(term, func() {
			term.Send("store drawer-yes")
			term.WaitDialog()
			if n := len(l.Approvals().Settled); n != 0 {
				t.Errorf("%d calls are settled before the answer", n)
			}
			term.Answer("1")
		})
		checkAttempts(t, l, attempt{"drawer-yes", kept})
		done := l.Approvals().Settled
		if len(done) != 1 {
			t.Fatalf("settled: %+v", done)
		}
		checkSettled(t, l, done[0].ID, "dialog", "stored", drawerID("drawer-yes"))

		// No event tells of a No or an Esc; the list has it from the transcript at once.
		for key, name := range map[string]string{"3": "no", "Escape": "esc"} {
			term.Send("store drawer-" + name)
			term.WaitDialog()
			if n := len(l.Approvals().Waiting); n != 1 {
				t.Errorf("%d calls wait while the dialog is open", n)
			}
			term.Answer(key)
			term.until("the list knows of the no", func() bool { return len(l.Approvals().Waiting) == 0 })
		}
		k.Turn(term, func() {
			term.Send("store drawer-tab")
			term.WaitDialog()
			term.amend(2, "keep it shorter")
		})
		if tail := l.Model.Digest(); !strings.Contains(tail, "keep it shorter") {
			t.Errorf("the model did not hear why\n%s", tail)
		}
		checkKept(t, l, k, "drawer-yes")
		// by the hook at the turn's end
		term.until("the last no is settled", func() bool { return len(l.Approvals().Waiting) == 0 })
		noes := l.Approvals()
		if len(noes.Settled) != 4 || len(noes.Approved)+len(noes.Rejected)+len(noes.Waiting) != 0 {
			t.Fatalf("after three noes: %+v", noes)
		}
		for _, no := range noes.Settled[1:] {
			if no.By != "dialog" || no.Result != "not run" || len(no.Stored) != 0 {
				t.Errorf("a no is settled as %+v", no)
			}
		}

		k.Turn(term, func() {
			term.Send("store drawer-words")
			term.WaitDialog()
			term.amend(0, "and tell me its id")
		})
		checkKept(t, l, k, "drawer-yes", "drawer-words")
		checkSettled(t, l, l.Approvals().Ran()[1].ID, "dialog", "stored", drawerID("drawer-words"))

		k.Turn(term, func() {
			term.Send("store " + unstorable)
			term.WaitDialog()
			term.Answer("1")
		})
		if s := l.Approvals().Ran(); len(s) != 3 || s[2].Result != "failed" || s[2].By != "dialog" ||
			len(s[2].Stored) != 0 {
			t.Errorf("settled: %+v", s)
		}
		checkDialogs(t, term, 6)
		term.Quit()
	})
}

// After Stop made the agent go on, the person takes the turn for ended and types. A write into a palace then
// opens no dialog that their Enter could answer: it waits, and the list shows its text. Once the agent has
// their prompt, a dialog opens as always, also in the middle of that turn.
func TestNoDialogUnderTyping(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const held = "No dialog was opened: the person takes this turn for ended"
		l, k, args := keeperLab(t, c)
		l.Env["KEEPSAKE_CAPTURE_DRAFTERS"] = ""
		typed, late := make(chan struct{}), store("drawer-late")
		late.Hold = func() { <-typed }
		k.Continued = &late
		term := l.Terminal(append(args, "--permission-mode", "default")...)
		k.Turn(term, func() { term.Send("store drawer-first"); term.WaitDialog(); term.Answer("1") })
		term.Send(decided)
		l.Model.AwaitTail(askedToKeep.String())
		term.Interject("store drawer-next")
		close(typed)
		screen := term.WaitDialog()
		if _, asks, _ := strings.Cut(screen, "Tool use"); !strings.Contains(asks, `"drawer-next"`) {
			t.Errorf("another dialog\n%s", screen)
		}
		if n := len(l.Model.Tails(regexp.MustCompile(held))); n != 1 {
			t.Errorf("the agent was told %d times that a call waits\n%s", n, l.Model.Digest())
		}
		n := k.Ended()
		term.Answer("1")
		k.Await(term, n+1)
		checkKept(t, l, k, "drawer-first", "drawer-next")
		id := l.Waits("drawer-late")
		if list := l.inbox(); !strings.Contains(list, id) || !strings.Contains(list, `"drawer-late"`) {
			t.Errorf("the list does not show what waits\n%s", list)
		}
		k.redo = "late"
		k.Attacks["late"] = store("drawer-late").after(k.Palace)
		k.Turn(term, func() {
			term.Send("/keepsake:approve " + id)
			term.Wait("keepsake: approved " + id)
		})
		checkKept(t, l, k, "drawer-first", "drawer-next", "drawer-late")
		checkSettled(t, l, id, "slash", "stored", drawerID("drawer-late"))
		checkDialogs(t, term, 2)
		term.Quit()
	})
}

// amend goes down to a choice of the open dialog and adds words to it.
func (term *Terminal) amend(down int, words string) {
	term.t.Helper()
	for range down {
		term.Key("Down")
	}
	choice := regexp.MustCompile(fmt.Sprintf(`❯ %d\.`, down+1))
	term.until("the choice is marked", func() bool { return choice.MatchString(term.Screen()) })
	term.Key("Tab")
	term.until("the choice takes words", func() bool {
		return !strings.Contains(term.Screen(), "Tab to amend")
	})
	begun, wait := time.Now(), time.Duration(0)
	term.until("the words show", func() bool { // the dialog can lose what comes while it changes
		if strings.Contains(term.Screen(), words) {
			return true
		}
		if time.Since(begun) >= wait {
			term.Key("C-u")
			term.keys("-l", words)
			begun, wait = time.Now(), 2*wait+2*time.Second
		}
		return false
	})
	term.Answer("Enter")
}
