package stop

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// A decision is everything that the agent is told at the end of a turn.
type decision struct {
	closing
	full                brief.Full
	statements, moments []finding.Status // the findings that the agent is told of
	save                bool             // it is asked to save: these, a summary, or all in a full window
	free                bool             // it takes nothing from the budget
	explicit            bool             // the person asked
	drafters            bool             // drafting agents write it up, side by side
	whole               bool             // with a summary of the session
	more                bool             // findings are left that the agent is told of next time
	settled             []int            // numbers of findings that no drafter is to see any more
}

// alone is how many findings the agent writes up by itself. More are drafted by agents
// side by side.
const alone = 5

// decide returns what the agent is told about the waiting findings. A few findings are listed, and the
// agent writes them up in one command. More than alone, and session summaries, are left to drafting
// agents.
func (t turn) decide(st stage.State, n noted, c closing) (decision, error) {
	d := decision{closing: c, full: t.filling(st), explicit: n.Explicit}
	if !st.Due && d.full.At == 0 {
		return d, nil
	}
	book, err := t.Recent()
	if err != nil && book.Len() == 0 {
		return d, err
	}
	d.statements, d.moments = t.Waiting(book, d.full.At > 0)
	d.statements = slices.DeleteFunc(d.statements, func(f finding.Status) bool { return !t.asks(st, f) })
	if t.Config.Capture.MaxSaves == 0 {
		d.moments = slices.DeleteFunc(d.moments, func(f finding.Status) bool { return !f.Explicit })
	}
	summed, serr := t.Desk.Context(memory.SessionSummary)
	summary := serr == nil && summed.Category != ""
	written := len(d.statements) > 0 || summary || d.full.At > 0 // by whoever drafts
	d.save = written || len(d.moments) > 0                       // else a save took it all meanwhile
	d.free = d.explicit || d.full.At >= triage.Emergency
	d.whole = summary || d.full.At == triage.Emergency
	if t.Codex() { // it has no drafting agents
		d.whole, d.more = false, len(d.statements) > alone
		d.statements = d.statements[:min(len(d.statements), alone)]
		d.save = len(d.statements)+len(d.moments) > 0
		return d, nil
	}
	d.drafters = written && (t.Config.Capture.Drafters || t.Config.Triage.Parallel.Verify ||
		len(d.statements) > alone || d.whole)
	if d.drafters {
		d.settled = finding.Numbers(book.Each(func(f finding.Status) bool {
			return !f.State.Waits() || !t.asks(st, f)
		}))
	}
	return d, nil
}

// say returns the text of a decision for the agent, and the event of a save that begins. The text is
// taken from the budget, unless the person asked for it or the context window is nearly full. If there is
// nothing else to say, the text names notes that no memory-keeper has looked at.
func (t turn) say(st *stage.State, file session.Transcript, d decision) (said string, begun []event.Event,
	err error) {
	st.Due = d.more
	if d.save {
		if said, begun, err = t.askToSave(st, file, d); err != nil {
			return "", nil, err
		}
	}
	if d.topic != "" {
		said = t.askForTopic(st, said, d.topic)
	}
	if said == "" {
		said = t.nameKeeper(st)
	}
	return said, begun, nil
}

// askToSave returns the text that asks the agent to save what waits.
func (t turn) askToSave(st *stage.State, file session.Transcript, d decision) (said string,
	begun []event.Event,
	err error) {
	if !d.free {
		st.Saves++
	}
	// If the desk can't be written, Put has reported why.
	if d.drafters && t.Restage(d.statements, d.settled) == nil {
		if said, begun, err = t.announce(st, file, d); err != nil {
			return "", nil, err
		}
	} else if len(d.statements) > 0 {
		said, begun = brief.Keep(t.withNear(d.statements)), []event.Event{t.saveBegan(*st, d)}
		if !st.Form {
			said, st.Form = said+"\n"+brief.Form(layout.CommandPath()), true
		}
	}
	numbers := finding.Numbers(slices.Concat(d.statements, d.moments))
	if err := t.MoveFindings(finding.Move{At: t.now, Act: finding.Offer, Numbers: numbers,
		By: "keepsake"}); err != nil {
		return "", nil, err
	}
	st.Enter(stage.Ask)
	st.Drafters, st.Again = nil, nil
	st.Pressure.Said = max(st.Pressure.Said, int(d.full.At))
	return joinLines(brief.Filling(d.full, said != "" || len(d.moments) > 0), said,
		brief.Moments(session.ToldMoments(d.moments))), begun, nil
}

// asks reports whether the agent is to be told of a waiting finding. Whether the session's budget
// is used up was decided when the finding was staged.
func (t turn) asks(st stage.State, f finding.Status) bool {
	return t.AsksFor(st, f, t.Config.Capture.MaxSaves > 0)
}

// saveBegan returns the event of a save that the agent does by itself.
func (t turn) saveBegan(st stage.State, d decision) event.Event {
	var names []string
	for _, f := range d.statements {
		if name := string(f.Category); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return event.Event{Type: event.SaveStart, Hook: hookName, Took: event.Untimed, Data: event.Data{
		"categories": names, "explicit": d.explicit, "saves": st.Saves, "findings": len(d.statements),
	}}
}

// withNear returns findings with the memories that may be about the same, so that an update does
// not become a second record. Without an index there are none.
func (t turn) withNear(statements []finding.Status) []brief.Offered {
	all := offered(statements)
	if err := t.Near(statements, func(i int, ids []string) { all[i].Near = ids }); err != nil {
		t.Fault(hookName, "the memories that there are could not be named beside what was noticed", err)
	}
	return all
}

// offered returns findings in the form in which the agent is told of them.
func offered(statements []finding.Status) (all []brief.Offered) {
	for _, f := range statements {
		against := ""
		if strings.Contains(f.Target, "/") {
			against = strings.TrimSuffix(path.Base(f.Target), ".json")
		}
		all = append(all, brief.Offered{Number: f.Number, Category: f.Category, Text: f.Text,
			Against: against})
	}
	return all
}

// sureOnes returns the sure ones of findings that were just added.
func sureOnes(added []finding.Finding) (all []finding.Status) {
	for _, f := range added {
		if f.Level == finding.Sure && f.Category != "" {
			all = append(all, finding.Status{Finding: f, State: finding.Open})
		}
	}
	return all
}

// announce returns the text that tells the save skill what lies on the desk, or "" if there is nothing.
// It adds a session summary if enough was done for one, or if the whole session is to be saved.
func (t turn) announce(st *stage.State, file session.Transcript, d decision) (string, []event.Event, error) {
	if c, _, enough := t.Summary(st, file, d.whole); enough && t.Config.Capture.MaxSaves > 0 {
		if _, err := t.Put(c); err != nil {
			return "", nil, err
		}
		st.Activity = stage.Activity{From: st.Mark.Offset}
	}
	a, err := save.Announce(t.Session, d.explicit, d.signal, t.now,
		func(what string, err error) { t.Fault(hookName, what, err) })
	if err != nil || a.Text == "" {
		return "", nil, err
	}
	var names []string
	for _, c := range a.Data.Categories {
		names = append(names, string(c.Category))
	}
	return a.Text, []event.Event{{Type: event.SaveStart, Hook: hookName, Took: event.Untimed,
		Data: event.Data{
			"categories": names, "explicit": d.explicit, "saves": st.Saves,
		}}}, nil
}
