package shell

import (
	"slices"
	"strconv"

	"keepsake/pkg/gate/rules"
)

// reason returns the text of a verdict: what is at stake and where to, then what to know about the
// text, then why (ask) or what to do instead (deny).
func (j *judge) reason(r rules.Rule, d rules.Decision) string {
	f := j.found
	first, details := r.Says, f.details
	if r.Checkpoint == rules.MemPalaceWrite && r.Answer == rules.Ask {
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
	if d == rules.Deny {
		last = r.Remedy
	}
	return rules.Reason(append([]string{first}, details...), last)
}
