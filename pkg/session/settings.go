package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	c, warnings := config.Parse(u, p, Environ(project)...)
	for _, err := range []error{uerr, perr} {
		if err != nil {
			warnings = append(warnings, err.Error())
		}
	}
	return c, warnings
}

// Environ returns the environment of this process as settings are read from it: without
// the variables that count as the person's where the client's settings of the project set
// them. project is the path of the project's own settings, two folders below these.
func Environ(project string) []string {
	env := os.Environ()
	for _, name := range config.OwnVariables() {
		if os.Getenv(name) == "" {
			continue
		}
		for _, file := range []string{"settings.json", "settings.local.json"} {
			file = filepath.Join(filepath.Dir(filepath.Dir(project)), file)
			var client struct{ Env map[string]any }
			b, err := ReadSettings(file)
			if err == nil && len(b) > 0 {
				_ = json.Unmarshal(b, &client) // what is broken sets nothing in the client either
			}
			if _, set := client.Env[name]; set || err != nil {
				env = slices.DeleteFunc(env, func(l string) bool { return strings.HasPrefix(l, name+"=") })
			}
		}
	}
	return env
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
