package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/hook"
	"keepsake/pkg/stage"
)

// A phase says what the turn that just ended was about.
type phase uint8

const (
	working phase = iota // the person's work
	saving               // between a feedback and the save, or while notes are looked through
	saved                // the save was applied in this turn
)

// phaseOf tells the phase of a turn; ours is that it ends in our own doing. A save goes
// over several turns when drafters run in the background, each ending in a Stop of its
// own. It ends with the turn that applies, or when the person has opened a turn of their
// own while nothing was being drafted: then the agent did not take it up. A turn of the
// person's in which the agent saved something by the way is theirs.
func phaseOf(st stage.State, in hook.Stop, ours bool) phase {
	ours = ours || in.Active || drafting(in.Tasks)
	switch {
	case st.Applied && ours:
		return saved
	case st.Saving && ours:
		return saving
	}
	return working
}

// drafting tells whether a drafter, a verifier or a memory-keeper of ours still
// runs.
func drafting(tasks []hook.Task) bool {
	for _, t := range tasks {
		if t.Type == "subagent" && (t.AgentType == "keepsake:drafter" || t.AgentType == "keepsake:verifier" || t.AgentType == brief.Keeper) {
			return true
		}
	}
	return false
}
