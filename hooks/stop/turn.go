package stop

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/project/config"
	"keepsake/pkg/project/session"
)

// A turn is one call of the hook.
type turn struct {
	*session.Session
	in       hook.Stop
	attended bool
	now      time.Time
}

// A reply is the answer to the end of a turn.
type reply struct {
	context string // for the agent, which then goes on for one more turn
	message string // for the person
}

// end returns the reply to what the turn added, which is mostly empty. If it fails, the mark stays where
// it was, and the next turn reads the same again.
func (t turn) end() (r reply, err error) {
	if !t.Listens() {
		t.Log(skippedEvent("off"))
		return reply{}, t.skipTurn()
	}
	started := time.Now()
	file, err := session.OpenTranscript(t.in.Transcript)
	if errors.Is(err, fs.ErrNotExist) && t.State.Fresh {
		t.Log(skippedEvent("no_transcript"))
		return reply{}, nil // the client writes behind: a first turn can end before its file is there
	}
	if err != nil {
		return reply{}, err
	}
	defer file.Close()
	var log []event.Event // begins with what was seen
	err = t.Update(func(st *stage.State) error {
		r, log, err = t.answerTurn(st, file)
		if r.context != "" {
			st.Continued = t.now
		}
		if t.attended {
			r.message = joinLines(r.message, brief.Versions(st.Versions.Tell()))
		}
		st.Rested = r.context == "" && !st.Continued.IsZero()
		return err
	})
	if err == nil {
		log[0].Took = time.Since(started)
		t.Log(log...)
	}
	return r, err
}

