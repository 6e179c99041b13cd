package records

import (
	"strings"

	"keepsake/pkg/text"
)

// Passage returns the sentence of a text that says most of what query asks, as
// Snippet does of a record, and the line that it stands on, counted from 1. Of equal
// ones it takes the first; where none has a word of the query the line is 0.
func Passage(passage, query string, limit int) (line int, snippet string) {
	q := terms{limit: maxTerms}
	q.add(query[:min(len(query), headBytes)])
	var best sentence
	n := 0
	for l := range strings.Lines(passage) {
		n++
		for s := range sentences(l) {
			if found := q.in(s); found.worth > best.worth {
				best, line = found, n
			}
		}
	}
	return line, text.Around(best.text, best.at, limit)
}
