package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/gate/armed"
	"keepsake/pkg/gate/host"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// useOf returns the client's id of the call with a command.
func useOf(command string) string { return "toolu_" + hex.EncodeToString([]byte(command)) }

// guardedCall returns what the gate answers to a command in a project: its decision and what is said.
func guardedCall(t *testing.T, home, project, command string) (decision, said string) {
	t.Helper()
	args, _ := json.Marshal(map[string]string{"command": command})
	e := rules.Event{Tool: "Bash", Args: args, Session: "s1", Cwd: project, ProjectDir: project,
		UseID:      useOf(command),
		Transcript: filepath.Join(home, ".claude", "projects", "-p", "s1.jsonl")}
	c := host.Call(e)
	g := host.OpenGuards(e)
	c.Watch = g.Watch()
	v := host.Judge(e, c)
	got := g.Weigh(v, func() bool { return true }, time.Now())
	g.Note(got)
	if got.Decision == rules.Pass && v.Decision != rules.Pass {
		return v.Decision.String(), v.Reason
	}
	return got.Decision.String(), got.Reason + got.Say
}

// TestGuardFromRuleToAnEnd: a rule is said once a session by itself, stops once it is armed, and acts no more
// when the memory is retired or the person lifts it. Another guard in the memory lifts nothing.
func TestGuardFromRuleToAnEnd(t *testing.T) {
	home, project := homeAndProject(t)
	do := func(typed string, args ...string) string {
		t.Helper()
		out, errs, code := auditing(project, typed, nil, args...)
		if code != 0 {
			t.Fatalf("%v: exit %d\n%s%s", args, code, out, errs)
		}
		return out
	}
	is := func(command, decision, said string) {
		t.Helper()
		if d, s := guardedCall(t, home, project, command); d != decision || !strings.Contains(s, said) ||
			said == "" && s != "" {
			t.Errorf("%s: %s %q, want %s %q", command, d, s, decision, said)
		}
	}
	do("", "remember", "--as", "preference", "Use pnpm, not npm.")
	is("npm ci", "pass", `a rule of the person's is about this call: "Use pnpm, not npm"`)
	is("npm ci", "pass", "")
	is("pnpm i && ls", "pass", "")

	do("", "guard", "propose", "use-pnpm")
	is("npm ci", "pass", "")
	if _, _, code := auditing(project, "n\n", nil, "guard", "arm", "use-pnpm"); code != exitPerson {
		t.Errorf("a no arms: %d", code)
	}
	if _, errs, code := auditing(project, "y\n", errors.New("a client runs this"), "guard", "arm",
		"use-pnpm"); code != exitPerson || !strings.Contains(errs, "a client runs this") {
		t.Errorf("an agent arms: %d %s", code, errs)
	}
	is("npm ci", "pass", "")
	if out := do("y\n", "guard", "arm", "use-pnpm"); !strings.Contains(out,
		"armed: use-pnpm-not-npm stops `npm`") {
		t.Error(out)
	}
	is("cd web && env X=1 npm i", "deny", `the person's rule "Use pnpm, not npm" stops this call`)
	is("sudo npm i", "deny", "in a terminal: keepsake guard disarm use-pnpm-not-npm")
	is("echo npm", "pass", "")
	if out := do("", "guard"); !strings.Contains(out, "armed: stops `npm`") || !strings.Contains(out,
		"met 2 calls, last on ") || !strings.Contains(out, "0 told, 0 asked, 2 stopped") {
		t.Error(out)
	}

	// KEEPSAKE=off is the person's way out, too.
	t.Setenv("KEEPSAKE", "off")
	is("npm ci", "pass", "")
	t.Setenv("KEEPSAKE", "")

	// Another guard in the memory is none that the person armed, and lifts none.
	do("", "guard", "propose", "use-pnpm", "--does", "ask")
	is("npm ci", "deny", `the person's rule "Use pnpm, not npm" stops this call`)
	if out := do("", "guard"); !strings.Contains(out, "armed: stops `npm`") ||
		!strings.Contains(out, "proposed: asks before `npm`; keepsake guard arm use-pnpm-not-npm lets it") {
		t.Error(out)
	}
	do("y\n", "guard", "arm", "use-pnpm")
	is("npm ci", "ask", `your rule "Use pnpm, not npm" has a guard on this call`)
	packed, _ := filepath.Glob(filepath.Join(layout.Load().State, "*", "guards.packed"))
	if len(packed) != 1 || os.Rename(packed[0], packed[0]+".away") != nil {
		t.Fatal(packed)
	}
	if out := do("", "guard"); !strings.Contains(out, "does not act: the gate reads it when the next") {
		t.Error(out)
	}
	if err := os.Rename(packed[0]+".away", packed[0]); err != nil {
		t.Fatal(err)
	}
	do("", "records", "retire", "use-pnpm")
	is("npm ci", "pass", "")
	if out := do("", "guard"); !strings.Contains(out, "does not act: its memory was retired") {
		t.Error(out)
	}
	hint := "-> keepsake records restore use-pnpm-not-npm brings both back; keepsake guard disarm " +
		"use-pnpm-not-npm lets go of it"
	if out, _, _ := auditing(project, "", nil, "doctor"); !strings.Contains(out, hint) {
		t.Error(out)
	}
	do("", "records", "restore", "use-pnpm")
	is("npm ci", "ask", "Answer No")

	// Lifted right after it asked: an override. It is not said any more either.
	do("", "guard", "disarm", "use-pnpm")
	is("npm ci", "pass", "")
	if out := do("", "guard", "--json"); !strings.Contains(out, `"state": "off"`) ||
		!strings.Contains(out, `"lifted": 1`) {
		t.Error(out)
	}
	if _, _, code := auditing(project, "", errors.New("a client runs this"), "guard", "disarm",
		"use-pnpm"); code != exitPerson {
		t.Errorf("an agent disarms: %d", code)
	}
	for range 2 {
		do("y\n", "guard", "arm", "use-pnpm")
		is("npm ci", "ask", "Answer No")
		do("", "guard", "disarm", "use-pnpm")
	}
	do("y\n", "guard", "arm", "use-pnpm")
	if out := do("", "guard"); !strings.Contains(out,
		"you go on against it: drop it with keepsake guard disarm use-pnpm-not-npm") {
		t.Error(out)
	}
}

