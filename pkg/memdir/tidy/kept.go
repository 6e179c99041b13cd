package tidy

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/plan"
)

// Kept records which calls were answered with keep, and on which day (2006-01-02), by what was asked. A call
// whose statements or evidence changed is another one.
type Kept map[string]string

// lapses is how long a file that nobody checked since stays kept.
const lapses = 90 * 24 * time.Hour

// key identifies what a call asks: its kind, what was noticed, and the statements, wherever they stand. A
// call about no statement asks about the whole file.
func (c Call) key() string {
	var said []string
	for _, s := range c.Statements {
		said = append(said, plain(s.Text))
	}
	slices.Sort(said)
	if len(said) == 0 {
		said = []string{c.File, c.whole}
	}
	why := c.Why
	if c.Kind != Stale { // that of others is worked out from the statements, or counts days
		why = ""
	}
	return plan.DigestOf([]byte(strings.Join(append(said, string(c.Kind), why), "\x00")))[:32]
}

func (k Kept) has(c Call) bool { return k[c.key()] != "" }

// Update returns what is kept after a plan: what was kept before and is still asked, with what the plan
// keeps, and without what it answers otherwise.
func (s Sheet) Update(k Kept, out Outcome, now time.Time) Kept {
	next := Kept{}
	for _, c := range s.Calls {
		key := c.key()
		day, err := time.Parse(time.DateOnly, k[key])
		switch {
		case out.keeps[c.Number]:
			next[key] = now.UTC().Format(time.DateOnly)
		case err != nil, out.settles[c.Number], c.Kind == Old && now.Sub(day) > lapses:
		default:
			next[key] = k[key]
		}
	}
	return next
}
