package triage

import (
	"cmp"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

var textCategories = memory.Categories()[1:]

// read returns what Statements is sure of, grouped by category and moment, best first, with the score of
// each.
func read(passages []Passage, o Options) (n Notice) {
	all := listen(passages, nil)
	quotes := map[topic][]Quote{}
	for _, s := range Statements(passages, o) {
		n.Explicit = n.Explicit || s.Explicit
		if s.Level != finding.Sure {
			continue
		}
		t := decision
		for t < topics && (t.category() != s.Category || t.moment() != s.Moment) {
			t++
		}
		quotes[t] = append(quotes[t], Quote{Text: strings.TrimSpace(s.Text), ID: s.ID, By: s.By,
			Score:    s.Score,
			Explicit: s.Explicit, Boosted: s.Boosted, passage: s.Passage + 1, line: s.Line})
	}
	for t := decision; t < topics; t++ {
		found := quotes[t]
		if len(found) == 0 {
			continue
		}
		score := addUp(all, t, thresholdOf(t)).score
		slices.SortStableFunc(found, func(a, b Quote) int { return cmp.Compare(b.Score, a.Score) })
		if found[0].Explicit {
			score = Max
		}
		if t < firstMoment {
			n.Signals = append(n.Signals, Signal{Category: t.category(), Score: score, Quotes: found})
		} else {
			n.Moments = append(n.Moments, Moment{Kind: t.moment(), Score: score, Quotes: found})
		}
	}
	return n
}
