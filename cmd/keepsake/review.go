package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"keepsake/pkg/brief"
	"keepsake/pkg/why/inbox"
	"keepsake/pkg/why/promote"
)

type reviewCmd struct{}

func (reviewCmd) Help() string {
	return `Shows everything that waits for you, whole, one after the other, and takes your answer to each
at the controlling terminal. keepsake help inbox says what can wait.

The keys are the same wherever Keepsake asks: y yes, n no, e edit, l later, q quit; anything else asks
again. A yes to a finding saves it in the words in which it was said; e opens them in your editor first.
For a drawer whose text no memory holds any more, y withdraws it and n keeps it.

Use it too when a text is longer than Claude Code's dialog shows, while that dialog is open.

Example:

    keepsake review`
}

func (reviewCmd) Run(c *call) error {
	b, tty, err := c.openInbox()
	if err != nil {
		return err
	}
	defer tty.Close()
	answers := bufio.NewReader(tty)
	things, drawers, errs := b.Everything()
	for _, err := range errs {
		if err != nil {
			c.note("%v", err)
		}
	}
	bad, all := 0, len(things)+len(drawers)
	for i := range all {
		number := fmt.Sprintf("%d of %d. ", i+1, all)
		var id string
		var err error
		if i < len(things) {
			id, err = things[i].ID, c.take(things[i], tty, answers, number)
		} else {
			o := drawers[i-len(things)]
			id, err = brief.Line(o.Path), c.takeDrawer(b, o, tty, answers, number)
		}
		if errors.Is(err, errQuit) {
			break
		}
		if err != nil { // the next one can be answered all the same
			_, hints := codeOf(err)
			c.trouble(fmt.Errorf("%s: %w", id, err), hints, exitFailed)
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("%s could not be taken", count(bad, "answer"))
	}
	if all == 0 {
		c.line("nothing waits for you")
	}
	return nil
}

// errQuit is the error for a person who ends the review.
var errQuit = errors.New("quit")

// take shows one thing and takes the person's answer to it.
func (c *call) take(t inbox.Thing, tty io.ReadWriter, answers *bufio.Reader, number string) error {
	if !showWhole(t, tty, answers) {
		return errQuit
	}
	switch answer := ask(tty, answers, number+t.Review, []key(t.Keys)...); {
	case answer == noAnswer || answer == quit:
		return errQuit
	case answer == edit:
		return c.amend(t, tty)
	case answer == later && t.Promotes:
		return c.putOff(t)
	case answer == later:
		c.line("%s still waits", t.ID)
		return nil
	case answer == yes && t.Promotes:
		return c.keep(t, tty, answers)
	default:
		return c.done(t.Answer(c.ctx, answer == yes))
	}
}

// takeDrawer takes the person's answer about a drawer whose memory holds no longer. A no is
// their word that it is true all the same.
func (c *call) takeDrawer(b *inbox.Inbox, o promote.Overdue, tty io.ReadWriter, answers *bufio.Reader,
	number string) error {
	s, err := b.Open()
	if err != nil {
		return err
	}
	fmt.Fprint(tty, number)
	answer, err := c.askWithdraw(s.Session, tty, answers, o.Path, o.Why(), yes, no, later, quit)
	switch {
	case err != nil:
		return err
	case answer == noAnswer || answer == quit:
		return errQuit
	case answer == later:
		c.line("%s still waits", brief.Line(o.Path))
	case answer == no:
		if err := promote.RegisterOf(s.Session).Leave(c.ctx, o.Path); err != nil {
			return err
		}
		c.line("it stays, and is recalled as before: %s", brief.Line(o.Path))
	}
	return nil
}
