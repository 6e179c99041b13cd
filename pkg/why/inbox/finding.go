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

// A noticed statement is not saved.
type noticed struct {
	finding.Status
	denied bool // one that was said later turns against it
}

// findingsOf returns what was noticed in the project and is not settled: what is sure, then what may be worth
// keeping, then what belongs into the Markdown memories; the newest first.
func findingsOf(w *save.Saver) (all []noticed, err error) {
	book, err := w.Book()
	denied := session.Denied(book)
	for _, f := range slices.Backward(book.Waiting()) {
		all = append(all, noticed{f, denied[f.Number]})
	}
	slices.SortStableFunc(all, func(x, y noticed) int { return x.group() - y.group() })
	return all, err
}

// group is the place of the finding's group in the inbox.
func (f noticed) group() int {
	switch {
	case f.Moment != "":
		return 2
	case f.Level == finding.Sure:
		return 0
	}
	return 1
}

var findingGroups = [...]string{
	"Noticed, not saved (keepsake review goes through it; keepsake inbox approve or reject N):",
	"Perhaps worth keeping:",
	"For the Markdown memories (keepsake md note or keepsake md lesson keeps it):",
}

// findFinding returns the finding of a number, which waits.
func findFinding(w *save.Saver, number int) (t Thing, err error) {
	book, err := w.Book()
	f, ok := book.Find(number)
	switch {
	case !ok && err != nil:
		return t, err
	case !ok:
		return t, fmt.Errorf("[%d]: there is no such finding; hint: keepsake inbox lists what waits in "+
			"this project", number)
	case !f.State.Waits():
		return t, fmt.Errorf("[%d] waits no more: %s", number, f.Became())
	}
	return noticed{f, session.Denied(book)[number]}.thing(w), nil
}

func (f noticed) id() string { return fmt.Sprintf("[%d]", f.Number) }

// thing is the finding as it waits. A yes saves it in its own words; edited it is saved in the person's,
// which are a finding of their own, and the one that they began with goes into the same memory.
func (f noticed) thing(w *save.Saver) Thing {
	remember := func(ctx context.Context, text string) (Done, error) {
		p, r, err := w.RememberFinding(ctx, f.Status, text)
		return Done{Saved: &Saved{w.Session, p, r}}, err
	}
	t := Thing{ID: f.id(), Whole: f.whole(w.Now()), Approve: "Save this as it is?", Reject: "Drop this?",
		Review: "Save it as it is?", Keys: "ynelq", Unanswered: f.id() + stillWaits, w: w,
		name:  fmt.Sprintf("%d.md", f.Number),
		draft: func() (string, error) { return f.Text + "\n", nil },
		later: func(time.Time) (string, error) { return "later: " + f.id() + " waits on", nil },
	}
	if f.Moment != "" {
		t.Review, t.Keys = "Keep this waiting?", "nlq"
	}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if yes {
			return remember(ctx, f.Text)
		}
		return Done{Said: "rejected: " + f.id() + "; it is not offered again"}, w.MoveFindings(finding.Move{
			At: w.Now().UTC(), Act: finding.Reject, Numbers: []int{f.Number}, By: "person"})
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

// label is what the finding is.
func (f noticed) label() string {
	if f.Moment != "" {
		return strings.ToLower(f.Moment.Display())
	}
	return string(f.Category)
}

// line is one line of a list.
func (f noticed) line() string {
	line := fmt.Sprintf("%-6s %-11s \"%s\" (%s, %s)", f.id(), f.label(), inLine(f.Text),
		answer.WhoSaid(f.Finding), f.Time.Local().Format(time.DateOnly))
	if f.denied {
		line += "; something said later turns against it"
	}
	return line
}

// whole shows the statement with what explains it.
func (f noticed) whole(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, %s %s\n\n", f.id(), f.label(), answer.WhoSaid(f.Finding), ago(now.Sub(f.Time)))
	for _, l := range f.Context {
		who := "agent"
		switch {
		case l.By.Person():
			who = "user"
		case l.By == finding.Program:
			who = "program"
		}
		if l.Role != finding.Said {
			who += " (" + string(l.Role) + ")"
		}
		fmt.Fprintf(&b, "  %s: %s\n", who, text.Safe(text.OneLine(l.Text)))
	}
	fmt.Fprintf(&b, "  | %s\n", text.Safe(f.Text))
	if f.denied {
		b.WriteString("\nsomething that was said later turns against it\n")
	}
	if f.Branch != "" {
		fmt.Fprintf(&b, "\nbranch   %s\n", text.Safe(f.Branch))
	}
	return b.String()
}
