package snapshot

import "cmp"

// A Change is a file that differs between two snapshots.
type Change struct {
	Was File // the zero File where it is new
	Is  File // the zero File where it is gone
	// Moved is where the very same text is now, of a file that is gone.
	Moved string
}

// Diff lists what differs in a later snapshot, in the order of the names.
func Diff(was, is Snapshot) (all []Change) {
	now := map[string]File{}
	at := map[string]string{}
	moved := map[string]bool{}
	for _, f := range is.Files {
		now[f.Name] = f
		if f.Digest != "" {
			at[f.Digest] = cmp.Or(at[f.Digest], f.Name)
		}
	}
	for _, f := range was.Files {
		to, there := now[f.Name]
		delete(now, f.Name)
		switch {
		case !there:
			c := Change{Was: f}
			if f.Digest != "" {
				c.Moved = at[f.Digest]
				moved[c.Moved] = true
			}
			all = append(all, c)
		case f.Digest != to.Digest && f.Digest != "" && to.Digest != "":
			all = append(all, Change{Was: f, Is: to})
		}
	}
	for _, f := range is.Files {
		if _, fresh := now[f.Name]; fresh && !moved[f.Name] {
			all = append(all, Change{Is: f})
		}
	}
	return all
}

// Gone returns the files that are gone and whose text is under no other name.
func Gone(all []Change) (gone []File) {
	for _, c := range all {
		if c.Is == (File{}) && c.Moved == "" {
			gone = append(gone, c.Was)
		}
	}
	return gone
}
