package session

import (
	"errors"
	"io/fs"
	"os"

	"keepsake/pkg/config"
	"keepsake/pkg/disk"
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
