package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/recall"
	"keepsake/pkg/resolve"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/store"
	"keepsake/pkg/upkeep"
)

type applyCmd struct {
	Digest string `arg:"" help:"Digest that keepsake records plan printed; its first 8 characters or more."`
	excludeFlags
	JSON bool `help:"Print one JSON object: line, saved, kept."`
}

func (applyCmd) Help() string {
	return `Writes exactly the plan with this digest, whole or not at all, and prints one line. If a memory changed since the plan was made nothing is written and the exit code is 3: plan again. Applying a plan twice saves nothing twice.

With --exclude everything but these drafts is written, as it was shown; if the rest would come out differently without them, nothing is written and the exit code is 3. Drafts that were held back or rejected are kept with the reason; keepsake status lists them.

Examples:

    keepsake records apply 1f0c2a9d44b1
    keepsake records apply 1f0c2a9d44b1 --exclude constraint --reason 'the limit is not in the excerpt'`
}

// minDigest is the shortest abbreviation of a digest that apply takes.
const minDigest = 8

func (v applyCmd) Run(c *call) error {
	c.json = v.JSON
	digest := strings.ToLower(v.Digest)
	if len(digest) < minDigest || strings.Trim(digest, "0123456789abcdef") != "" {
		return usage("digest %q: want at least %d hex digits of what keepsake records plan printed", v.Digest, minDigest)
	}
	s, err := c.staged()
	if err != nil {
		return err
	}
	p, err := readPlan(s)
	switch {
	case err != nil:
	case strings.HasPrefix(p.Of, digest) && p.excludes(v.excludeFlags):
		return apply(c, s, p) // a call that was killed comes again
	case strings.HasPrefix(p.Digest, digest) && len(v.Exclude) == 0:
		return apply(c, s, p)
	case strings.HasPrefix(p.Digest, digest):
		if p, err = p.without(c, s, v.excludeFlags); err != nil {
			return err
		}
		if err := writePlan(s, p); err != nil {
			return err
		}
		return apply(c, s, p)
	}
	waits, ok, newer := waitingImport(s, digest)
	if ok {
		return applyImport(c, s, waits)
	}
	done := applied(s, digest)
	if !done { // another session may have, or one that the terminal no longer takes for its own
		_, found, herr := c.applied([]place{recordsOf(s)}, digest)
		if herr != nil {
			return failed(herr)
		}
		done = found != nil
	}
	if done {
		c.line("Saved already: this plan was applied before")
		c.value(applyJSON{Line: "Saved already", Saved: []draft{}, Kept: []draft{}})
		return nil
	}
	switch {
	case newer != nil:
		return newer
	case isAbsent(err):
		return errNoPlan(s)
	case err != nil:
		return err
	}
	return failed(fmt.Errorf("digest %s: the plan on the stage is %s", digest, p.Digest[:12]),
		"keepsake records plan shows it; apply takes the digest of the plan that was shown last")
}

// applied tells whether this session has applied a plan with that digest.
func applied(s *session.Session, digest string) bool {
	return slices.ContainsFunc(s.State.Digests, func(d string) bool { return strings.HasPrefix(d, digest) })
}

type applyJSON struct {
	Line  string  `json:"line"`
	Saved []draft `json:"saved"` // drafts that were written, or were there already
	Kept  []draft `json:"kept"`  // drafts that were rejected or held back, and are kept
	// Upkeep is what the save brought with it.
	Upkeep []upkeep.Act `json:"upkeep,omitempty"`
}

// errRejected says that nothing was saved because every draft was refused.
var errRejected = errors.New("no draft could be saved")

