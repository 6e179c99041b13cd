package eval

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// The product's own levels stand where else a number of candidates a session stands.
const (
	atSure = -1 // what is sure
	atAll  = -2 // what is sure, and all candidates
)

// columns are the numbers of candidates a session, and the levels, at which items are counted.
var columns = [...]int{3, 5, 8, 12, 20, atSure, atAll}

// A share is a sum over sessions, divided by another.
type share struct{ of, all float64 }

func (s share) value() float64 {
	if s.all == 0 {
		return math.NaN()
	}
	return s.of / s.all
}

// A metric is a share of each session; its value is that of their sums.
type metric func(*SessionRun) share

// sum returns the share of all sessions.
func (r *Result) sum(m metric) (s share) {
	for i := range r.Sessions {
		x := m(&r.Sessions[i])
		s.of, s.all = s.of+x.of, s.all+x.all
	}
	return s
}

// draws is how many samples a bootstrap draws.
const draws = 1000

// interval returns the bounds between which a metric lies in 95 % of the samples that are drawn from the
// groups of sessions.
func (r *Result) interval(m metric, group func(*SessionRun) string) (low, high float64) {
	return bounds(func(add func(group string, s share)) {
		for i := range r.Sessions {
			add(group(&r.Sessions[i]), m(&r.Sessions[i]))
		}
	})
}

// bounds returns between what a sum of shares lies in 95 % of the samples that are drawn, with replacement,
// from groups of them. It is deterministic. each calls its argument for each share.
func bounds(each func(add func(group string, s share))) (low, high float64) {
	at := map[string]int{}
	var groups []share
	each(func(group string, s share) {
		g, ok := at[group]
		if !ok {
			g = len(groups)
			at[group], groups = g, append(groups, share{})
		}
		groups[g].of, groups[g].all = groups[g].of+s.of, groups[g].all+s.all
	})
	if len(groups) < 2 {
		return math.NaN(), math.NaN()
	}
	random := rand.New(rand.NewPCG(1, 2))
	var values []float64
	for range draws {
		var s share
		for range groups {
			x := groups[random.IntN(len(groups))]
			s.of, s.all = s.of+x.of, s.all+x.all
		}
		if s.all > 0 {
			values = append(values, s.value())
		}
	}
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	slices.Sort(values)
	return values[len(values)*25/1000], values[len(values)*975/1000]
}

// bySession and byRepo group sessions for intervals.
func bySession(s *SessionRun) string { return s.Set + "/" + s.File }
func byRepo(s *SessionRun) string    { return s.Repo }

// candidates returns the findings of a session at a number of candidates or at a level, best first: by their
// scores, sure ones before others, else as they were said. Moments are none, as they become no memories.
func (s *SessionRun) candidates(at int) []Found {
	var all []Found
	for _, f := range s.Found {
		if f.Category != "" && (at != atSure || f.Level == string(finding.Sure)) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(rankOf(a.Level), rankOf(b.Level)))
	})
	if at > 0 {
		all = all[:min(at, len(all))]
	}
	return all
}

func rankOf(level string) int {
	if level == string(finding.Sure) {
		return 0
	}
	return 1
}

// foundItems returns the items of a session that its candidates state.
func (s *SessionRun) foundItems(at int) map[int]bool {
	found := map[int]bool{}
	for _, f := range s.candidates(at) {
		for _, i := range f.States {
			found[i] = true
		}
	}
	return found
}

// itemsFound measures the share of items that candidates state, among those that wanted accepts.
func itemsFound(at int, wanted func(Item) bool) metric {
	return func(s *SessionRun) (x share) {
		found := s.foundItems(at)
		for i, item := range s.Items {
			if !item.Counts() || wanted != nil && !wanted(item) {
				continue
			}
			x.all++
			if found[i] {
				x.of++
			}
		}
		return x
	}
}

// judged reports whether a finding states an item that counts. One that states only marginal items counts
// neither way.
func (s *SessionRun) judged(f Found) (states, counts bool) {
	for _, i := range f.States {
		if s.Items[i].Counts() {
			return true, true
		}
	}
	return false, len(f.States) == 0
}

// precision measures the share of candidates that state an item, among those that wanted accepts.
func precision(at int, wanted func(Found) bool) metric {
	return func(s *SessionRun) (x share) {
		for _, f := range s.candidates(at) {
			if wanted != nil && !wanted(f) {
				continue
			}
			states, counts := s.judged(f)
			if counts {
				x.all++
			}
			if states {
				x.of++
			}
		}
		return x
	}
}

// named measures the share of found items that are also found in their category.
func named(at int) metric {
	return func(s *SessionRun) (x share) {
		right := map[int]bool{}
		for _, f := range s.candidates(at) {
			for _, i := range f.States {
				right[i] = right[i] || f.Category == s.Items[i].Category
			}
		}
		for i, is := range right {
			if !s.Items[i].Counts() {
				continue
			}
			x.all++
			if is {
				x.of++
			}
		}
		return x
	}
}

// textCategories are the five categories that statements can be of.
func textCategories() []memory.Category { return memory.Categories()[1:] }

// An outcome counts categories or items that were found rightly, found wrongly, and missed.
type outcome struct{ right, wrong, missed float64 }

func (o outcome) precision() share { return share{o.right, o.right + o.wrong} }
func (o outcome) recall() share    { return share{o.right, o.right + o.missed} }
func (o outcome) f1() share        { return share{2 * o.right, 2*o.right + o.wrong + o.missed} }

// add counts one category: got says whether it was found, has whether it is there, and
// weak whether it is there only weakly, which counts neither way.
func (o *outcome) add(got, has, weak bool) {
	switch {
	case got && has:
		o.right++
	case has:
		o.missed++
	case got && !weak:
		o.wrong++
	}
}

// categoriesAt compares the categories of a session: those of its candidates that cut accepts
// against those of its items.
func (s *SessionRun) categoriesAt(at int, cut func(Found) bool) (o outcome) {
	got, has, weak := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, f := range s.candidates(at) {
		if cut == nil || cut(f) {
			got[f.Category] = true
		}
	}
	for _, item := range s.Items {
		if item.Counts() {
			has[item.Category] = true
		} else {
			weak[item.Category] = true
		}
	}
	for _, c := range textCategories() {
		o.add(got[string(c)], has[string(c)], weak[string(c)])
	}
	return o
}

// sessionLevel measures precision, recall or F1 of the categories of sessions.
func sessionLevel(at int, cut func(Found) bool, of func(outcome) share) metric {
	return func(s *SessionRun) share { return of(s.categoriesAt(at, cut)) }
}

// perSession measures how many of something a session has.
func perSession(count func(*SessionRun) int) metric {
	return func(s *SessionRun) share { return share{float64(count(s)), 1} }
}

// repeats counts the findings of a session that say what an earlier one says.
func repeats(s *SessionRun) (n int) {
	for _, f := range s.Found {
		if f.Repeats {
			n++
		}
	}
	return n
}

// toldTwice counts the sure findings of a session that state nothing but items an earlier sure one states.
func toldTwice(s *SessionRun) (n int) {
	told := map[int]bool{}
	for _, f := range s.Found {
		if f.Category == "" || f.Level != string(finding.Sure) || len(f.States) == 0 {
			continue
		}
		if !slices.ContainsFunc(f.States, func(i int) bool { return !told[i] }) {
			n++
		}
		for _, i := range f.States {
			told[i] = true
		}
	}
	return n
}
