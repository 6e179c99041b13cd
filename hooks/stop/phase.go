package main

import (
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/hook"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
)

// A phase says what the turn that just ended was about.
type phase uint8

const (
	working phase = iota // the person's work: everything said counts
	saving               // between a feedback and the save, or while notes are looked through: only the person counts
	saved                // the save was applied in this turn: only the person counts, and not what it was asked to save
)

// phaseOf tells the phase of a turn. A save goes over several turns when
// drafters run in the background, each ending in a Stop of its own. It ends
// with the turn that applies, or when the person has opened a turn of their own
// while nothing was being drafted: then the agent did not take it up.
func phaseOf(st stage.State, in hook.Stop, entries []transcript.Entry) phase {
	switch {
	case st.Applied:
		return saved
	case !st.Saving:
		return working
	case in.Active, drafting(in.Tasks), !openedByPerson(entries):
		return saving
	}
	return working
}

// heard are the entries that count in a phase.
func (p phase) heard(entries []transcript.Entry) []transcript.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e transcript.Entry) bool {
		return p != working && e.Who != transcript.Person || session.Ours(e, p == saved)
	})
}

// openedByPerson tells whether the turn began with a prompt of the person.
func openedByPerson(entries []transcript.Entry) bool {
	for _, e := range entries {
		switch e.Who {
		case transcript.Person:
			return true
		case transcript.Scheduled, transcript.Notification, transcript.Peer, transcript.Assistant:
			return false
		}
	}
	return false
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
