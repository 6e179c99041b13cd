package inbox

import (
	"context"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/doctor"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// A dispute is two memories that say opposite things.
type dispute struct{ newer, older memory.Stored }

// disputeOf returns the two memories of a dispute as they are now, and whether they are still those.
func disputeOf(w *save.Saver, d doctor.Dispute) (both dispute, same bool) {
	newer, nerr := w.Store().Read(d.Newer)
	older, oerr := w.Store().Read(d.Older)
	return dispute{newer, older}, nerr == nil && oerr == nil && doctor.DisputeID(newer, older) == d.ID
}

// disputeThing returns the Thing for two memories that say opposite things. A yes retires the older one, and
// a no is remembered: both hold.
func disputeThing(w *save.Saver, d dispute) Thing {
	id := doctor.DisputeID(d.newer, d.older)
	t := Thing{ID: id, whole: d.whole(id), Approve: "Retire the older one?",
		Reject: "Do both hold, so that both are told?",
		Review: "Retire the older one? (n: both hold, and are told)", Keys: "ynlq",
		Unanswered: id + stillWaits, w: w}
	pair := brief.Line(d.newer.Path) + " and " + brief.Line(d.older.Path)
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if yes {
			return retire(ctx, w, d.older, "the newer "+d.newer.Path+" says the opposite")
		}
		return Done{
			Said: "both hold, and are asked about no more: " + pair,
			Undo: func(context.Context) (string, error) {
				return id + waitsAgain, w.SetBothHold(d.newer, d.older, false)
			},
		}, w.SetBothHold(d.newer, d.older, true)
	}
	return t
}

// whole returns every character of the two memories' files.
func (d dispute) whole(id string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: these two say opposite things. As long as neither changes or goes, only the newer "+
		"is told where both count.\n", id)
	for _, one := range []struct {
		which string
		m     memory.Stored
	}{{"newer", d.newer}, {"older", d.older}} {
		fmt.Fprintf(&b, "\n%s: %s\n%s\n", one.which, text.Safe(one.m.Path),
			text.SafeLines("  | ", strings.TrimRight(string(one.m.Encode()), "\n")))
	}
	return strings.TrimRight(b.String(), "\n")
}
