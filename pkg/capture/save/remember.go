package save

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

// cueEdited is the cue of a finding for which the person changed the words of another.
const cueEdited = "edited"

// Remember keeps what somebody gives: drafts, or a text in the words that it has, as a
// memory of category as; "" has its words decide. Of what was meant as a draft and can't
// be read nothing is saved, and all of it is kept with the drafts that were refused.
func (w *Saver) Remember(ctx context.Context, given string, as memory.Category) (Plan, Result, error) {
	text, is := classifyInput(given)
	switch {
	case is == wholeDraft && as != "" && json.Valid([]byte(withoutFence(text))):
		return Plan{}, Result{}, &Error{Why: Misused,
			Err: errors.New("--as is for a text; a draft says its category itself")}
	case is == plainText || as != "":
		return w.rememberText(ctx, text, as)
	}
	book, _ := w.Recent() // what can't be read leaves a draft without its category, which is then told
	p, r, err := w.Commit(ctx, Options{Partial: true, Given: draftsIn([]byte(text), book)}, nil)
	var e *Error
	if is == brokenDraft && errors.As(err, &e) {
		e.Hints = append(e.Hints, "a text that only looks like a draft is kept with --as, such as "+
			"--as preference")
	}
	return p, r, err
}

// rememberText keeps one statement: as a finding of whoever says it, and the memory made
// of it.
func (w *Saver) rememberText(ctx context.Context, text string, as memory.Category) (Plan, Result, error) {
	kinds := secret.Kinds(text)
	if len(kinds) == 0 { // but with what nobody sees in it
		kinds = secret.Kinds(brief.Line(text))
	}
	for _, kind := range kinds {
		w.Note("taken out: %s", kind)
	}
	w.noteUnseen(text)
	f := w.Wanted(text, as, "keepsake remember", w.Now())
	f.Branch, f.Commit = w.Head(w.Cwd)
	var turned session.Turned
	if w.person() {
		var err error
		f.By, f.Origin = finding.Typed, finding.FromPerson
		if turned, err = w.Turn(&f, as != ""); err != nil {
			w.Note("what it may turn against is not known: %v", err)
		}
	} else if f.Origin = w.originOf(f.Text); f.Origin == finding.FromPerson {
		f.By = finding.Typed // whoever passes it on
	}
	noted, err := w.NoteFindings([]finding.Finding{f}, w.Now().UTC())
	if err != nil {
		return Plan{}, Result{}, err
	}
	b, ok := draft.Extract(f.Category, []string{f.Text}, draft.Remembered, w.Now())
	if !ok {
		return Plan{}, Result{}, &Error{Why: Misused,
			Err: fmt.Errorf("%q says nothing that could be remembered", brief.Line(text))}
	}
	p, r, err := w.Commit(ctx, Options{Partial: true, Numbers: finding.NumbersOf(noted),
		Given: []Given{{Name: "remember", Category: f.Category, Text: b}}}, nil)
	if err == nil {
		err = w.takeBackTurned(turned, f.Text, p, &r)
		w.notePerhaps(turned.Perhaps, r)
	}
	return p, r, err
}

// notePerhaps says which memory one that was just made may take the place of. Only the person knows.
func (w *Saver) notePerhaps(old change.Subject, r Result) {
	made := slices.ContainsFunc(r.Written.Edits, func(e plan.Edit) bool { return e.Verb == plan.Create })
	touched := slices.ContainsFunc(r.Written.Edits, func(e plan.Edit) bool { return e.Path == old.Ref })
	if old.Ref != "" && made && !touched {
		w.Note("this may take the place of %q. If that no longer holds: keepsake records retire %s",
			brief.Line(old.Title), old.Ref)
	}
}

// noteUnseen says how many characters of a text nobody sees. They are not kept.
func (w *Saver) noteUnseen(said string) {
	n := 0
	for range text.Unseen(said) {
		n++
	}
	if n > 0 {
		w.Note("taken out: %s", text.Count(n, "unseen character"))
	}
}

