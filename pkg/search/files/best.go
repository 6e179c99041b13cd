package files

import "bytes"

// Line is the line of a file that answers best.
type Line struct {
	Number int // from 1
	Text   string
	Score  float64 // 0..1: how much of what was asked for stands at one place
}

// What a line is worth that has a word, beside that it defines something of that
// name or is a heading.
const (
	atSymbol  = 1.0
	atHeading = 0.75
	atComment = 0.6
	atText    = 0.5
	nearby    = 0.4 // what the words of the two lines on each side add
)

// Best finds the line of a file's text that answers best. For a file whose path alone answers, it is the
// first line with content. Search must be called before it.
func (q Query) Best(path string, text []byte) Line {
	w := q.wordsOf()
	var named uint32 // what the path has
	eachPlace(path, func(_ mark, words []byte) {
		eachTerm(words, func(t []byte) { named |= w.find(t) })
	})
	r := newReader(path)
	first := Line{Number: 1}
	best := first
	var lines [5]seenLine // the last five; the middle one is judged
	judge := func() {
		at := lines[2]
		if at.all == 0 {
			return
		}
		around := at.all
		for _, l := range lines {
			around |= l.all
		}
		score := w.weight(at.defined)*atSymbol + w.weight(at.all&^at.defined)*at.worth
		score += w.weight(around&^at.all) * nearby * at.worth
		score += w.weight(named&^around) * nearby * at.worth
		if score > best.Score {
			best = Line{at.number, string(at.text), score}
		}
	}
	number := 0
	for rest := text; len(rest) > 0; {
		var line []byte
		line, rest = cutLine(rest)
		number++
		l := w.line(r, line)
		l.number = number
		if first.Text == "" && len(l.text) > 2 {
			first = Line{number, string(l.text), 0}
		}
		copy(lines[:], lines[1:])
		lines[4] = l
		judge()
	}
	for range 2 {
		copy(lines[:], lines[1:])
		lines[4] = seenLine{}
		judge()
	}
	if w.total > 0 {
		best.Score /= w.total
	}
	if best.Score == 0 {
		return first
	}
	return best
}

type seenLine struct {
	number       int
	text         []byte
	all, defined uint32 // groups
	worth        float64
}

// words are the groups of a query by their terms.
type words struct {
	exact    map[string]uint32
	prefixes []struct {
		term []byte
		bit  uint32
	}
	weights [maxGroups]float64
	total   float64
}

func (q Query) wordsOf() *words {
	w := &words{exact: map[string]uint32{}}
	for i, g := range q.groups {
		w.weights[i] = g.weight
		if g.known && !g.whole {
			w.total += g.weight
		}
		for _, f := range g.forms {
			w.exact[f.term] |= 1 << i
			if f.prefix {
				w.prefixes = append(w.prefixes, struct {
					term []byte
					bit  uint32
				}{[]byte(f.term), 1 << i})
			}
		}
	}
	return w
}

func (w *words) find(t []byte) uint32 {
	found := w.exact[string(t)]
	for _, p := range w.prefixes {
		if bytes.HasPrefix(t, p.term) {
			found |= p.bit
		}
	}
	return found
}

func (w *words) weight(groups uint32) (sum float64) {
	for i := 0; groups != 0; i, groups = i+1, groups>>1 {
		if groups&1 != 0 {
			sum += w.weights[i]
		}
	}
	return sum
}

func (w *words) line(r *reader, line []byte) seenLine {
	l := seenLine{text: bytes.TrimSpace(line), worth: atText}
	kind, name := r.line(line)
	switch kind {
	case heading:
		l.worth = atHeading
	case comment:
		l.worth = atComment
	case defines:
		l.worth = atHeading
		eachTerm(name, func(t []byte) { l.defined |= w.find(t) })
	}
	eachTerm(line, func(t []byte) { l.all |= w.find(t) })
	return l
}
