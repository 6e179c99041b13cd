package explain

import (
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

// TestFindingsOfEvents: what happened makes statements that no phrase makes.
func TestFindingsOfEvents(t *testing.T) {
	const lockOrQueue = "a: Should we fold it into the March release, or ship a separate patch release?\n"
	for name, c := range map[string]struct{ script, want string }{
		"refused for another way": {"p: go on\n$ go build\nr: can you use make for that instead?",
			"3 typed candidate decision: can you use make for that instead?\n"},
		"refused with a wish": {"p: go on\ne: main.go\nr: the flag goes into its own file please",
			"3 typed candidate decision: the flag goes into its own file please\n"},
		"refused with a question": {"p: go on\n$ go build\nr: is that tag still used anywhere?", ""},
		"refused with few words":  {"p: go on\n$ go build\nr: later please", ""},
		"refused for an errand":   {"p: go on\n$ go build\nr: run the linter first please", ""},
		"refused, heard by phrase": {"p: go on\n$ go build\nr: we decided to use make because of its " +
			"cache", "3 " +
			"typed sure decision: we decided to use make because of its cache\n"},

		"taken back": {"p: go on\na: The lease is in.\np: I've reverted that, keep the plain lock",
			"2 typed candidate decision: I've reverted that, keep the plain lock\n"},
		"taken back, and why": {"p: go on\na: The lease is in.\np: please put it back. It blocks every " +
			"reader.",
			"2 typed candidate decision: please put it back. It blocks every reader.\n"},
		"taken back by pointing": {"p: go on\na: The lease replaces the lock now.\np: ok, put it back",
			"2 typed candidate decision: ok, put it back — The lease replaces the lock now.\n"},
		"asked about taking back": {"p: go on\na: The lease is in.\np: what did you revert there?", ""},
		"a rebase":                {"p: undo the rebase, it has conflicts", ""},

		"fixed": {"p: run the tests\n$ go test ./x\nx> no such table\n" +
			"a: The issue is that the fixture doesn't run `migrate` before the store opens. I add it.\n" +
			"e: x_test.go\n" +
			"> ok\n$ go test ./x\n> ok", "3 agent candidate runbook: The issue is that the fixture " +
			"doesn't run " +
			"`migrate` before the store opens.\n"},
		"fixed without a cause": {"p: run the tests\n$ go test ./x\nx> no such table\na: Let me fix the " +
			"test.\n" +
			"e: x_test.go\n> ok\n$ go test ./x\n> ok", ""},
		"not fixed": {"p: run the tests\n$ go test ./x\nx> no such table\n" +
			"a: The issue is that the fixture doesn't run `migrate` before the store opens.\ne: " +
			"x_test.go\n> ok\n" +
			"$ go test ./x\nx> no such table", ""},
		"passes by itself": {"p: run the tests\n$ go test ./x\nx> timeout\n" +
			"a: The issue is that the server doesn't answer within a second here.\n$ go test ./x\n> ok", ""},

		"an option by its words": {"p: when?\n" + lockOrQueue + "p: let's do the separate patch then",
			"2 chosen candidate decision: let's do the separate patch then — ship a separate patch " +
				"release\n"},
		"words of both options": {"p: when?\n" + lockOrQueue + "p: hm, do the release then", ""},
		"a step by its words": {"p: look\na: What is left:\\n- Add a check to the start command\\n- Say " +
			"it in the docs" +
			"\np: let's add a check to the start command", "2 chosen candidate decision: let's add a " +
			"check to the " +
			"start command — Add a check to the start command\n"},
	} {
		t.Run(name, func(t *testing.T) {
			heard := hearWords(nil, script(c.script), triage.Options{})
			if got := show(heard); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			off := map[memory.Category]bool{memory.Decision: true, memory.Runbook: true}
			for _, h := range hearWords(nil, script(c.script), triage.Options{Off: off}) {
				t.Errorf("heard though it is off: %s", h.Text)
			}
		})
	}
}

// TestRefusalsHaveTheirCall: what was refused explains the person's words.
func TestRefusalsHaveTheirCall(t *testing.T) {
	heard := hearWords(nil, script("p: go on\n$ go build ./...\nr: can you use make for that instead?"),
		triage.Options{})
	want := finding.Line{By: finding.Agent, Role: finding.Question, Text: "Bash: go build ./..."}
	if len(heard) != 1 || len(heard[0].Context) == 0 || heard[0].Context[len(heard[0].Context)-1] != want {
		t.Fatalf("%+v", heard)
	}
}

// TestPlanChoices: a plan decides early, with a reason or under a heading that says so; its steps are work.
func TestPlanChoices(t *testing.T) {
	for plan, want := range map[string]string{
		"# Lock\n\n## Context\n\nTwo writers collide.\n\n## Steps\n\n1. Add a test\n2. Run it": "",
		"# Lock\n\n## Decisions\n\n- flock on the state file\n- no retries at all\n": "no retries at all|" +
			"flock on the state file",
		"# Lock\n\n## Approach\n\nOnly one writer holds the lock, because readers never wait.\n\n## " +
			"Tests\n\n" +
			"- Check that only one writer holds it\n": "Only one writer holds the lock, because readers " +
			"never wait.",
		"# Lock\n\nCurrently every writer waits, because there is one lock only.\n": "",
		"1. Use a watch instead of polling because it is cheaper\n2. Add tests for it": "Use a watch " +
			"instead of " +
			"polling because it is cheaper",
	} {
		var got []string
		for _, s := range planChoices(plan) {
			got = append(got, s.Text)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q\n got %q\nwant %q", plan, s, want)
		}
	}
}
