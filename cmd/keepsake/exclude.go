package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/plan"
	"keepsake/pkg/resolve"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
)

// excludeFlags hold drafts back from a plan.
type excludeFlags struct {
	Exclude []string `help:"Hold these drafts back: categories, or names such as decision.2 where there are several. They are kept as blocked." placeholder:"NAME,…" sep:","`
	Reason  string   `help:"Why they are held back; it is kept with them." placeholder:"TEXT"`
}

// maxReason bounds the reason, in runes.
const maxReason = 500

// block marks the drafts that are held back and takes them out of those that
// resolve is given, which are the drafts without a state, in order. A name that
// no draft has is a mistake that must not pass for a block.
func (x excludeFlags) block(drafts []draft, parsed []resolve.Draft) ([]resolve.Draft, error) {
	used := map[string]bool{}
	left := parsed[:0:0]
	for i := range drafts {
		d := &drafts[i]
		read := d.State == ""
		if slices.Contains(x.Exclude, d.Name) || slices.Contains(x.Exclude, string(d.Category)) {
			used[d.Name], used[string(d.Category)] = true, true
			d.State = resolve.Blocked
			d.Reason = cmp.Or(brief.Text(secret.Redact(x.Reason), maxReason), "held back with --exclude")
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
	for _, n := range x.Exclude {
		if !used[n] {
			var names []string
			for _, d := range drafts {
				names = append(names, d.Name)
			}
			return nil, usage("--exclude %s: no such draft; there are: %s", brief.Line(n), strings.Join(names, ", "))
		}
	}
	return left, nil
}

// without makes the plan that was shown anew, with drafts held back. It writes
// nothing that was not shown: where the rest would come out differently, that is
// to be planned and looked at again.
func (p planFile) without(c *call, s *session.Session, x excludeFlags) (planFile, error) {
	for _, d := range p.Drafts {
		b, err := s.Desk.Read(d.File)
		if err != nil || plan.DigestOf(b) != d.Sum {
			return p, &failure{exitConflict, fmt.Errorf("%s: is not the draft that was planned", d.File), []string{"run keepsake records plan again: nothing was written"}}
		}
		if d.State == resolve.Blocked { // by the plan already
			x.Exclude = append(x.Exclude, d.Name)
		}
	}
	less, err := makePlan(c, s, planning{partial: true, exclude: x, now: p.Made})
	if err != nil {
		return p, err
	}
	for _, e := range less.Plan.Edits {
		if !slices.ContainsFunc(p.Plan.Edits, func(shown plan.Edit) bool { return reflect.DeepEqual(shown, e) }) {
			return p, &failure{exitConflict, fmt.Errorf("%s: would become something else than was shown", e.Path),
				[]string{"run keepsake records plan --exclude " + strings.Join(x.Exclude, ",") + ": nothing was written"}}
		}
	}
	for i, d := range p.Drafts { // a reason that was given before stays
		if d.State == resolve.Blocked && i < len(less.Drafts) {
			less.Drafts[i].Reason = d.Reason
		}
	}
	less.Of = p.Digest
	return less, nil
}

// excludes says whether the plan holds back what x does, no less and no more.
func (p planFile) excludes(x excludeFlags) bool {
	for _, d := range p.Drafts {
		named := slices.Contains(x.Exclude, d.Name) || slices.Contains(x.Exclude, string(d.Category))
		if named != (d.State == resolve.Blocked) {
			return false
		}
	}
	return true
}
