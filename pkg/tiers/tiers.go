// Package tiers finds things outside of the project's memories: where something
// is in the project's files, and what was noted in passing. Each back end is a
// Finder.
//
// A back end that somebody chose and that can't answer is an error with the way
// to mend it. None silently stands in for another.
package tiers

import "context"

// Hit is one thing found.
type Hit struct {
	Source string  `json:"source"` // the tier: scratch, WHERE or WHY
	Path   string  `json:"path"`   // below the project's root, with slashes; as the back end names it where that is no file
	Line   int     `json:"line"`   // from 1; 0 when the back end knows none
	Text   string  `json:"text"`   // one line, cut to what fits a terminal; not cleaned of control characters
	Date   string  `json:"date"`   // RFC 3339, "" when unknown
	Score  float64 `json:"score"`  // more is better; comparable only within one answer
}

// Finder is a back end. Find returns at most n hits, best first. Finding nothing
// is no error. An error names the back end, the trouble and what helps, and comes
// without hits.
type Finder interface {
	Find(ctx context.Context, query string, n int) ([]Hit, error)
}
