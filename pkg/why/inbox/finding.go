package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/text"
)

// A noticed is a finding that waits to be saved.
type noticed struct {
	finding.Status
	denied bool           // a later statement turns against it
	by     change.Subject // what was said later and against it, none without a Ref
}

// isSettled reports whether a memory takes the place of what the finding says, in words that were said later.
func (f noticed) isSettled() bool { return strings.HasSuffix(f.by.Ref, ".json") }

// against returns what was said later and against the finding, in words, "" for nothing.
func (f noticed) against() string {
	switch {
	case f.isSettled():
		return "settled since by " + text.Safe(f.by.Ref)
	case f.by.Ref != "":
		return "what was said later turns against it: [" + strings.TrimPrefix(f.by.Ref, "#") + "]"
	case f.denied:
		return "something said later turns against it"
	}
	return ""
}

// findings returns the findings of the project that wait: first the sure ones and those that agents
// propose, then what keepsake init found, best first, the others, and those for the Markdown memories. Where
// nothing says which is better, the newest comes first.
func (b *Inbox) findings(w *save.Saver) (all []noticed, err error) {
	book, err := w.Book()
	denied := session.Denied(book)
	by, oerr := b.overtakes(w)
	var many error
	for _, f := range slices.Backward(book.Waiting()) {
		n, err := newNoticed(f, denied, by)
		all, many = append(all, n), cmp.Or(many, err)
	}
	if many != nil {
		w.Note("%v", many)
	}
	slices.SortStableFunc(all, func(x, y noticed) int {
		if x.Imported && y.Imported && x.group() == y.group() { // init notes the best first
			return x.Number - y.Number
		}
		return x.group() - y.group()
	})
	return all, errors.Join(err, oerr)
}

// newNoticed returns a finding with what turns against it. by is that of session.Capture.Overtaken, nil
// where it is not known; its error is returned.
func newNoticed(f finding.Status, denied map[int]bool,
	by func(finding.Finding) (change.Subject, error)) (n noticed, err error) {
	n = noticed{Status: f, denied: denied[f.Number]}
	if by != nil && f.Category != "" {
		n.by, err = by(f.Finding)
	}
	return n, err
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
	by, err := b.overtakes(w)
	if err != nil {
		w.Note("what turns against it is not known: %v", err)
	}
	n, err := newNoticed(f, session.Denied(book), by)
	if err != nil {
		w.Note("%v", err)
	}
	return n.thing(b, w), nil
}

// Findings returns the findings that wait, in the order of the list.
func (b *Inbox) Findings() (all []Thing, err error) {
	w, err := b.Open()
	if err != nil {
		return nil, err
	}
	waiting, err := b.findings(w)
	for _, f := range waiting {
		all = append(all, f.thing(b, w))
	}
	return all, err
}

func (f noticed) id() string { return fmt.Sprintf("[%d]", f.Number) }

// thing returns the finding as a Thing. A yes saves the finding in its own words. An edited text is saved
// as a finding of the person's; the original finding goes into the same memory.
func (f noticed) thing(b *Inbox, w *save.Saver) Thing {
	answered := func(kept bool) { // the answer itself was taken, whatever becomes of what it teaches
		b.overtaken = nil
		if err := w.Answered(f.Finding, kept, w.Now()); err != nil {
			w.Note("%s: nothing was learned from your answer: %v", f.id(), err)
		}
	}
	undo := func(context.Context) (string, error) {
		b.overtaken = nil
		at, numbers := w.Now().UTC(), []int{f.Number}
		err := w.MoveFindings(finding.Move{At: at, Act: finding.TakeBack, Numbers: numbers, By: "person"},
			finding.Move{At: at, Act: finding.Reopen, Numbers: numbers, By: "person"})
		if err == nil {
			err = w.ForgetAnswers(numbers)
		}
		return f.id() + waitsAgain, err
	}
	var shown []string // of what a yes does, as the person saw it
	remember := func(ctx context.Context, text string, agree func([]string) error) (Done, error) {
		p, r, err := w.RememberFinding(ctx, f.Status, text, func(does save.Foreseen) error {
			return agree(effects(does))
		})
		if errors.Is(err, errUnanswered) {
			said := f.id() + stillWaits
			return Done{Said: said, Undo: func(context.Context) (string, error) { return said, nil }}, nil
		}
		if err == nil {
			answered(true)
		}
		d := Done{Saved: &Saved{w.Session, p, r}, Undo: undo}
		if len(r.Written.Edits) > 0 {
			d.Wrote = r.Written.Digest()
		}
		return d, err
	}
	view := func() (v View) {
		v, shown = f.view(b, w)
		return v
	}
	t := Thing{ID: f.id(), view: view,
		Approve: "Save this as it is?", Reject: "Drop this?",
		Review: "Save it as it is?", Keys: "ynelq", Unanswered: f.id() + stillWaits, w: w,
		name: fmt.Sprintf("%d.md", f.Number), finding: true,
		draft: func() (string, error) { return f.Text + "\n", nil },
		later: func(time.Time) (Done, error) { return Done{Said: "later: " + f.id() + " waits on"}, nil },
	}
	if f.Moment != "" {
		t.Review, t.Keys = "Keep this waiting?", "nlq"
	} else if f.isSettled() {
		t.Approve = "Save this all the same, though it was said before what settles it?"
		t.Review = "It is settled since. Save it all the same?"
	}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if yes {
			return remember(ctx, f.Text, func(does []string) error {
				if !slices.Equal(does, shown) {
					return fmt.Errorf("%s: what it would end is not what you were shown, so nothing was "+
						"done; hint: look at it again", f.id())
				}
				return nil
			})
		}
		err := w.MoveFindings(finding.Move{At: w.Now().UTC(), Act: finding.Reject, Numbers: []int{f.Number},
			By: "person"})
		if err == nil {
			answered(false)
		}
		return Done{Said: "rejected: " + f.id() + "; it is not offered again", Undo: undo}, err
	}
	t.edit = func(ctx context.Context, edited string, sure Sure) (Done, error) {
		edited = text.OneLine(edited)
		if err := checkEdited(f.id(), fmt.Sprint(f.Number), edited, "it waits as it was"); err != nil {
			return Done{}, err
		}
		return remember(ctx, edited, func(does []string) error {
			if len(does) > 0 && !sure(strings.Join(does, "\n"), "Save it with that?") {
				return errUnanswered
			}
			return nil
		})
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
	said := `"` + inLine(f.Text) + `"`
	if f.Text == "" {
		said = "shown to the person only"
	}
	line := fmt.Sprintf("%-6s %-11s %s (%s, %s)", f.id(), f.label(), said, answer.WhoSaid(f.Finding),
		f.Time.Local().Format(time.DateOnly))
	if against := f.against(); against != "" {
		line += "; " + against
	}
	return line
}

// errUnanswered means that the person was asked and did not say yes.
var errUnanswered = errors.New("it was not answered")

// DoesToo stands above what a yes does beside what it is asked for.
const DoesToo = "a yes does more than save it:"

// effects returns what a yes does to other memories and findings, in lines.
func effects(does save.Foreseen) (lines []string) {
	for _, e := range save.Replaced(does.Plan.Plan, does.Plan.Upkeep) {
		lines = append(lines, "  "+brief.Replaces(e))
	}
	if t := does.Turned.Finding; t.Ref != "" {
		lines = append(lines, fmt.Sprintf("  takes back [%s], which waits: %s",
			strings.TrimPrefix(t.Ref, "#"), inLine(t.Text)))
	}
	return lines
}
