package inbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/session"
	"keepsake/pkg/scratch"
	"keepsake/pkg/text"
	"keepsake/pkg/why/candidate"
)

// A Candidate is what a memory-keeper proposes to keep for good. A yes promotes it, which is not done here.
type Candidate struct {
	candidate.Candidate
	w *save.Saver
}

// ID returns the candidate's id.
func (c *Candidate) ID() string { return c.Candidate.ID }

// Session returns the session whose project it is of.
func (c *Candidate) Session() *session.Session { return c.w.Session }

// Question returns what the person is asked who wants to reject it.
func (c *Candidate) Question(bool) (string, error) { return "Reject this candidate?", nil }

// Review returns what a review asks.
func (c *Candidate) Review() (question, keys string) { return "Promote it?", "ynelq" }

// Answer rejects the candidate.
func (c *Candidate) Answer(_ context.Context, yes bool) (Done, error) {
	switch {
	case yes:
		return Done{}, fmt.Errorf("%s: a yes promotes it", c.ID())
	case c.State == candidate.Rejected:
		return Done{}, fmt.Errorf("%s is rejected already", c.ID())
	}
	_, err := c.w.Inbox().Mark(c.ID(), candidate.Rejected, c.w.Now())
	return Done{Said: "rejected: " + c.ID() + "; it is not proposed again, and stays in the notes"}, err
}

// putOff has the candidate wait until the next day begins, where the person is.
func (c *Candidate) putOff(now time.Time) (said string, err error) {
	y, m, d := now.Date()
	_, err = c.w.Inbox().Later(c.ID(), time.Date(y, m, d+1, 0, 0, 0, 0, now.Location()), now)
	return "later: " + c.ID() + ", tomorrow again", err
}

// Draft returns what would be written.
func (c *Candidate) Draft() (name, text string, err error) { return c.ID() + ".md", c.Text + "\n", nil }

// Edit changes what would be written; the note that it is from stays as it is.
func (c *Candidate) Edit(_ context.Context, edited string) (Done, error) {
	edited = scratch.Clean(edited)
	if err := checkEdited(c.ID(), c.ID(), edited, "it stays as it was"); err != nil {
		return Done{}, err
	}
	if edited == c.Text {
		return Done{Said: c.ID() + " stays as it was"}, nil
	}
	_, err := c.w.Inbox().Edit(c.ID(), edited)
	return Done{Said: "edited: " + c.ID() + "; it still waits"}, err
}

// Line is one line of a list: the id, how long ago it was proposed, where it would go, the text as far as
// there is room, and where it is from.
func (c *Candidate) Line(now time.Time) string {
	return fmt.Sprintf("%-8s %-9s %s: %s [source: %s]", c.ID(), ago(now.Sub(c.Filed)),
		text.Safe(c.Wing+"/"+c.Room), inLine(c.Text), text.Safe(c.Source))
}

// Whole shows every character of what would be written.
func (c *Candidate) Whole(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, proposed %s for good keeping\n\n%s\n", c.ID(), ago(now.Sub(c.Filed)),
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
