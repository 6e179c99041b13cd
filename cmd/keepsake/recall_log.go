package main

import (
	"fmt"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
)

// recallLogJSON is the output of recall --log --json.
type recallLogJSON struct {
	Prompts []answer.Outcome `json:"prompts"`
}

// printLog prints what became of the last prompts.
func (v recallCmd) printLog(c *call, s *session.Session) error {
	if len(v.Query) > 0 || v.Tier != "" || v.Category != "" || v.IncludeRetired {
		return usage("--log: lists the last prompts, and takes only --limit and --json")
	}
	all, broken, err := answer.Outcomes(s)
	if err != nil {
		return err
	}
	if v.Limit != nil {
		all = all[max(0, len(all)-*v.Limit):]
	}
	if broken > 0 {
		c.note("%s of the log of prompts could not be read", count(broken, "line"))
	}
	if !s.Config.Retrieval.Log {
		c.note("retrieval.log is off: no prompt is added")
	}
	for _, o := range all {
		c.outcome(o)
	}
	if len(all) == 0 {
		c.line("no prompts")
	}
	c.value(recallLogJSON{append([]answer.Outcome{}, all...)})
	return nil
}

// outcome prints what became of one prompt.
func (c *call) outcome(o answer.Outcome) {
	c.line("%s  %s  %q", minute(o.Time), brief.Line(o.Session), brief.Line(o.Prompt))
	for _, n := range o.Came {
		c.line("  came  %s", nearLine(n))
	}
	switch {
	case o.Skipped == answer.Failed:
		c.line("  nothing: the search failed; keepsake doctor says why")
	case o.Skipped != "" && len(o.Came) == 0:
		c.line("  nothing: there was no memory")
	case len(o.Came) == 0:
		c.line("  nothing came, with a floor of %.2f", o.Floor)
	}
	for _, n := range o.Near {
		why := n.Why.Display()
		if n.Why == answer.BelowFloor {
			why += fmt.Sprintf(", %.2f", o.Floor)
		}
		if n.By != "" {
			why += ": " + brief.Line(n.By)
		}
		c.line("  near  %s (%s)", nearLine(n), why)
	}
}

// minute returns the day and the minute of a prompt, as they stand in a list of prompts.
func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") }

// nearLine returns what was found in one line: its score, where it is, and what it is called.
func nearLine(n answer.Near) string {
	score := "    "
	if n.Score > 0 {
		score = fmt.Sprintf("%.2f", n.Score)
	}
	if n.Path == "" {
		return score + "  a memory"
	}
	line := score + "  " + brief.Line(n.Path)
	if n.Title != "" {
		line += "  " + brief.Line(n.Title)
	}
	return line
}
