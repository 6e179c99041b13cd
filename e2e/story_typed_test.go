//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// In 2.1.197 no hook gets as a prompt what a person types while the model works. It is noticed nevertheless.
func TestTypedWhileTheModelWorks(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		build, typed := filepath.Join(l.Root, "tools", "build"), filepath.Join(l.Root, "typed")
		l.WriteProgram(build, "#!/bin/sh\nuntil [ -e "+quote(typed)+" ]; do sleep 0.1; done\n")
		l.Settings(map[string]any{"permissions": map[string]any{"allow": []string{"Bash(sh " + build + ")"}}})
		const work = "Wait a moment for the build, then go on."
		s := l.saver()
		ordinary := s.Chat
		s.Chat = func(r *Request) Reply {
			if strings.Contains(r.Tail(), work) {
				return Bash("sh " + build)
			}
			return ordinary(r)
		}
		term := l.Terminal("--permission-mode", "default")
		term.Send(work)
		term.Wait(regexp.QuoteMeta(build))
		term.Interject(decided)
		l.Write(typed, "")
		term.Wait(closing)
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		checkSave(t, l, term)
		if n := len(l.Model.Tails(feedback)); n != 1 {
			t.Errorf("%d Stop feedbacks, want one\n%s", n, l.Model.Digest())
		}
		term.Quit()
	})
}

// A session that goes on in a new client is not looked at again from its beginning.
func TestResumedSession(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver()
		term := l.Terminal("--permission-mode", "default")
		term.Send(decided)
		term.Wait(closing)
		term.Quit()

		term = l.Terminal("--permission-mode", "default", "--continue")
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		term.Send("And good night.")
		term.Wait("I do not know")
		checkSave(t, l, term)
		if n := len(l.Model.Tails(feedback)); n != 1 {
			t.Errorf("%d Stop feedbacks, want one\n%s", n, l.Model.Digest())
		}
		term.Quit()
	})
}
