package finding

import (
	"slices"
	"strings"
)

// Was returns the findings that became a record or file at any time, also where that
// was taken back.
func (b *Book) Was(to string) []Status {
	return b.Each(func(s Status) bool { return s.To == to })
}

// Erase takes all that some findings say, and their words where they explain others.
// Findings that say the same go with them. What is left says what became of each and,
// by its digest, which statement it was, so that it is not noticed again. One that
// still waits is rejected by m first, one that was kept taken back, also where it has no
// text any more. Erase returns the numbers of those that it changed so.
func (b *Book) Erase(m Move, numbers ...int) (erased []int) {
	digests := map[string]bool{}
	var texts []string
	for _, n := range numbers {
		if s, ok := b.all[n]; ok && s.Text != "" {
			digests[s.Digest] = true
			texts = append(texts, s.Text)
		}
	}
	for _, s := range b.Each(nil) {
		if slices.Contains(numbers, s.Number) || s.Digest != "" && digests[s.Digest] {
			m.Numbers, m.Act = []int{s.Number}, TakeBack
			if s.State.Waits() {
				m.Act = Reject
			}
			moved := len(b.AddMove(m)) > 0
			s = *b.all[s.Number]
			if moved || s.Text != "" || len(s.Context) > 0 || s.Why != "" {
				erased = append(erased, s.Number)
			}
			s.Text, s.Context, s.Why, s.Cue = "", nil, "", ""
			b.put(s)
			continue
		}
		s.Context = slices.DeleteFunc(slices.Clone(s.Context), func(l Line) bool {
			return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(l.Text, t) })
		})
		b.put(s)
	}
	return erased
}
