package stage

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
)

// A Refused is a draft that could not be saved, as it is kept among the pending work of its session:
//
//	rejected-decision.json   refused, its context waits beside it
//	retried-decision.json    its context was claimed, and is being drafted again
//
// It is listed until a draft of what was claimed is saved, or somebody deletes the file.
type Refused struct {
	Version  int             `json:"version"` // FileVersion; Refuse sets it
	Category memory.Category `json:"category"`
	Title    string          `json:"title,omitempty"` // as far as the draft had one
	Reason   string          `json:"reason"`
	// somebody held it back; nothing need be wrong with it
	Blocked  bool      `json:"blocked,omitempty"`
	Notes    []string  `json:"notes,omitempty"`
	At       time.Time `json:"at"`                 // UTC
	Draft    string    `json:"draft"`              // as the drafter wrote it, secrets redacted
	Findings []int     `json:"findings,omitempty"` // of the journal, that it was of
}

const (
	rejectedPrefix = "rejected-"
	retriedPrefix  = "retried-"
)

// refusedCategory reads the category in the name of a refused draft's file; ok is false for other files.
func refusedCategory(name string) (c memory.Category, retried, ok bool) {
	rest, retried := strings.CutPrefix(name, retriedPrefix)
	if !retried {
		if rest, ok = strings.CutPrefix(name, rejectedPrefix); !ok {
			return "", false, false
		}
	}
	stem, _, _ := strings.Cut(rest, ".")
	c, err := memory.ParseCategory(stem)
	return c, retried, err == nil && strings.HasSuffix(rest, ".json")
}

// Refuse keeps a draft that was refused. The same draft twice, as a save that was cut short and run again
// brings it, is kept once; another one of the same category gets a name beside it.
func (p Pending) Refuse(session string, r Refused) error {
	r.Version = FileVersion
	r.Title, r.Reason, r.Draft = secret.Redact(r.Title), secret.Redact(r.Reason), secret.Redact(r.Draft)
	r.Notes = slices.Clone(r.Notes)
	for i, n := range r.Notes {
		r.Notes[i] = secret.Redact(n)
	}
	return p.locked(func() error {
		desk := p.Desk(session)
		kept, err := desk.refused()
		if err != nil {
			return err
		}
		for _, k := range kept {
			if k.Category == r.Category && k.Draft == r.Draft && k.Reason == r.Reason && !k.retried() {
				return nil
			}
		}
		name := rejectedPrefix + string(r.Category) + ".json"
		if desk.has(name) {
			name = free(desk, name)
		}
		return desk.WriteJSON(name, r)
	})
}

// A Kept is a refused draft and where it lies.
type Kept struct {
	Refused
	Session string
	Path    string // of the file, absolute
}

func (k Kept) retried() bool { return strings.HasPrefix(filepath.Base(k.Path), retriedPrefix) }

// Refused lists the refused drafts of all sessions, by session and name. A file that cannot be read is listed
// with its category and the trouble as reason.
func (p Pending) Refused() ([]Kept, error) {
	left, err := Desks(p.Dir)
	var all []Kept
	for _, d := range left {
		kept, derr := d.refused()
		for i := range kept {
			kept[i].Session = d.session()
		}
		all, err = append(all, kept...), errors.Join(err, derr)
	}
	return all, err
}

func (d Desk) refused() ([]Kept, error) {
	names, err := d.Files()
	if err != nil {
		return nil, err
	}
	var all []Kept
	for _, n := range names {
		c, _, ok := refusedCategory(n)
		if !ok {
			continue
		}
		k := Kept{Path: filepath.Join(d.Dir, n)}
		b, err := d.Read(n)
		if err == nil {
			err = json.Unmarshal(b, &k.Refused)
			if newer := checkVersion(n, k.Version); newer != nil {
				err = newer
			}
		}
		if err != nil {
			k.Refused = Refused{Version: k.Version, Reason: "cannot be read: " + err.Error()}
		}
		k.Category = c
		all = append(all, k)
	}
	return all, nil
}

// retry carries refused drafts along with their claimed contexts: they now belong to the session that
// claimed, and are listed with it.
func retry(from, to Desk, claimed []memory.Category) error {
	names, err := from.Files()
	if err != nil {
		return err
	}
	for _, n := range names {
		c, _, ok := refusedCategory(n)
		if !ok || !slices.Contains(claimed, c) {
			continue
		}
		if err := to.Make(); err != nil {
			return err
		}
		name := retriedPrefix + strings.TrimPrefix(strings.TrimPrefix(n, rejectedPrefix), retriedPrefix)
		if to.has(name) {
			name = free(to, name)
		}
		if err := os.Rename(filepath.Join(from.Dir, n), filepath.Join(to.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// Handled forgets the refused drafts of a session whose contexts it claimed, of the categories that it has
// saved since, and those of any session whose findings are all settled by now: of those that are given, which
// were there before the save.
func (p Pending) Handled(session string, saved []memory.Category, settled func(number int) bool,
	among []Kept) error {
	done := func(k Kept) bool {
		if k.Blocked && len(k.Findings) > 0 {
			return false // somebody held it back
		}
		if len(k.Findings) > 0 {
			return !slices.ContainsFunc(k.Findings, func(n int) bool { return !settled(n) })
		}
		return k.Session == session && k.retried() && slices.Contains(saved, k.Category)
	}
	kept := slices.DeleteFunc(slices.Clone(among),
		func(k Kept) bool { return k.Version > FileVersion || !done(k) })
	if len(kept) == 0 {
		return nil
	}
	return p.locked(func() error {
		var errs []error
		for _, k := range kept {
			desk := Desk{filepath.Dir(k.Path)}
			_, err := desk.Remove(filepath.Base(k.Path))
			errs = append(errs, err)
			_ = os.Remove(desk.Dir) // only when empty
		}
		return errors.Join(errs...)
	})
}
