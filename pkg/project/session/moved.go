package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// A folder is what is kept of a project's own folder, to know it again under another name.
type folder struct {
	Root     string `json:"root"`
	Identity string `json:"identity"` // see disk.Identity
}

// maxFolder bounds the file with a folder, in bytes.
const maxFolder = 16 << 10

func readFolder(s layout.State) (f folder, ok bool) {
	b, err := disk.Read(s.Folder(), maxFolder)
	return f, err == nil && json.Unmarshal(b, &f) == nil && f.Identity != ""
}

// FollowMove brings along what Keepsake knows of a project whose folder was moved or renamed: what the
// person armed and accepted, and what waits. from is where it was, "" if it was not moved. A copy is another
// project, and so is a folder on another disk.
//
// It is the first thing done at a place, before anything is known of it. Where nothing is and begin is false,
// nothing is written.
func (pl *Place) FollowMove(begin bool) (from string, err error) {
	is := folder{pl.Place.Home, disk.Identity(pl.Place.Home)}
	to := pl.state()
	if to == "" || is.Identity == "" {
		return "", nil
	}
	was, known := readFolder(to)
	if known && was == is {
		pl.identified = true
		return "", nil
	}
	if !known {
		if from, err = followed(pl.Dirs, is, to); err != nil {
			return from, err
		}
	}
	if from == "" && !begin && absent(string(to)) {
		return "", nil
	}
	if err := os.MkdirAll(string(to), 0o700); err != nil {
		return from, err
	}
	b, err := json.Marshal(is)
	if err != nil {
		return from, err
	}
	err = disk.Replace(to.Folder(), append(b, '\n'), 0o600)
	pl.identified = err == nil
	return from, err
}

// Identify notes whose folder it is if something is known of it, so that it can follow the folder from now
// on.
func (pl *Place) Identify() error {
	if pl.identified || absent(string(pl.state())) {
		return nil
	}
	return pl.begin()
}

// begin notes whose folder it is, even if nothing else is known of it yet. It comes before a write of how far
// a record is trusted: left behind at a move, that would free the record, since one without it is told.
func (pl *Place) begin() error {
	_, err := pl.FollowMove(true)
	return err
}

// followed moves the state of the folder that now is at another place to its state there.
func followed(dirs layout.Dirs, is folder, to layout.State) (from string, err error) {
	states, err := dirs.States()
	if err != nil {
		return "", err
	}
	for _, s := range states {
		was, ok := readFolder(s)
		if !ok || was.Identity != is.Identity || was.Root == is.Root || !s.Is(was.Root) || !absent(was.Root) {
			continue
		}
		if err := moveInto(string(s), string(to)); err != nil {
			return was.Root, err
		}
		// Last, so that who is interrupted goes on. It is gone already if another one was quicker.
		if err := os.Remove(s.Folder()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return was.Root, err
		}
		_ = os.Remove(string(s)) // unless something could not move; gc deletes that after a while
		return was.Root, nil
	}
	return "", nil
}

// moveInto moves what is in one folder into another, but for what says whose folder it is. What the other one
// has too stays where it is, in both: neither is lost.
func moveInto(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		var err error
		was, is := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		switch {
		case was == layout.State(from).Folder():
			continue
		case absent(is):
			err = os.Rename(was, is)
		case e.IsDir():
			if err = moveInto(was, is); err == nil {
				_ = os.Remove(was) // if nothing is left in it
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another one was quicker
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
