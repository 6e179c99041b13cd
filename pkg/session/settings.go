package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"keepsake/pkg/config"
	"keepsake/pkg/disk"
	"keepsake/pkg/paths"
)

// ReadSettings returns the text of a settings file; none is no error.
func ReadSettings(path string) ([]byte, error) {
	b, err := disk.Read(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// maxSettings bounds a settings file, in bytes.
const maxSettings = 256 << 10

// settings reads two files and the environment.
func settings(user, project string) (config.Config, []string) {
	u, uerr := ReadSettings(user)
	p, perr := ReadSettings(project)
	c, warnings := config.Parse(u, p, os.Environ()...)
	for _, err := range []error{uerr, perr} {
		if err != nil {
			warnings = append(warnings, err.Error())
		}
	}
	return c, warnings
}

// personal is the path of the person's own settings. Where variables lead into the
// project, as only those of a project's settings do, it is the file below the home of
// the client's folder instead, which the transcript names and no project moves.
func (s *Session) personal() (file string, moved bool) {
	file = s.Dirs.Settings()
	if home, moved := s.moved(file); moved {
		return filepath.Join(home, ".config", "keepsake", "config.json"), true
	}
	return file, false
}

// moved says that a path lies in the project and should not, and which home it should
// lie below: that of the client's folder, which is elsewhere.
func (s *Session) moved(path string) (home string, moved bool) {
	client := paths.Client(s.State.Transcript)
	home = filepath.Dir(client)
	return home, filepath.Base(client) == ".claude" && !s.has(home) && s.has(path)
}

// has says whether a path lies in the project, by the way that its links lead.
func (s *Session) has(path string) bool { return paths.Inside(path, s.Place.Dir, s.Place.Home) }
