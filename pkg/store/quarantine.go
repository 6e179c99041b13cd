package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// Quarantine renames the corrupt record at path to <name>.json.invalid.<unix>, so that its name is free and
// its bytes are kept. It returns an error, and renames nothing, if the record can be read, is of a newer
// version, or is not a regular file.
func (s *Store) Quarantine(path string) error {
	if err := plan.CheckRecord(path); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if ok, err := s.exists(); err != nil {
		return err
	} else if !ok {
		return fmt.Errorf("store: %s: %w", path, fs.ErrNotExist)
	}
	h, err := s.lockStore(context.Background(), false)
	if err != nil {
		return err
	}
	defer h.close()
	if _, err := h.recover(context.Background()); err != nil {
		return err
	}
	dir, name, err := h.at(path)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	b, _, err := dir.Read(name, recordLimit)
	if err != nil && !errors.Is(err, disk.ErrTooLarge) {
		return fmt.Errorf("store: %w", err)
	}
	if err == nil {
		switch _, err := parseRecord(path, b); {
		case err == nil:
			return fmt.Errorf("store: %s: is a readable record", path)
		case errors.Is(err, memory.ErrNewer), errors.Is(err, memory.ErrMarkers):
			return fmt.Errorf("store: %s: %w", path, err)
		}
	}
	_, err = setAside(dir, name)
	return err
}

// setAside renames a file to <name>.invalid.<unix> and returns the new name. The caller holds the lock.
func setAside(dir *disk.Folder, name string) (string, error) {
	for t := time.Now().Unix(); ; t++ {
		aside := fmt.Sprintf("%s.invalid.%d", name, t)
		err := dir.Rename(name, dir, aside)
		if err == nil {
			return aside, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("store: %w", err)
		}
	}
}

// makeWay sets aside what our own files cannot replace, such as a folder in the place of index.md or a file
// in that of .history. The caller holds the lock.
func (s *held) makeWay() error {
	if err := clearPath(s.ownDir, historyName, true); err != nil || !s.kind.indexed {
		return err
	}
	return clearPath(s.dir, indexName, false)
}

// clearPath sets aside what has a name if it is a folder where a file is needed, or the other way round. A
// link in the place of a folder is no folder: in the store of a project it could lead out of that.
func clearPath(dir *disk.Folder, name string, folder bool) error {
	info, err := dir.Lstat(name)
	if err != nil || info.IsDir() == folder || !folder && info.Mode()&fs.ModeSymlink != 0 {
		return nil // a link in the place of a file is replaced
	}
	_, err = setAside(dir, name)
	return err
}
