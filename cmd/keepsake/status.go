package main

import (
	"errors"
	"runtime/debug"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/session"
	"keepsake/pkg/status"
)

type statusCmd struct {
	Line bool `help:"Print only how much waits for your answer, for a status line, and nothing if nothing does."`
	JSON bool `help:"Print one JSON object."`
}

func (statusCmd) Help() string {
	return `Shows the session's stage (what was noticed, drafted and planned), the findings of the project
and what became of them, the work that ended sessions left, drafts that could not be saved and why, how
far the transcript has been read, how often the agent was asked to save, the last save, and how many
memories are stored. What is to review is what keepsake review asks you about first: findings of ended
sessions, what keepsake init found, what agents propose, stopped calls, drafts, held memories, those of which a
check fails and those that came with a merge. What is only perhaps worth keeping is not counted.

A rejected draft is listed until what it was made from is drafted again and saved (keepsake records triage
--pending), or its file is deleted.

With --line it prints one segment for the status line of Claude Code, such as "3 to review", and changes
nothing. Put it there yourself: in ~/.claude/settings.json,
"statusLine": {"type": "command", "command": "keepsake status --line"}, with the whole path of keepsake if it
is not on your PATH.

Examples:

    keepsake status --session 4e836284-4a0a-44a1-acb3-38c68db78007
    keepsake status --line`
}

func (v statusCmd) Run(c *call, s *session.Session) error {
	debug.SetGCPercent(saveGC)
	if v.Line {
		return c.statusLine(s)
	}
	c.untold(s)
	if !s.Known {
		if known, err := latest(s); err == nil {
			s = known // nothing is staged anywhere: show the session that was seen last
		}
	}
	planned := ""
	if p, err := save.Staged(s.Desk); err == nil {
		planned = p.Digest
	}
	at, err := s.Look()
	if err != nil {
		return err
	}
	waits, werr := c.toReview(s, at)
	st, err := status.Of(s, at, planned, waits)
	if err != nil {
		return err
	}
	for _, line := range st.Lines(c.now()) {
		c.line("%s", line)
	}
	c.value(st)
	return werr
}

// toReview returns how much wants the person's answer in a session's project, as it is at a look.
func (c *call) toReview(s *session.Session, at session.Look) (status.ToReview, error) {
	b, unknown := c.inbox()
	n, err := b.ToReview(c.saver(s), at)
	return n, errors.Join(err, unknown)
}

// statusLine prints how much waits for the person's answer, or nothing.
func (c *call) statusLine(s *session.Session) error {
	at, lerr := s.Look()
	waits, err := c.toReview(s, at)
	err = errors.Join(lerr, err)
	n := waits.Total()
	if n > 0 {
		c.line("%d to review", n)
	}
	c.value(struct {
		ToReview int `json:"to_review"`
	}{n})
	return err
}
