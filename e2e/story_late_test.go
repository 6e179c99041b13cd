//go:build e2e

package e2e

import (
	"strings"
	"testing"
)

// A turn can end before the client has written its prompt into the transcript: here the model answers at
// once. Nothing is lost: the next Stop finds what this one could not see. If the first Stop did see the
// prompt, which depends on the client's timing, it speaks at once. Either way the agent is told once.
func TestPromptWrittenLate(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver()
		l.Model.Before = nil
		term := l.Terminal("--permission-mode", "default")
		term.Send(decided)
		term.until("the first Stop hook ends", func() bool {
			paths := l.Transcripts()
			return len(paths) == 1 && strings.Contains(l.Read(paths[0]), "stop_hook_summary")
		})
		if strings.Contains(l.Read(l.Transcripts()[0]), "<triage_data_file>/") {
			t.Log("the first Stop saw the prompt")
		} else {
			term.Send(thanks)
		}
		term.Wait(closing)
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
