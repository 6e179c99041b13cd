package save

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/records"
	"keepsake/pkg/store"
)

// A Result is what a save came to.
type Result struct {
	Line    string // what the agent repeats to its user
	Saved   []Draft
	Kept    []Draft // refused or held back
	Open    []int   // findings that stay open although a draft would keep nothing of them
	Settled bool    // the stage and the journal know; false where that failed

	// What is to follow a save that wrote something; Written is empty where it did not.
	Written plan.Plan
	Retired []string
	Held    []Held // memories that wait for a person's yes
	// TakenBack is the finding that waited and against which what was saved turns; none has no Ref.
	TakenBack change.Subject
}

// Replaced returns the edits of a save's plan that retire a memory because of what is saved, and not by one
// of the acts of upkeep.
func Replaced(p plan.Plan, acts []upkeep.Act) (all []plan.Edit) {
	for _, e := range p.Edits {
		byRule := func(a upkeep.Act) bool { return a.Path == e.Path }
		if e.Verb == plan.Retire && !slices.ContainsFunc(acts, byRule) {
			all = append(all, e)
		}
	}
	return all
}

// A Held is a memory that is saved, but shown to no agent yet.
type Held struct{ Path, Why string }

// ErrRejected means that nothing was saved because every draft was refused.
var ErrRejected = errors.New("no draft could be saved")

// Apply writes a plan and clears the stage of what it covered. It can be killed at any point and run again,
// as the store records whether the plan is in it. A result that comes with an error has been carried out.
func (w *Saver) Apply(ctx context.Context, p Plan) (r Result, err error) {
	refusedBefore, _ := w.Pending().Refused() // those that can be read
	started := w.Now()
	defer func() { w.log(p, started, err) }()
	if p.Root != w.Root {
		return r, refused(fmt.Errorf("the plan was made for %s, this is %s", p.Root, w.Root), "plan again")
	}
	r.Line = brief.Saved(p.Outcomes())
	// What was given just now is no repetition, though its plan may be that of one that
	// was undone within the same second.
	if len(p.Plan.Edits) > 0 && (p.direct || !w.Applied(p.Digest)) {
		if err := w.write(ctx, p, &r); err != nil {
			return r, err
		}
	}
	for _, d := range p.Drafts {
		if d.fails() {
			r.Kept = append(r.Kept, d)
		} else {
			r.Saved = append(r.Saved, d)
		}
	}
	if err := w.record(p, r); err != nil {
		// The memories are written; what is lost is only that Stop knows.
		w.Note("session state: %v", err)
	}
	if err := w.keep(p, r.Kept); err != nil {
		return r, fmt.Errorf("saved, but the drafts that are kept stay on the stage: %w", err)
	}
	if err := w.settle(p); err != nil {
		return r, errors.Join(errors.New("saved, but what was noticed may come up again"), err)
	}
	clearing := w.clearStage
	if p.direct {
		clearing = w.clearSettled
	}
	if err := clearing(p); err != nil {
		return r, fmt.Errorf("saved, but the stage is not cleared: %w", err)
	}
	if r.Open, err = w.handled(r.Saved, refusedBefore); err != nil {
		w.Note("what was refused before stays listed: %v", err) // it is saved now; the list says too much
	}
	r.Settled = true
	if len(r.Saved) == 0 && r.Refused() {
		return r, refused(ErrRejected, "the drafts are kept; keepsake status lists them with their reasons")
	}
	return r, nil
}

// Refused reports whether a draft was refused.
func (r Result) Refused() bool {
	return slices.ContainsFunc(r.Kept, func(d Draft) bool { return d.State == draft.Rejected })
}

// write applies the plan, and notes whose words it has.
func (w *Saver) write(ctx context.Context, p Plan, r *Result) error {
	judged, err := w.judged(p)
	if err != nil {
		return err
	}
	holds := func(index *records.Index) error { return p.Crowd.holds(index, p.Plan, w.UpkeepRules()) }
	if err := w.ApplyPlan(ctx, p.Plan, holds); err != nil {
		return err
	}
	if err := w.Trust(p.Plan, judged, false, w.Now().UTC()); err != nil {
		return fmt.Errorf("saved, but not written down whose words they are: %w", err)
	}
	w.noteSetAside(p)
	r.Written = p.Plan
	for _, e := range p.Plan.Edits {
		if e.Verb == plan.Retire {
			r.Retired = append(r.Retired, e.Path)
		}
		if why := judged[e.Path].Why; why != "" {
			r.Held = append(r.Held, Held{e.Path, why})
		}
	}
	return nil
}

