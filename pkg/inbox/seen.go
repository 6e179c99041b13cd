package inbox

import (
	"path/filepath"
	"time"
)

// Seen is which notes a memory-keeper has looked at.
type Seen struct {
	Version int `json:"version"`
	// Files are the files of notes as they were when nothing in them was new, by
	// name: while they are so nobody need read them.
	Files map[string]Stamp `json:"files,omitempty"`
	// Entries are the ids of the entries that were looked at.
	Entries []string `json:"entries,omitempty"`
}

// A Stamp tells one state of a file from another.
type Stamp struct {
	Size int64     `json:"size"`
	Time time.Time `json:"time"` // of its last change
}

func (b Box) seen() string { return filepath.Join(b.Dir, "seen.json") }

// Seen returns what has been looked at; nothing where there is no file.
func (b Box) Seen() (s Seen, err error) { return s, load(b.seen(), &s) }

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
