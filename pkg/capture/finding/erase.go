package finding

import (
	"slices"
)

// An Erasure names what to take out of a book.
type Erasure struct {
	Numbers []int                  // of the findings
	To      string                 // the record or file that is forgotten with them, "" for none
	Says    func(text string) bool // reports whether a text has their content; nil: only their own texts do
}

// Was returns the findings that became a record or file at any time, even if that was taken back later.
func (b *Book) Was(to string) []Status {
	return b.Each(func(s Status) bool { return s.To == to })
}

// Erase removes the texts of some findings, and their words where they explain other findings. Findings
// with the same text go with them, and nothing names e.To any more. What became of each finding stays, with
// the digest of its statement, so that the statement is not noticed again. Before that m rejects each
// finding that still waits, and takes back each that was kept, even one without a text. Erase returns the
// numbers of the findings whose state it changed.
func (b *Book) Erase(m Move, e Erasure) (erased []int) {
	digests := map[string]bool{}
	for _, n := range e.Numbers {
		if s, ok := b.all[n]; ok && s.Text != "" {
			digests[s.Digest] = true
		}
	}
	says := func(text string) bool { return text != "" && e.Says != nil && e.Says(text) }
	for _, s := range b.Each(nil) {
		gone := slices.Contains(e.Numbers, s.Number) || s.Digest != "" && digests[s.Digest] || says(s.Text)
		if gone {
			m.Numbers, m.Act = []int{s.Number}, TakeBack
			if s.State.Waits() {
				m.Act = Reject
			}
			moved := len(b.AddMove(m)) > 0
			s = *b.all[s.Number]
			if moved || s.Text != "" || len(s.Context) > 0 || s.Why != "" {
				erased = append(erased, s.Number)
			}
			s.Text, s.Context, s.Why, s.Cue, s.Branch = "", nil, "", "", ""
		}
		if e.To != "" && s.To == e.To {
			s.To = ""
		}
		if e.To != "" && s.Target == e.To {
			s.Target = ""
		}
		if says(s.Why) {
			s.Why = ""
		}
		s.Context = slices.DeleteFunc(slices.Clone(s.Context), func(l Line) bool { return says(l.Text) })
		b.put(s)
	}
	return erased
}
