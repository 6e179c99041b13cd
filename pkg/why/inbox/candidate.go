package inbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/scratch"
	"keepsake/pkg/text"
	"keepsake/pkg/why/candidate"
)

// candidateThing returns the Thing for a memory-keeper's candidate. Editing changes the text that would
// be written, and not the note that it comes from.
func candidateThing(w *save.Saver, c candidate.Candidate) Thing {
	t := Thing{ID: c.ID, whole: wholeCandidate(c, w.Now()), Approve: "Promote it?",
		Reject: "Reject this candidate?",
		Review: "Promote it?", Keys: "ynelq", Promotes: true, Unanswered: c.ID + stillWaits, w: w,
		name: c.ID + ".md", draft: func() (string, error) { return c.Text + "\n", nil }}
	if !c.Open() {
		t.Unanswered = c.ID + " stays " + string(c.State)
	}
	reopen := func(context.Context) (string, error) {
		_, err := w.Inbox().Reopen(c.ID, w.Now())
		return c.ID + waitsAgain, err
	}
	t.Answer = func(_ context.Context, yes bool) (Done, error) {
		switch {
		case yes:
			return Done{}, fmt.Errorf("%s: a yes promotes it", c.ID)
		case c.State == candidate.Rejected:
			return Done{}, fmt.Errorf("%s is rejected already", c.ID)
		}
		_, err := w.Inbox().Mark(c.ID, candidate.Rejected, w.Now())
		return Done{Said: "rejected: " + c.ID + "; it is not proposed again, and stays in the notes",
			Undo: reopen}, err
	}
	t.later = func(now time.Time) (Done, error) {
		y, m, d := now.Date() // until the next day begins, where the person is
		_, err := w.Inbox().Later(c.ID, time.Date(y, m, d+1, 0, 0, 0, 0, now.Location()), now)
		return Done{Said: "later: " + c.ID + ", tomorrow again", Undo: reopen}, err
	}
	t.edit = func(_ context.Context, edited string, _ Sure) (Done, error) {
		edited = scratch.Clean(edited)
		if err := checkEdited(c.ID, c.ID, edited, "it stays as it was"); err != nil {
			return Done{}, err
		}
		_, err := w.Inbox().Edit(c.ID, edited)
		undo := func(context.Context) (string, error) {
			_, err := w.Inbox().Edit(c.ID, c.Text)
			return c.ID + " says what it said before", err
		}
		return Done{Said: "edited: " + c.ID + "; it still waits", Undo: undo}, err
	}
	return t
}

// candidateLines returns a candidate as two lines of a list: the id, how long ago it was proposed, where it
// would go and its source, of which the end counts, and the beginning of the text.
func candidateLines(c candidate.Candidate, now time.Time) []string {
	head := text.Shorten(fmt.Sprintf("%-8s %-9s %s", c.ID, ago(now.Sub(c.Filed)),
		text.Safe(c.Wing+"/"+c.Room)), rowRunes/2)
	source := []rune(text.Safe(c.Source))
	if room := rowRunes - len([]rune(head)) - len(" [source: ]"); len(source) > room {
		source = append([]rune("…"), source[len(source)-room+1:]...)
	}
	return []string{
		head + " [source: " + string(source) + "]",
		fmt.Sprintf("%9s\"%s\"", "", text.Shorten(text.Safe(text.OneLine(c.Text)), rules.SaysRunes)),
	}
}

// wholeCandidate returns every character of the text that would be written.
func wholeCandidate(c candidate.Candidate, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, proposed %s for good keeping\n\n%s\n", c.ID, ago(now.Sub(c.Filed)),
		text.SafeLines("  | ", c.Text))
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-8s %s\n", name, text.Safe(value))
		}
	}
	if c.Text != c.Quote {
		row("edited", "the source says: "+text.OneLine(c.Quote))
	}
	row("source", c.Source)
	row("goes to", c.Wing+"/"+c.Room)
	row("title", c.Drawer)
	row("reason", text.OneLine(c.Reason))
	if c.State == candidate.Later {
		row("put off", "until "+c.Until.Format(time.DateOnly))
	}
	return b.String()
}
