package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// A Link is the launcher in the person's own folder of programs, by which they start the command line.
type Link struct {
	Path   string
	Before []byte // its text, nil for none
	Text   []byte // what it is to be
}

// OpenLink reads the launcher. A file at its place that `keepsake link` did not write is an error.
func OpenLink() (l Link, err error) {
	l.Path = layout.Launcher()
	if l.Path == "" {
		return l, errors.New("no folder of your own for programs: HOME is not set")
	}
	if layout.Plugin() == "" {
		return l, errors.New("the folder of the plugin can't be told")
	}
	l.Text = []byte(layout.LauncherFor(layout.Plugin()))
	l.Before, err = disk.Read(l.Path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		l.Before = nil
		return l, nil
	}
	if errors.Is(err, disk.ErrNotRegular) || err == nil && !layout.IsLauncher(l.Before) {
		return l, fmt.Errorf("%s is there, and keepsake did not write it; hint: if it is not needed, remove "+
			"it, and run this again", l.Path)
	}
	return l, err
}

// There reports whether a launcher is there, for whatever installation.
func (l Link) There() bool { return l.Before != nil }

// Done reports whether it is there and as it is to be.
func (l Link) Done() bool {
	info, err := os.Stat(l.Path)
	return bytes.Equal(l.Before, l.Text) && err == nil && info.Mode()&0o111 != 0
}

// Write writes the launcher, unless the file was changed meanwhile.
func (l Link) Write() error {
	if err := l.unchanged(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.Path), 0o755); err != nil {
		return err
	}
	if err := disk.Write(l.Path, l.Text, 0o755); err != nil {
		return err
	}
	return os.Chmod(l.Path, 0o755) // an old one may have lost it
}

// Remove takes the launcher away, unless it was changed meanwhile.
func (l Link) Remove() error {
	if err := l.unchanged(); err != nil {
		return err
	}
	return disk.Remove(l.Path)
}

func (l Link) unchanged() error {
	now, err := OpenLink()
	if err == nil && !bytes.Equal(now.Before, l.Before) {
		err = fmt.Errorf("%s was changed meanwhile, so nothing was done; hint: run it again", l.Path)
	}
	return err
}

// Missed returns why the launcher's name does not start it, and how to mend that. It is empty if it does.
func (l Link) Missed() (why, remedy string) {
	dir := filepath.Dir(l.Path)
	first := layout.FirstOnPath(filepath.Base(l.Path))
	switch {
	case first == l.Path:
		return "", ""
	case !slices.Contains(filepath.SplitList(os.Getenv("PATH")), dir):
		return dir + " is not on your PATH", `put export PATH="$HOME/.local/bin:$PATH" into your shell's ` +
			"start-up file, and open a new terminal"
	}
	return "PATH leads to " + first + " first", "move " + dir + " before its folder in PATH"
}
