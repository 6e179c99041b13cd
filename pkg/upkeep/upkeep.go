// Package upkeep keeps a store within its bounds: it says what is to be retired
// because there is too much of it or it is too old, and what is to be collected
// because it was retired long ago. It answers with a plan, or adds to one:
//
//	Save     what a save brings with it, in the same plan
//	Collect  all that the rules ask for, when gc is called
//
// Archived records are never touched, an active one is never deleted, and the
// record that is just being saved is never the one that goes. The package is
// pure.
package upkeep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/text"
)

// Rules are the bounds of a store. Zero values set none.
type Rules struct {
	MaxRetained    int                     // active session summaries; more and the oldest are retired
	MaxPerCategory int                     // active records of a category; the same
	RetentionDays  map[memory.Category]int // whole days after the last change until a record is retired

	GraceDays      int  // whole days that a retired record stays; 0 collects at once
	ArchiveRetired bool // collected records are archived, not deleted
}

// The reasons of what is retired. The first is seed 3's, to the letter.
const (
	WindowReason = "Session rolling window: exceeded max_retained limit"
	LimitReason  = "Category limit: exceeded max_memories_per_category"
	agedReason   = "Retention: unchanged for %d days"
)

// Act is one thing that a plan does for upkeep.
type Act struct {
	Path     string          `json:"path"`
	Category memory.Category `json:"category"`
	Title    string          `json:"title"`
	Verb     plan.Verb       `json:"verb"`
	Reason   string          `json:"reason"`
	Note     string          `json:"note,omitempty"` // why, in words, and what a reader may miss of what went
}

// Skipped is a record that the rules cannot be applied to.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// most is how many records one save retires for any one rule, so that a save
// stays a save when a limit was lowered; gc does the rest. It is seed 3's.
func most(limit int) int { return max(10, 10*limit) }

// Save adds to a plan what it brings with it: a new session summary moves the
// rolling window, a new record of a full category retires the oldest one, and
// what is over its retention goes. It is one plan, so that no crash leaves a
// window half moved. An empty plan stays empty.
func Save(p plan.Plan, records []memory.Stored, rules Rules, now time.Time) (plan.Plan, []Act) {
	if len(p.Edits) == 0 {
		return p, nil
	}
	d := newDesk(p, records, now)
	for _, c := range memory.Categories() {
		if d.added[c] == 0 {
			continue
		}
		if c == memory.SessionSummary {
			d.window(rules.MaxRetained, most(rules.MaxRetained))
		}
		d.limit(c, rules.MaxPerCategory, most(1))
	}
	d.aged(rules, most(1))
	return d.plan, d.acts
}

// Collect plans all that the rules ask for: the window, the limits, retention,
// and the end of what was retired long enough ago. What is retired by this very
// plan is not collected by it.
func Collect(records []memory.Stored, rules Rules, now time.Time) (plan.Plan, []Act, []Skipped) {
	d := newDesk(plan.Plan{Version: plan.Version, Edits: []plan.Edit{}}, records, now)
	d.window(rules.MaxRetained, len(records))
	for _, c := range memory.Categories() {
		d.limit(c, rules.MaxPerCategory, len(records))
	}
	d.aged(rules, len(records))
	d.collect(rules)
	return d.plan, d.acts, d.skipped
}

// desk is a plan that is being added to.
type desk struct {
	plan    plan.Plan
	records []memory.Stored
	now     time.Time
	edited  map[string]plan.Verb    // by path in lower case: in the plan, so not ours to touch
	added   map[memory.Category]int // records that the plan makes
	acts    []Act
	skipped []Skipped
	limits  map[memory.Category]int // that were applied
}

func newDesk(p plan.Plan, records []memory.Stored, now time.Time) *desk {
	p.Edits = slices.Clone(p.Edits)
	d := &desk{plan: p, records: records, now: now, edited: map[string]plan.Verb{},
		added: map[memory.Category]int{}, limits: map[memory.Category]int{}}
	for _, e := range p.Edits {
		d.edited[strings.ToLower(e.Path)] = e.Verb
		if e.Verb == plan.Create {
			d.added[memory.Category(e.Category)]++
		}
	}
	return d
}

// active are the records of a category that the plan leaves alone, and how many
// there will be in all.
func (d *desk) active(c memory.Category) (free []memory.Stored, total int) {
	total = d.added[c]
	for _, r := range d.records {
		if r.Category != c || r.Status != memory.Active {
			continue
		}
		switch d.edited[strings.ToLower(r.Path)] {
		case "":
			free = append(free, r)
			total++
		case plan.Update:
			total++
		}
	}
	return free, total
}

// window retires the oldest session summaries above the limit, by creation and
// then by name; one without a date counts as the oldest.
func (d *desk) window(limit, atMost int) {
	d.over(memory.SessionSummary, limit, atMost, WindowReason, func(r memory.Stored) string { return r.CreatedAt })
}

// limit retires the records of a category that were not changed for longest.
func (d *desk) limit(c memory.Category, limit, atMost int) {
	d.limits[c] = limit
	d.over(c, limit, atMost, LimitReason, func(r memory.Stored) string { return r.UpdatedAt })
}

