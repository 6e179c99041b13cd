package main

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/config"
	"keepsake/pkg/event"
	"keepsake/pkg/hook"
	"keepsake/pkg/memory"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
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

// end looks at what the turn added and returns what is said of it, mostly nothing.
// When it fails, the watermark stays where it was and the next turn looks again.
func (t turn) end() (r reply, err error) {
	if !t.Listens() {
		t.Log(skipped("off"))
		return reply{}, t.pass()
	}
	started := time.Now()
	file, err := session.OpenTranscript(t.in.Transcript)
	if errors.Is(err, fs.ErrNotExist) && t.State.Fresh {
		t.Log(skipped("no_transcript"))
		return reply{}, nil // the client writes behind: a first turn can end before its file is there
	}
	if err != nil {
		return reply{}, err
	}
	defer file.Close()
	var log []event.Event // begins with what was seen
	err = t.Update(func(st *stage.State) error {
		r, log, err = t.listen(st, file)
		return err
	})
	if err == nil {
		log[0].Took = time.Since(started)
		t.Log(log...)
	}
	return r, err
}

// pass moves the watermark behind what was said while nothing is to be noticed, so that it is not taken up
// when that is on again.
func (t turn) pass() error {
	file, err := session.OpenTranscript(t.in.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return t.Update(func(st *stage.State) error {
		if err := t.Resume(st); err != nil {
			return err
		}
		span, err := t.Listen(file, *st, t.in.LastAssistant)
		if err != nil {
			return err
		}
		_, err = t.AddFindings(st, span.Next, nil, t.now)
		return err
	})
}

// listen reads what is new, notes the findings, and says what is to be said.
func (t turn) listen(st *stage.State, file session.Transcript) (r reply, log []event.Event, err error) {
	if err := t.Resume(st); err != nil {
		return r, nil, err
	}
	span, err := t.Listen(file, *st, t.in.LastAssistant)
	if err != nil {
		return r, nil, err
	}
	heard, ours := session.Heard(*st, span.Entries, t.in.Active)
	p := phaseOf(*st, t.in, ours)
	for _, e := range span.Entries {
		if e.Boundary {
			st.Compacted(e.Time)
		}
	}
	t.Fill(st, span)
	if p == working {
		session.Count(&st.Activity, span.Entries)
	}
	heard = slices.DeleteFunc(heard, t.Noted)
	t.untyped(span.Entries)
	noticed := t.Notice(session.Before(file, st.Mark, span.Counted), heard)
	added, err := t.AddFindings(st, span.Next, noticed.Findings, t.now)
	if err != nil {
		return r, nil, err
	}
	if err := t.MoveFindings(noticed.Turned...); err != nil {
		return r, nil, err
	}
	if added, err = t.Besides(st.Saved, added, t.now); err != nil {
		return r, nil, err
	}
	due := st.Due
	again, err := t.AskedAgain(noticed.Findings, added)
	if err != nil {
		t.Fault(hookName, "what was asked for once more could not be looked up", err)
	}
	for _, n := range again {
		if !slices.Contains(st.Again, n) {
			st.Again = append(st.Again, n)
		}
	}
	if err := t.stage(st, noticed, added, len(again) > 0); err != nil {
		return r, nil, err
	}
	if st.Due && !due && t.beside(span.Entries, added) {
		st.Due = false
	}
	awaited := st.Awaits
	st.Awaits = awaits(awaited, span.Entries)
	if st.Client == (stage.Process{}) {
		st.Client = session.Client()
	}
	st.Applied, st.Saving, st.Saved = false, p == saving, nil
	log = append(log, session.Scored(hookName, noticed, len(heard), t.Full(*st).At))
	if len(span.Entries) == 0 {
		log[0] = skipped("nothing_new")
	}
	if t.Config.Capture.OnStop == config.Heard && t.attended {
		r.message = brief.Heard(offered(statuses(added)))
	}
	if p != working || t.silent() {
		st.Keeper = told(st.Keeper)
		return r, log, nil
	}
	topic, closing, err := t.ended(st, heard, awaited, file)
	if err != nil {
		return r, nil, err
	}
	if full := t.filling(*st); st.Due || full.At > 0 {
		var begun []event.Event
		r.context, begun, err = t.tell(st, noticed.Explicit, closing, file, full)
		if err != nil {
			return r, nil, err
		}
		log = append(log, begun...)
	}
	if topic != "" {
		r.context = t.closed(st, r.context, topic)
	}
	st.Keeper = told(st.Keeper)
	if r.context == "" {
		r.context = t.keeper(st)
	}
	return r, log, nil
}

const hookName = "stop"

// untyped sets aside what was noted as typed behind the save command where the transcript
// says that no person typed it.
func (t turn) untyped(entries []transcript.Entry) {
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

// talks tells whether this session's agent is ever told of what is noticed when a turn
// ends.
func (t turn) talks() bool { return t.attended && t.Config.Capture.OnStop == config.Save }

// stage lays on the desk what drafters read of the new findings, and notes whether the
// agent is to be told of them. When the budget of this session is used up and nobody
// asked, they wait in the journal, or, where the context window fills, are told at the
// next threshold. What only comes near its own threshold waits for something surer. again
// is that the person asked once more for what waits.
func (t turn) stage(st *stage.State, n session.Noticed, added []finding.Finding, again bool) error {
	over := st.Saves >= t.Config.Capture.MaxSaves && !n.Explicit && t.talks()
	if over && !t.Pressed(*st) {
		return nil
	}
	for _, c := range t.Contexts(n, added, t.Pressed(*st)) {
		if _, err := t.Put(c); err != nil {
			return err
		}
	}
	sure := slices.ContainsFunc(added, func(f finding.Finding) bool { return f.Level == finding.Sure })
	if (sure || again) && !over && t.talks() {
		st.Due = true // after plan mode, when the plan is being carried out
	}
	return nil
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

// alone is how many findings the agent writes up by itself. More are drafted by agents
// side by side.
const alone = 5

// tell asks the agent to save what waits of this session and takes this feedback from
// the budget, unless it is given because the context window is nearly full. A little
// is asked for line by line, and the agent writes it up in one command; more than
// that, and session summaries, are drafted by agents of their own. What
// asks lets through is told. The event is that of a save that begins.
func (t turn) tell(st *stage.State, explicit bool, closing *triage.Signal, file session.Transcript,
	full brief.Full) (string, []event.Event, error) {
	book, err := t.Recent()
	if err != nil && book.Len() == 0 {
		return "", nil, err
	}
	statements, moments := t.Waiting(book, full.At > 0)
	statements = slices.DeleteFunc(statements, func(f finding.Status) bool { return !t.asks(*st, f) })
	if t.Config.Capture.MaxSaves == 0 {
		moments = slices.DeleteFunc(moments, func(f finding.Status) bool { return !f.Explicit })
	}
	summed, serr := t.Desk.Context(memory.SessionSummary)
	summary := serr == nil && summed.Category != ""
	if len(statements)+len(moments) == 0 && !summary && full.At == 0 {
		st.Due = false // a save took it all meanwhile
		return "", nil, nil
	}
	if !explicit && full.At < triage.Emergency {
		st.Saves++
	}
	var feedback string
	var begun []event.Event
	drafters := t.Config.Capture.Drafters || t.Config.Triage.Parallel.Verify || len(statements) > alone ||
		summary || full.At == triage.Emergency
	// else Put has told why
	if drafters && (len(statements) > 0 || summary || full.At > 0) &&
		t.restage(*st, book, statements) == nil {
		whole := summary || full.At == triage.Emergency
		if feedback, begun, err = t.save(st, explicit, closing, file, whole); err != nil {
			return "", nil, err
		}
	} else if len(statements) > 0 {
		feedback, begun = brief.Keep(t.near(statements)),
			[]event.Event{t.began(statements, explicit, st.Saves)}
		if !st.Form {
			feedback, st.Form = feedback+"\n"+brief.Form(session.Program()), true
		}
	}
	numbers := finding.Numbers(slices.Concat(statements, moments))
	if err := t.MoveFindings(finding.Move{At: t.now, Act: finding.Offer, Numbers: numbers,
		By: "keepsake"}); err != nil {
		return "", nil, err
	}
	st.Due, st.Saving, st.Drafters, st.Again = false, true, nil, nil
	st.Pressure.Said = max(st.Pressure.Said, int(full.At))
	return lines(brief.Filling(full, feedback != "" || len(moments) > 0), feedback,
		brief.Moments(session.Told(moments))), begun, nil
}

// asks reports whether the agent is to be told of a finding that waits. Whether the budget
// of a session is used up was looked at when it was staged.
func (t turn) asks(st stage.State, f finding.Status) bool {
	return t.AsksFor(st, f, t.Config.Capture.MaxSaves > 0)
}

// began is the event of a save that the agent does by itself.
func (t turn) began(statements []finding.Status, explicit bool, saves int) event.Event {
	var names []string
	for _, f := range statements {
		if name := string(f.Category); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return event.Event{Type: event.SaveStart, Hook: hookName, Took: event.Untimed, Data: event.Data{
		"categories": names, "explicit": explicit, "saves": saves, "findings": len(statements),
	}}
}

// near adds to findings the memories that may be about the same, so that an update
// becomes no twin. Without an index there are none.
func (t turn) near(statements []finding.Status) []brief.Offered {
	all := offered(statements)
	if err := t.Near(statements, func(i int, ids []string) { all[i].Near = ids }); err != nil {
		t.Fault(hookName, "the memories that there are could not be named beside what was noticed", err)
	}
	return all
}

// offered are findings as they are told.
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

// statuses are the sure ones of findings that were just added.
func statuses(added []finding.Finding) (all []finding.Status) {
	for _, f := range added {
		if f.Level == finding.Sure && f.Category != "" {
			all = append(all, finding.Status{Finding: f, State: finding.Open})
		}
	}
	return all
}

// restage makes the contexts on the desk those of the statements that are to be
// drafted now: without what the agent was told of before, and with what the desk does
// not have, since it may have vanished or been full.
func (t turn) restage(st stage.State, book *finding.Book, statements []finding.Status) error {
	return t.Restage(statements, finding.Numbers(book.Each(func(f finding.Status) bool {
		return !f.State.Waits() || !t.asks(st, f)
	})))
}

// save announces what lies on the desk to the save skill, with the session summary
// when enough was done for one or the whole is to be saved. It is empty when there
// is nothing.
func (t turn) save(st *stage.State, explicit bool, closing *triage.Signal, file session.Transcript,
	whole bool) (string, []event.Event, error) {
	if c, _, enough := t.Summary(st, file, whole); enough && t.Config.Capture.MaxSaves > 0 {
		if _, err := t.Put(c); err != nil {
			return "", nil, err
		}
		st.Activity = stage.Activity{From: st.Mark.Offset}
	}
	a, err := save.Announce(t.Session, explicit, closing, t.now,
		func(what string, err error) { t.Fault(hookName, what, err) })
	if err != nil || a.Text == "" {
		return "", nil, err
	}
	var names []string
	for _, c := range a.Data.Categories {
		names = append(names, string(c.Category))
	}
	return a.Text, []event.Event{{Type: event.SaveStart, Hook: hookName, Took: event.Untimed, Data: event.Data{
		"categories": names, "explicit": explicit, "saves": st.Saves,
	}}}, nil
}
