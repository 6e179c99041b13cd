package triage

import (
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Sizes of an excerpt in lines, and of a line in bytes.
const (
	around    = 10
	wholeUpTo = 280
	keepHead  = 80
	keepTail  = 200
	maxLine   = 2000
)

// gap replaces lines that were left out.
const gap = "---"

// Excerpt returns what the drafter of a signal reads: ten lines around each quote, with windows that touch
// joined. For a session summary it is the whole conversation, without its middle if that is long. Each
// message begins with a line that says who speaks. passages must be those in which the signal was found.
// Nothing in them is escaped.
func Excerpt(passages []Passage, s Signal) string {
	lines, starts := transcribe(passages)
	var keep []span
	if s.Category == memory.SessionSummary {
		keep = []span{{0, len(lines)}}
		if len(lines) > wholeUpTo {
			keep = []span{{0, keepHead}, {len(lines) - keepTail, len(lines)}}
		}
	} else {
		keep = windows(passages, s.Quotes, starts, len(lines))
	}
	var b strings.Builder
	for i, k := range keep {
		if i > 0 {
			b.WriteString(gap + "\n")
		}
		if i, found := slices.BinarySearch(starts, k.from); !found && i > 0 {
			b.WriteString(lines[starts[i-1]] + "\n") // who is speaking
		}
		for _, line := range lines[k.from:k.to] {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// span is a range of lines.
type span struct{ from, to int }

// transcribe returns the lines of the conversation and the line at which each passage begins.
func transcribe(passages []Passage) (lines []string, starts []int) {
	for _, p := range passages {
		starts = append(starts, len(lines))
		who := "[assistant]"
		if p.By == Person {
			who = "[user]"
		}
		lines = append(lines, who)
		for line := range strings.SplitSeq(strings.TrimRight(p.Text, "\n"), "\n") {
			if len(line) > maxLine {
				line = text.CutBytes(line, maxLine) + "…"
			}
			lines = append(lines, line)
		}
	}
	return lines, starts
}

// windows returns the ranges of lines around the quotes, in order, without overlap.
func windows(passages []Passage, quotes []Quote, starts []int, all int) []span {
	kept := make([]bool, all)
	for _, q := range quotes {
		i, line, ok := q.locate(passages)
		if !ok {
			continue
		}
		at := starts[i] + 1 + line
		for n := max(0, at-around); n < min(all, at+around+1); n++ {
			kept[n] = true
		}
	}
	var spans []span
	for i := 0; i < all; i++ {
		if !kept[i] {
			continue
		}
		from := i
		for i < all && kept[i] {
			i++
		}
		spans = append(spans, span{from, i})
	}
	return spans
}

// locate returns where a quote was said. A quote that was stored and read back has only its passage and its
// text.
func (q Quote) locate(passages []Passage) (passage, line int, ok bool) {
	if i := q.passage - 1; i >= 0 && i < len(passages) && passages[i].ID == q.ID &&
		q.line <= strings.Count(passages[i].Text, "\n") {
		return i, q.line, true
	}
	for i, p := range passages {
		if p.ID != q.ID {
			continue
		}
		if at := strings.Index(p.Text, q.Text); at >= 0 {
			return i, strings.Count(p.Text[:at], "\n"), true
		}
	}
	return 0, 0, false
}
