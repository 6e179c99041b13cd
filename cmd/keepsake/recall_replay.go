package main

import (
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
)

// replayJSON is the output of recall --replay --json.
type replayJSON struct {
	Prompts []answer.Replayed `json:"prompts"`
	Given   int               `json:"given"` // of them
	Bytes   int               `json:"bytes"` // in all
}

// printReplay prints what the prompts of another session would have been given.
func (v recallCmd) printReplay(c *call, s *session.Session) error {
	if len(v.Query) > 0 || v.Tier != "" || v.Category != "" || v.IncludeRetired || v.Log {
		return usage("--replay: looks up the prompts of the file, and takes only --limit and --json")
	}
	// In a session that nobody has, nothing was shown yet.
	fresh, err := session.In(s.Root, "replay")
	if err != nil {
		return err
	}
	out := replayJSON{Prompts: []answer.Replayed{}}
	then, err := answer.Replay(fresh, c.path(v.Replay), c.now().UTC(), func(r answer.Replayed) {
		out.Prompts = append(out.Prompts, r)
		if out.Bytes += r.Bytes; r.Bytes > 0 {
			out.Given++
		}
	})
	if err != nil {
		return err
	}
	shown := out.Prompts
	if v.Limit != nil {
		shown = shown[max(0, len(shown)-*v.Limit):]
	}
	for _, r := range shown {
		c.outcome(r.Outcome)
		if r.Bytes > 0 {
			c.line("  %s in %s", count(r.Bytes, "byte"), count(r.Lines, "line"))
		}
	}
	c.line("%s, %d of them given something: %s in all", count(len(out.Prompts), "prompt"), out.Given,
		count(out.Bytes, "byte"))
	c.note("settings, notes and the files that the client loads are those of now")
	switch {
	case then.Before > 0 && then.First.IsZero():
		c.note("there was no memory yet at %s, and there is none now", count(then.Before, "prompt"))
	case then.Before > 0:
		c.note("there was no memory yet at %s: the first was kept on %s", count(then.Before, "prompt"),
			minute(then.First))
	}
	if then.Unsure > 0 {
		c.note("the history does not have what %s said then: taken as now", count(then.Unsure, "memory"))
	}
	if !s.Config.Retrieval.Enabled {
		c.note("retrieval.enabled is off: no prompt is given anything")
	}
	c.value(out)
	return nil
}
