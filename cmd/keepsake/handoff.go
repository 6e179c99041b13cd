package main

import (
	"cmp"
	"context"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/handoff"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
)

type handoffCmd struct {
	Catchup handoffCatchupCmd `cmd:"" help:"Say where the work stands, as a session is told when it begins."`
	Promote handoffPromoteCmd `cmd:"" help:"List what is not promoted yet, and leave the handoff note."`
}

func (handoffCmd) Help() string {
	return `Says where the work stands, and leaves a note of that for the next session.

Examples:

    keepsake notes handoff catchup
    keepsake notes handoff promote --resume 'running the migration on staging'`
}

type handoffCatchupCmd struct {
	JSON bool `help:"Print one JSON object: text."`
}

func (handoffCatchupCmd) Help() string {
	return `Prints what a session is told when it begins or goes on: the active phase of task_plan.md, the
last recorded decision, open questions, notes that are not promoted, stopped calls and candidates that wait
for the person, and how the last session ended. It writes nothing.

Example:

    keepsake notes handoff catchup`
}

func (v handoffCatchupCmd) Run(c *call, s *session.Session) error {
	o, err := c.look(s).Opening(c.ctx, true)
	if err != nil {
		c.note("%s", brief.Line(err.Error())) // the rest is there
	}
	text := brief.Start(o)
	c.block(cmp.Or(text, "nothing is in flight"))
	c.value(struct {
		Text string `json:"text"`
	}{text})
	return nil
}

type handoffPromoteCmd struct {
	Resume string `help:"How to go on, in a few words; by default what follows from the plan, the questions or the notes." placeholder:"TEXT"`
	JSON   bool   `help:"Print one JSON object: open (each with id, kind, source, at, text), promoted, note."`
}

func (handoffPromoteCmd) Help() string {
	return `Lists every note in scratch that is not promoted and every candidate that waits, with its id.
A note that a candidate was made from is listed once, as the candidate. Nothing is promoted by this:
keepsake notes promote ID does that, and asks the person first.

Then it writes the handoff note: active phase, status, how many notes are promoted, open questions, how to
resume. The note goes on top of .agents/memory/handoff.md or, with the setting handoff.note, to the end of
progress.md. It writes no other planning file.

Examples:

    keepsake notes handoff promote
    keepsake notes handoff promote --resume 'running the migration on staging'`
}

func (v handoffPromoteCmd) Run(c *call, s *session.Session) error {
	l := c.look(s)
	open, promoted, err := l.Unpromoted(c.ctx)
	if err != nil {
		return failed(err)
	}
	standing, unread := l.Standing(c.ctx)
	// One write keeps it, so that Ctrl-C may come at any time.
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	note, err := l.Note(ctx, standing, v.Resume)
	if err != nil {
		return failed(err)
	}
	if unread != nil {
		c.note("%s", brief.Line(unread.Error()))
	}
	if len(open) == 0 {
		c.line("everything is promoted, or there is nothing to promote")
	} else {
		c.line("not promoted yet:")
	}
	for _, u := range open {
		c.line("  %s  %s %s [source: %s]", u.ID, u.Kind, day(u.At), brief.Line(u.Source))
		c.line("    %s", cut(u.Text, answer.SnippetRunes))
	}
	if len(open) > 0 {
		c.line("to promote some, after the person's yes: keepsake notes promote ID...")
	}
	if note == "" {
		c.line("no handoff note: nothing is in flight")
	} else {
		c.line("handoff note: %s", note)
	}
	c.value(struct {
		Open     []handoff.Unpromoted `json:"open"`
		Promoted int                  `json:"promoted"`
		Note     string               `json:"note"`
	}{append([]handoff.Unpromoted{}, open...), promoted, note})
	return nil
}

// look returns the Look at the work of a session's project.
func (c *call) look(s *session.Session) handoff.Look {
	client := layout.Client(s.State.Transcript)
	return handoff.Look{Session: s, Client: cmp.Or(client, layout.ClientHere()), Now: c.now().UTC()}
}
