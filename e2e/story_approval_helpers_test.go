//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A subagent's store opens the same dialog as the main agent's, in the foreground and in the background.
// After a No the person can approve it, and the subagent that is sent again stores without a dialog. A skill
// with a rule of its own and a command in the background are treated alike.
func TestOthersAsk(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l, k, args := keeperLab(t, c)
		mined := k.others(l)
		term := l.Terminal(append(args, "--permission-mode", "default")...)
		for i, send := range []string{"delegate", "leave"} {
			content := "drawer-" + send
			term.Send(send + " " + content)
			if screen := term.WaitDialog(); !strings.Contains(screen, "permanent memory write") ||
				!strings.Contains(screen, "from the general-purpose agent") {
				t.Errorf("the dialog does not say that a subagent asks\n%s", screen)
			}
			term.Answer("1")
			k.errand(term, 2*i+1)
			var all []string
			for _, o := range l.Approvals().Ran() {
				all = append(all, o.By+" "+o.Result+" "+strings.Join(o.Stored, ","))
			}
			if want := "dialog stored " + drawerID(content); len(all) != 2*i+1 || all[2*i] != want {
				t.Errorf("settled %q, want %q in the end", all, want)
			}

			again := content + "-again"
			term.Send(send + " " + again)
			term.WaitDialog()
			term.Answer("3")
			id := l.Waits(again)
			l.AtTerminal([]string{"approve", id}, "y")
			term.Send(send + " " + again)
			k.errand(term, 2*i+2)
			checkSettled(t, l, id, "terminal", "stored", drawerID(again))
		}
		checkKept(t, l, k, "drawer-delegate", "drawer-delegate-again", "drawer-leave", "drawer-leave-again")

		for _, typed := range []string{"/hoard", "please try mine"} {
			term.Send(typed)
			if screen := term.WaitDialog(); !strings.Contains(screen, "permanent memory write") {
				t.Errorf("another dialog for %s\n%s", typed, screen)
			}
			term.Answer("Escape")
		}
		checkKept(t, l, k, "drawer-delegate", "drawer-delegate-again", "drawer-leave", "drawer-leave-again")
		if l.Exists(mined) {
			t.Error("a palace was mined in the background")
		}
		checkDialogs(t, term, 6)
		term.Quit()
	})
}

// others gives the project a skill that stores and that its own rule allows to, and the model a command that
// mines a palace in the background. It returns the file that is there once one was mined.
func (k *Keeper) others(l *Lab) (mined string) {
	l.t.Helper()
	l.Write(filepath.Join(l.Project, ".claude", "skills", "hoard", "SKILL.md"),
		"---\nname: hoard\ndescription: Keeps what it is told.\nallowed-tools: "+addDrawer+
			"\n---\n\nNow store drawer-skill.\n")
	mined = filepath.Join(l.Root, "mined")
	l.WriteProgram(filepath.Join(l.Root, "tools", "mempalace"), "#!/bin/sh\ntouch '"+mined+"'\n")
	l.Env["PATH"] = filepath.Join(l.Root, "tools") + ":" + systemPath()
	mine := Bash("mempalace mine .")
	mine.Blocks[0].Input["run_in_background"] = true
	k.Attacks["mine"] = mine
	return mined
}

// errand waits until n errands of subagents have ended with a call that was made.
func (k *Keeper) errand(term *Terminal, n int) {
	term.t.Helper()
	stored := regexp.MustCompile(`\[result\] \{"success": true`)
	term.until("a subagent has stored", func() bool {
		ended := 0
		for _, r := range term.lab.Model.Answered("helper") {
			if stored.MatchString(r.Tail()) {
				ended++
			}
		}
		return ended >= n
	})
}
