//go:build e2e

package e2e

import (
	"regexp"
	"testing"
)

// A turn can end before the client has written its prompt into the transcript. Nothing is lost by it: the
// next Stop finds what this one could not see, and tells it once.
func TestPromptWrittenLate(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver()
		l.Model.Before = nil
		term := l.Terminal("--permission-mode", "default")
		term.Send(decided)
		term.Wait(agreed)
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		term.Wait("Saved: ")
		checkSave(t, l, term)
		if n := len(l.Model.Tails(feedback)); n != 1 {
			t.Errorf("%d Stop feedbacks, want one\n%s", n, l.Model.Digest())
		}
		term.Quit()
	})
}

// The same in the last turn of a session: it waits for the next session.
func TestLastPromptWrittenLate(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Model.Mind("main", Match{}, Fixed(Say(agreed)))
		l.Model.Before = nil
		term := l.Terminal("--permission-mode", "default")
		term.Send(decided)
		term.Wait(agreed)
		term.Quit()
		if kept := l.staged(); len(kept) == 0 {
			t.Error("the decision is nowhere on the stage, nor among what waits")
		}
	})
}
