// Package upkeep keeps a store within its bounds. It decides which records to retire because there are too
// many of them or they are too old, and which to collect because they were retired long ago. It returns a
// plan, or adds to one:
//
//	Save        the upkeep that a save causes, in the same plan
//	Find, Make  everything that the rules ask for, when gc is called: what is due, and a plan of it
//
// Archived records are never touched, an active one is never deleted, and the record being saved is never
// retired. The package is pure.
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

// Rules are the bounds of a store. A zero value sets no bound.
type Rules struct {
	MaxRetained    int                     // active session summaries; beyond it the oldest are retired
	MaxPerCategory int                     // active records of a category; beyond it the oldest are retired
	RetentionDays  map[memory.Category]int // whole days after the last change until a record is retired

	// Gone holds, by path, since when a record's branch is deleted and not merged. Such a record is archived
	// after the grace period.
	Gone map[string]time.Time

	GraceDays      int  // whole days until a retired record is collected; 0 collects at once
	ArchiveRetired bool // archive records instead of deleting them
}

// Reasons for retiring a record. The first is what claude-memory writes, to the letter.
const (
	WindowReason = "Session rolling window: exceeded max_retained limit"
	LimitReason  = "Category limit: exceeded max_memories_per_category"
	agedReason   = "Retention: unchanged for %d days"
	goneReason   = "Branch %s: deleted, and not merged"
	agoReason    = "retired %s ago"
)

// Ended reports whether a record says that upkeep retired or archived it, and nobody's word.
func Ended(r memory.Record) bool {
	for _, said := range [...]*string{r.RetiredReason, r.ArchivedReason} {
		if said == nil {
			continue
		}
		for _, reason := range [...]string{WindowReason, LimitReason, agedReason, goneReason, agoReason} {
			before, after, _ := strings.Cut(strings.NewReplacer("%d", "\x00", "%s", "\x00").Replace(reason),
				"\x00")
			if len(*said) >= len(before)+len(after) && strings.HasPrefix(*said, before) &&
				strings.HasSuffix(*said, after) {
				return true
			}
		}
	}
	return false
}

// Act is one step of upkeep in a plan.
type Act struct {
	Path     string          `json:"path"`
	Category memory.Category `json:"category"`
	Title    string          `json:"title"`
	Verb     plan.Verb       `json:"verb"`
	Reason   string          `json:"reason"`
	Note     string          `json:"note,omitempty"` // the reason in words, and what a reader may miss
}

// Skipped is a record that the rules cannot be applied to.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// maxRetired returns how many records one save retires for a rule. After a limit was lowered, a save stays
// small and gc does the rest. The formula is claude-memory's.
func maxRetired(limit int) int { return max(10, 10*limit) }

// Save adds to a plan the upkeep that it causes: a new session summary moves the rolling window, a new record
// retires the oldest one of a full category, and records over their retention go. It is a single plan, so
// that no crash leaves a window half moved. An empty plan stays empty.
func Save(p plan.Plan, records []memory.Stored, rules Rules, now time.Time) (plan.Plan, []Act) {
	if len(p.Edits) == 0 {
		return p, nil
	}
	d := newBuilder(p, records, now)
	for _, c := range memory.Categories() {
		if d.added[c] == 0 {
			continue
		}
		if c == memory.SessionSummary {
			d.retireWindow(rules.MaxRetained, maxRetired(rules.MaxRetained))
		}
		d.retireOverLimit(c, rules.MaxPerCategory, maxRetired(1))
	}
	d.retireAged(rules, maxRetired(1))
	d.archiveGone(rules, maxRetired(1))
	d.make(d.due)
	return d.plan, d.acts
}

// Due is a record that the rules ask something of.
type Due struct {
	Record *memory.Stored
	verb   plan.Verb
	reason string
	limit  int // of its category
}

// Find returns all that the rules ask for: the window, the limits, retention, and the end of records that
// were retired long enough ago. What it retires itself it does not collect. It looks at nothing but heads, so
// records may come without their content.
func Find(records []memory.Stored, rules Rules, now time.Time) ([]Due, []Skipped) {
	d := newBuilder(plan.Plan{}, records, now)
	d.retireWindow(rules.MaxRetained, len(records))
	for _, c := range memory.Categories() {
		d.retireOverLimit(c, rules.MaxPerCategory, len(records))
	}
	d.retireAged(rules, len(records))
	d.archiveGone(rules, len(records))
	d.collect(rules)
	return d.due, d.skipped
}

