package explain

import (
	"strings"
	"testing"
)

const (
	twoWays = "There are two ways:\n\n1. **Postgres**: jobs survive a restart\n2. **SQLite**: one file, " +
		"one writer\n\nWhich one do you prefer?"
	options = "### Option A: keep the cache\n\nIt stays as it is.\n1. nothing to do\n\n### Option B: drop " +
		"the cache\n\nOne thing less.\n1. delete it\n2. measure\n\nThoughts?"
	bullets = "Where should the limit live? The options are:\n- in the proxy\n- in the service\n- in " +
		"both\n\nWhat do you prefer?"
	steps  = "Done:\n1. Added the table\n2. Fixed the tests\n\nAll tests pass."
	next   = "Next steps:\n1. Run the tests\n2. Commit the change\n\nWhich one first?"
	menu   = "| 1 | Fix login |\n1. Fix login\n2. Rename it\n\nReply with a number to view details."
	inline = "Should the flag be (a) on for everybody, or (b) on for new users only?"
	nested = "Option 1: one table\n  - simple\nOption 2: a table each\n  - fast\n\nI'd take option 1. " +
		"What do you think?"
)

// TestResolvePicks: what a message takes of the options before it; "" is nothing.
func TestResolvePicks(t *testing.T) {
	for _, c := range []struct {
		agent, person, want string
		sure                bool
	}{
		{twoWays, "2", "SQLite: one file, one writer", false},
		{twoWays, "2.", "SQLite: one file, one writer", false},
		{twoWays, "2 please", "SQLite: one file, one writer", false},
		{twoWays, "2, but put it in /var", "SQLite: one file, one writer", true},
		{twoWays, "1. just keep the old file", "Postgres: jobs survive a restart", true},
		{twoWays, "ok, option 2, detail view only for now", "SQLite: one file, one writer", true},
		{twoWays, "go with the second option", "SQLite: one file, one writer", true},
		{twoWays, "Let's go with the first one because jobs matter.",
			"Postgres: jobs survive a restart", true},
		{twoWays, "the first", "Postgres: jobs survive a restart", true},
		{twoWays, "I'd take the last one", "SQLite: one file, one writer", true},
		{twoWays, "let's do the latter", "SQLite: one file, one writer", true},
		{twoWays, "the former, please", "Postgres: jobs survive a restart", true},
		{twoWays, "let's try 2", "SQLite: one file, one writer", true},
		{twoWays, "No, go with 1.", "Postgres: jobs survive a restart", true},
		{twoWays, "Thanks for the overview! Let's use option 1.", "Postgres: jobs survive a restart", true},
		{twoWays, "I think 2 is the right approach.", "SQLite: one file, one writer", true},
		{twoWays, "both", "Postgres: jobs survive a restart; SQLite: one file, one writer", true},
		{twoWays, "1 and 2", "Postgres: jobs survive a restart; SQLite: one file, one writer", false},
		{twoWays, "1+2", "Postgres: jobs survive a restart; SQLite: one file, one writer", false},
		{twoWays, "SQLite", "SQLite: one file, one writer", true},
		{twoWays, "let's go with sqlite please", "SQLite: one file, one writer", true},
		{options, "B", "drop the cache: One thing less.", true},
		{options, "option b", "drop the cache: One thing less.", true},
		{options, "go with A", "keep the cache: It stays as it is.", true},
		{options, "the second one", "drop the cache: One thing less.", true},
		{nested, "option 2", "a table each", true},
		{bullets, "the second one", "in the service", true},
		{inline, "b", "on for new users only", false},
		{inline, "let's do (a)", "on for everybody", true},
		{"Should we use Postgres or SQLite?", "the latter", "SQLite", true},

		{twoWays, "2 tests fail now", "", false},
		{twoWays, "3", "", false},
		{twoWays, "1 is broken", "", false},
		{twoWays, "not the second one", "", false},
		{twoWays, "why option 2?", "", false},
		{twoWays, "What about the second option?", "", false},
		{twoWays, "the first test fails", "", false},
		{twoWays, "first, run the tests", "", false},
		{twoWays, "use 2 workers", "", false},
		{twoWays, "don't do 1", "", false},
		{twoWays, "if we go with 2 it breaks", "", false},
		{twoWays, "go with a queue", "", false},
		{twoWays, "a test for it is missing", "", false},
		{twoWays, "yes", "", false},
		{twoWays, "1. fix the tests\n2. commit", "", false},
		{twoWays, "where does sqlite keep it?", "", false},
		{twoWays, "sqlite was slow last time we had it in production", "", false},
		{steps, "2", "", false},
		{steps, "the table is fine", "", false},
		{next, "1", "", false},
		{next, "do 2", "", false},
		{menu, "2", "", false},
		{"No list here.", "2", "", false},
		{"```\n1. a thing\n2. another\n```\nWhich one?", "2", "", false},
		{"", "2", "", false},
	} {
		r, ok := Resolve(c.agent, c.person)
		if r.Text != c.want || ok != (c.want != "") || r.Sure != c.sure || ok && r.Cue != Picked {
			t.Errorf("%q to %.40q: %q (%s) sure %v, want %q, %v", c.person, c.agent, r.Text, r.Cue, r.Sure,
				c.want, c.sure)
		}
	}
}

