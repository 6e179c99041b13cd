package main

import (
	"context"
	"path/filepath"

	"keepsake/pkg/disk"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// A place is a store and the folder that its files lie in.
type place struct {
	*store.Store
	root     string
	markdown bool             // a directory of Markdown memories, not the project's records
	session  *session.Session // of the records
	series   *store.Series    // of which the plans are parts; nil for none
}

// Apply makes the edits of a plan.
func (p place) Apply(ctx context.Context, of plan.Plan) error {
	if p.series != nil {
		return p.series.Apply(ctx, of)
	}
	return p.Store.Apply(ctx, of)
}

func recordsOf(s *session.Session) place {
	return place{Store: s.Store(), root: s.MemoryRoot(), session: s}
}

// notesOf is a directory of Markdown memories as a place.
func (c *call) notesOf(s *session.Session, dir string) place {
	dir = c.path(dir)
	return place{Store: s.Notes(dir), root: filepath.Clean(dir), markdown: true}
}

// memoryDirs returns the directories of Markdown memories that a verb reads: the named one, or else the
// project's and the root scope's.
func (c *call) memoryDirs(s *session.Session, named string) (all []place) {
	if named != "" {
		return []place{c.notesOf(s, named)}
	}
	for _, dir := range s.MemoryDirs() {
		all = append(all, c.notesOf(s, dir))
	}
	return all
}

// places returns the stores that a verb reads: the named directory, or else the project's records and all
// directories of Markdown memories.
func (c *call) places(s *session.Session, named string) []place {
	if named != "" {
		return c.memoryDirs(s, named)
	}
	return append([]place{recordsOf(s)}, c.memoryDirs(s, "")...)
}

// maxFile is how much is read of a file that is not Keepsake's, in bytes.
const maxFile = 16 << 20

// before returns the present text of a file, for a diff.
func (p place) before(path string) []byte {
	b, err := disk.Read(filepath.Join(p.root, filepath.FromSlash(path)), maxFile)
	if err != nil {
		return nil
	}
	return b
}
