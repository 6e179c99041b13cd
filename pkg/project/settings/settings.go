// Package settings reads and changes the files that settings lie in: the person's own and the
// project's.
package settings

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/project/config"
	"keepsake/pkg/project/session"
)

// Read returns all settings that count in a project, or those of a key or a group.
func Read(s *session.Session, name string) ([]config.Setting, error) {
	user, err := session.ReadSettings(s.Dirs.Settings())
	if err != nil {
		return nil, err
	}
	project, err := session.ReadSettings(s.Place.Settings())
	if err != nil {
		return nil, err
	}
	all := config.List(user, project, session.Environ(s.Place.Settings())...)
	if name == "" {
		return all, nil
	}
	refs, err := config.Find(name)
	if err != nil {
		return nil, err
	}
	var found []config.Setting
	for _, ref := range refs {
		if i := slices.IndexFunc(all, func(one config.Setting) bool { return one.Ref == ref }); i >= 0 {
			found = append(found, all[i])
		}
	}
	return found, nil
}

// lockWait is how long a writer waits for another one, at most.
const lockWait = 2 * time.Second

// Edit changes a settings file, the project's or the person's, under a lock.
func Edit(ctx context.Context, s *session.Session, user bool,
	change func(text []byte) ([]byte, error)) (path string,
	changed bool, err error) {
	if err := os.MkdirAll(s.Dirs.State, 0o700); err != nil {
		return "", false, err
	}
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := disk.Exclusive(wait, filepath.Join(s.Dirs.State, "settings.lock"))
	if err != nil {
		return "", false, err
	}
	defer lock.Unlock()

	path, perm, dir := s.Place.Settings(), os.FileMode(0o644), os.FileMode(0o755)
	if user {
		path, perm, dir = s.Dirs.Settings(), 0o600, 0o700
	}
	text, err := session.ReadSettings(path)
	if err != nil {
		return path, false, err
	}
	edited, err := change(text)
	switch {
	case config.IsMistake(err):
		return path, false, err
	case err != nil:
		return path, false, fmt.Errorf("%s: %w", path, err)
	case string(edited) == string(text):
		return path, false, nil
	}
	if !user {
		err = s.Writable()
	}
	if err != nil {
		return path, false, err
	}
	if err := disk.MakeDir(filepath.Dir(path), dir); err != nil {
		return path, false, err
	}
	return path, true, disk.Write(path, edited, perm)
}

// Overridden returns the value that counts instead of one that was just set, and its source. by is "" if
// the new value counts.
func Overridden(s *session.Session, key, value string) (counts, by string) {
	found, err := Read(s, key)
	if err != nil || len(found) != 1 || found[0].Value == value {
		return "", ""
	}
	by = File(s, found[0].Source)
	if by == "" {
		by = found[0].Env()
	}
	if found[0].Source == config.Defaults {
		by = "the default"
	}
	return found[0].Value, by
}

// File returns the file of a source, or "" if it has none.
func File(s *session.Session, source config.Source) string {
	switch source {
	case config.User:
		return s.Dirs.Settings()
	case config.Project:
		return s.Place.Settings()
	}
	return ""
}