// apply writes the plan and clears the stage of what it covered. It can be
// killed anywhere and run again: the store says whether the plan is in it.
func apply(c *call, s *session.Session, p planFile) (err error) {
	refusedBefore, _ := s.Pending().Refused() // those that can be read
	defer logSave(c, s, p, c.now(), &err)
	if p.Root != s.Root {
		return failed(fmt.Errorf("the plan was made for %s, this is %s", p.Root, s.Root), "plan again")
	}
	// What was given just now is no repetition, though its plan may be that of one that
	// was undone within the same second.
	if len(p.Plan.Edits) > 0 && (p.direct || !applied(s, p.Digest)) {
		judged, err := judged(s, p)
		if err != nil {
			return err
		}
		holds := func(index *recall.Index) error { return p.Crowd.holds(index, p.Plan, rules(s)) }
		if err := write(c.ctx, s, p.Plan, holds); err != nil {
			return err
		}
		if err := s.Trust(p.Plan, judged, false, c.now().UTC()); err != nil {
			return fmt.Errorf("saved, but not written down whose words they are: %w", err)
		}
		defer sayHeld(c, p.Plan, judged)
		tellSetAside(c, s, p)
		var retired []string
		for _, e := range p.Plan.Edits {
			if e.Verb == plan.Retire {
				retired = append(retired, e.Path)
			}
		}
		defer c.promotedOf(s, false, retired...)
		defer logDay(c, s, brief.Saved(p.outcomes()), p.Plan)
	}
	line := brief.Saved(p.outcomes())
	kept := p.kept()
	if err := record(c, s, p, line); err != nil {
		// The memories are written; what is lost is only that Stop knows.
		c.note("session state: %v", err)
	}
	if err := keep(c, s, p, kept); err != nil {
		return fmt.Errorf("saved, but the drafts that are kept stay on the stage: %w", err)
	}
	if err := settle(c, s, p); err != nil {
		return errUnsettled(err)
	}
	clearing := clearStage
	if p.direct {
		clearing = clearSettled
	}
	if err := clearing(s, p); err != nil {
		return fmt.Errorf("saved, but the stage is not cleared: %w", err)
	}
	saved := []draft{}
	var handled []memory.Category
	for _, d := range p.Drafts {
		if d.State != resolve.Rejected && d.State != resolve.Blocked {
			saved, handled = append(saved, d), append(handled, d.Category)
		}
	}
	settled, err := settledIn(s)
	if err == nil {
		err = s.Pending().Handled(s.ID, handled, settled, refusedBefore)
	}
	if err != nil {
		c.note("what was refused before stays listed: %v", err) // it is saved now; the list says too much
		settled = func(int) bool { return true }
	}
	refused := slices.ContainsFunc(kept, func(d draft) bool { return d.State == resolve.Rejected })
	switch {
	case p.direct:
		sayRemembered(c, p, settled)
	case len(saved) > 0 || !refused:
		c.line("%s", line)
	}
	for _, d := range kept {
		c.note("%s: not saved, kept: %s", cmp.Or(string(d.Category), "a draft"),
			cut(brief.Line(d.Reason), reasonRunes))
	}
	c.value(applyJSON{line, saved, append([]draft{}, kept...), p.Upkeep})
	if len(saved) == 0 && refused {
		return failed(errRejected, "the drafts are kept; keepsake status lists them with their reasons")
	}
	return nil
}

// reasonRunes is how much of a reason for rejection apply prints; keepsake records plan
// prints the whole and the kept draft has it.
const reasonRunes = 300

// write applies a plan to the store; holds is as for session.Apply. A conflict
// with our own writing, left by a call that was killed after the store had it all,
// is success.
func write(ctx context.Context, s *session.Session, p plan.Plan, holds func(*recall.Index) error) error {
	err := s.Apply(ctx, p, holds)
	if errors.Is(err, store.ErrUnfinished) {
		return failed(err, "when what is in the way is gone, run the same keepsake records apply again: it finishes what was begun")
	}
	if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrExists) {
		return err
	}
	st := s.Store()
	for _, e := range p.Edits {
		now, rerr := st.Read(e.Path)
		if rerr != nil || now.Digest != plan.DigestOf(e.After) {
			return &failure{exitConflict, err, []string{"run keepsake records plan again: nothing was written"}}
		}
	}
	return nil
}

// recordTries is how often the session's state is tried: a hook may hold its
// lock for a moment, and a save that Stop does not know of is asked for again.
const recordTries = 5

