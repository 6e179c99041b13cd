package standing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"keepsake/pkg/disk"
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
	b, err := disk.Read(c.Path, maxBytes)
	if c.Path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var v choicesFile
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	if v.Version != version {
		return nil, fmt.Errorf("%s: has version %d, not %d", c.Path, v.Version, version)
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
func (c Choices) Set(ctx context.Context, to Chosen) error {
	if c.Path == "" {
		return errors.New("no place for state")
	}
	if err := disk.Private(filepath.Dir(c.Path)); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, lockWait)
	defer stop()
	lock, err := disk.Exclusive(ctx, c.Path+".lock")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	all, err := c.Read()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(o Chosen) bool { return o.Path == to.Path })
	if to.Choice != "" {
		all = append(all, to)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(choicesFile{version, all[max(0, len(all)-maxRows):]}); err != nil {
		return err
	}
	return disk.Write(c.Path, b.Bytes(), 0o600)
}
