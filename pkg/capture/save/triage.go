package save

import (
	"maps"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
)

// Clear takes drafts and plans of an earlier run off the stage and returns their names.
// Contexts stay: what they hold was noticed and is not saved.
func (w *Saver) Clear() ([]string, error) {
	names, err := w.Desk.Files()
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		_, intent := intentCategory(n)
		return !intent && !stage.IsVerify(n) &&
			!slices.Contains([]string{stage.TriageName, stage.PlanName, stage.PendingName}, n)
	})
	return w.Desk.Remove(names...)
}

// Look reads the session's conversation afresh, notes what the journal does not have,
// and stages what waits of this session, with the categories that are asked for. The
// watermark moves to the end, so that the coming Stop does not notice the same again. It
// reports whether the person asked to have something remembered.
func (w *Saver) Look(wanted []memory.Category) (explicit bool, err error) {
	file, err := session.OpenTranscript(w.State.Transcript)
	if err != nil {
		return false, err
	}
	defer file.Close()
	return explicit, w.Update(func(st *stage.State) error {
		span, err := w.Listen(file, *st, "")
		if err != nil {
			return err
		}
		session.Count(&st.Activity, span.Entries)
		entries := session.EntriesSince(file, 0)
		noticed := w.Notice(nil, entries)
		explicit = noticed.Explicit
		added, err := w.AddFindings(st, span.Next, noticed.Findings, w.Now().UTC())
		if err != nil {
			return err
		}
		if err := w.MoveFindings(noticed.Turned...); err != nil {
			return err
		}
		contexts := w.Contexts(noticed, added, false)
		book, err := w.Recent()
		if err != nil {
			w.Note("%v", err)
		}
		earlier, _ := w.Waiting(book, false)
		contexts = append(contexts, w.ContextsOf(w.notOn(earlier, finding.NumbersOf(added)))...)
		for _, cat := range wanted {
			if !slices.ContainsFunc(contexts, func(c stage.Context) bool { return c.Category == cat }) {
				context, err := w.askedFor(st, cat, session.Passages(entries))
				if err != nil {
					return err
				}
				contexts = append(contexts, context)
			}
		}
		for _, context := range contexts {
			if err := w.Desk.Put(context); err != nil {
				return err
			}
		}
		if summary, _, enough := w.Summary(st, file, false); enough {
			if err := w.Desk.Put(summary); err != nil {
				return err
			}
			st.Activity = stage.Activity{From: st.Mark.Offset}
		}
		w.begin(st)
		return nil
	})
}

// notOn returns the findings that neither lie on the stage nor are among some numbers.
func (w *Saver) notOn(findings []finding.Status, numbers []int) []finding.Status {
	lies := append(w.onDesk(), numbers...)
	return slices.DeleteFunc(slices.Clone(findings),
		func(f finding.Status) bool { return slices.Contains(lies, f.Number) })
}

// A Claim is the work that a session took over from ended ones.
type Claim struct {
	Sessions []string // whose leftovers came onto the stage
	Remade   []int    // findings of this session that lay on a stage which has vanished
	Later    int      // findings that wait for the next claim
}

// Claim stages the unsaved work of ended sessions of the project: their drafts, the findings that nothing
// became of, and the findings that others were offered and did not take up. From then on this session is to
// save it. Findings that were settled since are taken off the stage.
func (w *Saver) Claim() (c Claim, err error) {
	book, err := w.Book()
	if err != nil {
		w.Note("%v", err)
	}
	c.Remade = w.remake(book, false).numbers // before others' drafts lie there
	if err := w.noteClaims(); err != nil {
		return c, err
	}
	if c.Sessions, err = w.Pending().Claim(w.Desk); err != nil {
		return c, err
	}
	waiting := w.notOn(w.Claimable(book), nil)
	if len(waiting) > Batch {
		waiting, c.Later = waiting[:Batch], len(waiting)-Batch
	}
	settled := finding.Numbers(book.Each(func(f finding.Status) bool { return !f.State.Waits() }))
	if err := w.Restage(waiting, settled); err != nil {
		return c, err
	}
	for _, f := range waiting {
		if !slices.Contains(c.Sessions, f.Session) {
			c.Sessions = append(c.Sessions, f.Session)
		}
	}
	slices.Sort(c.Sessions)
	err = w.MoveFindings(finding.Move{At: w.Now().UTC(), Act: finding.Offer,
		Numbers: finding.Numbers(waiting), By: "keepsake"})
	if err != nil || len(c.Sessions)+len(c.Remade) == 0 {
		return c, err
	}
	return c, w.Update(func(st *stage.State) error { w.begin(st); return nil })
}

// Batch is how many findings that wait are staged for drafters at once.
const Batch = 60

// noteClaims notes whose work a session is about to take over, before it does: what their
// drafts say was said there.
func (w *Saver) noteClaims() error {
	waiting, err := w.Pending().Waiting()
	if err != nil || len(waiting) == 0 {
		return err
	}
	return w.Update(func(st *stage.State) error {
		for _, id := range slices.Sorted(maps.Keys(waiting)) {
			if id != w.ID && !slices.Contains(st.Claimed, id) {
				st.Claimed = append(st.Claimed, id)
			}
		}
		return nil
	})
}

