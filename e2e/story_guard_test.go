//go:build e2e

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// pleaseRun is how a person has the model run a command.
var pleaseRun = regexp.MustCompile(`please run (.+?)( now)?$`)

// runner is the mind of a model that runs what the person names, once.
func runner(r *Request) Reply {
	for l := range strings.Lines(r.Tail()) {
		if m := pleaseRun.FindStringSubmatch(strings.TrimSpace(l)); m != nil {
			return Bash(m[1])
		}
	}
	return Say("That is done.")
}

// TestGuard: a rule of the person's is said once, is armed by them, stops and asks, and acts no more when
// they lift it.
func TestGuard(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Model.Mind("main", Match{}, runner)
		args := []string{"--allowedTools", "Bash"}
		// told counts the results of calls with which the model read some words.
		told := func(words string) int { return len(l.Model.Tails(regexp.MustCompile(words))) }
		shows := func(screen string, all ...string) {
			t.Helper()
			for _, want := range all {
				if !strings.Contains(screen, want) {
					t.Errorf("the terminal does not show %q\n%s", want, screen)
				}
			}
		}
		const said = `a rule of the person's is about this call: .{0,2}"Use pnpm, not npm`
		shows(l.AtTerminal([]string{"remember", "--as", "preference", "Use pnpm, not npm."}),
			"Saved: preference")
		talk := l.Talk(args...)
		talk.Say("please run true")
		if told(said) != 0 {
			t.Errorf("said at another call\n%s", l.Model.Digest())
		}
		talk.Say("please run cd . && env X=1 npm i")
		if told(said) == 0 {
			t.Errorf("not said\n%s", l.Model.Digest())
		}

		shows(l.AtTerminal([]string{"guard", "propose", "use-pnpm"}), "stops `npm`")
		shows(l.AtTerminal([]string{"guard", "test", "use-pnpm"}),
			"would have fired once in 30 days: 0 you corrected, "+
				"1 was fine", "env X=1 npm i")
		talk.Say("please run " + l.keepsake() + " guard arm use-pnpm")
		if told("only the person approves: keepsake guard arm") == 0 {
			t.Errorf("the agent may arm\n%s", l.Model.Digest())
		}
		shows(l.AtTerminal([]string{"guard", "arm", "use-pnpm"}, "y"), "armed: use-pnpm-not-npm stops `npm`")
		const stopped = `the person's rule "Use pnpm, not npm" stops this call`
		talk.Say("please run sh -c 'npm ci' now")
		if told(stopped) == 0 {
			t.Errorf("not stopped\n%s", l.Model.Digest())
		}
		talk.End()

		l.AtTerminal([]string{"guard", "propose", "use-pnpm", "--does", "ask"})
		shows(l.AtTerminal([]string{"guard", "arm", "use-pnpm"}, "y"), "asks before `npm`")
		term := l.Terminal("--permission-mode", "default")
		term.Send("please run npm ci")
		term.Wait(`your rule "Use pnpm, not npm" has a guard on this call`)
		term.Key("Escape")
		term.close()
		shows(l.AtTerminal([]string{"guard", "list"}), "armed: asks before `npm`",
			"met 1 call", "0 told, 1 asked, 0 stopped")

		shows(l.AtTerminal([]string{"guard", "disarm", "use-pnpm"}), "disarmed: use-pnpm-not-npm")
		before := told(stopped) + told(said)
		l.Headless("please run npm ci", args...)
		if told(stopped)+told(said) != before {
			t.Errorf("it acts still\n%s", l.Model.Digest())
		}
	})
}
