package triage

import (
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

func TestCloses(t *testing.T) {
	for _, s := range []string{
		"done", "Done.", "done!", "OK, done", "Great, thanks, done.", "finished", "Finished!", "next",
		"Next.", "next, please", "ok next", "Next: the exporter", "That's done, next.", "that’s done",
		"Perfect. Let's move on.", "let's move on to the exporter",
		"Done with the importer. Now the exporter.", "We're done with the login page, thanks",
		"all done here, thanks", "Moving on to the docs.", "on to the next one", "That's it for today.",
		"The importer is done.", "The tests are all done now, next topic", "Looks good. That's it.",
		"ok great, the migration is finished", "We're finished with the importer.",
		`Done. Now the button "Next".`, "```\nok\n```\nDone.",
		"We decided on Postgres because of jsonb.\nThe rest is clear.\nThat's finished, next.",
	} {
		if !Closes(s, false) {
			t.Errorf("%q closes nothing", s)
		}
		if log := strings.Repeat("a line of a log that was pasted\n", 90); !Closes(log+s, false) {
			t.Errorf("%q closes nothing below a log", s)
		}
	}
	for _, s := range []string{
		"", " ", "...", "not done yet", "we're not done", "when you're done, run the tests",
		"once that is done, commit", "if it's done, commit", "Are we done?", "done?", "is it done",
		"Is the importer done?", "let me know when the importer is done", "tell me which are done",
		"done, but the tests fail", "it's done, except the docs", "the importer is not done",
		"the importer isn't done", "it is almost done", "make sure it is done", "What is next?",
		"next to the header", "Put the button next to the header.", "add a next button",
		"run next build", "The next step is the exporter", "What has to be done", "get it done",
		"I want this done by Friday", "the job is never finished", "Use done: true in the config",
		"mark tasks that are done", "rename finished to completed", "check that all are done",
		"next.js is the framework", "finished_at is null", "How is it done?",
		`Add a button labelled "Done"`, `"done"`, "```\ndone\n```\nWhy does it print that",
		"Why does it print that\n```\nall done\n```\n",
		"done is better than perfect as they say in that book", "call `done` at the end of the test",
		"Please fix the parser.\nIt fails on empty input.\nThe upload is done in chunks of five.\nAdd a " +
			"test for it.\nThen run all of them.",
	} {
		if Closes(s, false) {
			t.Errorf("%q closes a topic", s)
		}
	}
}

// TestDoneIsAnAnswer: "done" closes nothing if the agent waits for the person.
func TestDoneIsAnAnswer(t *testing.T) {
	for _, said := range []string{
		"The config is written. Please restart the server and tell me when it is up.",
		"You’ll need to add the key to `.env`.", "Let me know once you've logged in.",
		strings.Repeat("Much was said before. ", 40) + "Could you run the migration on staging?",
	} {
		if !Awaits(said) {
			t.Errorf("%q awaits nothing", said)
		}
	}
	for _, said := range []string{
		"", "All tests pass. Let me know if you want anything else.", "Should the exporter keep the header?",
		"I restarted the server.",
		"Please run the tests first. " + strings.Repeat("I have done that myself meanwhile. ", 20),
	} {
		if Awaits(said) {
			t.Errorf("%q awaits something", said)
		}
	}
	for s, want := range map[string]bool{
		"done": false, "Done!": false, "I'm done with it": false, "the key is in place, done": false,
		"the migration is done": false, "all finished": false,
		"done, next topic": true, "next": true, "done. Let's move on to the exporter": true,
		"ok, that's it for today": true,
	} {
		if got := Closes(s, true); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// FuzzCloses: one sentence that is a question closes nothing.
func FuzzCloses(f *testing.F) {
	f.Add("Great, done: next")
	f.Add("that’s it—for (now)")
	f.Fuzz(func(t *testing.T, s string) {
		closes := Closes(s, false)
		if !strings.ContainsAny(s, ".!?\n") && Closes(s+" ?", false) {
			t.Errorf("%q closes a topic as a question, %v without", s, closes)
		}
	})
}

func TestEnded(t *testing.T) {
	little, enough := Activity{Tools: 2, Distinct: 2, Exchanges: 4, Turns: 2},
		Activity{Tools: 6, Distinct: 3, Exchanges: 4, Turns: 2}
	for _, tt := range []struct {
		a            Activity
		closed, card bool
		want         bool
	}{
		{Activity{}, true, true, false},
		{Activity{Exchanges: 4, Turns: 2}, true, true, false},
		{little, true, true, true},
		{little, true, false, false},
		{enough, true, false, true},
		{enough, false, false, false},
		{Activity{Tools: 40, Distinct: 5, Exchanges: 60, Turns: 30}, false, false, false},
		{Activity{Tools: 41, Distinct: 5, Exchanges: 60, Turns: 3}, false, false, true},
		{Activity{Exchanges: 62, Turns: 31}, false, false, true},
	} {
		if got := Ended(tt.a, tt.closed, tt.card, Options{}); got != tt.want {
			t.Errorf("%+v, %v, %v: %v", tt.a, tt.closed, tt.card, got)
		}
	}
	off := Options{Off: map[memory.Category]bool{memory.SessionSummary: true}}
	if Ended(Activity{Tools: 99, Turns: 99}, true, true, off) {
		t.Error("switched off")
	}
}
