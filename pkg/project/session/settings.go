package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/config"
)

// ReadSettings returns the text of a settings file, nil where there is no file.
func ReadSettings(path string) ([]byte, error) {
	b, err := disk.Read(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// maxSettings bounds a settings file, in bytes.
const maxSettings = 256 << 10

// readConfig returns the settings that the user's file, the project's file and the environment
// make, and what is wrong with them.
func readConfig(user, project string) (config.Config, []string) {
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

// Environ returns the environment of this process as settings are read from it. It leaves out the
// variables that count as the person's where the client's settings of the project set them. project
// is the path of the project's own settings, two folders below these.
func Environ(project string) []string {
	env := os.Environ()
	for _, name := range config.OwnVariables() {
		if os.Getenv(name) == "" {
			continue
		}
		for _, file := range layout.ClientSettings(filepath.Dir(filepath.Dir(project))) {
			var client struct{ Env map[string]any }
			b, err := ReadSettings(file)
			if err == nil && len(b) > 0 {
				_ = json.Unmarshal(b, &client) // a broken file sets nothing in the client either
			}
			if _, set := client.Env[name]; set || err != nil {
				env = slices.DeleteFunc(env, func(l string) bool { return strings.HasPrefix(l, name+"=") })
			}
		}
	}
	return env
}

// dirsFor returns Keepsake's folders that count for a project, and those that do not: see
// [layout.Dirs.Trusted]. The home that counts is that of the transcript, which no project moves.
// For a command it is that of the client which runs it. asked reports whether that home mattered.
func dirsFor(place layout.Place, transcript string) (own layout.Dirs, refused []string, asked bool) {
	own, refused = layout.Load().Trusted(place, func() string {
		asked = true
		if home := layout.HomeOf(transcript); home != "" {
			return home
		}
		_, getenv := outermostClient(ancestors(), stage.Environ)
		return homeOf(getenv)
	})
	return own, refused, asked
}

// homeOf returns the home that a client was started with, "" where it can't be told.
func homeOf(getenv func(string) string) string {
	if getenv == nil || !filepath.IsAbs(getenv("HOME")) {
		return ""
	}
	return filepath.Clean(getenv("HOME"))
}
