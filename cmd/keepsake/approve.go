package main

import (
	"bufio"
	"fmt"

	"keepsake/pkg/why/inbox"
)

type approveCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of stopped calls and of candidates, and numbers of findings; keepsake inbox lists them."`
}

func (approveCmd) Help() string {
	return `Shows each thing whole and asks at the controlling terminal. What a yes does:

  - a stopped call may run once, with exactly these bytes, in this project, within 15 minutes
  - a candidate is promoted at once
  - a finding is saved as it is, as a memory of the project
  - a draft that would end, replace or add to what you said is carried out

The agent can't run this.

Examples:

    keepsake inbox approve kx3f2a
    keepsake inbox approve 7`
}

func (v approveCmd) Run(c *call) error { return c.answer(v.IDs, true) }

type rejectCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of stopped calls, candidates and failed drafts, and numbers of findings; keepsake inbox lists them."`
}

func (rejectCmd) Help() string {
	return `Shows each thing whole and asks at the controlling terminal. What a no does:

  - a stopped call is refused for a day in the session that asked, without a question
  - a candidate is not proposed again, in other words either; its note stays
  - a finding is not offered again
  - a draft is deleted, with what it was made from

Examples:

    keepsake inbox reject kx3f2a
    keepsake inbox reject 7 9`
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
	for _, id := range ids {
		t, err := b.Find(id)
		if err != nil {
			return err
		}
		question := t.Reject
		if approve {
			question = t.Approve
		}
		switch {
		case question == "":
			err = t.Unfit()
		case approve && t.Promotes:
			err = c.keep(t, tty, answers)
		default:
			fmt.Fprintln(tty, t.Whole)
			if ask(tty, answers, question, yesOrNo...) != yes {
				c.line("%s", t.Unanswered)
				continue
			}
			err = c.done(t.Answer(c.ctx, approve))
		}
		if err != nil {
			return err
		}
	}
	return nil
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
