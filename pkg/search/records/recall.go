// Package records finds the memories that a prompt is about.
//
// Build packs an index of records into a segment, the large file of a search
// index; what changes afterwards is collected in a delta, a few hundred records
// at most, until both are merged into a new segment. Open reads of a segment
// only its header, and Search only the terms of the prompt, so that a hook pays
// for the words it asks and not for the size of the store. Both are caches:
// deleting them loses nothing.
//
// A score is an absolute measure, and a prompt finds only what reaches Floor by
// it, never what is merely better than the rest: a prompt about nothing in the
// store finds nothing. A record weighs the same
// whatever stands beside it, so an index that grew change by change finds the
// same, with the same scores, as one that was built at once. Nothing here opens
// a file or reads a clock, and no input, however damaged, makes it panic: what
// is read is checked, and ErrCorrupt asks for a new index.
package records

import (
	"errors"

	"keepsake/pkg/memory"
)

// ErrCorrupt means that the bytes are no index of this version: build a new one.
var ErrCorrupt = errors.New("recall: not an index of this version")

// Entry is what an index knows of a record without reading its file.
type Entry struct {
	Path, ID, Title string
	Category        memory.Category
	Status          memory.Status
	Tags            []string
	File            memory.File // when it was indexed
}

// Hit is one memory that a query is about.
type Hit struct {
	Entry
	// Score says how surely the memory is about the query, from 0 to 1.
	Score float64
}

// Query is what Search is asked.
type Query struct {
	Text  string
	Limit int // of hits; 0 finds nothing
	// Floor is the lowest score of a hit: the constant Floor for a prompt, which
	// asked for nothing and is better left alone. Whoever does ask is owed what has
	// any of the words, and gets it with 0.
	Floor    float64
	FewFloor float64 // in the place of Floor where there are few documents, 0 for none
	// Category restricts the hits, "" does not. It changes no score.
	Category memory.Category
	// Retired also finds what is retired or archived.
	Retired bool
}
