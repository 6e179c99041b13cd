package brief

import (
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/text"
)

// A Candidate is a passage that a person is asked to keep for good, for [Candidate.Line] and
// [Candidate.Whole].
type Candidate struct {
	ID, Text, Quote    string
	Source, Reason     string
	Wing, Room, Drawer string
	Filed, Until       time.Time // Until is zero unless it is put off
}

// Line returns one line of a list: the id, how long ago it was proposed, where it would
// go, the text as far as there is room, and where it is from.
func (c Candidate) Line(now time.Time) string {
	return fmt.Sprintf("%-8s %-9s %s: %s [source: %s]", c.ID, timeAgo(now.Sub(c.Filed)),
		text.Safe(c.Wing+"/"+c.Room), inLine(c.Text), text.Safe(c.Source))
}

// lineRunes is how much of a text a list shows.
const lineRunes = 100

// inLine returns s as a list shows it: one line of at most lineRunes characters.
func inLine(s string) string {
	return text.Shorten(text.Safe(text.OneLine(s)), lineRunes)
}

// Whole shows a candidate to the person who decides about it: every character of
// what would be written, with what a terminal would obey or hide spelled out.
func (c Candidate) Whole(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, proposed %s for good keeping\n\n", c.ID, timeAgo(now.Sub(c.Filed)))
	for line := range strings.SplitSeq(c.Text, "\n") {
		fmt.Fprintf(&b, "  | %s\n", text.Safe(line))
	}
	b.WriteByte('\n')
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
	if !c.Until.IsZero() {
		row("put off", "until "+c.Until.Format(time.DateOnly))
	}
	return b.String()
}

// Turned returns what the agent is told when the person has turned a candidate down.
func Turned(id string) (context, message string) {
	return fmt.Sprintf("<memory-approval>The person has said no to the candidate %s. It is not kept for "+
			"good and not proposed again; its note stays.</memory-approval>", id),
		fmt.Sprintf("keepsake: rejected %s; it is not proposed again, and stays in the notes", id)
}

// A Draft is a draft of a memory that could not be saved, for [Draft.Whole].
type Draft struct {
	ID, Category, Title, Reason string
	Notes                       []string
	Text                        string // as the drafter wrote it
	At                          time.Time
}

// Line returns one line of a list.
func (d Draft) Line(now time.Time) string {
	title := ""
	if d.Title != "" {
		title = ` "` + text.Safe(d.Title) + `"`
	}
	return fmt.Sprintf("%-8s %-9s %s%s: %s", d.ID, timeAgo(now.Sub(d.At)), d.Category, title,
		inLine(d.Reason))
}

// Whole shows a draft to the person who decides about it.
func (d Draft) Whole(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, a draft of category %s that could not be saved %s\n\n", d.ID, d.Category,
		timeAgo(now.Sub(d.At)))
	for _, line := range append([]string{d.Reason}, d.Notes...) {
		fmt.Fprintf(&b, "  %s\n", text.Safe(text.OneLine(line)))
	}
	b.WriteByte('\n')
	for line := range strings.SplitSeq(strings.TrimRight(d.Text, "\n"), "\n") {
		fmt.Fprintf(&b, "  | %s\n", text.Safe(line))
	}
	return b.String()
}
