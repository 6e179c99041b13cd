package candidate

// Seen records which notes a memory-keeper has looked at.
type Seen struct {
	Version int `json:"version"`
	// Files is made of the names, sizes and times of the notes' files at a time when nothing in them was
	// new. While the files still match it, nobody has to read them.
	Files string `json:"files,omitempty"`
	// Entries are the ids of the entries that were looked at, separated by spaces. They are one string,
	// which is read faster than a list at the end of every turn.
	Entries string `json:"entries,omitempty"`
}

const seenFile = "seen.json"

// Seen returns what has been looked at. If there is no file, it is the zero Seen.
func (b Box) Seen() (s Seen, err error) {
	err = b.folder().Load(seenFile, &s)
	return s, err
}

// See changes by change what has been looked at, under the lock.
func (b Box) See(change func(*Seen)) error {
	return b.folder().Change(func() error {
		s, err := b.Seen()
		if err != nil {
			return err
		}
		change(&s)
		s.Version = Version
		return b.folder().Save(seenFile, s)
	})
}