// TestGuardNeedsWhatRanBefore: the call is stopped until what it needs ran, in the same call or before.
func TestGuardNeedsWhatRanBefore(t *testing.T) {
	home, project := homeAndProject(t)
	for _, args := range [][]string{
		{"remember", "--as", "constraint", "Always run `make test` before committing."},
		{"guard", "propose", "always"}, {"guard", "arm", "always"}} {
		if out, errs, code := auditing(project, "y\n", nil, args...); code != 0 {
			t.Fatalf("%v: %s%s", args, out, errs)
		}
	}
	state := armed.Folder(layout.Load().Of(layout.Project(project, project).Home))
	for _, c := range []struct{ command, decision string }{
		{"git commit -m x", "deny"}, {"git commit -m x && make test", "deny"},
		{"make -n test && git commit -m x", "deny"}, {"make test; git commit -m x", "deny"},
		{"make test && git commit -m x", "pass"}, {"git commit -m x", "deny"}, // it did not come to its end
		{"make -n test", "pass"}, {"make -n test", "ends"}, {"git commit -m x", "deny"},
		{"make test", "pass"}, {"git commit -m x", "deny"}, {"make test", "ends"},
		{"git commit -m y", "pass"},
	} {
		if c.decision == "ends" { // as PostToolUse says
			if err := state.Finish(useOf(c.command), time.Now()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if d, s := guardedCall(t, home, project, c.command); d != c.decision ||
			d == "deny" && !strings.Contains(s,
				"`make test` has not succeeded in this session: run it first.") {
			t.Errorf("%s: %s %s", c.command, d, s)
		}
	}
}

// TestGuardOfARepository: what came with a repository proposes, and can't be armed before it is accepted; nor
// is it said by itself.
func TestGuardOfARepository(t *testing.T) {
	home, project := homeAndProject(t)
	dir := filepath.Join(project, ".claude", "memory", "preferences")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "never-git.json"), []byte(`{"schema_version": "1.3",
"category": "preference", "id": "never-git", "title": "Never run `+"`git status`"+`", "record_status": "active",
"created_at": "2026-11-20T09:00:00Z", "updated_at": "2026-11-20T09:00:00Z", "tags": ["x"],
"content": {"topic": "t", "value": "Never run `+"`git status`"+`", "reason": "r", "strength": "strong"},
"times_updated": 0, "guard": {"command": ["git"], "does": "deny"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	gitIn(t, project, "add", ".")
	gitIn(t, project, "commit", "-qm", "memories")
	out, errs, code := auditing(project, "y\n", nil, "guard", "list")
	if code != 0 || !strings.Contains(out, "proposed: stops `git`") || strings.Contains(out, "said once") {
		t.Errorf("%s%s", out, errs)
	}
	if _, errs, code := auditing(project, "y\n", nil, "guard", "arm", "never-git"); code == 0 ||
		!strings.Contains(errs, "waits for your yes") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if d, s := guardedCall(t, home, project, "git status"); d != "pass" || s != "" {
		t.Errorf("%s %s", d, s)
	}
}

// TestBrokenGuards: a packed file that can't be read stops no call, and is noted once it is met.
func TestBrokenGuards(t *testing.T) {
	home, project := homeAndProject(t)
	for _, args := range [][]string{{"remember", "--as", "preference", "Use pnpm, not npm."},
		{"guard", "propose", "use-pnpm"}, {"guard", "arm", "use-pnpm"}} {
		if _, errs, code := auditing(project, "y\n", nil, args...); code != 0 {
			t.Fatal(errs)
		}
	}
	state := layout.Load().Of(layout.Project(project, project).Home)
	packed := filepath.Join(string(state), "guards.packed")
	b, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packed, b[:len(b)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	if d, s := guardedCall(t, home, project, "npm ci"); d != "pass" || s != "" {
		t.Errorf("%s %s", d, s)
	}
	ledger, err := os.ReadFile(state.Ledger())
	if err != nil || !strings.Contains(string(ledger), "the guards could not be read, so none acted") {
		t.Errorf("%s, %v", ledger, err)
	}
	out, _, _ := auditing(project, "", nil, "doctor")
	if !strings.Contains(out, "the packed file of guards is broken") {
		t.Error(out)
	}
}