// takeBackTurned takes back the waiting finding against which a text turns that was saved.
func (w *Saver) takeBackTurned(t session.Turned, text string, p Plan, r *Result) error {
	undone := "" // by which plan
	if len(r.Written.Edits) > 0 {
		undone = p.Digest
	}
	moves := t.TakenBack(text, undone, w.Now())
	if len(moves) == 0 || len(r.Saved) == 0 {
		return nil
	}
	if err := w.MoveFindings(moves...); err != nil {
		return fmt.Errorf("saved, but what it takes back still waits: %w", err)
	}
	r.TakenBack = t.Finding
	return nil
}

// originOf returns whose words a text has, by what was said in this session. What can't be
// read supports nothing.
func (w *Saver) originOf(text string) finding.Origin {
	book, berr := w.Book()
	evidence, err := w.Evidence(book, []string{w.ID}, w.Git)
	if err = errors.Join(berr, err); err != nil {
		w.Note("%v", err)
	}
	evidence.Settle(text)
	return evidence.Of(text)
}

// A Foreseen is what a yes to a finding would do.
type Foreseen struct {
	Plan   Plan
	Turned session.Turned
}

// Foresee returns what RememberFinding would do with a finding in its own words. Nothing is written.
func (w *Saver) Foresee(f finding.Status) (Foreseen, error) {
	quiet := *w
	quiet.Note = func(string, ...any) {} // the save itself says it
	turned, err := quiet.turnedBy(f.Finding)
	if err != nil {
		return Foreseen{}, err
	}
	o, err := quiet.optionsOf(f.Finding, f.Text, []int{f.Number}, turned)
	if err != nil {
		return Foreseen{}, err
	}
	p, err := quiet.Plan(o)
	return Foreseen{p, turned}, err
}

// RememberFinding saves a finding in its own words, or in those that the person put in their place: these are
// a finding of their own, and the one that they began with goes into the same memory. What the words turn
// against, it ends: the caller is asked by agree, which gets all that the save would do, and nothing is saved
// if that is an error. Words that stand as they were said turn only against what was said before them.
func (w *Saver) RememberFinding(ctx context.Context, f finding.Status, text string,
	agree func(Foreseen) error) (p Plan, r Result, err error) {
	no := func(err error, hints ...string) (Plan, Result, error) {
		return Plan{}, Result{}, refused(err, hints...)
	}
	if f.Category == "" {
		return no(fmt.Errorf("[%d] belongs into the Markdown memories", f.Number),
			"keepsake md note or keepsake md lesson keeps it")
	}
	says, covers := f.Finding, []int{f.Number}
	var turned session.Turned
	if text == f.Text {
		turned, err = w.turnedBy(says)
	} else {
		says = edited(f.Finding, text, w.Now().UTC())
		turned, err = w.Turn(&says, false, f.Number)
	}
	if err != nil {
		return no(fmt.Errorf("[%d]: what it turns against can't be told: %w", f.Number, err))
	}
	dropped := func() error { return nil }
	if text != f.Text {
		book, err := w.Book()
		if err != nil {
			return no(err)
		}
		noted, err := w.NoteFindings([]finding.Finding{says}, w.Now().UTC())
		if err != nil {
			return no(err)
		}
		numbers := finding.NumbersOf(noted)
		covers = append(slices.Clone(numbers), covers...)
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return n < book.Next() }) // it waited already
		dropped = func() error {
			return w.MoveFindings(finding.Move{At: w.Now().UTC(), Act: finding.PutAside, Numbers: numbers,
				By: "person", Why: "these words were not saved"})
		}
	}
	o, err := w.optionsOf(says, text, covers, turned)
	if err != nil {
		return p, r, err
	}
	w.noteUnseen(says.Text)
	declined := false
	o.Agree = func(p Plan) error {
		err := agree(Foreseen{p, turned})
		declined = err != nil
		return err
	}
	p, r, err = w.Commit(ctx, o, nil)
	if declined {
		return Plan{}, Result{}, errors.Join(err, dropped())
	}
	// What takes the place of another one must not be held back.
	ends := turned.Record.Ref != "" && !persons(f.Finding)
	if err == nil && (f.Cue == session.Proposed || f.Filed() || ends) { // no conversation supports it
		err = w.acceptShown(ctx, &r)
	}
	if err == nil {
		err = w.takeBackTurned(turned, text, p, &r)
		w.notePerhaps(turned.Perhaps, r)
	}
	return p, r, err
}

