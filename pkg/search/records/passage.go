package records

import (
	"strings"

	"keepsake/pkg/text"
)

// Passage returns the sentence of a text that has most of the query, as Snippet does for a record, and its
// line, counted from 1. Of equal sentences it takes the first. If none has a word of the query, the line is
// 0.
func Passage(passage, query string, limit int) (line int, snippet string) {
	q := terms{limit: maxTerms}
	q.add(query[:min(len(query), headBytes)])
	var best sentence
	n := 0
	for l := range strings.Lines(passage) {
		n++
		for s := range Sentences(l) {
			if found := q.in(s); found.worth > best.worth {
				best, line = found, n
			}
		}
	}
	return line, text.Around(best.text, best.at, limit)
}
