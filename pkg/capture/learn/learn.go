// Package learn is what a person's answers teach about one project: which kinds of statements they keep when
// they are asked, and which they reject. It moves the judgement of the model a little, and never further than
// its bounds.
//
// An answer is counted by how much it surprises: the rejection of a statement that was unlikely anyway says
// nothing new. It counts for the statement's category, and in this category for whose words it had, for what
// heard it and for the families of its cues. Each of these has one weight, in log odds, that grows with the
// answers and is drawn to 0 as long as they are few.
//
// Nothing here has any text of a conversation. The package is pure.
package learn

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"time"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/memory"
)

// Bounds of what is learned, in log odds.
const (
	maxWeight = 0.5 // of one weight
	maxShift  = 1.0 // of one statement
	// prior is the doubt that a weight begins with, as a variance of answers: one rejection of a statement
	// that was just sure moves the next one like it by a quarter, three by half, ten by the bound.
	prior = 10
	// shared is how much more an answer is doubted than it is worth. It counts for four weights that are
	// added up, and the answers of one session resemble each other: taken at their worth, the many answers of
	// a project whose statements the model knows well made it judge them worse.
	shared = 8
)

// Limit is how many answers count, the newest.
const Limit = 200

// Traits are what is known of a statement when its answer is counted, and when the next one like it is
// judged.
type Traits struct {
	Category memory.Category
	By       string // whose words it has: Person, or another name of the caller's
	Heard    string // what heard it
	Cues     cues.Set
}

// Person is Traits.By of what the person said or chose.
const Person = "person"

// isRule reports whether a statement is a rule in the person's own words.
func (t Traits) isRule() bool { return t.By == Person && t.Cues&(1<<cues.Rule|1<<cues.Lasting) != 0 }

// An Answer is what a person said about one finding.
type Answer struct {
	Number int // of the finding
	At     time.Time
	Kept   bool
	Score  float64 // how likely it was to be worth keeping
	Traits
}

// counted returns the answers that count, oldest first: of each finding the last, and of all the newest.
func counted(all []Answer) []Answer {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), a.At.Compare(b.At), compareAtOnce(a, b))
	})
	last := all[:0]
	for i, a := range all {
		if i+1 == len(all) || all[i+1].Number != a.Number {
			last = append(last, a)
		}
	}
	slices.SortFunc(last, func(a, b Answer) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Number, b.Number))
	})
	return last[max(0, len(last)-Limit):]
}

// compareAtOnce orders two answers about one finding at one time, so that the order in which they come in
// never counts: a no is the later one.
func compareAtOnce(a, b Answer) int {
	if a.Kept != b.Kept {
		if a.Kept {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.Category, b.Category), cmp.Compare(a.By, b.By),
		cmp.Compare(a.Heard, b.Heard), cmp.Compare(a.Cues, b.Cues))
}

// A sum is what the answers about one kind of statement add up to.
type sum struct {
	name           string
	surprise       float64 // by how many more were kept than was likely
	doubt          float64 // the variance of that
	kept, rejected int
}

func (s *sum) add(a Answer) {
	p := min(max(a.Score, 0.02), 0.98)
	s.doubt += p * (1 - p)
	if a.Kept {
		s.surprise += 1 - p
		s.kept++
	} else {
		s.surprise -= p
		s.rejected++
	}
}

// weight returns what a kind of statement adds to the log odds of one.
func (s *sum) weight() float64 {
	return bounded(s.surprise/(shared*s.doubt+prior), maxWeight)
}

func bounded(x, most float64) float64 { return max(-most, min(most, x)) }

// sums are those of one category.
type sums struct {
	category  memory.Category
	all       sum
	by, heard []sum
	cues      [cues.Count]sum
}

// A Layer is the weights that some answers make. A nil Layer changes nothing.
type Layer struct {
	of             []*sums
	kept, rejected int
	since          time.Time
}

// New returns the layer of some answers, in whatever order they are; nil if there are none.
func New(all []Answer) *Layer {
	all = counted(all)
	if len(all) == 0 {
		return nil
	}
	l := &Layer{since: all[0].At}
	for _, a := range all {
		s := l.sumsOf(a.Category)
		if s == nil {
			s = &sums{category: a.Category}
			l.of = append(l.of, s)
		}
		s.all.add(a)
		named(&s.by, a.By).add(a)
		named(&s.heard, a.Heard).add(a)
		for rest := a.Cues; rest != 0; rest &= rest - 1 {
			s.cues[bits.TrailingZeros64(uint64(rest))].add(a)
		}
		if a.Kept {
			l.kept++
		} else {
			l.rejected++
		}
	}
	return l
}

