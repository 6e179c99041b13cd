package stage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A Moment is a statement that belongs into the Markdown memories. It waits on the desk, in moments.json,
// until the agent is told about it.
type Moment struct {
	Kind   memory.Moment `json:"kind"`
	Text   string        `json:"text"` // the statement, one line, without secrets
	Person bool          `json:"person,omitempty"`
}

// Bounds of the moments that wait. A moment is shown in one line, and the oldest ones are dropped.
const (
	maxMoments = 24
	maxMoment  = 400 // bytes
)

type momentsFile struct {
	Version int      `json:"version"` // FileVersion
	Moments []Moment `json:"moments"` // in the order they were said
}

// Moments returns the moments that wait on the desk, oldest first.
func (d Desk) Moments() ([]Moment, error) {
	b, err := d.Read(MomentsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	said, err := parseMoments(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Dir, err)
	}
	return said, nil
}

func parseMoments(b []byte) ([]Moment, error) {
	var f momentsFile
	err := json.Unmarshal(b, &f)
	if newer := checkVersion(MomentsName, f.Version); newer != nil {
		return nil, newer
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", MomentsName, err)
	}
	return f.Moments, nil
}

// Note lays moments on the desk, each once. Of more than 24 the newest stay.
func (d Desk) Note(said ...Moment) error {
	if len(said) == 0 {
		return nil
	}
	all, err := d.Moments()
	if err != nil {
		return err
	}
	had := len(all)
	for _, m := range said {
		m.Text = text.CutBytes(secret.Redact(text.OneLine(m.Text)), maxMoment)
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	if len(all) == had {
		return nil
	}
	return d.WriteJSON(MomentsName, momentsFile{FileVersion, all[max(0, len(all)-maxMoments):]})
}
