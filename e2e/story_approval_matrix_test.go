//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// modes are the client's permission modes.
var modes = []string{"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"}

// matrix runs a story in every permission mode of every client.
func matrix(t *testing.T, story func(t *testing.T, c Client, mode string)) {
	t.Parallel()
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			eachClient(t, func(t *testing.T, c Client) { story(t, c, mode) })
		})
	}
}

// delegates says that a subagent can be started here: in plan and auto mode the newer client first asks a
// server of its maker, which no story reaches.
func delegates(c Client, mode string) bool {
	return c.Version == "2.1.197" || mode != "plan" && mode != "auto"
}

// In every mode a call opens a dialog in the terminal, also over a rule that allows it; Yes stores, No
// stores nothing. After a No the person may still approve it by the slash command: then the same call passes
// without a dialog. It asks again if it was changed after the approval, if it is made twice, or if its
// approval is too old. A subagent and a skill with a rule that allows the tool ask too, and so does a
// command in the background if the mode shows the gate's question for commands. An answer typed while a turn
// runs counts when the turn is over. A rejected call is denied without a dialog. In plan mode 2.1.329 asks
// by itself what a hook allows. Bypass mode allows all without a rule, so there is none.
func TestEveryModeAsks(t *testing.T) {
	matrix(t, func(t *testing.T, c Client, mode string) {
		l, k, args := keeperLab(t, c)
		if mode != "bypassPermissions" {
			l.Settings(map[string]any{"permissions": map[string]any{"allow": []string{addDrawer, "Agent"}}})
		}
		mined := k.others(l)
		term := l.Terminal(append(args, "--permission-mode", mode)...)
		dialogs := 0
		asks := func(key string, shows ...string) {
			t.Helper()
			screen := term.WaitDialog()
			for _, want := range append(shows, "permanent memory write") {
				if !strings.Contains(screen, want) {
					t.Errorf("the dialog does not show %q\n%s", want, screen)
				}
			}
			term.Answer(key)
			dialogs++
		}
		passes := func() { // what was approved
			if mode == "plan" && c.Version != "2.1.197" { // it asks by itself
				term.WaitDialog()
				term.Answer("1")
				dialogs++
			}
		}
		no := func(content string) string {
			t.Helper()
			term.Send("store " + content)
			asks("Escape", content, "shop-wing", "queue-room")
			return l.Waits(content)
		}

		one := no("drawer-one")
		checkKept(t, l, k)
		k.misfit = "s"
		term.Send("/keepsake:approve " + one)
		term.Wait("keepsake: approved " + one)
		asks("Escape", "drawer-ones")
		checkKept(t, l, k)
		term.Send("store drawer-one, drawer-one")
		passes()
		asks("Escape", "drawer-one")
		checkKept(t, l, k, "drawer-one")
		checkSettled(t, l, one, "slash", "stored", drawerID("drawer-one"))
		if again := l.Waits("drawer-one"); again != one {
			t.Errorf("the same call of the same session is first %s and then %s", one, again)
		}

		late := no("drawer-late")
		l.AtTerminal([]string{"approve", late}, "y")
		l.expire(late)
		no("drawer-late")

		rejected := no("drawer-no")
		k.Turn(term, func() {
			term.Send("/keepsake:reject " + rejected)
			term.Wait("keepsake: rejected " + rejected)
		})
		k.Turn(term, func() { term.Send("store drawer-no") })
		checkAttempts(t, l, attempt{"drawer-no", isRefused})

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

		k.Turn(term, func() {
			term.Send("store drawer-yes")
			asks("1", "drawer-yes")
		})
		all := []string{"drawer-one", "drawer-two", "drawer-yes"}
		checkKept(t, l, k, all...)

		term.Send("/hoard")
		asks("Escape", "drawer-skill")
		if itself := mode == "bypassPermissions" || mode == "auto"; itself {
			k.Turn(term, func() { term.Send("please try mine") })
		} else {
			term.Send("please try mine")
			asks("Escape", "mempalace mine")
		}
		if l.Exists(mined) {
			t.Error("a palace was mined in the background")
		}

		if delegates(c, mode) {
			term.Send("delegate drawer-helper")
			asks("1", "drawer-helper", "from the general-purpose agent")
			k.errand(term, 1)
			all = append(all, "drawer-helper")
		}
		checkKept(t, l, k, all...)
		checkDialogs(t, term, dialogs)
		term.Quit()
	})
}

