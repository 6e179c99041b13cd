package inbox

import (
	"context"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/doctor"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

// A dispute is two memories that say opposite things.
type dispute struct{ newer, older memory.Stored }

func (d dispute) id() string { return doctor.DisputeID(d.newer, d.older) }

// disputeOf returns the two memories of a dispute as they are now, and whether they are still those.
func disputeOf(w *save.Saver, d doctor.Dispute) (both dispute, same bool) {
	newer, nerr := w.Store().Read(d.Newer)
	older, oerr := w.Store().Read(d.Older)
	both = dispute{newer, older}
	return both, nerr == nil && oerr == nil && both.id() == d.ID
}

// findDispute returns the dispute with an id. One of which the person said that both hold has its id still.
func findDispute(w *save.Saver, id string) (d dispute, err error) {
	loaded, err := w.Store().Load()
	if err != nil {
		return d, err
	}
	all, _ := doctor.Disputes(w.Session, loaded)
	for _, one := range all {
		if d, same := disputeOf(w, one); same && one.ID == id {
			return d, nil
		}
	}
	for _, pair := range w.BothHolding(loaded.Records) {
		if d := (dispute{pair[0], pair[1]}); d.id() == id {
			return d, nil
		}
	}
	return d, unknown(id)
}

// still returns an error if one of the two is not as it was, or no longer counts.
func (d dispute) still(w *save.Saver) error {
	for _, was := range []memory.Stored{d.newer, d.older} {
		now, err := w.Store().Read(was.Path)
		if err != nil || now.Digest != was.Digest || now.Status != memory.Active {
			return fmt.Errorf("%w: %s is no longer what you were shown; hint: keepsake inbox shows what "+
				"waits now", store.ErrConflict, brief.Line(was.Path))
		}
	}
	return nil
}

// disputeThing returns the Thing for two memories that say opposite things. A yes retires the older one, and
// a no is remembered: both hold.
func disputeThing(w *save.Saver, d dispute) Thing {
	id := d.id()
	t := Thing{ID: id, Approve: "Retire the older one?",
		Reject: "Do both hold, so that both are told?",
		Review: "Retire the older one? (n: both hold, and are told)", Keys: "ynlq",
		Unanswered: id + stillWaits, w: w}
	t.view = func() View {
		differs := brief.Compare(d.older.MainText(), d.newer.MainText())
		return View{Text: d.whole(), Alone: id + " wants an answer of its own",
			Near: text.Safe(d.older.Path) + "\n\n" + strings.Join(differs, "\n")}
	}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if err := d.still(w); err != nil {
			return Done{}, err
		}
		if yes {
			return retire(ctx, w, id, d.older, "the newer "+d.newer.Path+" says the opposite",
				func(*records.Index) error { return d.still(w) })
		}
		return Done{
			Said: fmt.Sprintf("both hold, and are asked about no more: %s and %s; keepsake inbox approve %s "+
				"retires the older one after all", brief.Line(d.newer.Path), brief.Line(d.older.Path), id),
			Undo: func(context.Context) (string, error) {
				return id + waitsAgain, w.SetBothHold(d.newer, d.older, false)
			},
		}, w.SetBothHold(d.newer, d.older, true)
	}
	return t
}

// whole returns all that the two memories state.
func (d dispute) whole() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: these two say opposite things. As long as neither changes or goes, only the newer "+
		"is told where both count.\n", d.id())
	for _, one := range []struct {
		which string
		m     memory.Stored
	}{{"newer", d.newer}, {"older", d.older}} {
		fmt.Fprintf(&b, "\n%s: %s\n", one.which, text.Safe(one.m.Path))
		for _, l := range append([]string{text.Safe(one.m.Title)}, says(one.m)...) {
			fmt.Fprintf(&b, "  %s\n", l)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
