package main

import (
	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/session"
	"keepsake/pkg/status"
)

type statusCmd struct {
	JSON bool `help:"Print one JSON object."`
}

func (statusCmd) Help() string {
	return `Shows the session's stage (what was noticed, drafted and planned), the findings of the project
and what became of them, the work that ended sessions left, drafts that could not be saved and why, how
far the transcript has been read, how often the agent was asked to save, the last save, and how many
memories are stored.

A rejected draft is listed until what it was made from is drafted again and saved (keepsake records triage
--pending), or its file is deleted.

Example:

    keepsake status --session 4e836284-4a0a-44a1-acb3-38c68db78007`
}

func (v statusCmd) Run(c *call, s *session.Session) error {
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
	st, err := status.Of(s, planned, c.now())
	if err != nil {
		return err
	}
	for _, line := range st.Lines(c.now()) {
		c.line("%s", line)
	}
	c.value(st)
	return nil
}
