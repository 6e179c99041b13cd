package origin

import (
	"sort"
	"strings"

	"keepsake/pkg/capture/stance"
)

const (
	// maxGuarded is how many words of a sentence are looked at together.
	maxGuarded = 150
	// leastQuoted is how many words in quotes are somebody's words, and no name.
	leastQuoted = 3
)

// guard notes what of a text is no claim of its author's. Its words stand in the stream
// from a place on, with a gap behind each sentence.
func (s *stream) guard(ws []word, at int, text string) {
	quotes := stance.Quotations(text)
	for _, sentence := range split(ws, func(w word) bool { return w.end }) {
		end := sentence[len(sentence)-1]
		for from := 0; from < len(sentence); from += maxGuarded {
			part := sentence[from:min(from+maxGuarded, len(sentence))]
			said := make([]stance.Word, len(part))
			for i, w := range part {
				said[i] = stance.Word{Text: strings.ReplaceAll(w.text, "'", ""),
					Pause: w.pause && i < len(part)-1}
			}
			var all []guarded
			for _, g := range stance.Of(said, end.asks && from+len(part) == len(sentence)) {
				all = append(all, guarded{at + from, at + from + len(part), g, false})
			}
			for _, q := range quoted(part, quotes) {
				all = append(all, guarded{at + from, at + from + len(part), q, true})
			}
			s.kept = append(s.kept, all...)
		}
		at += len(sentence)
		if end.end {
			at++
		}
	}
}

// quoted returns the stretches of words that somebody else's words are: in quotes, unless
// the sentence gives them to be written down.
func quoted(part []word, quotes []stance.Span) (all []stance.Guard) {
	first, last := part[0].at, part[len(part)-1].at
	n := sort.Search(len(quotes), func(i int) bool { return quotes[i].To > first })
	for _, q := range quotes[n:] {
		if q.From > last {
			break
		}
		from := sort.Search(len(part), func(i int) bool { return part[i].at >= q.From })
		to := sort.Search(len(part), func(i int) bool { return part[i].at >= q.To })
		if to-from >= leastQuoted && !dictates(part[:from]) {
			all = append(all, stance.Guard{Kind: stance.Reports, From: from, To: to})
		}
	}
	return all
}

// dictates reports whether words before a quotation give it to be written down: "add the
// rule: …".
func dictates(before []word) bool {
	for _, w := range before {
		switch w.text {
		case "remember", "note", "rule", "regel", "policy", "convention", "notier", "notiere",
			"merke", "merk":
			return true
		}
	}
	return false
}

// claims reports whether the person means the words of a stretch of the stream as they
// stand there.
func (s *stream) claims(from, to int) bool {
	n := sort.Search(len(s.kept), func(i int) bool { return s.kept[i].to > from })
	for _, k := range s.kept[n:] {
		switch g := k.guard; {
		case k.from >= to:
			return true
		case k.quoted:
			if from >= k.from+g.From && to <= k.from+g.To {
				return false
			}
		case !g.Claims(from-k.from, to-k.from):
			return false
		}
	}
	return true
}
