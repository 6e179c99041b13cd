// Package records finds the memories that a prompt is about.
//
// Its index is that of package segment, with a delta of a few hundred records at
// most: a hook pays for the words it asks and not for the size of the store.
//
// A score is an absolute measure, and a prompt finds only what reaches Floor by
// it, never what is merely better than the rest: a prompt about nothing in the
// store finds nothing. A record weighs the same
// whatever stands beside it, so an index that grew change by change finds the
// same, with the same scores, as one that was built at once.
package records

import (
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"
)

// Version is the version of the index. Each has files of its own, so that two versions
// of Keepsake can run side by side.
const Version = segment.Version

// ErrCorrupt means that the bytes are no index of this version: build a new one.
var ErrCorrupt = segment.ErrCorrupt

// Entry is what an index has about a record, without the record's file.
type Entry struct {
	Path, ID, Title string
	Category        memory.Category
	Status          memory.Status
	Tags            []string
	File            memory.File // when it was indexed
	Session         uint32      // a hash of the session that it is from; 0 if that is not known
	Day             int         // it was made, counted from 1970; 0 if that is not known
}

// Hit is one memory that a query is about.
type Hit struct {
	Entry
	// Score is how surely the memory is about the query, from 0 to 1.
	Score float64
	// Question is which sentence of a prompt it fits best, from 1, if that one of several is a question; 0 if
	// not.
	Question int
}

// Query is what Search looks for.
type Query struct {
	Text  string
	Limit int // of hits; 0 finds nothing
	// Floor is the lowest score of a hit. It is the constant Floor for a prompt, whose author did not ask
	// for memories. It is 0 for a question, which gets everything that has any of the words.
	Floor    float64
	FewFloor float64 // replaces Floor if there are few documents, 0 for none
	// Category restricts the hits, "" does not.
	Category memory.Category
	// Retired also finds what is retired or archived.
	Retired bool
	// Prompt scores a memory by the sentence of the text that it fits best, as PromptQuery says.
	Prompt bool
	// Now is when the question is put, by which "last week" is read; zero if that is not known.
	Now time.Time
}