// record tells the session's hooks that its agent has saved.
func record(c *call, s *session.Session, p planFile, line string) (err error) {
	for range recordTries {
		err = s.Update(func(st *stage.State) error {
			if inside(s) {
				st.Applied = true
				for _, d := range p.Drafts {
					if d.Path != "" && !slices.Contains(st.Saved, d.Path) {
						st.Saved = append(st.Saved, d.Path)
					}
				}
			}
			st.Drafters = nil
			st.Result = &stage.Result{At: c.now().UTC(), Line: line}
			// That there was nothing to save is no news for the next prompt.
			// Neither is what the agent has just done itself.
			st.Result.Told = len(p.Plan.Edits) == 0 && len(p.kept()) == 0 || p.direct && inside(s)
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
func keep(c *call, s *session.Session, p planFile, kept []draft) error {
	var errs []error
	for _, d := range kept {
		raw, err := d.raw, error(nil)
		if !p.direct {
			raw, err = s.Desk.Read(d.File)
		}
		if isAbsent(err) {
			continue // kept already, by a call that was killed here
		}
		if err != nil {
			c.note("%s stays on the stage: %v", d.File, err)
			continue
		}
		if parts := resolve.Split(raw, d.Category); !p.direct && d.Part > 0 && d.Part <= len(parts) {
			raw = parts[d.Part-1]
		}
		err = s.Pending().Refuse(s.ID, stage.Refused{
			Category: d.Category, Title: d.Title, Reason: d.Reason, Blocked: d.State == resolve.Blocked,
			Notes: d.Notes, At: c.now().UTC(), Draft: string(raw), Findings: findingsOf(s, p, d),
		})
		if context, cerr := s.Desk.Context(d.Category); err == nil && cerr == nil && !p.direct &&
			!context.Numbered() {
			err = s.Pending().Add(s.ID, context)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if d.State == resolve.Rejected {
			s.Fault("apply", string(d.Category)+" draft rejected", errors.New(d.Reason))
		}
	}
	return errors.Join(errs...)
}

// findingsOf are the findings that a refused draft was of. One that could not be read
// was of those that its drafter was given.
func findingsOf(s *session.Session, p planFile, d draft) []int {
	if len(d.Covers) > 0 || p.direct {
		return d.Covers
	}
	context, err := s.Desk.Context(d.Category)
	if err != nil {
		return nil
	}
	return context.Numbers()
}

// clearStage takes off the stage what the plan covered. A draft that was written
// again and what was noticed after its drafter had begun are news, and stay.
func clearStage(s *session.Session, p planFile) error {
	given := map[memory.Category]int{} // quotes
	if triaged, err := s.Desk.Triage(); err == nil {
		for _, t := range triaged.Categories {
			given[t.Category] = t.Quotes
		}
	}
	var done []string
	var news []stage.Context
	for _, d := range p.Drafts {
		b, err := s.Desk.Read(d.File)
		if err != nil || plan.DigestOf(b) != d.Sum {
			continue
		}
		done = append(done, d.File)
		context, grown := newsIn(s, d, given)
		switch {
		case !grown:
			done = append(done, stage.ContextName(d.Category))
		case context.Category != "":
			news = append(news, context)
		}
	}
	// Drafts go first: without its draft a context is left alone by a second
	// call. The plan goes last: while it is there, there can be a second call.
	if _, err := s.Desk.Remove(done...); err != nil {
		return err
	}
	for _, context := range news {
		if err := s.Desk.Write(context.Name(), context.Encode()); err != nil {
			return err
		}
	}
	names, err := s.Desk.Files()
	if err != nil {
		return err
	}
	aside := slices.DeleteFunc(names, func(n string) bool { return !stage.IsVerify(n) })
	if _, err := s.Desk.Remove(append(aside, stage.TriageName, stage.PendingName)...); err != nil {
		return err
	}
	if _, err := s.Desk.Remove(stage.PlanName); err != nil {
		return err
	}
	_ = os.Remove(s.Desk.Dir) // only when empty
	return nil
}

// newsIn tells whether the context of a draft has grown since its drafter was
// given it, and returns it with the new quotes only. Without word of what the
// drafter was given, a context that is newer than the draft stays as it is, and
// so does one that cannot be read: the context returned is then empty.
func newsIn(s *session.Session, d draft, given map[memory.Category]int) (stage.Context, bool) {
	context, err := s.Desk.Context(d.Category)
	if err != nil {
		return stage.Context{}, !isAbsent(err)
	}
	n, announced := given[d.Category]
	switch {
	case !announced:
		return stage.Context{}, !covers(s, d)
	case len(context.Snippets) <= n:
		return stage.Context{}, false
	}
	context.Snippets = context.Snippets[n:]
	return context, true
}
