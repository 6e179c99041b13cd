// Package tiers finds things outside of the project's memories: where something
// is in the project's files, what was noted in passing, and why things were
// decided. Each back end is a Finder; one that drawers can be added to is a Keeper.
//
// A back end that somebody chose and that can't answer is an error with the way
// to mend it. None silently stands in for another.
package tiers

import (
	"context"

	"keepsake/pkg/why/drawer"
)

// Hit is one thing found.
type Hit struct {
	Source string `json:"source"` // the tier: scratch, WHERE or WHY
	Path   string `json:"path"`   // below the project's root, with slashes; of WHY wing/room/drawer
	Line   int    `json:"line"`   // from 1; 0 if the back end gives none
	// one line, cut to what fits a terminal; not cleaned of control characters
	Text  string  `json:"text"`
	Date  string  `json:"date"`           // RFC 3339, "" when unknown
	Score float64 `json:"score"`          // how surely it answers, from 0 to 1, as recall scores memories
	Whole string  `json:"-"`              // of Near: the whole text, if the back end gives it
	Gone  string  `json:"gone,omitempty"` // the path that an annotation names and that is no longer there
}

// Finder is a back end. Find returns at most n hits, best first. Finding nothing
// is no error. An error names the back end, the trouble and what helps, and comes
// without hits.
type Finder interface {
	Find(ctx context.Context, query string, n int) ([]Hit, error)
}

// Keeper is a back end of the tier WHY.
type Keeper interface {
	Finder
	// Near returns at most n drawers that say nearly what text says, the nearest
	// first, from any wing: whoever is about to add it shows them. None is no error.
	Near(ctx context.Context, text string, n int) ([]Hit, error)
	// Add writes one drawer, which d.Check must have passed, byte for byte, and
	// returns the ids that the back end gave it, several where it cuts a long text.
	// It is idempotent, also after a crash at any instant: the same wing, room and
	// text again writes nothing and returns the ids with existed true. An error
	// says nothing of whether it was written; asking again settles it.
	Add(ctx context.Context, d drawer.Drawer) (ids []string, existed bool, err error)
	// Read returns the drawer at wing/room/drawer whole. None is fs.ErrNotExist.
	Read(ctx context.Context, at string) (drawer.Drawer, error)
	// Remove takes the drawer at wing/room/drawer away for good, if it still says text:
	// another text is one that nobody was shown, and an error. None there is no error, so
	// that whoever was cut off can ask again.
	Remove(ctx context.Context, at, text string) error
}
