package gate

import (
	"slices"
	"strconv"

	"keepsake/pkg/checkpoint"
)

// reason words a verdict: what is at stake and where to, then what to know about
// the text, then why (ask) or what to do instead (deny).
func (j *judge) reason(r checkpoint.Rule, d checkpoint.Decision) string {
	f := j.found
	first, details := r.Says, f.details
	if r.Checkpoint == checkpoint.MemPalaceWrite && r.Answer == checkpoint.Ask {
		p := j.look()
		if p.rows > dialogRows {
			first += ", " + strconv.Itoa(p.rows) + " lines (see keepsake review)"
		}
		details = slices.Concat(details, p.flags(), j.near(p.text))
	}
	if f.subject != "" {
		first += ": " + f.subject
	}
	last := r.Because
	if d == checkpoint.Deny {
		last = r.Remedy
	}
	return checkpoint.Reason(append([]string{first}, details...), last)
}
