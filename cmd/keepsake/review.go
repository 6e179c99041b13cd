package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/why/inbox"
	"keepsake/pkg/why/promote"
)

type reviewCmd struct{}

func (reviewCmd) Help() string {
	return `Shows everything that waits for you, one thing after the other, and takes your answer to each at
the controlling terminal. keepsake help inbox says what can wait.

In a terminal of 60 by 16 or more it is a page: on the left what waits, with the source of each sentence and
what was said around it, on the right the nearest memory and how it differs. In a smaller one, with
ACCESSIBLE=1 or with TERM=dumb it is a plain list of the same. NO_COLOR=1 takes the colours away.

The keys are the same wherever Keepsake asks: y yes, n no, e edit, l later, u undo the last answer, q quit,
? help; anything else asks again. A yes counts when you have seen all of the text. A yes to a finding saves
it in the words in which it was said; e opens them in your editor first. What else a yes does stands with
it: which memory it takes the place of, and which finding it takes back. For a drawer whose text no memory
holds any more, y withdraws it and n keeps it. On the page, m marks things to answer them together. What
came from outside, or from nobody knows where, and what ends something else wants an answer of its own.

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
	things, drawers, errs := b.Everything()
	for _, err := range errs {
		if err != nil {
			c.note("%v", err)
		}
	}
	var items []reviewed
	for _, t := range things {
		items = append(items, reviewed{id: t.ID, thing: t})
	}
	for _, o := range drawers {
		items = append(items, reviewed{id: brief.Line(o.Path), drawer: &o})
	}
	if len(items) == 0 {
		c.line("nothing waits for you")
		return nil
	}
	return c.review(b, items, tty, bufio.NewReader(tty))
}

// review goes through things that wait with the person: on a page, or in a plain list.
func (c *call) review(b *inbox.Inbox, items []reviewed, tty io.ReadWriter,
	answers *bufio.Reader) (err error) {
	r := &review{call: c, inbox: b, tty: tty, answers: answers, items: items}
	shown := false
	if isFullTerminal(tty) {
		shown, err = r.page()
	}
	if !shown {
		if err != nil {
			c.note("%s", brief.Line(err.Error()))
		}
		r.list()
	} else if err != nil {
		return err
	}
	if r.bad > 0 {
		return fmt.Errorf("%s could not be taken", count(r.bad, "answer"))
	}
	return nil
}

// A review goes through everything that waits. The plain list and the page take the person's answers, and
// answer and takeBack carry them out for both.
type review struct {
	*call
	inbox   *inbox.Inbox
	tty     io.ReadWriter
	answers *bufio.Reader
	items   []reviewed
	done    []answered // the answers, the newest last, less those that were taken back
	bad     int        // answers that could not be carried out
}

// A reviewed is one thing that waits, or a drawer whose memory no longer holds.
type reviewed struct {
	id      string
	thing   inbox.Thing
	drawer  *promote.Overdue
	settled bool // it no longer waits
}

// An answered is an answer to one or more items.
type answered []taken

// A taken is the answer to one item, with what came of it.
type taken struct {
	item int
	done inbox.Done
}

// list asks about one thing after the other.
func (r *review) list() {
	for i := 0; i >= 0 && i < len(r.items); {
		if r.items[i].settled {
			i++
			continue
		}
		answer, err := r.take(i)
		switch {
		case answer == noAnswer || answer == quit:
			if err == nil {
				return
			}
			r.failed(i, err) // the next one can be answered all the same
		case answer == undo:
			i = r.takeBack(i)
			continue
		}
		i++
	}
}

// take shows one thing and takes the person's answer to it. It returns the key of the answer, and noAnswer
// with an error if nothing could be asked.
func (r *review) take(i int) (key, error) {
	item := r.items[i]
	keys := []key{quit, explain}
	if len(r.done) > 0 {
		keys = []key{undo, quit, explain}
	}
	number := fmt.Sprintf("%d of %d. ", i+1, len(r.items))
	if item.drawer != nil {
		fmt.Fprint(r.tty, number)
		return r.takeDrawer(i, append([]key{yes, no, later}, keys...)...)
	}
	if !showWhole(item.thing, r.tty, r.answers) {
		return quit, nil
	}
	own := slices.DeleteFunc([]key(item.thing.Keys), func(k key) bool { return k == quit })
	answer := ask(r.tty, r.answers, number+item.thing.Review, append(own, keys...)...)
	if answer != noAnswer && answer != quit && answer != undo {
		r.answer(answer, i)
	}
	return answer, nil
}

// failed prints why an answer could not be carried out.
func (r *review) failed(i int, err error) {
	_, hints := codeOf(err)
	r.trouble(fmt.Errorf("%s: %w", r.items[i].id, err), hints, exitFailed)
	r.bad++
}

// answer carries out the person's answer to one thing, or to several that may be answered together.
func (r *review) answer(k key, which ...int) {
	var all answered
	for _, i := range which {
		if len(which) > 1 {
			if why := r.items[i].thing.View().Alone; why != "" {
				r.failed(i, errors.New(why))
				continue
			}
		}
		d, err := r.carryOut(k, &r.items[i])
		if err != nil {
			r.failed(i, err)
		} else {
			all = append(all, taken{i, d})
		}
	}
	if len(all) > 0 {
		r.done = append(r.done, all)
	}
}

// carryOut carries out the person's answer to a thing, prints what came of it, and notes whether the thing
// still waits.
func (r *review) carryOut(k key, item *reviewed) (d inbox.Done, err error) {
	t := item.thing
	switch {
	case k == edit:
		d, err = r.amend(t, r.tty, r.answers)
	case k == later && t.Promotes:
		d, err = t.Later(r.now())
	case k == later:
		r.line("%s still waits", t.ID)
		d.Undo = func(context.Context) (string, error) { return t.ID + " still waits", nil }
		return d, nil
	case k == yes && t.Promotes:
		if err = r.keep(t, r.tty, r.answers); err == nil {
			d.Said = t.ID + " is kept for good"
			c, ferr := t.Session().Inbox().Find(t.ID)
			item.settled = ferr == nil && !c.Open()
		}
		return d, err
	default:
		d, err = t.Answer(r.ctx, k == yes)
	}
	if err = r.call.done(d, err); err != nil {
		return d, err
	}
	item.settled = k != edit
	if d.Saved != nil { // it may have come to nothing, or settled others as well
		r.lookAgain()
	}
	return d, nil
}

// lookAgain brings what is known of the findings up to date.
func (r *review) lookAgain() {
	waiting, err := r.inbox.Findings()
	if err != nil {
		r.note("%s", brief.Line(err.Error()))
		return
	}
	for i := range r.items {
		item := &r.items[i]
		if item.drawer != nil || !item.thing.IsFinding() {
			continue
		}
		at := slices.IndexFunc(waiting, func(t inbox.Thing) bool { return t.ID == item.id })
		if item.settled = at < 0; !item.settled {
			item.thing = waiting[at]
		}
	}
}

// takeBack takes the last answer back, and returns the index of what waits again, or at if nothing does. One
// that can't be taken back here hides those before it: they are not the last.
func (r *review) takeBack(at int) int {
	if len(r.done) == 0 {
		r.line("there is no answer that can be taken back")
		return at
	}
	last := r.done[len(r.done)-1]
	if i := slices.IndexFunc(last, func(a taken) bool { return a.done.Undo == nil }); i >= 0 {
		a := last[i]
		r.line("%s: a review can't take that answer back: %s", r.items[a.item].id,
			cmp.Or(a.done.Said, "it was carried out"))
		return at
	}
	r.done = r.done[:len(r.done)-1]
	for _, a := range slices.Backward(last) {
		if err := r.undo(a.done); err != nil {
			r.failed(a.item, err)
			continue
		}
		item := &r.items[a.item]
		if t, err := r.inbox.Find(item.id); err == nil {
			item.thing, item.settled, at = t, false, a.item
		}
		if a.done.Wrote != "" {
			r.lookAgain()
		}
	}
	return at
}

// undo undoes what an answer saved, as keepsake undo does, and has what it was about wait again.
func (r *review) undo(d inbox.Done) error {
	if d.Wrote != "" { // which says what waits again
		if err := (undoCmd{Digest: d.Wrote, inReview: true}).Run(r.call); err != nil {
			return err
		}
	}
	said, err := d.Undo(r.ctx)
	if err == nil && d.Wrote == "" {
		r.line("%s", said)
	}
	return err
}

// takeDrawer takes the person's answer about a drawer whose memory holds no longer. A no is
// their word that it is true all the same.
func (r *review) takeDrawer(i int, keys ...key) (key, error) {
	item := &r.items[i]
	s, err := r.inbox.Open()
	if err != nil {
		return noAnswer, err
	}
	at := item.drawer.Path
	answer, err := r.askWithdraw(s.Session, r.tty, r.answers, at, item.drawer.Why(), keys...)
	switch {
	case err != nil:
		return noAnswer, err
	case answer == later:
		r.line("%s still waits", item.id)
	case answer == no:
		if err := promote.RegisterOf(s.Session).Leave(r.ctx, at); err != nil {
			return noAnswer, err
		}
		r.line("it stays, and is recalled as before: %s", item.id)
	}
	if item.settled = answer == yes || answer == no; item.settled {
		said := "withdrawn: nothing brings it back"
		if answer == no {
			said = "it stays"
		}
		r.done = append(r.done, answered{{i, inbox.Done{Said: said}}})
	}
	return answer, nil
}
