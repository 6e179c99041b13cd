package save

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
)

// HoldBack names drafts that are not to be saved: by category, or by name where there are
// several of one. They are kept as blocked.
type HoldBack struct {
	Exclude []string
	Reason  string
}

// MaxReason bounds a reason that somebody gives, in runes.
const MaxReason = 500

// names reports whether a draft is held back.
func (h HoldBack) names(d Draft) bool {
	return slices.Contains(h.Exclude, d.Name) || slices.Contains(h.Exclude, string(d.Category))
}

// block marks the drafts that are held back and takes them out of those that
// resolve is given, which are the drafts without a state, in order. A name that
// no draft has is a mistake that must not pass for a block.
func (h HoldBack) block(drafts []Draft, parsed []draft.Draft) ([]draft.Draft, error) {
	used := map[string]bool{}
	left := parsed[:0:0]
	for i := range drafts {
		d := &drafts[i]
		read := d.State == ""
		if h.names(*d) {
			used[d.Name], used[string(d.Category)] = true, true
			d.State = draft.Blocked
			d.Reason = cmp.Or(brief.Text(secret.Redact(h.Reason), MaxReason), "held back with --exclude")
			if read {
				d.Title = parsed[0].Title
			}
		} else if read {
			left = append(left, parsed[0])
		}
		if read {
			parsed = parsed[1:]
		}
	}
	for _, n := range h.Exclude {
		if !used[n] {
			var names []string
			for _, d := range drafts {
				names = append(names, d.Name)
			}
			return nil, &Error{Why: Misused, Err: fmt.Errorf("--exclude %s: no such draft; there are: %s",
				brief.Line(n), strings.Join(names, ", "))}
		}
	}
	return left, nil
}

// without makes the plan that was shown anew, with drafts held back. It writes
// nothing that was not shown: where the rest would come out differently, that is
// to be planned and looked at again.
func (w *Saver) without(p Plan, h HoldBack) (Plan, error) {
	for _, d := range p.Drafts {
		b, err := w.Desk.Read(d.File)
		if err != nil || plan.DigestOf(b) != d.Sum {
			return p, conflict(fmt.Errorf("%s: is not the draft that was planned", d.File),
				"run keepsake records plan again: nothing was written")
		}
		if d.State == draft.Blocked { // by the plan already
			h.Exclude = append(h.Exclude, d.Name)
		}
	}
	less, err := w.Plan(Options{Partial: true, HoldBack: h, at: p.Made})
	if err != nil {
		return p, err
	}
	for _, e := range less.Plan.Edits {
		if !slices.ContainsFunc(p.Plan.Edits, func(shown plan.Edit) bool {
			return reflect.DeepEqual(shown, e)
		}) {
			return p, conflict(fmt.Errorf("%s: would become something else than was shown", e.Path),
				"run keepsake records plan --exclude "+strings.Join(h.Exclude, ",")+": nothing was written")
		}
	}
	for i, d := range p.Drafts { // a reason that was given before stays
		if d.State == draft.Blocked && i < len(less.Drafts) {
			less.Drafts[i].Reason = d.Reason
		}
	}
	less.Of = p.Digest
	return less, nil
}

// holdsBack reports whether a plan holds back these drafts, no less and no more.
func (p Plan) holdsBack(h HoldBack) bool {
	for _, d := range p.Drafts {
		if h.names(d) != (d.State == draft.Blocked) {
			return false
		}
	}
	return true
}
