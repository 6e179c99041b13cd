package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	l, err := s.lock(context.Background())
	if err != nil {
		return err
	}
	defer l.Unlock()
	if _, err := s.recover(context.Background()); err != nil {
		return err
	}
	if err := s.checkFolder(path); err != nil {
		return err
	}
	b, err := disk.Read(s.file(path), recordLimit)
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
	_, err = setAside(s.file(path))
	return err
}

// setAside renames a file to <name>.invalid.<unix> and returns the new name,
// without its folder. The caller holds the lock.
func setAside(path string) (string, error) {
	for t := time.Now().Unix(); ; t++ {
		aside := fmt.Sprintf("%s.invalid.%d", path, t)
		err := disk.Rename(path, aside)
		if err == nil {
			return filepath.Base(aside), nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("store: %w", err)
		}
	}
}

// makeWay sets aside what our own files cannot replace, such as a folder in the place of index.md or a file
// in that of .history. The caller holds the lock.
func (s *Store) makeWay() error {
	if err := clearPath(s.ownFile(historyName), true); err != nil || !s.kind.indexed {
		return err
	}
	return clearPath(s.file(indexName), false)
}

// clearPath sets aside what is at path if it is a folder where a file is needed, or the other way round. A
// link in the place of a folder is no folder: in the store of a project it could lead out of that.
func clearPath(path string, folder bool) error {
	info, err := os.Lstat(path)
	if err != nil || info.IsDir() == folder || !folder && info.Mode()&fs.ModeSymlink != 0 {
		return nil // a link in the place of a file is replaced
	}
	_, err = setAside(path)
	return err
}
