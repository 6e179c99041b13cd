//go:build e2e

package e2e

import (
	"strings"
	"testing"
)

// A rule of the person's is said once to Codex CLI's model, and stops its calls and patches once the person
// armed it in a terminal. What must be asked is stopped there. What a rule needs counts once it has run
// without a failure, and only a person lifts a guard.
func TestCodexGuard(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	c := l.Codex()
	l.Write(l.Project+"/Makefile", "test:\n\ttrue\nrelease:\n\ttouch released\n")
	for _, rule := range []string{"Use pnpm, not npm.", "Do not touch `db/migrations/`.",
		"Always run `make test` before `make release`."} {
		if said := l.AtTerminal([]string{"remember", "--as", "preference", rule}); !strings.Contains(said,
			"Saved: preference") {
			t.Fatal(said)
		}
	}
	var s codexScript
	run := func(command string) codexTurn { return s.does(codexShell(command)) }
	const rule = `a rule of the person's is about this call: "Use pnpm, not npm`
	asked := c.Exec("workspace-write", "install it", run("true"), run("cd . && env X=1 npm --version"),
		run("npm --version"), s.does(codexSays("Done.")))
	last := asked[len(asked)-1].Text()
	if n := strings.Count(last, rule); n != 1 || strings.Contains(asked[1].Text(), rule) {
		t.Errorf("the rule was said %d times\n%s\n%s", n, last, l.failures())
	}

	for _, id := range []string{"use-pnpm", "do-not", "always"} {
		l.AtTerminal([]string{"guard", "propose", id})
		if screen := l.AtTerminal([]string{"guard", "arm", id}, "y"); !strings.Contains(screen, "armed: ") {
			t.Fatal(screen)
		}
	}
	s.told = nil
	c.Exec("workspace-write", "install it", run("sh -c 'npm ci'"),
		s.does(codexPatch("*** Begin Patch\n*** Add File: db/migrations/1.sql\n+select 1;\n*** End Patch\n")),
		run("rm -rf db"), run("make release"), run("make -n test"), run("make release"),
		run("make test"), run("make release"), run(l.keepsake()+" guard disarm use-pnpm"),
		s.does(codexSays("Done.")))
	if len(s.told) != 10 {
		t.Fatalf("%q", s.told)
	}
	for i, want := range []string{
		1: `the person's rule "Use pnpm, not npm" stops this call`,
		2: "no dialog is shown here", 3: "no dialog is shown here",
		4: "`make test` has not succeeded in this session: run it first", 5: "",
		6: "`make test` has not succeeded in this session: run it first", 9: "only the person",
	} {
		if !strings.Contains(s.told[i], want) {
			t.Errorf("call %d came to %q, want %q\n%s", i, s.told[i], want, l.failures())
		}
	}
	if !strings.Contains(s.told[1], "keepsake guard disarm use-pnpm-not-npm") {
		t.Errorf("it is not said how to lift it: %q", s.told[1])
	}
	if !l.Exists(l.Project + "/released") {
		t.Errorf("what it needs ran, and it is stopped: %q", s.told[8])
	}
	if l.Exists(l.Project + "/db/migrations/1.sql") {
		t.Error("the patch was applied")
	}
	screen := l.AtTerminal([]string{"guard", "list"})
	for _, want := range []string{"armed: stops `npm`", "armed: asks before changes of `db/migrations/`",
		"armed: stops `make release` unless `make test` ran before", "met 2 calls"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the list has not %q\n%s", want, screen)
		}
	}
}
