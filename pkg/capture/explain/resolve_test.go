package explain

import (
	"fmt"
	"strings"
	"testing"

	"keepsake/pkg/text"
)

const (
	twoWays = "There are two ways:\n\n1. **Postgres**: jobs survive a restart\n2. **SQLite**: one file, " +
		"one writer\n\nWhich one do you prefer?"
	options = "### Option A: keep the cache\n\nIt stays as it is.\n1. nothing to do\n\n### Option B: drop " +
		"the cache\n\nOne thing less.\n1. delete it\n2. measure\n\nThoughts?"
	bullets = "Where should the limit live? The options are:\n- in the proxy\n- in the service\n- in " +
		"both\n\nWhat do you prefer?"
	steps   = "Done:\n1. Added the table\n2. Fixed the tests\n\nAll tests pass."
	next    = "Next steps:\n1. Run the tests\n2. Commit the change\n\nWhich one first?"
	menu    = "| 1 | Fix login |\n1. Fix login\n2. Rename it\n\nReply with a number to view details."
	letters = "Two ways: A) flock, no server needed. B) Redis, faster. Which one?"
	inline  = "Should the flag be (a) on for everybody, or (b) on for new users only?"
	nested  = "Option 1: one table\n  - simple\nOption 2: a table each\n  - fast\n\nI'd take option 1. " +
		"What do you think?"
)

