package standing

import (
	"path/filepath"
	"slices"
)

// Choice is what a person chose for a record of which a check fails.
type Choice string

// The choices. Without one, the record is told with what is known against it, and waits for the person.
const (
	LeaveOut Choice = "leave_out" // it is not told while a check fails
	Keep     Choice = "keep"      // it is told with its mark, and waits no longer
)

// A Chosen is the choice for one version of a record.
type Chosen struct {
	Path   string `json:"path"`   // below the store's root
	Digest string `json:"digest"` // of the record's file: other bytes are another question
	Choice Choice `json:"choice"`
}

// Choices is the file of what a person chose. All worktrees share it, and nothing makes it anew.
type Choices struct{ Path string }

type choicesFile struct {
	Version int      `json:"version"`
	Chosen  []Chosen `json:"chosen"`
}

// Read returns what was chosen. Without a file that is nothing.
func (c Choices) Read() ([]Chosen, error) {
	var v choicesFile
	if err := folderOf(c.Path).Load(filepath.Base(c.Path), &v); err != nil {
		return nil, err
	}
	return v.Chosen, nil
}

// Of returns the choice for the record at a path whose file has a digest, "" for none.
func Of(all []Chosen, path, digest string) Choice {
	for _, c := range all {
		if c.Path == path && c.Digest == digest {
			return c.Choice
		}
	}
	return ""
}

// Set notes a choice in the place of an earlier one for the record. The choice "" takes that away.
func (c Choices) Set(to Chosen) error {
	return folderOf(c.Path).Change(func() error {
		all, err := c.Read()
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(o Chosen) bool { return o.Path == to.Path })
		if to.Choice != "" {
			all = append(all, to)
		}
		return folderOf(c.Path).Save(filepath.Base(c.Path),
			choicesFile{version, all[max(0, len(all)-maxRows):]})
	})
}