// TestResolveAgreements: what a yes agrees to; "" is nothing.
func TestResolveAgreements(t *testing.T) {
	for _, c := range []struct {
		agent, person, want string
		sure                bool
	}{
		{"The lock is slow. Should I switch to flock?", "yes", "Should I switch to flock?", false},
		{"Should we use Postgres instead of SQLite?", "yes please",
			"Should we use Postgres instead of SQLite?", true},
		{"Want me to replace the poller with a watch, which is simpler?", "Yep, do it.",
			"Want me to replace the poller with a watch, which is simpler?", true},
		{"I'd keep the old name in the API. Sound good?", "sounds good",
			"I'd keep the old name in the API.", false},
		{"I'd go with `SessionFileExtension()` — thoughts?", "yes, let's do that",
			"I'd go with `SessionFileExtension()` — thoughts?", false},
		{"A better approach would be to write it once. Want me to make that change?", "yes",
			"A better approach would be to write it once.", false},
		{"I recommend one queue per tenant.", "agreed", "I recommend one queue per tenant.", false},
		{"I suggest we drop old Node. Is that ok?", "ok, go ahead", "I suggest we drop old Node.", false},

		{"We could use it instead. That is cleaner. Want me to update the code to use `io.Discard` instead?",
			"yes please", "Want me to update the code to use `io.Discard` instead?", true},
		{"A cleaner approach would be to keep the type. Want me to update it to be explicit?",
			"yes, keep what was there", "A cleaner approach would be to keep the type.", false},

		{"Shall I run the tests?", "yes", "", false},
		{"Should I run the tests again because one was flaky?", "yes", "", false},
		{"Recommendation\n\nWant me to do this?", "yes", "", false},
		{"Should I commit this?", "yes", "", false},
		{"Want me to commit these?", "yes please, and comment on all issues", "", false},
		{"Should I go ahead?", "yes", "", false},
		{"Ready to push. Would you like me to push?", "yes", "", false},
		{"Should I move on to the next task?", "yes", "", false},
		{"Should I keep it or drop it?", "yes", "", false},
		{"Do you want me to check the logs?", "go ahead", "", false},
		{"Want me to add direct unit tests for these edge cases?", "yes", "", false},
		{"Do you know if it was main?", "yes, that was it", "", false},
		{"Should I switch to flock?", "no", "", false},
		{"Should I switch to flock?", "not yet", "", false},
		{"Should I switch to flock?", "what is flock?", "", false},
		{"Should I switch to flock?", "ok and do I need the secret for it?", "", false},
		{"The tests pass now.", "great, thanks", "", false},
		{"The tests pass now.", "yes", "", false},
		{"I fixed the parser and ran the tests.", "perfect", "", false},
	} {
		r, ok := Resolve(c.agent, c.person)
		if r.Text != c.want || ok != (c.want != "") || r.Sure != c.sure || ok && r.Cue != Agreed {
			t.Errorf("%q to %q: %q (%s) sure %v, want %q, %v", c.person, c.agent, r.Text, r.Cue, r.Sure,
				c.want, c.sure)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, agent := range []string{twoWays, options, bullets, steps, menu, inline, nested} {
		for _, person := range []string{"2", "go with the second option", "the latter", "B", "yes, do that",
			"1+2", "both"} {
			f.Add(agent, person)
		}
	}
	f.Fuzz(func(t *testing.T, agent, person string) {
		r, ok := Resolve(agent, person)
		if ok != (r.Text != "") && ok && r.Cue == "" {
			t.Fatalf("%+v", r)
		}
		// It takes nothing that was not there.
		if ok && r.Cue == Agreed && !strings.Contains(oneLine(strings.ToValidUTF8(agent, "")),
			oneLine(r.Text)) {
			t.Fatalf("%q was never proposed in %q", r.Text, agent)
		}
	})
}
