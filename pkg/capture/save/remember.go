package save

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
)

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
	for _, kind := range secret.Kinds(text) {
		w.Note("taken out: %s", kind)
	}
	f := w.Wanted(text, as, "keepsake remember", w.Now())
	f.Branch, f.Commit = w.Head(w.Cwd)
	if w.person() {
		f.By, f.Origin = finding.Typed, finding.FromPerson
		if err := w.Turn(&f, as != ""); err != nil {
			w.Note("what it may turn against is not known: %v", err)
		}
	} else if f.Origin = w.originOf(f.Text); f.Origin == finding.FromPerson {
		f.By = finding.Typed // whoever passes it on
	}
	noted, err := w.NoteFindings([]finding.Finding{f}, w.Now().UTC())
	if err != nil {
		return Plan{}, Result{}, err
	}
	b, ok := draft.Extract(f.Category, []string{f.Text}, "Said with keepsake remember", w.Now())
	if !ok {
		return Plan{}, Result{}, &Error{Why: Misused,
			Err: fmt.Errorf("%q says nothing that could be remembered", brief.Line(text))}
	}
	return w.Commit(ctx, Options{Partial: true, Numbers: finding.NumbersOf(noted),
		Given: []Given{{Name: "remember", Category: f.Category, Text: b}}}, nil)
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

// RememberFinding saves a finding in its own words, or in those that the person put in
// their place: these are a finding of their own, and the one that they began with goes into
// the same memory.
func (w *Saver) RememberFinding(ctx context.Context, f finding.Status, text string) (Plan, Result, error) {
	no := func(err error, hints ...string) (Plan, Result, error) {
		return Plan{}, Result{}, refused(err, hints...)
	}
	if f.Category == "" {
		return no(fmt.Errorf("[%d] belongs into the Markdown memories", f.Number),
			"keepsake md note or keepsake md lesson keeps it")
	}
	covers := []int{f.Number}
	if text != f.Text {
		noted, err := w.NoteFindings([]finding.Finding{edited(f.Finding, text, w.Now().UTC())}, w.Now().UTC())
		if err != nil {
			return no(err)
		}
		covers = append(finding.NumbersOf(noted), covers...)
	}
	b, ok := draft.Extract(f.Category, []string{text}, draft.Quoted, w.Now())
	if !ok {
		return no(fmt.Errorf("[%d] says nothing that could be saved", f.Number))
	}
	var fields map[string]any
	err := json.Unmarshal(b, &fields)
	if err == nil {
		fields["covers"] = covers
		b, err = json.Marshal(fields)
	}
	if err != nil {
		return no(fmt.Errorf("[%d] is more than one memory", f.Number),
			fmt.Sprintf("keepsake inbox edit %d makes it one", f.Number))
	}
	p, r, err := w.Commit(ctx, Options{Partial: true, Numbers: covers,
		Given: []Given{{Name: "remember", Category: f.Category, Text: b}}}, nil)
	if err == nil && (f.Cue == session.Proposed || f.Filed()) { // no conversation supports it
		err = w.acceptShown(ctx, &r)
	}
	return p, r, err
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
	f.Text, f.By, f.Origin, f.Time = text, finding.Typed, finding.FromPerson, now
	f.Level, f.Explicit, f.Digest, f.Offset, f.Record, f.Target, f.Kind =
		finding.Sure, true, "", -1, "", "", finding.Statement
	return f
}
