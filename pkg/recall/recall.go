// Package recall finds the memories that a prompt is about.
//
// Build packs a BM25 index of the active records into one slice of bytes, the
// derived search file of the store; Open checks it, and Search looks terms up in
// the bytes themselves, so that a hook pays for the words of a prompt and not
// for the size of the store. The file is a cache: deleting it loses nothing.
//
// A hit is good by an absolute measure, never by being better than the rest: a
// prompt about nothing in the store finds nothing. Nothing here reads a file or
// a clock, and no input, however damaged, makes it panic.
package recall

import (
	"keepsake/pkg/memory"
)

// Hit is one memory that a query is about.
type Hit struct {
	Path, ID, Title string
	Category        memory.Category
	// Score says how surely the memory is about the query, from Floor to 1.
	Score float64
}
