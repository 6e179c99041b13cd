package main

import (
	"maps"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/status"
	"keepsake/pkg/text"
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

func (v statusCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	c.untold(s)
	if !s.Known {
		if known, err := latest(s); err == nil {
			s = known // nothing is staged anywhere; the session that was seen last says most
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
	c.line("project  %s", brief.Line(st.Project))
	if st.Session != "" {
		c.line("session  %s", st.Session)
	}
	c.line("stage    %s", st.Stage.Line())
	if line := st.FindingsLine(); line != "" {
		c.line("noticed  %s", line)
	}
	if st.Waiting > 0 {
		c.line("waiting  %s of earlier sessions (keepsake inbox)", count(st.Waiting, "thing"))
	}
	for _, id := range slices.Sorted(maps.Keys(st.Pending)) {
		c.line("pending  %s, left by session %s", status.Names(st.Pending[id]), id)
	}
	for _, r := range st.Refused {
		word := "rejected"
		if r.Blocked {
			word = "blocked "
		}
		c.line("%s %s", word, refusedLine(r))
		c.line("         the draft is kept in %s", brief.Line(r.File))
	}
	if r := st.Read; r != nil {
		c.line("read     to byte %d, %d behind, last hook %s ago", r.Offset, r.Behind,
			text.Age(c.now().Sub(r.Seen)))
	}
	c.line("budget   %d of %d feedbacks used", st.Saves, st.Budget)
	if w := st.Context; w != nil {
		c.line("context  %d %% of %d tokens", 100*w.Used/w.Window, w.Window)
	}
	if st.Last != nil {
		c.line("last     %s (%s ago)", brief.Line(st.Last.Line), text.Age(c.now().Sub(st.Last.At)))
	}
	c.line("stored   %s", st.StoredLine())
	c.value(st)
	return nil
}

func refusedLine(r status.Refused) string {
	line := string(r.Category)
	if r.Title != "" {
		line += ` "` + brief.Line(r.Title) + `"`
	}
	return line + " of session " + r.Session + ": " + cut(brief.Line(r.Reason), reasonRunes)
}
