package save

import (
	"context"
	"fmt"

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
		next.Changes = memory.AppendChanges(next.Changes, memory.Change{Date: memory.Stamp(now), Field: "branch",
			Summary:  text.Shorten("Kept after the merge of "+brief.Line(set.Branch), memory.MaxSummary),
			OldValue: r.Branch.Name})
		p.Edits = append(p.Edits, upkeep.Edit(r, plan.Update, next))
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
