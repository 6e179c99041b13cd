package candidate

import "path/filepath"

// Seen is which notes a memory-keeper has looked at.
type Seen struct {
	Version int `json:"version"`
	// Files tells one state of the folder of notes from another: the names, sizes and
	// times of its files when nothing in them was new. While it is so nobody need
	// read them.
	Files string `json:"files,omitempty"`
	// Entries are the ids of the entries that were looked at, with spaces between
	// them: one text is read faster than a list, at the end of every turn.
	Entries string `json:"entries,omitempty"`
}

func (b Box) seen() string { return filepath.Join(b.Dir, "seen.json") }

// Seen returns what has been looked at; nothing where there is no file.
func (b Box) Seen() (s Seen, err error) { return s, load(b.seen(), &s, &s.Version) }

// See changes what has been looked at, under the lock.
func (b Box) See(change func(*Seen)) error {
	return b.locked(func() error {
		s, err := b.Seen()
		if err != nil {
			return err
		}
		change(&s)
		s.Version = Version
		return save(b.seen(), s)
	})
}
