package eval

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/text"
)

// A Table says what is printed of a result.
type Table struct {
	ByRepo bool // intervals are drawn over repositories, not over sessions
}

// Print returns the figures of a result as lines of text.
func (t Table) Print(r *Result) []string {
	if len(r.Sessions) == 0 {
		return []string{"no sessions"}
	}
	p := page{r: r, group: bySession, over: "sessions"}
	if t.ByRepo {
		p.group, p.over = byRepo, "repositories"
	}
	p.head()
	p.items()
	p.levels()
	p.calibration()
	return p.lines
}

// page gathers lines.
type page struct {
	r     *Result
	group func(*SessionRun) string
	over  string // what the intervals are drawn over
	lines []string
}

func (p *page) line(format string, args ...any) {
	p.lines = append(p.lines, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// head says what was measured.
func (p *page) head() {
	sets, items, marginal := map[string]int{}, 0, 0
	for _, s := range p.r.Sessions {
		sets[s.Set]++
		for _, item := range s.Items {
			if item.Counts() {
				items++
			} else {
				marginal++
			}
		}
	}
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		digest := ""
		if d := p.r.Data[set]; d != "" {
			digest = ", data " + d[:min(12, len(d))]
		}
		p.line("%s: %s%s", cmp.Or(set, "unnamed"), text.Count(sets[set], "session"), digest)
	}
	p.line("%s worth keeping, %d marginal; intervals of 95 %% over %s", text.Count(items, "item"), marginal,
		p.over)
}

// label and cell are the widths of a table's columns.
const (
	labelWidth = 26
	cellWidth  = 7
)

// row prints a line of shares, one for each column.
func (p *page) row(label string, n float64, at func(at int) string) {
	var b strings.Builder
	count := ""
	if n >= 0 {
		count = fmt.Sprintf("%.0f", n)
	}
	fmt.Fprintf(&b, "%-*s%6s", labelWidth, label, count)
	for _, c := range columns {
		fmt.Fprintf(&b, "%*s", cellWidth, at(c))
	}
	p.line("%s", b.String())
}

func (p *page) header(title, n string) {
	p.line("")
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s%6s", labelWidth, title, n)
	for _, c := range columns {
		name := fmt.Sprintf("at %d", c)
		switch c {
		case atSure:
			name = "sure"
		case atAll:
			name = "all"
		}
		fmt.Fprintf(&b, "%*s", cellWidth, name)
	}
	p.line("%s", b.String())
}

// items prints how many items are found, of all, of each category and of each form, and how many candidates
// state one.
func (p *page) items() {
	found := func(label string, wanted func(Item) bool) bool {
		n := p.r.sum(itemsFound(atAll, wanted)).all
		if n > 0 {
			p.row(label, n, func(at int) string { return short(p.r.sum(itemsFound(at, wanted)).value()) })
		}
		return n > 0
	}
	bounds := func(m func(at int) metric) {
		for _, high := range []bool{false, true} {
			p.row(map[bool]string{false: "  from", true: "  to"}[high], -1, func(at int) string {
				low, up := p.r.interval(m(at), p.group)
				if high {
					low = up
				}
				return short(low)
			})
		}
	}
	p.header("items found", "items")
	found("all", nil)
	bounds(func(at int) metric { return itemsFound(at, nil) })
	for _, c := range textCategories() {
		found(string(c), func(i Item) bool { return i.Category == string(c) })
	}
	if langs := p.kinds(func(s *SessionRun, _ Item) string { return s.Lang }); len(langs) > 1 {
		for _, lang := range langs {
			some := p.r.Filter(func(s SessionRun) bool { return s.Lang == lang })
			p.row("language "+lang, some.sum(itemsFound(atAll, nil)).all,
				func(at int) string { return short(some.sum(itemsFound(at, nil)).value()) })
		}
	}
	for _, form := range p.kinds(func(_ *SessionRun, i Item) string { return i.Form }) {
		found("form "+form, func(i Item) bool { return i.Form == form })
	}
	p.row("found in their category", -1, func(at int) string { return short(p.r.sum(named(at)).value()) })

	p.header("candidates", "all")
	all := p.r.sum(precision(atAll, nil)).all
	p.row("a session", -1, func(at int) string {
		return fmt.Sprintf("%.1f", p.r.sum(perSession(func(s *SessionRun) int {
			return len(s.candidates(at))
		})).value())
	})
	p.row("that state an item", all,
		func(at int) string { return short(p.r.sum(precision(at, nil)).value()) })
	bounds(func(at int) metric { return precision(at, nil) })
	for _, c := range textCategories() {
		is := func(f Found) bool { return f.Category == string(c) }
		p.row(string(c), p.r.sum(precision(atAll, is)).all,
			func(at int) string { return short(p.r.sum(precision(at, is)).value()) })
	}
}

// kinds returns what kind returns for the items that count, most frequent first.
func (p *page) kinds(kind func(*SessionRun, Item) string) []string {
	n := map[string]int{}
	for i := range p.r.Sessions {
		for _, item := range p.r.Sessions[i].Items {
			if item.Counts() {
				n[kind(&p.r.Sessions[i], item)]++
			}
		}
	}
	return slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b))
	})
}

