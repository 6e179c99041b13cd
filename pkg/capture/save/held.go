package save

import (
	"context"
	"fmt"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/trust"
	"keepsake/pkg/text"
)

// A HeldRecord is a record that no agent sees before the person agrees.
type HeldRecord struct {
	memory.Stored
	Trust session.TrustLevel
}

// A HeldSet is one question to the person: a record that nothing supports or that came
// from outside by itself, and all that came with the repository together.
type HeldSet []HeldRecord

// FromRepository reports whether the set came with the repository.
func (h HeldSet) FromRepository() bool { return h[0].Trust.Tracked }

// ID names the set: other records, or other bytes of them, are another one.
func (h HeldSet) ID() string {
	var b strings.Builder
	for _, r := range h {
		b.WriteString(r.Path + "\x00" + r.Digest + "\x00")
	}
	return "r" + text.ShortID(b.String(), 5)
}

// HeldSets returns the questions that active records of a project raise, those of one record first. Records
// that the person has refused raise none.
func HeldSets(s *session.Session) (all []HeldSet, err error) {
	loaded, err := s.Store().Load()
	if err != nil {
		return nil, err
	}
	var pulled HeldSet
	for _, r := range loaded.Records {
		t := s.TrustOf(r)
		switch {
		case r.Status != memory.Active || !t.Held || t.Act == trust.Refused:
		case t.Tracked:
			pulled = append(pulled, HeldRecord{r, t})
		default:
			all = append(all, HeldSet{{r, t}})
		}
	}
	if len(pulled) > 0 {
		all = append(all, pulled)
	}
	return all, nil
}

// AnswerHeld records a person's answer about held records. retired reports whether it also retired them. It
// does so after a no, for records of this user's own store.
func (w *Saver) AnswerHeld(ctx context.Context, h HeldSet, yes bool) (retired bool, err error) {
	seen := make([]session.TrustLevel, len(h))
	for i, r := range h {
		seen[i] = r.Trust
	}
	act := trust.Accepted
	if !yes {
		act = trust.Refused
	}
	if err := w.Session.Answer(act, w.Now().UTC(), seen...); err != nil {
		return false, refused(err)
	}
	if yes || h.FromRepository() {
		return false, nil
	}
	if err := w.retireHeld(ctx, h); err != nil {
		return false, fmt.Errorf("no agent is told of it, but it is not retired: %w", err)
	}
	return true, nil
}

// retireHeld takes records out of what is recalled.
func (w *Saver) retireHeld(ctx context.Context, h HeldSet) error {
	p := plan.Plan{Version: plan.Version}
	for _, r := range h {
		moved, err := r.Retire("the person said no to it", w.Now())
		if err != nil {
			return err
		}
		p.Edits = append(p.Edits, upkeep.Edit(r.Stored, plan.Retire, moved.Record))
	}
	if err := w.Session.Apply(context.WithoutCancel(ctx), p, nil); err != nil {
		return err
	}
	return w.Trust(p, nil, false, w.Now().UTC())
}