// turnedBy returns what the words of a finding turn against. A finding that was heard as a change of mind
// says that itself, and where no person said it, their yes stands for what it ends. Other words that are not
// the person's turn against nothing, as what is made of them may be held back.
func (w *Saver) turnedBy(f finding.Finding) (t session.Turned, err error) {
	switch {
	case f.Kind == finding.Change && !persons(f) && plan.CheckRecord(f.Target) == nil:
		read, _ := w.Store().ReadAll([]string{f.Target}) // one that can't be read is not ended
		if len(read) == 1 && read[0].Status == memory.Active && read[0].Category == f.Category {
			t.Record = change.Subject{Ref: f.Target, Category: f.Category, Title: read[0].Title}
		}
		return t, nil
	case f.Kind == finding.Change, !f.By.Person(),
		f.Origin != finding.FromPerson && f.Origin != finding.FromAgent:
		return t, nil
	}
	return w.Turns(f.Text, f.Time)
}

// persons reports whether a person said a finding.
func persons(f finding.Finding) bool { return f.By.Person() && f.Origin == finding.FromPerson }

// optionsOf returns the options of a save of a text that a finding says, in which some findings end.
func (w *Saver) optionsOf(f finding.Finding, said string, covers []int, turned session.Turned) (Options,
	error) {
	category := f.Category
	if turned.Record.Ref != "" {
		category = turned.Record.Category
	}
	b, ok := draft.Extract(category, []string{text.PartWords(said)}, draft.Quoted, w.Now())
	if !ok {
		return Options{}, refused(fmt.Errorf("[%d] says nothing that could be saved", f.Number))
	}
	var fields map[string]any
	if json.Unmarshal(b, &fields) != nil { // a list
		return Options{}, refused(fmt.Errorf("[%d] is more than one memory", f.Number),
			fmt.Sprintf("keepsake inbox edit %d makes it one", f.Number))
	}
	fields["covers"] = covers
	if turned.Record.Ref != "" {
		fields["supersedes"] = store.IDOf(turned.Record.Ref)
	}
	b, err := json.Marshal(fields)
	given := Given{Name: "remember", Category: category, Text: b, Said: turned.Record.Ref != ""}
	return Options{Partial: true, Yes: true, Numbers: covers, Given: []Given{given}}, err
}

// acceptShown accepts the new memories of a save that would be held back: the person has seen the words of
// which they are made, and said yes.
func (w *Saver) acceptShown(ctx context.Context, r *Result) error {
	sets, err := HeldSets(w.Session)
	if err != nil {
		return err
	}
	for _, set := range sets {
		made := func(h Held) bool { return len(set) == 1 && h.Path == set[0].Path }
		isNew := slices.ContainsFunc(r.Written.Edits, func(e plan.Edit) bool {
			return e.Verb == plan.Create && e.Path == set[0].Path
		})
		if !isNew || !slices.ContainsFunc(r.Held, made) {
			continue
		}
		if _, err := w.AnswerHeld(ctx, set, true); err != nil {
			return err
		}
		r.Held = slices.DeleteFunc(r.Held, made)
	}
	return nil
}

// edited returns a finding whose words a person wrote anew.
func edited(f finding.Finding, text string, now time.Time) finding.Finding {
	f.Text, f.By, f.Origin, f.Time, f.Imported = text, finding.Typed, finding.FromPerson, now, false
	f.Level, f.Explicit, f.Digest, f.Offset, f.Record, f.Target, f.Kind, f.Cue =
		finding.Sure, true, "", -1, "", "", finding.Statement, cueEdited
	return f
}
