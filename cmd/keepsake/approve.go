package main

import (
	"bufio"
	"io"
	"strings"

	"keepsake/pkg/why/inbox"
)

type approveCmd struct {
	IDs []string `arg:"" name:"ID" help:"What keepsake inbox lists: ids, numbers of findings, ranges, or all."`
}

func (approveCmd) Help() string {
	return `Shows each thing whole and asks at the controlling terminal. What a yes does:

  - a stopped call may run once, with exactly these bytes, in this project, within 15 minutes
  - a candidate is promoted at once
  - a finding is saved as it is, as a memory of the project
  - a draft that would end, replace or add to what you said is carried out
  - a change of your notes is written, exactly as it is shown
  - of two memories that contradict each other the older is retired

A range (kx3f2a-p4d9zz, 3-7) is everything from one id in the list to a later one. The stopped calls in it
are shown together, page by page, and answered once; so are all that wait with "all". Left out are those
whose words came from outside, or whose origin is not known: approve each of them by its id.

The agent can't run this.

Examples:

    keepsake inbox approve kx3f2a
    keepsake inbox approve 7
    keepsake inbox approve kx3f2a-p4d9zz c4k2zq
    keepsake inbox approve all`
}

func (v approveCmd) Run(c *call) error { return c.answer(v.IDs, true) }

type rejectCmd struct {
	IDs []string `arg:"" name:"ID" help:"What keepsake inbox lists: ids, numbers of findings, ranges, or all."`
}

func (rejectCmd) Help() string {
	return `Shows each thing whole and asks at the controlling terminal. What a no does:

  - a stopped call is refused for a day in the session that asked, without a question
  - a candidate is not proposed again, in other words either; its note stays
  - a finding is not offered again
  - a draft is deleted, with what it was made from
  - a change of your notes is dropped
  - two memories that contradict each other both hold: you are not asked again until one of them changes

Ranges, and "all" for all stopped calls, are those of keepsake inbox approve.

Examples:

    keepsake inbox reject kx3f2a
    keepsake inbox reject 7 9
    keepsake inbox reject all`
}

func (v rejectCmd) Run(c *call) error { return c.answer(v.IDs, false) }

// answer shows what waits and takes the person's answers, one after the other.
func (c *call) answer(ids []string, approve bool) error {
	verb := "reject"
	if approve {
		verb = "approve"
	}
	b, tty, err := c.openInbox("or type /keepsake:" + verb + " ID into the session that asked")
	if err != nil {
		return err
	}
	defer tty.Close()
	answers := bufio.NewReader(tty)
	chosen, err := b.Choose(ids, approve)
	if err != nil {
		return err
	}
	for _, t := range chosen.Things {
		if err := c.answerThing(t, approve, tty, answers); err != nil {
			return err
		}
	}
	return c.answerBatch(chosen, approve, tty, answers)
}

// answerThing shows one thing and takes the person's answer to it.
func (c *call) answerThing(t inbox.Thing, approve bool, tty io.Writer, answers *bufio.Reader) error {
	question := t.Reject
	if approve {
		question = t.Approve
	}
	switch {
	case question == "":
		showWhole(t, tty, answers)
		return t.Unfit()
	case approve && t.Promotes:
		return c.keep(t, tty, answers)
	case !showWhole(t, tty, answers) || ask(tty, answers, question, yesOrNo...) != yes:
		c.line("%s", t.Unanswered)
		return nil
	}
	return c.done(t.Answer(c.ctx, approve))
}

// showWhole shows all of a thing, and reports whether the person has seen it.
func showWhole(t inbox.Thing, tty io.Writer, answers *bufio.Reader) bool {
	v := t.View()
	blocks := [][]string{strings.Split(strings.TrimRight(v.Text, "\n")+"\n", "\n")}
	if v.Near != "" {
		blocks = append(blocks, append([]string{"The nearest memory:"},
			strings.Split(strings.TrimRight(v.Near, "\n")+"\n", "\n")...))
	}
	return show(tty, answers, blocks...)
}

// answerBatch shows stopped calls together and takes one answer for them. It names those that were left out.
func (c *call) answerBatch(chosen inbox.Choice, approve bool, tty io.Writer, answers *bufio.Reader) error {
	defer func() { // behind the pages, where it is seen
		for _, l := range chosen.Left {
			c.line("%s", l.LeftOut())
		}
	}()
	batch := chosen.Batch
	switch {
	case len(batch.Calls) == 0 && len(chosen.Left) == 0 && len(chosen.Things) == 0:
		c.line("no stopped call waits for you")
		return nil
	case len(batch.Calls) == 0:
		return nil
	case !show(tty, answers, batch.Blocks()...) ||
		ask(tty, answers, batch.Question(approve), yesOrNo...) != yes:
		c.line("nothing was done: %s still wait", count(len(batch.Calls), "call"))
		return nil
	}
	said, err := batch.Answer(c.ctx, approve)
	for _, l := range said {
		c.line("%s", l)
	}
	return err
}

// done prints what came of the person's answer.
func (c *call) done(d inbox.Done, err error) error {
	if d.Saved != nil {
		return c.remembered(d.Saved.Session)(d.Saved.Plan, d.Saved.Result, err)
	}
	if err == nil {
		c.line("%s", d.Said)
	}
	return err
}
