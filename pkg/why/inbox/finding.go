package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/text"
)

// A Finding was noticed in a conversation and is not saved.
type Finding struct {
	finding.Status
	Denied bool // one that was said later turns against it
	w      *save.Saver
}

// findingsOf returns what was noticed in the project and is not settled: what is sure, then what may be worth
// keeping, then what belongs into the Markdown memories; the newest first.
func findingsOf(w *save.Saver) (all []*Finding, err error) {
	book, err := w.Book()
	denied := session.Denied(book)
	for _, f := range slices.Backward(book.Waiting()) {
		all = append(all, &Finding{f, denied[f.Number], w})
	}
	slices.SortStableFunc(all, func(x, y *Finding) int { return x.group() - y.group() })
	return all, err
}

// group is the place of the finding's group in the inbox.
func (f *Finding) group() int {
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
func findFinding(w *save.Saver, number int) (Thing, error) {
	book, err := w.Book()
	f, ok := book.Find(number)
	switch {
	case !ok && err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("[%d]: there is no such finding; hint: keepsake inbox lists what waits in "+
			"this project", number)
	case !f.State.Waits():
		return nil, fmt.Errorf("[%d] waits no more: %s", number, BecameOf(f))
	}
	return &Finding{f, session.Denied(book)[number], w}, nil
}

// BecameOf says what became of a finding.
func BecameOf(f finding.Status) string {
	said := "it is " + strings.ReplaceAll(string(f.State), "_", " ")
	if f.To != "" {
		said += " as " + brief.Line(f.To)
	}
	return said
}

// ID returns the finding's number in brackets.
func (f *Finding) ID() string { return fmt.Sprintf("[%d]", f.Number) }

// Question returns what the person is asked.
func (f *Finding) Question(approve bool) (string, error) {
	if approve {
		return "Save this as it is?", nil
	}
	return "Drop this?", nil
}

// Review returns what a review asks.
func (f *Finding) Review() (question, keys string) {
	if f.Moment != "" {
		return "Keep this waiting?", "nlq"
	}
	return "Save it as it is?", "ynelq"
}

// Answer saves the finding in its own words, or sets it aside on the person's word.
func (f *Finding) Answer(ctx context.Context, yes bool) (Done, error) {
	if yes {
		return f.save(ctx, f.Text)
	}
	return Done{Said: "rejected: " + f.ID() + "; it is not offered again"}, f.w.MoveFindings(finding.Move{
		At: f.w.Now().UTC(), Act: finding.Reject, Numbers: []int{f.Number}, By: "person"})
}

// Draft returns the statement.
func (f *Finding) Draft() (name, text string, err error) {
	return fmt.Sprintf("%d.md", f.Number), f.Text + "\n", nil
}

// Edit saves what the person wrote: their words are a finding of their own, and the one that they began with
// goes into the same memory.
func (f *Finding) Edit(ctx context.Context, edited string) (Done, error) {
	edited = text.OneLine(edited)
	if err := checkEdited(f.ID(), fmt.Sprint(f.Number), edited, "it waits as it was"); err != nil {
		return Done{}, err
	}
	return f.save(ctx, edited)
}

func (f *Finding) save(ctx context.Context, text string) (Done, error) {
	p, r, err := f.w.RememberFinding(ctx, f.Status, text)
	return Done{Saved: &Saved{f.w.Session, p, r}}, err
}

// label is what the finding is.
func (f *Finding) label() string {
	if f.Moment != "" {
		return strings.ToLower(f.Moment.Display())
	}
	return string(f.Category)
}

// Line is one line of a list.
func (f *Finding) Line() string {
	line := fmt.Sprintf("%-6s %-11s \"%s\" (%s, %s)", f.ID(), f.label(), inLine(f.Text),
		answer.WhoSaid(f.Finding), f.Time.Local().Format(time.DateOnly))
	if f.Denied {
		line += "; something said later turns against it"
	}
	return line
}

// Whole shows the statement with what explains it.
func (f *Finding) Whole(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, %s %s\n\n", f.ID(), f.label(), answer.WhoSaid(f.Finding), ago(now.Sub(f.Time)))
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
	if f.Denied {
		b.WriteString("\nsomething that was said later turns against it\n")
	}
	if f.Branch != "" {
		fmt.Fprintf(&b, "\nbranch   %s\n", text.Safe(f.Branch))
	}
	return b.String()
}