// TestResolvePicks: what a message takes of the options before it; "" is nothing.
func TestResolvePicks(t *testing.T) {
	for _, c := range []struct {
		agent, person, want string
		sure                bool
	}{
		{twoWays, "2", "SQLite: one file, one writer", true},
		{twoWays, "2.", "SQLite: one file, one writer", true},
		{letters, "B", "Redis, faster", true},
		{letters, "2", "Redis, faster", true},
		{"A) flock\nB) Redis\n\nWhich one?", "2", "Redis", true},
		{"A) flock\nB) Redis\n\n1. now\n2. tomorrow, which one?", "A", "flock", true},
		{twoWays, "2 please", "SQLite: one file, one writer", true},
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
		{inline, "b", "on for new users only", true},
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
			"I'd keep the old name in the API.", true},
		{"I'd go with `SessionFileExtension()` — thoughts?", "yes, let's do that",
			"I'd go with `SessionFileExtension()` — thoughts?", false},
		{"A better approach would be to write it once. Want me to make that change?", "yes",
			"A better approach would be to write it once.", true},
		{"I recommend one queue per tenant.", "agreed", "I recommend one queue per tenant.", true},
		{"I suggest we drop old Node. Is that ok?", "ok, go ahead", "I suggest we drop old Node.", true},

		{"We could use it instead. That is cleaner. Want me to update the code to use `io.Discard` instead?",
			"yes please", "Want me to update the code to use `io.Discard` instead?", true},
		{"A cleaner approach would be to keep the type. Want me to update it to be explicit?",
			"yes, keep what was there", "A cleaner approach would be to keep the type.", true},

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

// TestLasting: a bare number is a choice worth keeping where the agent asks what is to be,
// and none where it asks how to go on. The rule was made with the first 20, of the next 20
// it took 5 for choices that are none, and with what those taught all of the last 12 right.
func TestLasting(t *testing.T) {
	const list = "\n\n1. %s\n2. %s\n\n"
	for _, c := range []struct {
		before, first, second, question string
		sure                            bool
	}{
		{"There are two databases that would do:", "Postgres", "SQLite",
			"Which database should we use?", true},
		{"I finished the parser.", "Write the docs", "Add the benchmarks",
			"What would you like me to do next?", false},
		{"", "tabs", "spaces", "Which one do you prefer for indentation?", true},
		{"Two execution options:", "One agent for each task", "All tasks in this window",
			"Which approach?", false},
		{"We have two options for the session store:", "signed cookies", "a table in Postgres",
			"Which should it be?", true},
		{"Three tests fail.", "the parser test", "the lexer test", "Which one should I look at?", false},
		{"There are two ways to version the API:", "in the path", "in a header", "Thoughts?", true},
		{"", "Fix the flaky test", "Rename the package", "Which of these do you want me to fix first?",
			false},
		{"The cache can live in two places:", "in each process", "in Memcached",
			"Where should the cache live? Which option do you prefer?", true},
		{"I can go on in two ways:", "I'll run the suite again", "I'll open the pull request",
			"Which one?", false},
		{"Possible names:", "billing", "invoices", "Which name should the package have?", true},
		{"Options:", "Commit now", "Squash and then commit", "Which option?", false},
		{"There are two approaches for retries:", "exponential backoff with jitter", "a fixed delay",
			"Which approach do you prefer?", true},
		{"Which should we start with?", "the importer", "the exporter", "Which one?", false},
		{"Alternatives for the error format:", "problem+json", "our own envelope",
			"Which one should the API return?", true},
		{"Done. What now?", "Review the diff", "Stop here", "Which option?", false},
		{"", "feature flags in the config", "feature flags in a service",
			"Which of the two do you want?", true},
		{"Both bugs are in the tracker.", "bug 12", "bug 17", "Which one should I debug?", false},
		{"There are two licences to choose from:", "MIT", "Apache-2.0",
			"Which licence should we take?", true},
		{"How shall I proceed?", "Apply the patch", "Show the patch", "Which option?", false},

		{"For the queue there are two choices:", "Redis streams", "RabbitMQ",
			"Which one should we go with?", true},
		{"Remaining tasks:", "update the changelog", "bump the version", "Which one should I tackle?", false},
		{"", "REST", "GraphQL", "Which style should the public API have?", true},
		{"I found two suspicious commits.", "a1b2c3", "d4e5f6", "Which one should I investigate?", false},
		{"There are two ways to store money:", "integer cents", "decimal strings",
			"Which way do you prefer?", true},
		{"", "Deploy to staging", "Deploy to production", "Which one do you want me to do?", false},
		{"The options for auth are:", "sessions", "JWT", "What do you prefer?", true},
		{"Your call:", "continue with phase two", "wait for review", "Which option?", false},
		{"Approaches for the migration:", "dual writes", "a maintenance window",
			"Which approach should we take?", true},
		{"I could clean up now.", "remove the dead code", "leave it for later", "Which one?", false},
		{"There are two layouts:", "one repository", "a repository per service",
			"Which layout should we adopt?", true},
		{"Shall I?", "yes, run it", "no, skip it", "Which option?", false},
		{"Where should uploads go? There are two options:", "S3", "the local disk", "Which one?", true},
		{"Two files need changes.", "parser.go", "lexer.go", "Which file should I open?", false},
		{"Alternatives:", "strict mode by default", "strict mode behind a flag", "Which should it be?", true},
		{"Next steps:", "write the tests", "write the docs", "Which one do you prefer?", false},
		{"For dates we have two options:", "UTC everywhere", "local time with offset",
			"Which do you prefer?", true},
		{"I need a decision on today's work:", "the login page", "the settings page",
			"Which one today?", false},
		{"There are two candidates for logging:", "slog", "zap", "Which library should we use?", true},
		{"Two reviewers are free.", "Anna", "Peter", "Which one should review this?", false},

		{"Where do secrets live? Two options:", "the vault", "encrypted files in the repository",
			"Which one do you want?", true},
		{"Remaining work items", "finish the importer", "polish the CLI", "Which one?", false},
		{"", "camelCase", "snake_case", "Which should the JSON fields be in?", true},
		{"Before I go on:", "rerun the failed job", "ignore the failure", "Which option?", false},
		{"There are two ways to page:", "offsets", "cursors", "Which one should the API have?", true},
		{"I can look into one of them:", "the memory leak", "the slow query", "Which one?", false},
		{"For mails there are two approaches:", "send in the request", "send from a queue",
			"What do you think?", true},
		{"Which environment should I deploy to?", "staging", "production", "Which one?", false},
		{"We can support two runtimes:", "Node 20", "Node 22", "Which version should be the minimum?", true},
		{"Two branches conflict.", "keep main's version of the file", "keep the branch's version of the file",
			"Which version should I keep?", false},
		{"The schema could be owned by", "the API", "the worker", "Which of them should own it?", true},
		{"Which log should I show you?", "the server log", "the client log", "Which one?", false},
	} {
		agent := c.before + fmt.Sprintf(list, c.first, c.second) + c.question
		if r, ok := Resolve(agent, "2"); (ok && r.Sure) != c.sure || c.sure && r.Text != c.second {
			t.Errorf("2 to %q, %q: %+v, want sure %v", c.before, c.question, r, c.sure)
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
		if ok && r.Cue == Agreed && !strings.Contains(text.OneLine(strings.ToValidUTF8(agent, "")),
			text.OneLine(r.Text)) {
			t.Fatalf("%q was never proposed in %q", r.Text, agent)
		}
	})
}
