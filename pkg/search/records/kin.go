package records

import (
	"bytes"
	"unicode/utf8"

	"keepsake/pkg/search/segment"
)

// Terms are kin when they share this much of the longer one from its beginning,
// and the shorter one has at least kinRunes: the endings of languages that are
// not stemmed, and words cut short. A kin is worth less than the term itself.
const (
	kinShare = 0.7
	kinRunes = 5
	kinWorth = 0.8
	maxKin   = 8 // looked at on either side of where the term would be
)

// kin counts the related terms of a term that no document has.
func (s *searching) kin(term []byte) error {
	if utf8.RuneCount(term) < kinRunes {
		return nil
	}
	if err := s.kinTowards(term, +1); err != nil {
		return err
	}
	return s.kinTowards(term, -1)
}

// kinTowards looks at the terms after (+1) or before (-1) the place where term would be. It passes over
// terms that no document has any more.
func (s *searching) kinTowards(term []byte, step int) error {
	length := utf8.RuneCount(term)
	var at [len(s.sides)]int
	for i := range s.sides {
		place, ok, err := s.sides[i].Find(term)
		if err != nil {
			return err
		}
		if at[i] = place; step < 0 {
			at[i]--
		} else if ok {
			at[i]++
		}
	}
	var next []byte
	for seen := 0; seen < maxKin; {
		next = next[:0]
		for i := range s.sides {
			if at[i] < 0 || at[i] >= s.sides[i].Terms {
				continue
			}
			t, err := s.sides[i].Term(at[i])
			if err != nil {
				return err
			}
			if len(next) == 0 || bytes.Compare(t.Name, next)*step < 0 {
				next = append(next[:0], t.Name...)
			}
		}
		both := common(term, next)
		if float64(both) < kinShare*float64(length) {
			return nil
		}
		n := 0
		for i := range s.sides {
			side := &s.sides[i]
			side.found = segment.Postings{}
			if at[i] < 0 || at[i] >= side.Terms {
				continue
			}
			t, err := side.Term(at[i])
			if err != nil {
				return err
			}
			if !bytes.Equal(t.Name, next) {
				continue
			}
			if err := side.take(at[i], s.retired); err != nil {
				return err
			}
			n += side.n
			at[i] += step
		}
		if n == 0 {
			continue
		}
		seen++
		if share := float64(both) / float64(max(length, utf8.RuneCount(next))); share >= kinShare {
			s.count(float32(kinWorth*share) * worth(next, n, s.docs))
		}
	}
	return nil
}

// common returns the number of characters that a and b begin with together.
func common(a, b []byte) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		_, size := utf8.DecodeRune(a)
		if !bytes.HasPrefix(b, a[:size]) {
			break
		}
		n++
		a, b = a[size:], b[size:]
	}
	return n
}
