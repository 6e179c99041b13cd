package main

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

// A reply is what a turn's end is answered with.
type reply struct {
	context string // for the agent, which then goes on for one more turn
	message string // for the person
}

// end returns what is said of what the turn added, mostly nothing. When it fails the mark stays
// where it was, and the next turn looks again.
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
		return err
	})
	if err == nil {
		log[0].Took = time.Since(started)
		t.Log(log...)
	}
	return r, err
}

// skipTurn moves the mark behind what was said while nothing is to be noticed, so that it is not
// noticed when that is switched on again.
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
		_, err = t.AddFindings(st, x.Next, nil, t.now)
		return err
	})
}

// answerTurn listens, notes what is worth keeping, decides what is to be said, and says it. The log
// begins with what was seen.
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
	if own := t.endPhase(st, h.Stretch); own || t.silent() {
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
	return r, append(log, begun...), err
}

// A stretch is what a turn added to the conversation.
type stretch struct {
	session.Stretch
	awaited bool // the agent had left something to the person before it
}

// listen reads what is new, and notes in the state what follows from that alone.
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

// noted is what is worth keeping of a turn.
type noted struct {
	session.Noticed
	added []finding.Finding // those that nobody has yet
}

// note puts what is worth keeping into the journal and on the desk, and marks in the state
// that the agent is to be told of it.
func (t turn) note(st *stage.State, file session.Transcript, h stretch) (n noted, err error) {
	t.setAsideUntyped(h.Entries)
	n.Noticed = t.Notice(session.Before(file, st.Mark, h.Counted), h.Heard)
	if n.added, err = t.NoteStretch(st, h.Stretch, n.Noticed, t.now); err != nil {
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

// setAsideUntyped sets aside what was noted as typed behind the save command where the transcript
// says that no person typed it.
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

// talks reports whether this session's agent is ever told at a turn's end what is noticed.
func (t turn) talks() bool { return t.attended && t.Config.Capture.OnStop == config.Save }

// stage lays on the desk what drafters read of the new findings, and notes whether the agent is to
// be told of them. When the session's budget is used up and nobody asked, they wait in the journal
// or, where the context window fills, are told at the next threshold. What only comes near its own
// threshold waits for something surer. again says that the person asked once more for what waits.
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

// filling returns how full the context window is, when it reached a threshold at which things are
// to be saved and nobody was told since the last compaction.
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
