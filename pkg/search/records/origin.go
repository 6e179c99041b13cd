package records

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"keepsake/pkg/text/date"
)

// What a record is from says something about it too: what one session left belongs together, and a question
// may name the time. Both are added to the rank of a hit, the logarithm of its odds. Measured in
// quality_test.go.
const (
	// supporters is how many hits are looked at for those that support each other, and supportFloor the
	// least score of one.
	supporters   = 24
	supportFloor = 0.2

	// sessionWorth is what the other hits of its session are worth to a hit, by the sum of their scores up to
	// maxSupport. More finds more facts of long conversations, and more that a prompt did not ask for.
	sessionWorth = 0.5
	maxSupport   = 2

	// dayWorth is what it is worth to a hit that it was made at the time that the question names.
	dayWorth = 0.8
)

// supported is best, with what the origin of each hit says.
func (s *searching) supported(q Query, least float64, of scale) ([]Hit, error) {
	wide := q
	wide.Limit = max(q.Limit, supporters)
	hits, err := s.ranked(wide, min(least, relevance{}.least(supportFloor)), of)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(hits))
	for i, h := range hits {
		scores[i] = of.score(h.Score)
	}
	asked, dated := timeOf(q.Text, q.Now)
	for i := range hits {
		support := 0.0
		for k := range hits {
			if k != i && hits[i].Session != 0 && hits[k].Session == hits[i].Session {
				support += scores[k]
			}
		}
		hits[i].Score += sessionWorth * min(maxSupport, support)
		if dated && asked.has(hits[i].Day) {
			hits[i].Score += dayWorth
		}
	}
	inOrder(hits)
	n := 0
	for n < len(hits) && n < q.Limit && hits[n].Score >= least {
		hits[n].Score = of.score(hits[n].Score)
		n++
	}
	return hits[:n], nil
}

// dayOf returns the day of a time, counted from 1970.
func dayOf(t time.Time) int { return int(math.Floor(float64(t.Unix()) / (24 * 60 * 60))) }

// A period is the time that a question names: some days, or a month of any year.
type period struct {
	first, last int // days as dayOf counts them
	month       time.Month
}

func (p period) has(day int) bool {
	if day == 0 {
		return false
	}
	if p.month != 0 {
		return time.Unix(int64(day)*24*60*60, 0).UTC().Month() == p.month
	}
	return p.first <= day && day <= p.last
}

// maxDated is the longest question, in bytes, whose time is read.
const maxDated = 400

// timeOf returns the time that a question names, if it names one: "in May 2026", "2026-05-12", "last week".
// A month of its own needs a word before it, or a number behind it: may and march are words too.
func timeOf(question string, now time.Time) (p period, ok bool) {
	if len(question) > maxDated {
		return p, false
	}
	words := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-'
	})
	for i, w := range words {
		if at, err := time.Parse(time.DateOnly, w); err == nil {
			return period{first: dayOf(at), last: dayOf(at)}, true
		}
		if at, err := time.Parse("2006-01", w); err == nil {
			return period{first: dayOf(at), last: dayOf(at.AddDate(0, 1, -1))}, true
		}
		if m := monthOf(w); m != 0 {
			for _, next := range words[i+1 : min(len(words), i+3)] {
				if y, err := strconv.Atoi(next); err == nil && y >= 1970 && y < 3000 {
					at := time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
					return period{first: dayOf(at), last: dayOf(at.AddDate(0, 1, -1))}, true
				}
			}
			if i > 0 && beforeMonth(words[i-1]) {
				return period{month: m}, true
			}
		}
		if now.IsZero() || w != "last" && w != "this" && w != "yesterday" && w != "today" && w != "ago" {
			continue
		}
		for n := 1; n <= 3; n++ {
			from, to := i, i+n
			if w == "ago" {
				from, to = i+1-n, i+1
			}
			if from < 0 || to > len(words) {
				continue
			}
			if span, ok := date.Read(strings.Join(words[from:to], " "), now); ok {
				return period{first: dayOf(span.First), last: dayOf(span.Last)}, true
			}
		}
	}
	return p, false
}

// monthOf returns the month of an English name in lower case, 0 for another word.
func monthOf(w string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if strings.EqualFold(m.String(), w) {
			return m
		}
	}
	return 0
}

// beforeMonth reports whether a word makes the one behind it a month, and not a verb.
func beforeMonth(w string) bool {
	switch w {
	case "in", "of", "since", "during", "until", "from", "last", "early", "late", "mid":
		return true
	}
	return false
}
