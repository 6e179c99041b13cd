package inbox

import (
	"context"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/records"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

// unusedOf returns the memories among some that came with many prompts and were never used.
func unusedOf(s *save.Saver, loaded store.Loaded) ([]session.IdleMemory, error) {
	log, err := s.Usage()
	return s.IdleMemories(loaded.Records, log.Counts()), err
}

// unusedID names the question whether to keep a memory that was never used, as it is now.
func unusedID(m session.IdleMemory) string { return "u" + text.ShortID(m.Path+"\x00"+m.Digest, 5) }

// unusedLine returns the line of the memory in a list.
func unusedLine(m session.IdleMemory) string {
	return fmt.Sprintf("%-8s %s", unusedID(m), brief.Idle(m.Path, m.Title, m.Count))
}

// unusedThing returns the Thing for a memory that was never used. A yes retires it, and a no is remembered.
func unusedThing(w *save.Saver, m session.IdleMemory) Thing {
	id := unusedID(m)
	whole := fmt.Sprintf("%s: %s\nkeepsake show %s --uses says when it came.\n\n%s", id,
		brief.Idle(m.Path, m.Title, m.Count), brief.ShellWord(m.Path),
		text.SafeLines("  | ", strings.TrimRight(string(m.Encode()), "\n")))
	t := Thing{ID: id, Approve: "Retire this memory?", Reject: "Keep it, and ask no more?",
		Review: "Retire it? (n keeps it, and it is asked about no more)", Keys: "ynlq",
		Unanswered: id + stillWaits, w: w}
	t.view = func() View { return View{Text: whole} }
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if !yes {
			return Done{Said: "kept, and asked about no more: " + brief.Line(m.Path)},
				w.KeepIdle(m.Path, w.Now())
		}
		return retire(ctx, w, id, m.Stored, "it came with "+text.Count(m.Count.Prompts, "prompt")+
			" and was never used", nil)
	}
	return t
}

// retire retires a memory to which the person said no, for a reason. id is of what was answered. holds is
// asked under the store's lock, and an error of it stops all; nil holds.
func retire(ctx context.Context, w *save.Saver, id string, m memory.Stored, why string,
	holds func(*records.Index) error) (Done, error) {
	moved, err := m.Retire(why, w.Now())
	if err != nil {
		return Done{}, err
	}
	p := plan.Plan{Version: plan.Version, Edits: []plan.Edit{upkeep.Edit(m, plan.Retire, moved.Record)}}
	if err := w.Session.Apply(context.WithoutCancel(ctx), p, holds); err != nil {
		return Done{}, err
	}
	return Done{Said: "retired: " + brief.Line(m.Path), Wrote: p.Digest(),
		Undo: func(context.Context) (string, error) { return id + waitsAgain, nil },
	}, w.Trust(p, nil, false, w.Now().UTC())
}