// If nobody can be asked, every call is denied and waits, in every mode: the agent's own, a subagent's, one
// of a skill with a rule that allows the tool, a command in the background. Reads pass. What is approved in
// a terminal runs once, with these bytes, in time. A rejected call stays denied. In plan mode 2.1.329 runs
// no such call at all.
func TestEveryModeDenies(t *testing.T) {
	matrix(t, func(t *testing.T, c Client, mode string) {
		l, k, args := keeperLab(t, c)
		l.Settings(map[string]any{"permissions": map[string]any{"allow": []string{addDrawer, search,
			"Agent"}}})
		mined := k.others(l)
		k.Attacks["search"] = Call(search, map[string]any{"query": "queue"}).after(k.Palace)
		args = append(args, "--permission-mode", mode)
		talk := l.Talk(args...)
		session := talk.Say("store drawer-one, drawer-late, drawer-no").SessionID
		checkAttempts(t, l, attempt{"drawer-one", waits}, attempt{"drawer-late", waits},
			attempt{"drawer-no", waits})
		for _, prompt := range []string{"delegate drawer-helper", "/hoard", "please try mine",
			"please try search"} {
			talk.Say(prompt)
		}
		talk.End()
		checkKept(t, l, k)
		if l.Exists(mined) {
			t.Error("a palace was mined in the background")
		}
		plan := mode == "plan" && c.Version != "2.1.197"
		if found := len(l.Model.Tails(regexp.MustCompile("nothing found"))); found != 1 && !plan {
			t.Errorf("the search did not pass\n%s", l.Model.Digest())
		}

		ids := []string{l.Waits("drawer-one"), l.Waits("drawer-late"), l.Waits("drawer-skill")}
		yes, all := kept, []string{"drawer-one", "drawer-skill"}
		prompts := []string{"/hoard"}
		if delegates(c, mode) {
			ids, all, prompts = append(ids, l.Waits("drawer-helper")), append(all, "drawer-helper"),
				append(prompts, "delegate drawer-helper")
		}
		commands := 0
		for _, s := range l.Approvals().Waiting {
			switch helps := s.Args.Content == "drawer-helper"; {
			case s.Args.Content == "": // the command
				commands++
				if mode == "bypassPermissions" { // others deny a command that no rule allows
					ids, prompts = append(ids, s.ID), append(prompts, "please try mine")
				}
			case helps != (s.Agent == "general-purpose"):
				t.Errorf("%+v", s)
			}
		}
		if commands != 1 {
			t.Errorf("%d commands wait\n%s", commands, l.Model.Digest())
		}
		if plan {
			yes, all = "plan mode", nil
		}
		l.AtTerminal(append([]string{"approve"}, ids...), strings.Split(strings.Repeat("y", len(ids)), "")...)
		l.AtTerminal([]string{"reject", l.Waits("drawer-no")}, "y")
		l.expire(ids[1])
		talk = l.Talk(append(args, "--resume", session)...)
		talk.Say("store drawer-ones, drawer-one, drawer-one, drawer-late, drawer-no")
		checkAttempts(t, l, attempt{"drawer-ones", waits}, attempt{"drawer-one", yes},
			attempt{"drawer-one", waits}, attempt{"drawer-late", waits}, attempt{"drawer-no", isRefused})
		for _, prompt := range prompts {
			talk.Say(prompt)
		}
		talk.End()
		checkKept(t, l, k, all...)
		if ran := l.Exists(mined); ran != (mode == "bypassPermissions") {
			t.Errorf("the command ran: %v\n%s", ran, l.Model.Digest())
		}
	})
}

// A promotion that a subagent or a skill asks for, or one for the background, is put to the person like the
// main agent's: the dialog shows the text whole, No keeps nothing, Yes keeps it once. Headless it waits for
// the terminal.
func TestOthersPromote(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l, k, args := keeperLab(t, c)
		id, cheap, again := l.noted(settledWhy), l.noted(costs), l.noted(retries)
		promote := l.keepsake() + " promote "
		k.Attacks["errand"] = Bash(promote + id)
		k.Attacks["headless"] = Bash(promote + again)
		k.Attacks["behind"] = Bash(promote + cheap)
		k.Attacks["behind"].Blocks[0].Input["run_in_background"] = true
		l.Write(filepath.Join(l.Project, ".claude", "skills", "keep", "SKILL.md"),
			"---\nname: keep\ndescription: Keeps a note.\nallowed-tools: Bash(*)\n---\n\nNow please try "+
				"behind it.\n")

		term := l.Terminal(append(args, "--permission-mode", "default")...)
		shows := func(text string) {
			t.Helper()
			if screen := squeezed(term.WaitDialog()); !strings.Contains(screen, "permanentmemorywrite") ||
				!strings.Contains(screen, squeezed(text)) {
				t.Errorf("the dialog does not show %q\n%s", text, term.Screen())
			}
		}
		for i, key := range []string{"Escape", "1"} {
			term.Send([]string{"/keep", "please try behind"}[i])
			shows(costs)
			term.Answer(key)
		}
		term.until("the command has promoted", func() bool {
			return len(l.promoted()) == 1 && len(l.Approvals().Ran()) == 1
		})
		checkPromoted(t, l, costs)

		for i, key := range []string{"Escape", "1"} {
			term.Send("delegate drawer-errand")
			shows("Decided to use Postgres, not SQLite.")
			if !strings.Contains(term.Screen(), "from the general-purpose agent") {
				t.Errorf("the dialog does not say who asks\n%s", term.Screen())
			}
			term.Answer(key)
			if key == "Escape" {
				checkPromoted(t, l, costs)
			}
			if c.Backgrounds() { // it is told that the subagent has ended
				term.Wait(strings.Repeat(`Agent "keep a text" finished[\s\S]*That was turn[\s\S]*`, i+1))
			}
		}
		term.until("the subagent has promoted", func() bool {
			return len(l.promoted()) == 2 && len(l.Approvals().Ran()) == 2
		})
		checkPromoted(t, l, costs, settledWhy)
		checkDialogs(t, term, 4)
		term.Quit()

		args = append(args, "--permission-mode", "bypassPermissions")
		l.Headless("delegate drawer-headless", args...)
		waiting := l.Approvals().Waiting
		if len(waiting) != 1 || waiting[0].Agent != "general-purpose" {
			t.Fatalf("waiting: %+v\n%s", waiting, l.Model.Digest())
		}
		checkPromoted(t, l, costs, settledWhy)
		l.AtTerminal([]string{"approve", waiting[0].ID}, "y")
		talk := l.Talk(args...)
		for range 2 {
			talk.Say("delegate drawer-headless")
			checkPromoted(t, l, costs, settledWhy, retries)
		}
		talk.End()
	})
}
