package sessionstart

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/memdir"
)

// vanished takes a snapshot of the memory files of the project and of the root scope. It returns a
// message about files that somebody deleted since a session last looked, once.
func (s start) vanished() string {
	all, err := s.Vanished(s.now)
	if err != nil && !errors.Is(err, disk.ErrLocked) {
		s.Fault("sessionstart", "what became of the client's memory files could not be told", err)
	}
	said := ""
	for _, l := range all {
		root := ""
		if l.Root {
			root = l.Dir
		}
		said = join(said, brief.Vanished(l.Names, l.Since, root))
		said = join(said, brief.LostLines(l.Rewritten, l.Since, root))
	}
	return said
}

// overgrown returns a suggestion to put the index of the client's memory files in order. It returns the
// suggestion once, until something else is wrong with the index.
func (s start) overgrown() string {
	if s.source != "startup" && s.source != "clear" {
		return ""
	}
	found, err := s.Overgrown(s.now)
	if err != nil {
		s.Fault("sessionstart", "the index of the client's memory files could not be looked at", err)
	}
	return brief.Overgrown(found, filepath.Join(s.MemoryDir(), memdir.Index))
}

// lockless returns a message about a file system without locks, once for each project.
func (s start) lockless() string {
	dir, err := s.Lockless()
	if err != nil {
		s.Fault("sessionstart", "whether the file system has locks could not be found out", err)
	}
	return brief.Lockless(dir)
}

// join returns texts below each other, without the empty ones.
func join(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
}