// handled settles what was refused before by what is saved now. It returns the findings that stay open
// although a draft would not have kept them.
func (w *Saver) handled(saved []Draft, refusedBefore []stage.Kept) (open []int, err error) {
	book, err := w.Whole()
	if err != nil {
		return nil, err
	}
	waiting := finding.Numbers(book.Waiting())
	var categories []memory.Category
	for _, d := range saved {
		categories = append(categories, d.Category)
		for _, n := range d.Covers {
			if d.Noop && slices.Contains(waiting, n) {
				open = append(open, n)
			}
		}
	}
	err = w.Pending().Handled(w.ID, categories,
		func(n int) bool { return !slices.Contains(waiting, n) }, refusedBefore)
	if err != nil {
		return nil, err
	}
	return open, nil
}

// ApplyPlan applies a plan to the store; holds is as for session.Apply. A conflict
// with our own writing, left by a call that was killed after the store had it all,
// is success.
func (w *Saver) ApplyPlan(ctx context.Context, p plan.Plan, holds func(*records.Index) error) error {
	err := w.Session.Apply(ctx, p, holds)
	if errors.Is(err, store.ErrUnfinished) {
		return refused(err,
			"when what is in the way is gone, run the same keepsake records apply again: it finishes what "+
				"was begun")
	}
	if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrExists) {
		return err
	}
	st := w.Store()
	for _, e := range p.Edits {
		now, rerr := st.Read(e.Path)
		if rerr != nil || now.Digest != plan.DigestOf(e.After) {
			return conflict(err, "run keepsake records plan again: nothing was written")
		}
	}
	return nil
}

// recordTries is how often the session's state is tried: a hook may hold its
// lock for a moment, and a save that Stop does not know of is asked for again.
const recordTries = 5

// record writes into the session's state that its agent has saved, for the hooks.
func (w *Saver) record(p Plan, r Result) (err error) {
	for range recordTries {
		err = w.Update(func(st *stage.State) error {
			if w.Inside {
				st.Enter(stage.Apply)
				for _, d := range p.Drafts {
					if d.Path != "" && !slices.Contains(st.Saved, d.Path) {
						st.Saved = append(st.Saved, d.Path)
					}
				}
			}
			st.Drafters = nil
			st.Result = &stage.Result{At: w.Now().UTC(), Line: r.Line}
			if len(p.Plan.Edits) > 0 {
				st.Result.Plan = p.Digest
			}
			// That there was nothing to save is no news for the next prompt.
			// Neither is what somebody has just done themselves, and was told there.
			st.Result.Told = len(p.Plan.Edits) == 0 && len(r.Kept) == 0 || p.direct
			for _, d := range []string{p.Digest, p.Of} {
				if d != "" && len(p.Plan.Edits) > 0 && !slices.Contains(st.Digests, d) {
					st.Digests = append(st.Digests, d)
				}
			}
			return nil
		})
		if err == nil {
			return nil
		}
	}
	return err
}

