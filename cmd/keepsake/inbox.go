package main

import (
	"errors"
	"io"
	"sync"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/why/inbox"
)

type inboxCmd struct {
	List    inboxListCmd  `cmd:"" default:"withargs" help:"List all that waits for you."`
	Edit    inboxEditCmd  `cmd:"" help:"Change what a finding, a candidate or a draft says, in your editor."`
	Later   inboxLaterCmd `cmd:"" help:"Put a candidate off until tomorrow."`
	Approve approveCmd    `cmd:"" help:"Say yes to what waits: findings, stopped calls, memories, changes of notes."`
	Reject  rejectCmd     `cmd:"" help:"Say no to what waits, and drop failed drafts."`
}

func (inboxCmd) Help() string {
	return `Lists everything that waits for you, with short ids:

  - findings: what was noticed in conversations and is not saved yet, by number
  - candidates: notes that a memory-keeper proposes to keep for good
  - note changes: what an agent proposes for the Markdown memories
  - calls that the gate stopped
  - drafts that could not be saved
  - held memories, which no agent is told of before you say yes: their words came from outside or with the
    repository, or nothing in a conversation supports them
  - memories that may not hold any more: a check of theirs fails, or they expired
  - memories that contradict each other: retire the older one, or say that both hold and be asked no more
  - memories that came with twenty prompts and were never used: retire them, or keep them and be asked no more
  - drawers: what was promoted from memories that no longer hold

Answer one by its id with keepsake inbox approve, reject, edit or later, or all in turn with keepsake
review.

Examples:

    keepsake inbox
    keepsake inbox edit c4k2zq`
}

type inboxListCmd struct {
	All  bool `hidden:"" help:"All is listed without it, too."` // older versions cut the list
	JSON bool `help:"Print one JSON object: findings, candidates, calls, drafts, last (the last document of a memory-keeper)."`
}

func (inboxListCmd) Help() string {
	return `The same as keepsake inbox alone.

Example:

    keepsake inbox list --json`
}

func (v inboxListCmd) Run(c *call) error {
	c.json = v.JSON
	b, unknown := c.inbox()
	s, err := b.Open()
	if err != nil {
		return err
	}
	all, err := b.List(s)
	c.block(all.Text())
	c.value(all)
	return errors.Join(err, unknown)
}

// inbox returns the inbox of the project. If the client's folder is unknown, it returns an error and an
// inbox without stopped calls.
func (c *call) inbox() (*inbox.Inbox, error) {
	_, err := c.approvals()
	return c.inboxAsIs(), err
}

// inboxAsIs is inbox, and deletes no request that is too old to count.
func (c *call) inboxAsIs() *inbox.Inbox {
	var calls approval.Clients
	for _, client := range layout.ClientsHere() {
		calls = append(calls, approval.Dir(layout.Approvals(client)))
	}
	open := sync.OnceValues(func() (*save.Saver, error) {
		s, err := c.where()
		if err != nil {
			return nil, err
		}
		return c.saver(s), nil
	})
	return &inbox.Inbox{Calls: calls, Now: c.now, Person: c.person.asks, Open: open}
}

// openInbox returns the inbox and the person's terminal. hints are added to the error if nobody is at a
// terminal.
func (c *call) openInbox(hints ...string) (*inbox.Inbox, io.ReadWriteCloser, error) {
	b, err := c.inbox()
	if err != nil {
		return nil, nil, err
	}
	tty, err := c.person.open(append([]string{yourself}, hints...)...)
	return b, tty, err
}

type inboxLaterCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of candidates, or numbers of findings."`
}

func (inboxLaterCmd) Help() string {
	return `The candidate waits for you again tomorrow. Until then it stays in the notes. A finding just
goes on waiting.

Example:

    keepsake inbox later c4k2zq`
}

func (v inboxLaterCmd) Run(c *call) error {
	b, tty, err := c.openInbox()
	if err != nil {
		return err
	}
	defer tty.Close()
	for _, id := range v.IDs {
		t, err := b.Find(id)
		if err == nil {
			err = c.putOff(t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// putOff puts a thing off, and prints until when it waits.
func (c *call) putOff(t inbox.Thing) error {
	return c.done(t.Later(c.now()))
}
