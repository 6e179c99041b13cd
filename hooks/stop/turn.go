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
	if !t.Config.Triage.Enabled || t.Config.Capture.OnStop == config.Off {
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
		if p == working {
			session.Count(&st.Activity, span.Entries)
		}
		heard := p.heard(span.Entries)
		notice, contexts := t.Notice(session.Passages(heard))
		due := st.Due
		if err := t.stage(st, notice, contexts); err != nil {
			return err
		}
		st.Due = st.Due && (due || !t.beside(span.Entries, notice))
		st.Mark, st.Fresh = stage.Watermark(span.Next), false
		if st.Client == (stage.Process{}) {
			st.Client = session.Client()
		}
		st.Applied, st.Saving = false, p == saving
		log = append(log, session.Scored(hookName, notice, len(heard)))
		if len(span.Entries) == 0 {
			log[0] = skipped("nothing_new")
		}
		if st.Due && p == working && !t.silent() {
			var begun []event.Event
			said, begun, err = t.tell(st, notice, file)
			log = append(log, begun...)
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

// stage puts what was noticed on the desk, or, when the budget of this session
// is used up and nobody asked, on the pile for later sessions.
func (t turn) stage(st *stage.State, n triage.Notice, contexts []stage.Context) error {
	over := st.Saves >= t.Config.Capture.MaxSaves && !n.Explicit && t.talks()
	for _, c := range contexts {
		if over {
			if err := t.Pending().Add(t.ID, c); err != nil {
				return err
			}
			continue
		}
		told, err := t.Put(c)
		if err != nil {
			return err
		}
		st.Due = st.Due || told && t.talks() // after plan mode, when the plan is being carried out
	}
	return nil
}

// tell names all that lies on the desk, adds the session summary when enough
// was done for one, and takes this feedback from the budget. The event is that
// of a save that begins.
func (t turn) tell(st *stage.State, n triage.Notice, file session.Transcript) (string, []event.Event, error) {
	if contexts, err := t.Desk.Contexts(); len(contexts) == 0 {
		st.Due = false // a save took it all meanwhile
		return "", nil, err
	}
	if c, _, enough := t.Summary(st, file); enough {
		if _, err := t.Put(c); err != nil {
			return "", nil, err
		}
		st.Activity = stage.Activity{From: st.Mark.Offset}
	}
	if err := t.Relate(); err != nil {
		t.Fault(hookName, "drafters are not shown the memories there are", err)
	}
	path, data, err := t.Desk.Announce(t.Parallel(), t.now)
	if err != nil {
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
	if !n.Explicit {
		st.Saves++
	}
	begun := event.Event{Type: event.SaveStart, Hook: hookName, Took: event.Untimed, Data: event.Data{
		"categories": names, "explicit": n.Explicit, "saves": st.Saves,
	}}
	st.Due, st.Saving, st.Drafters = false, true, nil
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
