package main

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/config"
	"keepsake/pkg/event"
	"keepsake/pkg/hook"
	"keepsake/pkg/memory"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/triage"
)

// A turn is one call of the hook.
type turn struct {
	*session.Session
	in       hook.Stop
	attended bool
	now      time.Time
}

// end looks at what the turn added and returns what the agent is told of it,
// mostly nothing. When it fails, the watermark stays where it was and the next
// turn looks again.
func (t turn) end() (said string, err error) {
	if !t.Listens() {
		t.Log(skipped("off"))
		return "", nil
	}
	started := time.Now()
	file, err := session.OpenTranscript(t.in.Transcript)
	if errors.Is(err, fs.ErrNotExist) && t.State.Fresh {
		t.Log(skipped("no_transcript"))
		return "", nil // the client writes behind: a first turn can end before its file is there
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	var log []event.Event // begins with what was seen
	err = t.Update(func(st *stage.State) error {
		span, err := t.Listen(file, *st, t.in.LastAssistant)
		if err != nil {
			return err
		}
		p := phaseOf(*st, t.in, span.Entries)
		for _, e := range span.Entries {
			if e.Boundary {
				st.Compacted(e.Time)
			}
		}
		t.Fill(st, span)
		if p == working {
			session.Count(&st.Activity, span.Entries)
		}
		heard := p.heard(span.Entries)
		notice, contexts := t.Notice(session.Passages(heard), t.Pressed(*st))
		due := st.Due
		if err := t.stage(st, notice, contexts); err != nil {
			return err
		}
		st.Due = st.Due && (due || !t.beside(span.Entries, notice))
		awaited := st.Awaits
		st.Mark, st.Fresh, st.Awaits = stage.Watermark(span.Next), false, awaits(awaited, span.Entries)
		if st.Client == (stage.Process{}) {
			st.Client = session.Client()
		}
		st.Applied, st.Saving = false, p == saving
		log = append(log, session.Scored(hookName, notice, len(heard), t.Full(*st).At))
		if len(span.Entries) == 0 {
			log[0] = skipped("nothing_new")
		}
		topic := ""
		if p == working && !t.silent() {
			if topic, err = t.ended(st, heard, awaited, &notice, file); err != nil {
				return err
			}
		}
		if full := t.filling(*st); (st.Due || full.At > 0) && p == working && !t.silent() {
			var begun []event.Event
			said, begun, err = t.tell(st, notice, file, full)
			log = append(log, begun...)
		}
		if err == nil && topic != "" {
			said = t.closed(st, said, topic)
		}
		st.Keeper = told(st.Keeper)
		if err == nil && said == "" && p == working && !t.silent() {
			said = t.keeper(st)
		}
		return err
	})
	if err == nil {
		log[0].Took = time.Since(started)
		t.Log(log...)
	}
	return said, err
}

const hookName = "stop"

// skipped is the event of a turn that was not listened to.
func skipped(why string) event.Event {
	return event.Event{Type: event.TriageSkip, Hook: hookName, Took: event.Untimed, Data: event.Data{"reason": why}}
}

// silent tells the turns whose findings are staged and not talked about: in a
// run without a person a further turn would replace the caller's answer, in
// plan mode nothing can be saved, and a continuation was asked for by a hook.
func (t turn) silent() bool {
	return !t.talks() || t.in.Mode == "plan" || t.in.Active || drafting(t.in.Tasks)
}

// talks tells whether this session's agent is ever told of what is noticed.
func (t turn) talks() bool { return t.attended && t.Config.Capture.OnStop == config.Save }

// stage puts what was noticed on the desk. When the budget of this session is used
// up and nobody asked, it goes on the pile for later sessions, or, where the context
// window fills, stays on the desk and is told at the next threshold. What only comes
// near its own threshold waits for something surer.
func (t turn) stage(st *stage.State, n triage.Notice, contexts []stage.Context) error {
	over := st.Saves >= t.Config.Capture.MaxSaves && !n.Explicit && t.talks()
	for i, c := range contexts {
		if over && !t.Pressed(*st) {
			if err := t.Pending().Add(t.ID, c); err != nil {
				return err
			}
			continue
		}
		told, err := t.Put(c)
		if err != nil {
			return err
		}
		if told && !over && !n.Signals[i].Near && t.talks() {
			st.Due = true // after plan mode, when the plan is being carried out
		}
	}
	told, err := t.Note(session.Moments(n))
	st.Due = st.Due || told && !over && t.talks()
	return err
}

// filling is how full the context window is, when it reached a threshold at which
// things are to be saved and nobody was told since the last compaction.
func (t turn) filling(st stage.State) brief.Full {
	full := t.Full(st)
	if full.At < triage.Flush || int(full.At) <= st.Pressure.Said || t.Config.Capture.MaxSaves == 0 {
		return brief.Full{}
	}
	return full
}

// tell names all that lies on the desk and takes this feedback from the budget,
// unless it is given because the context window is nearly full. The event is that
// of a save that begins.
func (t turn) tell(st *stage.State, n triage.Notice, file session.Transcript, full brief.Full) (string, []event.Event, error) {
	contexts, err := t.Desk.Contexts()
	if err != nil && len(contexts) == 0 {
		return "", nil, err
	}
	said, err := t.Desk.Moments()
	if err != nil {
		t.Fault(hookName, "what belongs into the Markdown memories could not be read", err)
	}
	if len(contexts)+len(said) == 0 && full.At == 0 {
		st.Due = false // a save took it all meanwhile
		return "", nil, nil
	}
	if !n.Explicit && full.At < triage.Emergency {
		st.Saves++
	}
	var feedback string
	var begun []event.Event
	if len(contexts) > 0 || full.At > 0 {
		// A summary that has waited is brought up to this turn.
		waits := slices.ContainsFunc(contexts, func(c stage.Context) bool { return c.Category == memory.SessionSummary })
		if feedback, begun, err = t.save(st, n, file, waits || full.At == triage.Emergency); err != nil {
			return "", nil, err
		}
	}
	st.Due, st.Saving, st.Drafters, st.Pressure.Said = false, true, nil, max(st.Pressure.Said, int(full.At))
	text := lines(brief.Filling(full, feedback != "" || len(said) > 0), feedback, brief.Moments(session.Told(said)))
	if len(said) > 0 {
		_, err = t.Desk.Remove(stage.MomentsName) // told, and from now on the agent's
	}
	return text, begun, err
}

// save announces what lies on the desk to the save skill, with the session summary
// when enough was done for one or the whole is to be saved. It is empty when there
// is nothing.
func (t turn) save(st *stage.State, n triage.Notice, file session.Transcript, whole bool) (string, []event.Event, error) {
	if c, _, enough := t.Summary(st, file, whole); enough {
		if _, err := t.Put(c); err != nil {
			return "", nil, err
		}
		st.Activity = stage.Activity{From: st.Mark.Offset}
	}
	if err := t.Relate(); err != nil {
		t.Fault(hookName, "drafters are not shown the memories there are", err)
	}
	path, data, err := t.Desk.Announce(t.Parallel(), t.now)
	if err != nil || len(data.Categories) == 0 {
		return "", nil, err
	}
	about := brief.Descriptions{}
	var names []string
	for _, c := range data.Categories {
		about[c.Category] = c.Description
		names = append(names, string(c.Category))
		if !slices.ContainsFunc(n.Signals, func(s triage.Signal) bool { return s.Category == c.Category }) {
			n.Signals = append(n.Signals, t.staged(c.Category))
		}
	}
	begun := event.Event{Type: event.SaveStart, Hook: hookName, Took: event.Untimed, Data: event.Data{
		"categories": names, "explicit": n.Explicit, "saves": st.Saves,
	}}
	return brief.Feedback(n, path, about), []event.Event{begun}, nil
}

// staged is the signal of a context that an earlier turn left on the desk.
func (t turn) staged(cat memory.Category) triage.Signal {
	sig := triage.Signal{Category: cat}
	if c, err := t.Desk.Context(cat); err == nil {
		sig.Score = c.Score
		for _, s := range c.Snippets {
			sig.Quotes = append(sig.Quotes, triage.Quote{Text: s})
		}
	}
	return sig
}
