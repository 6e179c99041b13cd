package stage

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/text"
)

// ID names a refused draft for people to type: "d" and five letters of what it says, why and when it was
// refused. It stays when the draft is claimed.
func (k Kept) ID() string {
	return "d" + text.ShortID(fmt.Sprintf("%s\x00%s\x00%s\x00%s", k.Category, k.Draft, k.Reason,
		k.At.UTC().Format(time.RFC3339Nano)), 5)
}

// amended returns the name of the draft that somebody made out of a refused one.
func (k Kept) amended() string { return fmt.Sprintf("intent-%s.%s.json", k.Category, k.ID()) }

// Amended returns what somebody made out of a refused draft; an error that is
// fs.ErrNotExist where nobody did, or where it was claimed since.
func (p Pending) Amended(k Kept) ([]byte, error) {
	return p.Desk(k.Session).Read(k.amended())
}

// Amend puts a better draft in the place of a refused one, to be claimed and saved like any other. The
// refused one stays listed until that is done. Secrets must be redacted already.
func (p Pending) Amend(k Kept, draft []byte) error {
	return p.Draft(k.Session, k.amended(), draft)
}

// Drop forgets a refused draft and the draft made out of it. If it is the last one of its category in its
// session, the context goes, too, so that the category is not drafted again. context reports whether it
// did.
func (p Pending) Drop(k Kept) (context bool, err error) {
	lock, err := p.lock()
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	desk := p.Desk(k.Session)
	kept, err := desk.refused()
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(kept, func(o Kept) bool { return o.Path == k.Path }) {
		return false, fmt.Errorf("%s: %w", k.Path, fs.ErrNotExist)
	}
	names := []string{filepath.Base(k.Path), k.amended()}
	others := slices.ContainsFunc(kept, func(o Kept) bool {
		return o.Category == k.Category && o.Path != k.Path
	})
	if name := ContextName(k.Category); !others && desk.has(name) {
		names, context = append(names, name), true
	}
	_, err = desk.Remove(names...)
	return context, err
}

// FindRefused returns the refused draft of an id.
func (p Pending) FindRefused(id string) (Kept, error) {
	all, err := p.Refused()
	for _, k := range all {
		if k.ID() == id {
			return k, nil
		}
	}
	return Kept{}, errors.Join(err, fmt.Errorf("%s: %w", id, fs.ErrNotExist))
}
