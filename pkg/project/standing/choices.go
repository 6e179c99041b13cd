package standing

import (
	"path/filepath"
	"slices"
)

// Choice is what a person chose for a record of which a check fails, or for two that say opposite things.
type Choice string

// The choices. Without one, the record is told with what is known against it, and waits for the person.
const (
	LeaveOut Choice = "leave_out" // it is not told while a check fails
	Keep     Choice = "keep"      // it is told with its mark, and waits no longer
	// BothHold is for two records: both are told, and nobody is asked which one goes.
	BothHold Choice = "both_hold"
)

// A Chosen is the choice for one version of a record, or for one version of each of two.
type Chosen struct {
	Path   string `json:"path"`   // below the store's root
	Digest string `json:"digest"` // of the record's file: other bytes are another question
	Choice Choice `json:"choice"`
	// The other record of BothHold, "" for none.
	With       string `json:"with,omitempty"`
	WithDigest string `json:"with_digest,omitempty"`
}

// Both returns the choice that two records both hold. Their order doesn't matter.
func Both(a, digestA, b, digestB string) Chosen {
	if b < a {
		a, digestA, b, digestB = b, digestB, a, digestA
	}
	return Chosen{a, digestA, BothHold, b, digestB}
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

// Of returns the choice for the record alone at a path whose file has a digest, "" for none.
func Of(all []Chosen, path, digest string) Choice {
	for _, c := range all {
		if c.Path == path && c.Digest == digest && c.With == "" {
			return c.Choice
		}
	}
	return ""
}

// Forget takes out what was chosen for the record at a path, and for it and another one.
func (c Choices) Forget(path string) error {
	if c.Path == "" {
		return nil
	}
	return folderOf(c.Path).Change(func() error {
		all, err := c.Read()
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(all), func(o Chosen) bool {
			return o.Path == path || o.With == path
		})
		if len(left) == len(all) {
			return nil
		}
		return folderOf(c.Path).Save(filepath.Base(c.Path), choicesFile{version, left})
	})
}

// Set notes a choice in the place of an earlier one for the record or the two. The choice "" takes that away.
func (c Choices) Set(to Chosen) error {
	return folderOf(c.Path).Change(func() error {
		all, err := c.Read()
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(o Chosen) bool { return o.Path == to.Path && o.With == to.With })
		if to.Choice != "" {
			all = append(all, to)
		}
		return folderOf(c.Path).Save(filepath.Base(c.Path),
			choicesFile{version, all[max(0, len(all)-maxRows):]})
	})
}