// keep moves rejected and blocked drafts from the stage to pending, with the
// reason, and puts the rejected ones into the ledger: somebody meant the others. Their
// findings stay open in the journal, so that they can be drafted again; a context that
// the journal does not have goes with them.
func (w *Saver) keep(p Plan, kept []Draft) error {
	var errs []error
	for _, d := range kept {
		raw, err := d.raw, error(nil)
		if !p.direct {
			raw, err = w.Desk.Read(d.File)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // kept already, by a call that was killed here
		}
		if err != nil {
			w.Note("%s stays on the stage: %v", d.File, err)
			continue
		}
		if parts := draft.Split(raw, d.Category); !p.direct && d.Part > 0 && d.Part <= len(parts) {
			raw = parts[d.Part-1]
		}
		err = w.Pending().Refuse(w.ID, stage.Refused{
			Category: d.Category, Title: d.Title, Reason: d.Reason, Blocked: d.State == draft.Blocked,
			Notes: d.Notes, At: w.Now().UTC(), Draft: string(raw), Findings: w.refusedOf(p, d),
		})
		if context, cerr := w.Desk.Context(d.Category); err == nil && cerr == nil && !p.direct &&
			!context.Numbered() {
			err = w.Pending().Add(w.ID, context)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if d.State == draft.Rejected {
			w.Fault("apply", string(d.Category)+" draft rejected", errors.New(d.Reason))
		}
	}
	return errors.Join(errs...)
}

// refusedOf returns the findings that a refused draft was of. One that could not be read
// was of those that its drafter was given.
func (w *Saver) refusedOf(p Plan, d Draft) []int {
	if len(d.Covers) > 0 || p.direct {
		return d.Covers
	}
	context, err := w.Desk.Context(d.Category)
	if err != nil {
		return nil
	}
	return context.Numbers()
}

// clearStage takes off the stage what the plan covered. A draft that was written
// again and what was noticed after its drafter had begun are news, and stay.
func (w *Saver) clearStage(p Plan) error {
	given := map[memory.Category]int{} // quotes
	if triaged, err := w.Desk.Triage(); err == nil {
		for _, t := range triaged.Categories {
			given[t.Category] = t.Quotes
		}
	}
	var done []string
	var news []stage.Context
	for _, d := range p.Drafts {
		b, err := w.Desk.Read(d.File)
		if err != nil || plan.DigestOf(b) != d.Sum {
			continue
		}
		done = append(done, d.File)
		context, grown := w.newsIn(d, given)
		switch {
		case !grown:
			done = append(done, stage.ContextName(d.Category))
		case context.Category != "":
			news = append(news, context)
		}
	}
	// Drafts go first: without its draft a context is left alone by a second
	// call. The plan goes last: while it is there, there can be a second call.
	if _, err := w.Desk.Remove(done...); err != nil {
		return err
	}
	for _, context := range news {
		if err := w.Desk.Write(context.Name(), context.Encode()); err != nil {
			return err
		}
	}
	names, err := w.Desk.Files()
	if err != nil {
		return err
	}
	aside := slices.DeleteFunc(names, func(n string) bool { return !stage.IsVerify(n) })
	if _, err := w.Desk.Remove(append(aside, stage.TriageName, stage.PendingName)...); err != nil {
		return err
	}
	if _, err := w.Desk.Remove(stage.PlanName); err != nil {
		return err
	}
	_ = os.Remove(w.Desk.Dir) // only when empty
	return nil
}

// newsIn reports whether the context of a draft has grown since its drafter was
// given it, and returns it with the new quotes only. Without word of what the
// drafter was given, a context that is newer than the draft stays as it is, and
// so does one that cannot be read: the context returned is then empty.
func (w *Saver) newsIn(d Draft, given map[memory.Category]int) (stage.Context, bool) {
	context, err := w.Desk.Context(d.Category)
	if err != nil {
		return stage.Context{}, !errors.Is(err, fs.ErrNotExist)
	}
	n, announced := given[d.Category]
	switch {
	case !announced:
		return stage.Context{}, !w.isCurrent(d)
	case len(context.Snippets) <= n:
		return stage.Context{}, false
	}
	context.Snippets = context.Snippets[n:]
	return context, true
}

// clearSettled takes what a save settled off the desk, and the drafts that were
// refused before for findings that are settled now.
func (w *Saver) clearSettled(p Plan) error {
	var settled []int
	for _, d := range p.Drafts {
		if !d.fails() {
			settled = append(settled, d.Covers...)
		}
	}
	contexts, err := w.Desk.Contexts()
	errs := []error{err}
	for _, context := range contexts {
		left := context.Without(settled)
		switch {
		case len(left.Snippets) == len(context.Snippets):
		case len(left.Snippets) == 0:
			_, err := w.Desk.Remove(stage.ContextName(context.Category))
			errs = append(errs, err)
		default:
			errs = append(errs, w.Desk.Write(left.Name(), left.Encode()))
		}
	}
	return errors.Join(errs...)
}