func (l *Layer) sumsOf(c memory.Category) *sums {
	for _, s := range l.of {
		if s.category == c {
			return s
		}
	}
	return nil
}

// named returns the sum of a name, which it adds if there is none.
func named(all *[]sum, name string) *sum {
	at := slices.IndexFunc(*all, func(s sum) bool { return s.name == name })
	if at < 0 {
		*all = append(*all, sum{name: name})
		at = len(*all) - 1
	}
	return &(*all)[at]
}

// weightOf returns the weight of a name, 0 if nothing was answered about it.
func weightOf(all []sum, name string) float64 {
	for i := range all {
		if all[i].name == name {
			return all[i].weight()
		}
	}
	return 0
}

// Shift returns what the answers add to the log odds of a statement. A rule of the person's is never
// lowered.
func (l *Layer) Shift(t Traits) float64 {
	if l == nil {
		return 0
	}
	s := l.sumsOf(t.Category)
	if s == nil {
		return 0
	}
	shift := s.all.weight() + weightOf(s.by, t.By) + weightOf(s.heard, t.Heard)
	byCue := 0.0
	for rest := t.Cues; rest != 0; rest &= rest - 1 {
		byCue += s.cues[bits.TrailingZeros64(uint64(rest))].weight()
	}
	if n := t.Cues.Len(); n > 0 {
		shift += byCue / float64(n) // a statement of many cues is no more certain
	}
	if shift < 0 && t.isRule() {
		return 0
	}
	return bounded(shift, maxShift)
}

// Adjust returns the probability p of a statement as the answers make it.
func (l *Layer) Adjust(t Traits, p float64) float64 {
	shift := l.Shift(t)
	if shift == 0 || !(p > 0 && p < 1) {
		return p
	}
	return adjusted(p, shift)
}

// adjusted returns a probability between 0 and 1 after its log odds were shifted.
func adjusted(p, shift float64) float64 {
	q := 1 / (1 + math.Exp(-math.Log(p/(1-p))-shift))
	if shift > 0 { // rounding may lead a shift of next to nothing the other way
		return max(p, q)
	}
	return min(p, q)
}

// Kept and Rejected return how many answers of each kind count.
func (l *Layer) Kept() int {
	if l == nil {
		return 0
	}
	return l.kept
}

// Rejected is as Kept.
func (l *Layer) Rejected() int {
	if l == nil {
		return 0
	}
	return l.rejected
}

// Since returns when the oldest answer that counts was given.
func (l *Layer) Since() time.Time {
	if l == nil {
		return time.Time{}
	}
	return l.since
}

// A Weight is what one kind of statement adds to the log odds of being worth keeping.
type Weight struct {
	Category memory.Category `json:"category"`
	Of       string          `json:"of"`             // "category", "by", "heard" or "cue"
	Name     string          `json:"name,omitempty"` // of whose words, what heard it, or the family of cues
	Adds     float64         `json:"adds"`
	Kept     int             `json:"kept"`
	Rejected int             `json:"rejected"`
}

// Weights returns the weights, the greatest first.
func (l *Layer) Weights() (all []Weight) {
	if l == nil {
		return nil
	}
	for _, s := range l.of {
		add := func(of string, x *sum, name string) {
			if x.kept+x.rejected > 0 {
				all = append(all, Weight{s.category, of, name, x.weight(), x.kept, x.rejected})
			}
		}
		add("category", &s.all, "")
		for i := range s.by {
			add("by", &s.by[i], s.by[i].name)
		}
		for i := range s.heard {
			add("heard", &s.heard[i], s.heard[i].name)
		}
		for f := range cues.Family(cues.Count) {
			add("cue", &s.cues[f], f.String())
		}
	}
	slices.SortFunc(all, func(a, b Weight) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Adds), math.Abs(a.Adds)), cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.Of, b.Of), cmp.Compare(a.Name, b.Name))
	})
	return all
}
