package triage

import (
	"slices"
	"testing"

	"keepsake/pkg/memory"
)

func kinds(ps []Passage) (found []memory.Moment) {
	for _, m := range read(ps, Options{}).Moments {
		found = append(found, m.Kind)
	}
	return found
}

// TestMoments has sentences for each moment, and others that only look like one.
func TestMoments(t *testing.T) {
	for _, c := range []struct {
		want memory.Moment // "" if there is none
		text string
	}{
		{memory.Progress, "Phase 2 is done, all invoices are in the new table."},
		{memory.Progress, "Milestone reached: the first customer is on the new billing."},
		{memory.Progress, "we shipped the importer yesterday"},
		{memory.Progress, "The migration is done."},
		{memory.Progress, "we're blocked until legal signs the contract"},
		{memory.Progress, "The release is delayed, the vendor needs two more weeks."},
		{memory.Progress, "The deadline moved to 12 December."},
		{memory.Progress, "new deadline: end of January"},
		{memory.Progress, "The project is on hold until spring."},
		{memory.Progress, "We went live this morning!"},
		{"", "done"},
		{"", "Done. All tests pass and the page renders."},
		{"", "The request is blocked by CORS."},
		{"", "the thread is blocked on the mutex until the write ends"},
		{"", "This task is blocked by the review."},
		{"", "The callback is delayed by 500 ms."},
		{"", "Is the migration done?"},
		{"", "Once the migration is done we can drop the column."},
		{"", "The migration is not done yet."},
		{"", "When phase 2 is done, tell me."},
		{"", "If the deadline moved, show a badge."},
		{"", "show the text 'Milestone reached' in the toast"},
		{"", "add a deadline field to the form"},
		{"", "The job is finished when the queue is empty."},

		{memory.Entity, "Our new contact at Stripe is Dana Reyes."},
		{memory.Entity, "Maria took over from Jens as our account manager."},
		{memory.Entity, "Tom joined the team, he does the frontend."},
		{memory.Entity, "her email is dana@example.com"},
		{memory.Entity, "the slack channel for incidents is #ops-red"},
		{memory.Entity, "we now use Linear, Jira is gone"},
		{memory.Entity, "our account number is 4711-22"},
		{memory.Entity, "We moved from Jira to Linear last week."},
		{memory.Entity, "fyi we've switched our CI to Buildkite"},
		{"", "Have we moved from npm to pnpm?"},
		{"", "What breaks if we switched our CI to Buildkite?"},
		{"", "The account is locked after three tries."},
		{"", "The user's email is required."},
		{"", "add a new contact form to the page"},
		{"", "create a new account for the tests"},
		{"", "who is the contact for billing?"},
		{"", "Replace the contact component."},
		{"", "the thread takes over when the first one ends"},

		{memory.Pattern, "One gotcha: the CLI reads the config of the folder it starts in."},
		{memory.Pattern, "Lesson learned: rotate the token before the deploy."},
		{memory.Pattern, "Rewriting the parser was a detour, the flag was there all along."},
		{memory.Pattern, "I found a better way: let the database do the grouping."},
		{memory.Pattern, "Watch out for the cache, it survives a restart."},
		{memory.Pattern, "Next time we run the dry run first."},
		{memory.Pattern, "The better approach is to stream the file."},
		{memory.Pattern, "Contrary to the docs, the flag is read once at start."},
		{"", "gotcha, thanks"},
		{"", "gotcha!"},
		{"", "find a better way to do this"},
		{"", "Is there a better way?"},
		{"", "next time the cron runs it will be empty"},
		{"", "The page has a lesson list and a detour sign."},
		{"", "I could not find a gotcha."},

		{memory.Correction, "That's wrong, the total has to include tax."},
		{memory.Correction, "no, that's not what I asked for"},
		{memory.Correction, "You forgot the tests again."},
		{memory.Correction, "I told you to leave the lock file alone."},
		{memory.Correction, "Redo it, this time without the helper."},
		{memory.Correction, "please undo that"},
		{memory.Correction, "I'm not happy with this layout."},
		{memory.Correction, "you keep adding comments"},
		{memory.Correction, "stop doing that"},
		{"", "The redo button does nothing."},
		{"", "implement undo and redo"},
		{"", "Is that wrong?"},
		{"", "if that's wrong, tell me"},
		{"", "The log says that the checksum is wrong."},
		{"", "try again"},
		{"", "did you forget the tests?"},
		{"", "the error message says \"that's wrong\""},
	} {
		got := kinds(person(c.text))
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%q: moments %v, want %q", c.text, got, c.want)
		}
	}
}

// TestMomentsOfTheAssistant: the assistant's reports on its own work are no milestones, and it cannot know of
// people or corrections.
func TestMomentsOfTheAssistant(t *testing.T) {
	for _, c := range []struct {
		want memory.Moment
		text string
	}{
		{"", "Phase 2 is done."},
		{"", "Our new contact at Stripe is Dana Reyes."},
		{"", "You're right, that's wrong. I told you so."},
		{"", "Let me find a better way to do this."},
		{memory.Pattern, "One gotcha: the config is read from the folder that the CLI starts in."},
		{"", "The migration is done. The rollout is complete. We went live at noon."},
	} {
		got := kinds(assistant(c.text))
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%q: moments %v, want %q", c.text, got, c.want)
		}
	}
}

func TestMomentsOff(t *testing.T) {
	if n := read(person("Phase 2 is done."), Options{NoMoments: true}); len(n.Moments) > 0 {
		t.Errorf("%+v", n.Moments)
	}
}

// TestNearly: candidates near the threshold of their category are told from others.
func TestNearly(t *testing.T) {
	o := Options{Thresholds: map[memory.Category]float64{memory.Decision: 0.75}}
	for score, want := range map[float64]bool{0.8: true, 0.62: true, 0.5: false} {
		if got := o.Nearly(Statement{Category: memory.Decision, Score: score}); got != want {
			t.Errorf("%.2f: %v", score, got)
		}
	}
	if o.Nearly(Statement{Moment: memory.Moments()[0], Score: 1}) {
		t.Error("a moment")
	}
}