// Make returns the plan of what is due. The records are whole.
func Make(due []Due, now time.Time) (plan.Plan, []Act, []Skipped) {
	d := newBuilder(plan.Plan{Version: plan.Version, Edits: []plan.Edit{}}, nil, now)
	d.plan.Edits, d.acts = slices.Grow(d.plan.Edits, len(due)), make([]Act, 0, len(due))
	d.make(due)
	return d.plan, d.acts, d.skipped
}

// builder is a plan that upkeep is added to.
type builder struct {
	plan    plan.Plan
	records []memory.Stored
	now     time.Time
	edited  map[string]plan.Verb    // paths in lower case that the plan edits, which upkeep leaves alone
	added   map[memory.Category]int // how many records the plan makes
	due     []Due
	acts    []Act
	skipped []Skipped
	limits  map[memory.Category]int // the limits that were applied
}

func newBuilder(p plan.Plan, records []memory.Stored, now time.Time) *builder {
	p.Edits = slices.Clone(p.Edits)
	d := &builder{plan: p, records: records, now: now, edited: map[string]plan.Verb{},
		added: map[memory.Category]int{}, limits: map[memory.Category]int{}}
	for _, e := range p.Edits {
		d.edited[strings.ToLower(e.Path)] = e.Verb
		if e.Verb == plan.Create {
			d.added[memory.Category(e.Category)]++
		}
	}
	return d
}

