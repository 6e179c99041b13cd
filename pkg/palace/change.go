package palace

import (
	"cmp"
	"slices"
	"strings"
)

// A Change is what became of one file between two counts.
type Change struct {
	New  []string // ids of rows that were not there, as far as they are named
	More int64    // further new rows, which are not named
	Gone int64    // rows that are not there any more
}

func (c Change) is() bool { return len(c.New) > 0 || c.More > 0 || c.Gone > 0 }

// Between tells what changed. It finds new rows by their ids among the newest, so
// that one which takes the place of a deleted one is new too.
func Between(before, now Count) Change {
	if before.Names != nil || now.Names != nil {
		return ownBetween(before.Names, now.own)
	}
	known := map[string]bool{}
	lowest := int64(0) // from here on, all rows before are named
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

// Approved is what a person has said yes to since the last count.
type Approved struct {
	IDs []string // of what was stored
	// Open is a call that ran with a yes and did not name all that it stored, a
	// command such as `mempalace mine`.
	Open bool
	// Removes is a call that ran with a yes and may have deleted or replaced.
	Removes bool
}

// piece stands in the id of a piece between the id of the whole and a number.
const piece = "_chunk_"

// Less takes what was approved out of a change. A text that is stored in pieces
// is approved with all of them.
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

// names is how many of what is new are named, of a change that may be large.
func (c Change) names() Change {
	if over := len(c.New) - Newest; over > 0 {
		c.New, c.More = c.New[:Newest], c.More+int64(over)
	}
	return c
}
