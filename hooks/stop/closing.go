package stop

import (
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// A closing is what the agent has to do about a topic that is over.
type closing struct {
	topic  string         // the words that ask the agent to sum it up on the project's card, "" for none
	signal *triage.Signal // of the session summary for the save skill, nil for none
}

// closeTopic finds out whether a topic is over, because the person closed it or because the
// conversation has gone on for long. What the person closed is summed up now: on the project's
// card, or in a session summary where the project has no card. The summary of a long conversation
// asks for no feedback of its own. It waits on the desk for the next that drafters write. The last
// of the budget is left to what is noticed.
func (t turn) closeTopic(st *stage.State, file session.Transcript, h stretch) (c closing, err error) {
	if t.Codex() { // it has neither the skill nor the agents for it
		return c, nil
	}
	words := ""
	for _, e := range h.Heard {
		if e.Who == transcript.Person && e.Called == "" {
			words = e.Text
		}
	}
	left := t.Config.Capture.MaxSaves - st.Saves
	closed := triage.Closes(words, h.awaited) && (left > 1 || st.Due)
	card := closed && t.HasCard()
	if left <= 0 || !triage.Ended(session.ActivityOf(*st), closed, card, t.Config.TriageOptions()) {
		return c, nil
	}
	if card {
		st.Activity = stage.Activity{From: st.Mark.Offset}
		if !slices.ContainsFunc(h.Heard, addsTopic) { // the agent has not just done it
			c.topic = brief.Topic(words)
		}
		return c, nil
	}
	if !closed && !t.Config.Capture.Drafters {
		return c, nil // at its end the session is summed up without a model
	}
	summary, _, enough := t.Summary(st, file, true)
	if !enough {
		return c, nil
	}
	told, err := t.Put(summary)
	if err != nil {
		return c, err
	}
	st.Activity = stage.Activity{From: st.Mark.Offset}
	if closed {
		st.Due = st.Due || told
		c.signal = &triage.Signal{Category: memory.SessionSummary, Score: summary.Score,
			Quotes: []triage.Quote{{Text: words, By: triage.Person}}}
	}
	return c, nil
}

// addsTopic reports whether an entry is a command that sums a topic up on the card.
func addsTopic(e transcript.Entry) bool { return strings.Contains(e.Command, "keepsake project topic") }

// awaitsPerson reports whether the agent's last words leave something to the person. If the agent said
// nothing, it returns before.
func awaitsPerson(before bool, entries []transcript.Entry) bool {
	for _, e := range slices.Backward(entries) {
		if e.Who == transcript.Assistant && e.Tool == "" {
			return triage.Awaits(e.Text)
		}
	}
	return before
}

// askForTopic adds to a text the request to sum a topic up. If there is no other text, the request is
// taken from the budget.
func (t turn) askForTopic(st *stage.State, said, topic string) string {
	if said == "" {
		st.Saves++
		st.Enter(stage.Ask)
	}
	return joinLines(said, topic)
}