// active returns the active records of a category that the plan does not edit, and how many there will be in
// all.
func (d *builder) active(c memory.Category) (free []*memory.Stored, total int) {
	total = d.added[c]
	for i := range d.records {
		r := &d.records[i]
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

// retireWindow retires the oldest session summaries above the limit, by creation and then by name. One
// without a date counts as the oldest.
func (d *builder) retireWindow(limit, atMost int) {
	d.retireOver(memory.SessionSummary, limit, atMost, WindowReason, func(r *memory.Stored) string {
		return r.CreatedAt
	})
}

// retireOverLimit retires the records of a category whose last change is longest ago.
func (d *builder) retireOverLimit(c memory.Category, limit, atMost int) {
	d.limits[c] = limit
	d.retireOver(c, limit, atMost, LimitReason, func(r *memory.Stored) string { return r.UpdatedAt })
}

func (d *builder) retireOver(c memory.Category, limit, atMost int, reason string,
	stamp func(*memory.Stored) string) {
	free, total := d.active(c)
	if limit <= 0 || total <= limit {
		return
	}
	slices.SortFunc(free, func(a, b *memory.Stored) int {
		return cmp.Or(parseTime(stamp(a)).Compare(parseTime(stamp(b))), strings.Compare(a.Path, b.Path))
	})
	for _, r := range free[:min(total-limit, atMost, len(free))] {
		d.retire(r, reason)
	}
}

// unfinished returns what a retired session summary had left to do, or "": nobody is reminded of it any more.
func unfinished(r memory.Stored) string {
	var parts []string
	for _, f := range []struct{ name, one string }{{"next_actions", "next action"}, {"blockers", "blocker"}} {
		list, _ := r.Content[f.name].([]string)
		if r.Category == memory.SessionSummary && len(list) > 0 {
			parts = append(parts, text.Count(len(list), f.one))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "it names " + strings.Join(parts, " and ") + ", see keepsake show " + r.ID
}

// parseTime parses a time stamp; one that cannot be read gives the zero time.
func parseTime(stamp string) time.Time {
	t, _ := memory.ParseStamp(stamp)
	return t
}

// retireAged retires records that have not changed for as long as their category is kept.
func (d *builder) retireAged(rules Rules, atMost int) {
	for _, c := range memory.Categories() {
		days := rules.RetentionDays[c]
		if days <= 0 {
			continue
		}
		free, _ := d.active(c)
		n := 0
		for _, r := range free {
			at := parseTime(r.UpdatedAt)
			switch {
			case at.IsZero():
				d.addSkipped(r, fmt.Sprintf("updated_at %q is not a time", text.Shorten(r.UpdatedAt, 40)))
			case daysSince(at, d.now) >= days && n < atMost:
				d.retire(r, fmt.Sprintf(agedReason, days))
				n++
			}
		}
	}
}

// archiveGone archives records whose branch was deleted without a merge, as many whole days ago as the grace
// period has.
func (d *builder) archiveGone(rules Rules, atMost int) {
	n := 0
	for i := range d.records {
		r := &d.records[i]
		since, gone := rules.Gone[r.Path]
		if !gone || r.Status != memory.Active || d.edited[strings.ToLower(r.Path)] != "" || n == atMost ||
			since.After(d.now) || daysSince(since, d.now) < rules.GraceDays {
			continue
		}
		d.add(r, plan.Archive, goneReason)
		n++
	}
}

func daysSince(at, now time.Time) int { return int(now.Sub(at) / (24 * time.Hour)) }

// collect deletes or archives records that were retired as many whole days ago as their grace period has.
func (d *builder) collect(rules Rules) {
	for i := range d.records {
		r := &d.records[i]
		if r.Status != memory.Retired || d.edited[strings.ToLower(r.Path)] != "" {
			continue
		}
		if r.RetiredAt == nil || *r.RetiredAt == "" {
			d.addSkipped(r, "has no retired_at")
			continue
		}
		at := parseTime(*r.RetiredAt)
		if at.IsZero() {
			d.addSkipped(r, fmt.Sprintf("retired_at %q is not a time", text.Shorten(*r.RetiredAt, 40)))
			continue
		}
		age := daysSince(at, d.now)
		if at.After(d.now) || age < rules.GraceDays {
			continue
		}
		ago := fmt.Sprintf(agoReason, text.Count(age, "day"))
		verb := plan.Archive
		if !rules.ArchiveRetired {
			verb = plan.Delete
		}
		d.add(r, verb, ago)
	}
}

func (d *builder) retire(r *memory.Stored, reason string) { d.add(r, plan.Retire, reason) }

func (d *builder) add(r *memory.Stored, verb plan.Verb, reason string) {
	d.edited[strings.ToLower(r.Path)] = verb
	d.due = append(d.due, Due{r, verb, reason, d.limits[r.Category]})
}

// make adds the edits of what is due to the plan.
func (d *builder) make(due []Due) {
	for _, u := range due {
		switch r := u.Record; u.verb {
		case plan.Delete:
			d.addEdit(plan.Edit{Path: r.Path, Verb: plan.Delete, Before: r.Digest,
				Category: string(r.Category), Title: r.Title}, u.reason)
		case plan.Archive:
			if u.reason != goneReason {
				next, err := r.Shelve(d.now)
				d.addWrite(u, next, err)
			} else if b, bound := r.BoundTo(); bound {
				u.reason = fmt.Sprintf(goneReason, b.Name)
				next, err := r.Archive(u.reason, d.now)
				d.addWrite(u, next, err)
			}
		default:
			next, err := r.Retire(u.reason, d.now)
			d.addWrite(u, next, err)
		}
	}
}

func (d *builder) addWrite(u Due, next memory.Moved, err error) {
	if err == nil {
		err = next.Validate()
	}
	if err != nil {
		d.addSkipped(u.Record, err.Error())
		return
	}
	d.addEdit(Edit(*u.Record, u.verb, next.Record), u.reason)
	if u.verb == plan.Retire || u.Record.Status == memory.Active {
		d.acts[len(d.acts)-1].Note = noteOf(*u.Record, u.reason, u.limit)
	}
}

// noteOf returns in words why a record goes although nobody rejected it, and how to bring it back. For a
// session summary it adds what was left to do.
func noteOf(r memory.Stored, reason string, limit int) string {
	back := "keepsake records restore " + r.ID + " brings it back"
	if strings.HasPrefix(reason, "Branch ") {
		return "keepsake records unarchive " + r.ID + " brings it back"
	}
	switch reason {
	case WindowReason:
		return unfinished(r)
	case LimitReason:
		return fmt.Sprintf("the store keeps %d of a category, and this one was unchanged for the longest "+
			"time; %s",
			limit, back)
	}
	return back
}

// Edit returns the edit that replaces r with next.
func Edit(r memory.Stored, verb plan.Verb, next memory.Record) plan.Edit {
	return plan.Edit{Path: r.Path, Verb: verb, Before: r.Digest, After: next.Encode(),
		Category: string(next.Category), Title: next.Title}
}

func (d *builder) addEdit(e plan.Edit, reason string) {
	d.plan.Edits = append(d.plan.Edits, e)
	d.acts = append(d.acts, Act{Path: e.Path, Category: memory.Category(e.Category), Title: e.Title,
		Verb: e.Verb, Reason: reason})
}

func (d *builder) addSkipped(r *memory.Stored, why string) {
	d.skipped = append(d.skipped, Skipped{r.Path, why})
}