// A remade is what was put back on the stage.
type remade struct {
	numbers    []int // of the findings
	categories []string
	data       string // the file for the save skill, "" where none was written
}

// hints returns what to do after the stage was put back, nil if there is nothing.
func (r remade) hints() []string {
	if r.data == "" {
		return nil
	}
	return []string{"what drafters wrote went with the stage; they can begin anew from " + r.data}
}

// remake makes the stage again from the journal if it vanished after the session got to know of it. If
// announced is true, drafters are to go on from it.
func (w *Saver) remake(book *finding.Book, announced bool) (r remade) {
	made, err := w.Remake(book)
	if err != nil {
		w.Note("the stage has vanished and can't be made again: %v", err)
		return r
	}
	if len(made) == 0 {
		return r
	}
	r.numbers = finding.Numbers(made)
	for _, context := range w.ContextsOf(made) {
		r.categories = append(r.categories, string(context.Category))
	}
	w.Note("%s", brief.Remade(len(made)))
	if !announced {
		return r
	}
	if err := w.Relate(); err != nil {
		w.Note("drafters are not shown the memories there are: %v", err)
	}
	if r.data, _, err = w.Desk.Announce(w.Parallel(), w.Now().UTC()); err != nil {
		w.Note("%v", err) // then no drafter is waited for
		r.data = ""
	}
	return r
}

// begin notes that a save begins, with drafters of its own. From here to the end
// of the turn that applies, the agent speaks about the save.
func (w *Saver) begin(st *stage.State) {
	st.Due, st.Drafters = false, nil
	if w.Inside {
		st.Enter(stage.Ask)
	}
}

// askedFor returns the context of a category that nothing was noticed in but somebody asked
// for: the recent conversation, and the person's last words as its finding.
func (w *Saver) askedFor(st *stage.State, cat memory.Category, said []triage.Passage) (stage.Context, error) {
	context := stage.Context{
		Category: cat, Description: w.Config.Categories[cat].Description,
		// The excerpt of a session summary is the conversation itself.
		Excerpt: triage.Excerpt(said, triage.Signal{Category: memory.SessionSummary}),
	}
	if cat == memory.SessionSummary {
		return context, nil
	}
	for _, p := range slices.Backward(said) {
		if p.By != triage.Person {
			continue
		}
		f := finding.Finding{
			Text: brief.Line(secret.Redact(p.Text)), By: finding.Typed, Session: w.ID, Record: p.ID,
			Time: w.Now().UTC(), Category: cat,
			Score: triage.Max, Level: finding.Sure, Explicit: true, Cue: "asked for",
			Origin: finding.FromPerson,
		}
		if session.Person() != nil && session.Alone() != nil {
			f.Origin = finding.FromAgent
		}
		added, err := w.AddFindings(st, transcript.Mark(st.Mark), []finding.Finding{f}, w.Now().UTC())
		if err != nil {
			return context, err
		}
		for _, f := range added {
			context.Snippets = append(context.Snippets, stage.Snippet{Number: f.Number, Text: f.Text})
		}
		break
	}
	return context, nil
}

// An Announced is what is on the stage, in the form for the save skill.
type Announced struct {
	Path string // of the file for the skill, "" where nothing lies there
	Data stage.TriageData
	Text string // what the agent reads
}

// Announce writes the file for the save skill and words the message to the agent, if something is on the
// stage.
func (w *Saver) Announce(explicit bool) (Announced, error) {
	contexts, err := w.Desk.Contexts()
	switch {
	case len(contexts) == 0:
		return Announced{}, err
	case err != nil:
		w.Note("%v", err)
	}
	return Announce(w.Session, explicit, nil, w.Now().UTC(),
		func(what string, err error) { w.Note("%s: %v", what, err) })
}

// Announce writes the file for the save skill, with all that is on the stage of a session, and words the
// message to the agent. closing replaces the signal of its category on the stage. fault is called for each
// failure that doesn't stop it.
func Announce(s *session.Session, explicit bool, closing *triage.Signal, now time.Time,
	fault func(what string, err error)) (a Announced, err error) {
	if err := s.Relate(); err != nil {
		fault("drafters are not shown the memories there are", err)
	}
	a.Path, a.Data, err = s.Desk.Announce(s.Parallel(), now)
	if err != nil || len(a.Data.Categories) == 0 {
		return Announced{}, err
	}
	n := triage.Notice{Explicit: explicit}
	about := brief.Descriptions{}
	for _, c := range a.Data.Categories {
		about[c.Category] = c.Description
		if closing != nil && c.Category == closing.Category {
			n.Signals = append(n.Signals, *closing)
			continue
		}
		signal := triage.Signal{Category: c.Category}
		if context, err := s.Desk.Context(c.Category); err == nil {
			signal.Score = context.Score
			for _, q := range context.Snippets {
				signal.Quotes = append(signal.Quotes, triage.Quote{Text: q.Text})
			}
		}
		n.Signals = append(n.Signals, signal)
	}
	a.Text = brief.Feedback(n, a.Path, about)
	return a, nil
}