// levels prints what a person notices of it, and its speed.
func (p *page) levels() {
	p.line("")
	p.line("%-*s%9s%9s%9s", labelWidth, "categories of a session", "P", "R", "F1")
	for _, at := range []int{atSure, atAll} {
		name := map[int]string{atSure: "sure", atAll: "sure and candidates"}[at]
		p.line("%-*s%9s%9s%9s", labelWidth, name,
			short(p.r.sum(sessionLevel(at, nil, outcome.precision)).value()),
			short(p.r.sum(sessionLevel(at, nil, outcome.recall)).value()),
			p.within(sessionLevel(at, nil, outcome.f1)))
	}
	p.line("")
	each := func(label string, m metric) {
		p.line("%-*s%9.2f  %s", labelWidth, label, p.r.sum(m).value(), p.bounds(m))
	}
	each("notices a session", perSession(func(s *SessionRun) int { return s.Notices }))
	each("  of moments", perSession(func(s *SessionRun) int { return s.Moments }))
	each("repeats a session", perSession(repeats))
	each("  an item told twice", perSession(toldTwice))
	each("turns a session", perSession(func(s *SessionRun) int { return s.Turns }))
	transcript := func(s *SessionRun) int64 { return s.Bytes }
	said := func(s *SessionRun) int64 { return s.Said }
	p.line("%-*s%9.1f of transcript; of what was said %.1f, only to judge it %.1f", labelWidth, "MB/s",
		p.speed(transcript, func(s *SessionRun) time.Duration { return s.Took }),
		p.speed(said, func(s *SessionRun) time.Duration { return s.Listened }),
		p.speed(said, func(s *SessionRun) time.Duration { return s.Judged }))
}

// speed returns how many MB/s were done.
func (p *page) speed(bytes func(*SessionRun) int64, took func(*SessionRun) time.Duration) float64 {
	return p.r.sum(func(s *SessionRun) share {
		return share{float64(bytes(s)) / 1e6, took(s).Seconds()}
	}).value()
}

func (p *page) bounds(m metric) string {
	return between(p.r.interval(m, p.group))
}

func (p *page) within(m metric) string {
	return fmt.Sprintf("%9s  %s", short(p.r.sum(m).value()), p.bounds(m))
}

// steps is into how many parts the scores are divided.
const steps = 10

// calibration prints, for each tenth of the scores, how many candidates state an item, and what a cut there
// would give.
func (p *page) calibration() {
	p.line("")
	p.line("%-*s%6s%9s%12s%9s%9s%9s", labelWidth, "score", "n", "state", "as a cut:", "state", "found", "F1")
	for i := steps - 1; i >= 0; i-- {
		from, to := float64(i)/steps, float64(i+1)/steps
		in := func(f Found) bool { return f.Score >= from && (f.Score < to || i == steps-1) }
		above := func(f Found) bool { return f.Score >= from }
		n := p.r.sum(precision(atAll, in))
		over := p.r.Filter(func(SessionRun) bool { return true })
		for j := range over.Sessions {
			s := &over.Sessions[j]
			s.Found = slices.DeleteFunc(slices.Clone(s.Found), func(f Found) bool { return !above(f) })
		}
		p.line("%-*s%6.0f%9s%12.1f%9s%9s%9s", labelWidth, fmt.Sprintf("%.1f to %.1f", from, to), n.all,
			short(n.value()),
			over.sum(perSession(func(s *SessionRun) int { return len(s.candidates(atAll)) })).value(),
			short(over.sum(precision(atAll, nil)).value()), short(over.sum(itemsFound(atAll, nil)).value()),
			short(over.sum(sessionLevel(atAll, nil, outcome.f1)).value()))
	}
}

// between returns bounds in words, "" for none.
func between(low, high float64) string {
	if math.IsNaN(low) {
		return ""
	}
	return fmt.Sprintf("%.2f to %.2f", low, high)
}

// short returns a share with two decimals and no leading zero, "-" if there is nothing to share.
func short(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	s := fmt.Sprintf("%.2f", v)
	return strings.TrimPrefix(s, "0")
}
