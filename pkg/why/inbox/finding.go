package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/text"
)

// A noticed is a finding that waits to be saved.
type noticed struct {
	finding.Status
	denied bool // a later statement turns against it
}

// findingsOf returns the findings of the project that wait: first the sure ones and those that agents
// propose, then what keepsake init found, the others, and those for the Markdown memories; in each group the
// newest first.
func findingsOf(w *save.Saver) (all []noticed, err error) {
	book, err := w.Book()
	denied := session.Denied(book)
	for _, f := range slices.Backward(book.Waiting()) {
		all = append(all, noticed{f, denied[f.Number]})
	}
	slices.SortStableFunc(all, func(x, y noticed) int { return x.group() - y.group() })
	return all, err
}

// group returns the index of the finding's group in findingGroups.
func (f noticed) group() int {
	switch {
	case f.Moment != "":
		return 3
	case f.Imported:
		return 1
	case f.Level == finding.Sure || f.Cue == session.Proposed:
		return 0
	}
	return 2
}

var findingGroups = [...]string{
	"Noticed, not saved (keepsake review goes through it; keepsake inbox approve or reject N):",
	"Found by keepsake init (keepsake review goes through it; keepsake inbox approve or reject N):",
	"Perhaps worth keeping:",
	"For the Markdown memories (keepsake md note or keepsake md lesson keeps it):",
}

// findFinding returns the waiting finding with a number.
func findFinding(b *Inbox, w *save.Saver, number int) (t Thing, err error) {
	book, err := w.Book()
	f, ok := book.Find(number)
	switch {
	case !ok && err != nil:
		return t, err
	case !ok:
		return t, fmt.Errorf("[%d]: there is no such finding; hint: keepsake inbox lists what waits in "+
			"this project", number)
	case !f.State.Waits():
		return t, fmt.Errorf("[%d] no longer waits: %s", number, f.Became())
	}
	return noticed{f, session.Denied(book)[number]}.thing(b, w), nil
}

func (f noticed) id() string { return fmt.Sprintf("[%d]", f.Number) }

// thing returns the finding as a Thing. A yes saves the finding in its own words. An edited text is saved
// as a finding of the person's; the original finding goes into the same memory.
func (f noticed) thing(b *Inbox, w *save.Saver) Thing {
	answered := func(kept bool) { // the answer itself was taken, whatever becomes of what it teaches
		if err := w.Answered(f.Finding, kept, w.Now()); err != nil {
			w.Note("%s: nothing was learned from your answer: %v", f.id(), err)
		}
	}
	undo := func(context.Context) (string, error) {
		at, numbers := w.Now().UTC(), []int{f.Number}
		err := w.MoveFindings(finding.Move{At: at, Act: finding.TakeBack, Numbers: numbers, By: "person"},
			finding.Move{At: at, Act: finding.Reopen, Numbers: numbers, By: "person"})
		if err == nil {
			err = w.ForgetAnswers(numbers)
		}
		return f.id() + waitsAgain, err
	}
	remember := func(ctx context.Context, text string) (Done, error) {
		p, r, err := w.RememberFinding(ctx, f.Status, text)
		if err == nil {
			answered(true)
		}
		return Done{Saved: &Saved{w.Session, p, r}, Undo: undo}, err
	}
	t := Thing{ID: f.id(), view: func() View { return f.view(b, w) },
		Approve: "Save this as it is?", Reject: "Drop this?",
		Review: "Save it as it is?", Keys: "ynelq", Unanswered: f.id() + stillWaits, w: w,
		name:  fmt.Sprintf("%d.md", f.Number),
		draft: func() (string, error) { return f.Text + "\n", nil },
		later: func(time.Time) (Done, error) { return Done{Said: "later: " + f.id() + " waits on"}, nil },
	}
	if f.Moment != "" {
		t.Review, t.Keys = "Keep this waiting?", "nlq"
	}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if yes {
			return remember(ctx, f.Text)
		}
		err := w.MoveFindings(finding.Move{At: w.Now().UTC(), Act: finding.Reject, Numbers: []int{f.Number},
			By: "person"})
		if err == nil {
			answered(false)
		}
		return Done{Said: "rejected: " + f.id() + "; it is not offered again", Undo: undo}, err
	}
	t.edit = func(ctx context.Context, edited string) (Done, error) {
		edited = text.OneLine(edited)
		if err := checkEdited(f.id(), fmt.Sprint(f.Number), edited, "it waits as it was"); err != nil {
			return Done{}, err
		}
		return remember(ctx, edited)
	}
	return t
}

// label returns the finding's category or moment.
func (f noticed) label() string {
	if f.Moment != "" {
		return strings.ToLower(f.Moment.Display())
	}
	return string(f.Category)
}

// line returns the finding's line in a list.
func (f noticed) line() string {
	line := fmt.Sprintf("%-6s %-11s \"%s\" (%s, %s)", f.id(), f.label(), inLine(f.Text),
		answer.WhoSaid(f.Finding), f.Time.Local().Format(time.DateOnly))
	if f.denied {
		line += "; something said later turns against it"
	}
	return line
}
