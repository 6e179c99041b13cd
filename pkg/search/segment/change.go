package segment

import (
	"slices"

	"keepsake/pkg/memory"
)

// A Change collects what happened to documents since an index was made.
type Change struct {
	ix    *Index
	paths map[string]bool // every path that was removed, for good or to be added again
	parts []part          // in the order they were added
	marks marks
}

// marks are what documents of an index got since, by path.
type marks map[string]marked

type marked struct {
	mark      byte
	was, file memory.File
}

// Change begins a change of the index. The index itself stays as it is.
func (ix *Index) Change() *Change { return &Change{ix: ix, paths: map[string]bool{}, marks: marks{}} }

// Removed reports whether the change has removed the document at path.
func (c *Change) Removed(path string) bool { return c.paths[path] }

// Remove takes the document at path out of the index and of what was added; one that
// is not there is no error.
func (c *Change) Remove(path string) {
	if c.paths[path] {
		// Rare enough to search for it.
		for i := range c.parts {
			if at, ok, err := c.parts[i].place(path); ok && err == nil {
				c.parts[i].gone[at] = true
			}
		}
	}
	c.paths[path] = true
	delete(c.marks, path)
}

// Mark gives a document of the index another mark and file. The change can't be done if the index does not
// have the document as it was in the other file. The index gets another base, however small the change is.
func (c *Change) Mark(path string, mark byte, was, file memory.File) {
	if had, ok := c.marks[path]; ok {
		was = had.was
	}
	c.marks[path] = marked{mark, was, file}
}

// Add adds the documents of a segment that was just packed. Each of their paths was
// removed before.
func (c *Change) Add(packed []byte) {
	s, err := openMemory(packed)
	if err != nil {
		panic(err) // we have just packed it
	}
	c.parts = append(c.parts, part{s, map[int]bool{}})
}

// Done returns the delta of the changed index, and its base if that has to be
// replaced too, else nil; an index of nothing has no base yet. A delta has at most
// limit documents, new and dead. Errors wrap ErrCorrupt.
func (c *Change) Done(limit int) (base, delta []byte, err error) {
	if len(c.paths) <= limit && len(c.marks) == 0 && !c.ix.baseless {
		ix := &Index{Base: c.ix.Base, Delta: c.ix.Delta}
		if err := c.bury(ix); err != nil {
			return nil, nil, err
		}
		segment, err := c.merge(part{c.ix.Delta, nil})
		if err != nil {
			return nil, nil, err
		}
		changed, err := openMemory(segment)
		if err != nil {
			return nil, nil, err
		}
		if changed.Docs+len(ix.Dead) <= limit {
			return nil, ix.encode(segment), nil
		}
	}
	if base, err = c.Merged(); err != nil {
		return nil, nil, err
	}
	s, err := openMemory(base)
	if err != nil {
		return nil, nil, err
	}
	return base, (&Index{Base: s}).encode(empty()), nil
}

// bury gives ix the dead documents of the index and those that the change makes.
func (c *Change) bury(ix *Index) error {
	all := slices.Clone(c.ix.Dead)
	for path := range c.paths {
		i, ok, err := c.ix.Base.place(path)
		if err != nil {
			return err
		}
		if !ok || c.ix.isDead(i) {
			continue
		}
		d, err := c.ix.Base.Document(i)
		if err != nil {
			return err
		}
		all = append(all, Dead{uint32(i), d.Mark})
	}
	slices.SortFunc(all, func(a, b Dead) int { return int(int64(a.Doc) - int64(b.Doc)) })
	for _, d := range all {
		ix.bury(d)
	}
	return nil
}

// Merged returns one segment of the index and its changes, the base of an index
// without a delta.
func (c *Change) Merged() ([]byte, error) {
	base := part{c.ix.Base, make(map[int]bool, len(c.ix.Dead))}
	for _, d := range c.ix.Dead {
		base.gone[int(d.Doc)] = true
	}
	return c.merge(base, part{c.ix.Delta, nil})
}

// merge makes one segment of old ones, less what was changed, and the changes.
func (c *Change) merge(old ...part) ([]byte, error) {
	return merge(append(old, c.parts...), len(old), c.paths, c.marks)
}

// Check reads the whole index. Errors wrap ErrCorrupt.
func (ix *Index) Check() error {
	_, err := ix.Change().Merged()
	for _, s := range []*Segment{ix.Base, ix.Delta} {
		if err == nil {
			_, err = s.Marks()
		}
	}
	return err
}
