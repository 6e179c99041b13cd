package save

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// AnswerMerged carries out a person's answer about memories whose branch was merged. Those that they keep
// belong to no branch any more; the others are retired.
func (w *Saver) AnswerMerged(ctx context.Context, set session.MergedSet, keep bool) error {
	p := plan.Plan{Version: plan.Version}
	judged := map[string]session.Judged{}
	now := w.Now()
	var ended []string // records that are superseded
	for _, r := range set.Records {
		if !keep {
			moved, err := r.Retire("not kept after the merge of "+brief.Line(set.Branch), now)
			if err != nil {
				return err
			}
			p.Edits = append(p.Edits, upkeep.Edit(r, plan.Retire, moved.Record))
			continue
		}
		next := r.Record
		next.Branch = nil
		next.TimesUpdated++
		next.UpdatedAt = memory.Stamp(now)
		next.Changes = memory.AppendChanges(next.Changes, memory.Change{Date: memory.Stamp(now),
			Field:    "branch",
			Summary:  text.Shorten("Kept after the merge of "+brief.Line(set.Branch), memory.MaxSummary),
			OldValue: r.Branch.Name})
		p.Edits = append(p.Edits, upkeep.Edit(r, plan.Update, next))
		for _, path := range r.Supersedes { // it held until now, where the branch was not merged
			old, err := w.Store().Read(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue
			case err != nil:
				return fmt.Errorf("%s, which %s supersedes: %w", brief.Line(path), brief.Line(r.Path), err)
			case old.Status != memory.Active || slices.Contains(ended, path):
				continue
			}
			moved, err := old.Supersede(r.Path, "superseded by "+r.Path+", which came with the merge of "+
				brief.Line(set.Branch), now)
			if err != nil {
				return err
			}
			ended = append(ended, path)
			p.Edits = append(p.Edits, upkeep.Edit(old, plan.Retire, moved.Record))
		}
		judged[r.Path] = session.Judged{Was: map[string]string{}} // its words are what they were
	}
	if err := w.Session.Apply(context.WithoutCancel(ctx), p, nil); err != nil {
		return err
	}
	if err := w.Trust(p, judged, false, now.UTC()); err != nil {
		return fmt.Errorf("done, but not written down whose words they are: %w", err)
	}
	return nil
}
