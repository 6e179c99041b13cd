package main

import (
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
)

// ended looks whether a topic is over, because the person closed it or because the
// conversation has gone on for long. What the person closed is to be summed up now: on
// the project's card, by the words that are returned to be said, or, where the project
// has no card, in a session summary for the save skill, whose signal is returned. The
// summary of a conversation that is only long starts no feedback of its own: it waits
// on the desk for the next that drafters write. The last of the budget is left to what
// is noticed. awaited says that the agent had waited for the person.
func (t turn) ended(st *stage.State, heard []transcript.Entry, awaited bool,
	file session.Transcript) (topic string, closing *triage.Signal, err error) {
	words := ""
	for _, e := range heard {
		if e.Who == transcript.Person && e.Called == "" {
			words = e.Text
		}
	}
	left := t.Config.Capture.MaxSaves - st.Saves
	closed := triage.Closes(words, awaited) && (left > 1 || st.Due)
	card := closed && t.HasCard()
	if left <= 0 || !triage.Ended(session.Done(*st), closed, card, t.Config.TriageOptions()) {
		return "", nil, nil
	}
	if card {
		st.Activity = stage.Activity{From: st.Mark.Offset}
		if slices.ContainsFunc(heard, func(e transcript.Entry) bool { return strings.Contains(e.Command, "keepsake project topic") }) {
			return "", nil, nil // the agent has just done it
		}
		return brief.Topic(words), nil, nil
	}
	if !closed && !t.Config.Capture.Drafters {
		return "", nil, nil // at its end the session is summed up without a model
	}
	c, _, enough := t.Summary(st, file, true)
	if !enough {
		return "", nil, nil
	}
	told, err := t.Put(c)
	if err != nil {
		return "", nil, err
	}
	st.Activity = stage.Activity{From: st.Mark.Offset}
	if closed {
		st.Due = st.Due || told
		closing = &triage.Signal{Category: memory.SessionSummary, Score: c.Score,
			Quotes: []triage.Quote{{Text: words, By: triage.Person}}}
	}
	return "", closing, nil
}

// awaits says whether the agent's last words leave something to the person, as it was
// before where it said nothing.
func awaits(before bool, entries []transcript.Entry) bool {
	for _, e := range slices.Backward(entries) {
		if e.Who == transcript.Assistant && e.Tool == "" {
			return triage.Awaits(e.Text)
		}
	}
	return before
}

// closed adds to what is said that a topic is to be summed up. It is taken from the
// budget where nothing else is said.
func (t turn) closed(st *stage.State, said, topic string) string {
	if said == "" {
		st.Saves++
		st.Saving = true
	}
	return lines(said, topic)
}