func (d *desk) over(c memory.Category, limit, atMost int, reason string, stamp func(memory.Stored) string) {
	free, total := d.active(c)
	if limit <= 0 || total <= limit {
		return
	}
	slices.SortFunc(free, func(a, b memory.Stored) int {
		return cmp.Or(when(stamp(a)).Compare(when(stamp(b))), strings.Compare(a.Path, b.Path))
	})
	for _, r := range free[:min(total-limit, atMost, len(free))] {
		d.retire(r, reason)
	}
}

// unfinished says what a session summary that goes had left to do, "" for nothing:
// nobody is reminded of it any more.
func unfinished(r memory.Stored) string {
	var parts []string
	for _, f := range []struct{ name, one string }{{"next_actions", "next action"}, {"blockers", "blocker"}} {
		list, _ := r.Content[f.name].([]string)
		switch n := len(list); {
		case r.Category != memory.SessionSummary || n == 0:
		case n == 1:
			parts = append(parts, "1 "+f.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, f.one))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "it names " + strings.Join(parts, " and ") + ", see keepsake show " + r.ID
}

// when reads a time stamp; one that cannot be read is the zero time.
func when(stamp string) time.Time {
	t, _ := memory.ParseStamp(stamp)
	return t
}

// aged retires what was not changed for as long as its category is kept.
func (d *desk) aged(rules Rules, atMost int) {
	for _, c := range memory.Categories() {
		days := rules.RetentionDays[c]
		if days <= 0 {
			continue
		}
		free, _ := d.active(c)
		n := 0
		for _, r := range free {
			at := when(r.UpdatedAt)
			switch {
			case at.IsZero():
				d.skip(r, fmt.Sprintf("updated_at %q is no time", text.Shorten(r.UpdatedAt, 40)))
			case daysSince(at, d.now) >= days && n < atMost:
				d.retire(r, fmt.Sprintf(agedReason, days))
				n++
			}
		}
	}
}

func daysSince(at, now time.Time) int { return int(now.Sub(at) / (24 * time.Hour)) }

// collect ends what was retired as many whole days ago as its grace is.
func (d *desk) collect(rules Rules) {
	for _, r := range d.records {
		if r.Status != memory.Retired || d.edited[strings.ToLower(r.Path)] != "" {
			continue
		}
		if r.RetiredAt == nil || *r.RetiredAt == "" {
			d.skip(r, "has no retired_at")
			continue
		}
		at := when(*r.RetiredAt)
		if at.IsZero() {
			d.skip(r, fmt.Sprintf("retired_at %q is no time", text.Shorten(*r.RetiredAt, 40)))
			continue
		}
		age := daysSince(at, d.now)
		if at.After(d.now) || age < rules.GraceDays {
			continue
		}
		ago := fmt.Sprintf("retired %d days ago", age)
		if age == 1 {
			ago = "retired 1 day ago"
		}
		if !rules.ArchiveRetired {
			d.add(plan.Edit{Path: r.Path, Verb: plan.Delete, Before: r.Digest, Category: string(r.Category), Title: r.Title}, ago)
			continue
		}
		next, err := r.Shelve(d.now)
		d.write(r, plan.Archive, next, err, ago)
	}
}

func (d *desk) retire(r memory.Stored, reason string) {
	next, err := r.Retire(reason, d.now)
	d.write(r, plan.Retire, next, err, reason)
}

func (d *desk) write(r memory.Stored, verb plan.Verb, next memory.Moved, err error, reason string) {
	if err == nil {
		err = next.Validate()
	}
	if err != nil {
		d.skip(r, err.Error())
		return
	}
	d.add(Edit(r, verb, next.Record), reason)
	if verb == plan.Retire {
		d.acts[len(d.acts)-1].Note = noteOf(r, reason, d.limits[r.Category])
	}
}

// noteOf says in words why a record goes that nobody turned against, and how it comes
// back. A session summary that leaves the window says what it had left to do.
func noteOf(r memory.Stored, reason string, limit int) string {
	back := "keepsake records restore " + r.ID + " brings it back"
	switch reason {
	case WindowReason:
		return unfinished(r)
	case LimitReason:
		return fmt.Sprintf("the store keeps %d of a category, and of these it was unchanged for longest; %s",
			limit, back)
	}
	return back
}

// Edit writes the record as next in the place of r.
func Edit(r memory.Stored, verb plan.Verb, next memory.Record) plan.Edit {
	return plan.Edit{Path: r.Path, Verb: verb, Before: r.Digest, After: next.Encode(), Category: string(next.Category), Title: next.Title}
}

func (d *desk) add(e plan.Edit, reason string) {
	d.plan.Edits = append(d.plan.Edits, e)
	d.edited[strings.ToLower(e.Path)] = e.Verb
	d.acts = append(d.acts, Act{Path: e.Path, Category: memory.Category(e.Category), Title: e.Title, Verb: e.Verb, Reason: reason})
}

func (d *desk) skip(r memory.Stored, why string) {
	d.skipped = append(d.skipped, Skipped{r.Path, why})
}