// skipTurn moves the mark behind what was said while Keepsake does not listen. So nothing of it is
// noticed when listening is switched on again.
func (t turn) skipTurn() error {
	file, err := session.OpenTranscript(t.in.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return t.Update(func(st *stage.State) error {
		x, err := t.ReadOn(st, file, session.Part{Last: t.in.LastAssistant})
		if err != nil {
			return err
		}
		_, err = t.NoteStretch(st, x, session.Noticed{}, t.now)
		return err
	})
}

// answerTurn reads what is new, notes what is worth keeping, and returns the reply. The first event of
// log is that of the reading.
func (t turn) answerTurn(st *stage.State, file session.Transcript) (r reply, log []event.Event, err error) {
	h, err := t.listen(st, file)
	if err != nil {
		return r, nil, err
	}
	n, err := t.note(st, file, h)
	if err != nil {
		return r, nil, err
	}
	if len(h.Entries) == 0 {
		log = append(log, skippedEvent("nothing_new"))
	} else {
		log = append(log, session.Scored(hookName, n.Noticed, len(h.Heard), t.Full(*st).At))
	}
	if t.Config.Capture.OnStop == config.Heard && t.attended {
		r.message = brief.Heard(offered(sureOnes(n.added)))
	}
	st.Keeper = forgetTold(st.Keeper)
	own := t.endPhase(st, h.Stretch)
	if own {
		log = append(log, session.Worked(hookName, h.Entries, st.Pressure.Used))
	}
	if own || t.silent() {
		return r, log, nil
	}
	c, err := t.closeTopic(st, file, h)
	if err != nil {
		return r, nil, err
	}
	d, err := t.decide(*st, n, c)
	if err != nil {
		return r, nil, err
	}
	var begun []event.Event
	r.context, begun, err = t.say(st, file, d)
	log = append(log, begun...)
	if r.context != "" {
		log = append(log, session.Continued(hookName, r.context))
	}
	return r, log, err
}

// A stretch is the part of the conversation that a turn added.
type stretch struct {
	session.Stretch
	awaited bool // before it the agent had left something to the person
}

// listen reads what is new. It notes in the state how full the context window is, and whether the agent
// awaits something from the person.
func (t turn) listen(st *stage.State, file session.Transcript) (h stretch, err error) {
	part := session.Part{Last: t.in.LastAssistant, Begun: t.in.Active}
	if h.Stretch, err = t.ReadOn(st, file, part); err != nil {
		return h, err
	}
	t.Follow(st, h.Stretch)
	h.awaited, st.Awaits = st.Awaits, awaitsPerson(st.Awaits, h.Entries)
	if st.Client == (stage.Process{}) {
		st.Client = session.Client()
	}
	return h, nil
}

// noted is everything in a turn that is worth keeping.
type noted struct {
	session.Noticed
	added []finding.Finding // those that neither the journal nor a record has yet
}

// note puts what is worth keeping into the journal and on the desk. It marks in the state that the agent
// has to be told of it.
func (t turn) note(st *stage.State, file session.Transcript, h stretch) (n noted, err error) {
	t.setAsideUntyped(h.Entries)
	n.Noticed = t.Notice(session.Before(file, st.Mark, h.Counted), h.Heard)
	n.added, err = t.NoteStretch(st, h.Stretch, n.Noticed, t.now)
	if err == nil {
		err = t.ReopenWritten(t.Recent, t.now) // before what was moved to another file is settled there
	}
	if err == nil {
		n.added, err = t.SettleWritten(n.added, t.now)
	}
	if err != nil {
		return n, err
	}
	due := st.Due
	again, err := t.AskedAgain(n.Findings, n.added)
	if err != nil {
		t.Fault(hookName, "what was asked for once more could not be looked up", err)
	}
	for _, number := range again {
		if !slices.Contains(st.Again, number) {
			st.Again = append(st.Again, number)
		}
	}
	if err := t.stage(st, n, len(again) > 0); err != nil {
		return n, err
	}
	if st.Due && !due && t.keptByAgent(h.Entries, n.added) {
		st.Due = false
	}
	return n, nil
}

// endPhase ends the turn's phase, and reports whether the turn was about Keepsake's own business: a
// save, or a look through notes. Otherwise what was done counts for a session summary.
func (t turn) endPhase(st *stage.State, h session.Stretch) (own bool) {
	step := stage.EndWork
	if h.Own || t.in.Active || drafting(t.in.Tasks) {
		step = stage.EndOwn
	}
	if own = st.Enter(step); !own {
		session.Count(&st.Activity, h.Entries)
	}
	return own
}

const hookName = "stop"

// setAsideUntyped settles findings that were noted as typed behind the save command, but that no person
// typed according to the transcript.
func (t turn) setAsideUntyped(entries []transcript.Entry) {
	if !slices.ContainsFunc(entries, func(e transcript.Entry) bool {
		return e.Called == session.SaveCommand || strings.Contains(e.Text, session.SaveCommand)
	}) {
		return
	}
	book, err := t.Recent()
	if err == nil {
		err = t.MoveFindings(finding.Move{At: t.now, Act: finding.PutAside, By: "keepsake",
			Numbers: t.Untyped(book.Waiting(), entries), Why: "no person typed it"})
	}
	if err != nil {
		t.Fault(hookName, "who typed what was to be saved could not be looked up", err)
	}
}

// skippedEvent returns the event of a turn that was not listened to.
func skippedEvent(why string) event.Event {
	return event.Event{Type: event.TriageSkip, Hook: hookName, Took: event.Untimed,
		Data: event.Data{"reason": why}}
}

// silent reports whether this turn's findings are staged and not talked about. In a run without a
// person a further turn would replace the caller's answer, in plan mode nothing can be saved, and a
// continuation was asked for by a hook.
func (t turn) silent() bool {
	return !t.talks() || t.in.Mode == "plan" || t.in.Active || drafting(t.in.Tasks)
}

// talks reports whether findings are ever told to this session's agent at the end of a turn.
func (t turn) talks() bool { return t.attended && t.Config.Capture.OnStop == config.Save }

// stage puts the contexts of the new findings on the desk, from which drafters work, and notes whether
// the agent is to be told. If the session's budget is used up and the person asked for nothing, the
// findings wait in the journal, or for the next threshold of the context window. A finding that only
// comes near its own threshold waits for a surer one. again reports that the person asked once more for a
// finding that waits.
func (t turn) stage(st *stage.State, n noted, again bool) error {
	over := st.Saves >= t.Config.Capture.MaxSaves && !n.Explicit && t.talks()
	if over && !t.Pressed(*st) {
		return nil
	}
	for _, c := range t.Contexts(n.Noticed, n.added, t.Pressed(*st)) {
		if _, err := t.Put(c); err != nil {
			return err
		}
	}
	sure := slices.ContainsFunc(n.added, func(f finding.Finding) bool { return f.Level == finding.Sure })
	if (sure || again) && !over && t.talks() {
		st.Due = true // after plan mode, when the plan is being carried out
	}
	return nil
}

// filling returns how full the context window is, if it reached a threshold at which the agent is asked
// to save and has not been asked since the last compaction. Otherwise it returns the zero Full.
func (t turn) filling(st stage.State) brief.Full {
	full := t.Full(st)
	if full.At < triage.Flush || int(full.At) <= st.Pressure.Said || t.Config.Capture.MaxSaves == 0 {
		return brief.Full{}
	}
	return full
}

// drafting reports whether a drafter, a verifier or a memory-keeper of ours still runs.
func drafting(tasks []hook.Task) bool {
	ours := []string{"keepsake:drafter", "keepsake:verifier", brief.Keeper}
	for _, t := range tasks {
		if t.Type == "subagent" && slices.Contains(ours, t.AgentType) {
			return true
		}
	}
	return false
}
