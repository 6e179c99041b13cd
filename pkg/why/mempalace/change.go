package mempalace

import (
	"cmp"
	"slices"
	"strings"
)

// A Change is the difference between two counts of one file.
type Change struct {
	New  []string // ids of new rows, as many as are known
	More int64    // how many other rows are new
	Gone int64    // how many rows are gone
}

func (c Change) isAny() bool { return len(c.New) > 0 || c.More > 0 || c.Gone > 0 }

// Between returns what changed between two counts. It finds new rows by the ids of the newest, so a row that
// replaces a deleted one counts as new.
func Between(before, now Count) Change {
	if before.Names != nil || now.Names != nil {
		return ownBetween(before.Names, now)
	}
	known := map[string]bool{}
	lowest := int64(0) // all rows of before from here on are known by id
	for i, r := range before.Last {
		known[r.ID] = true
		if i == 0 && before.Rows > int64(len(before.Last)) {
			lowest = r.Row
		}
	}
	var c Change
	unnamed := now.Later
	for _, r := range now.Last {
		if r.Row > before.Max {
			unnamed--
		}
		if r.Row >= lowest && !known[r.ID] {
			c.New = append(c.New, r.ID)
		}
	}
	c.More = max(0, unnamed)
	c.Gone = max(0, before.Rows+int64(len(c.New))+c.More-now.Rows)
	return c
}

// Approved is everything that a person has approved since the last count.
type Approved struct {
	IDs []string // of what was stored
	// Open reports that an approved call ran that does not name all it stored, such as `mempalace mine`.
	Open bool
	// Removes reports that an approved call ran that may have deleted or replaced something.
	Removes bool
	Ends    bool // an approved call ran that may have ended a fact
}

// piece stands between the id of a text and the number of a piece of it.
const piece = "_chunk_"

// Less returns the change without what was approved. Approval of a text covers all its pieces.
func (c Change) Less(a Approved) Change {
	if a.Open {
		return Change{}
	}
	if a.Removes {
		c.Gone = 0
	}
	ids := slices.Clone(a.IDs)
	slices.SortFunc(ids, func(x, y string) int { return cmp.Compare(x, y) })
	c.New = slices.DeleteFunc(slices.Clone(c.New), func(id string) bool {
		whole, _, _ := strings.Cut(id, piece)
		_, is := slices.BinarySearch(ids, id)
		_, part := slices.BinarySearch(ids, whole)
		return is || part
	})
	return c
}

// limitNames moves the ids beyond a limit from New to More.
func (c Change) limitNames() Change {
	if over := len(c.New) - Newest; over > 0 {
		c.New, c.More = c.New[:Newest], c.More+int64(over)
	}
	return c
}
