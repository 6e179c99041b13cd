package layout

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
)

// maxSteps is how many folders up the existing part of a path is looked for, and how many links are
// followed.
const maxSteps = 64

// Resolved returns an absolute path without links, as far as it exists. A link to a missing file is
// followed too. Dots behind a link are left to the system, for which they mean something else.
func Resolved(path string) string {
	rest := ""
	for p, n := path, 0; n < maxSteps && p != ""; n++ {
		if _, err := os.Stat(p); err == nil { // which costs less than to walk there in vain
			if real, err := filepath.EvalSymlinks(p); err == nil {
				return filepath.Join(real, rest)
			}
		}
		p = strings.TrimRight(p, "/") // with a slash at its end no link can be read
		dir, name := filepath.Split(p)
		if to, err := os.Readlink(p); err == nil {
			if p = to; !filepath.IsAbs(to) {
				p = dir + to
			}
			continue
		}
		p, rest = dir, filepath.Join(name, rest)
	}
	return path
}

// ParentResolved returns an absolute path whose folder has no links in it. The file itself may be a link.
func ParentResolved(path string) string {
	return filepath.Join(Resolved(filepath.Dir(path)), filepath.Base(path))
}

// Inside reports whether path is one of dirs or lies below one, with links followed. A dir of ""
// contains nothing.
func Inside(path string, dirs ...string) bool {
	real := ""
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if real == "" {
			real = Resolved(path)
		}
		if _, is := Relative(Resolved(dir), real); is {
			return true
		}
	}
	return false
}

// Holds returns an error unless the project in a folder is there and path lies in it, wherever links lead.
// Who made a project's files could lead a link anywhere.
func Holds(project, path string) error {
	if err := disk.There(project); err != nil {
		return err
	}
	if !Inside(path, project) {
		return fmt.Errorf("%s leads out of the project, to %s; hint: Keepsake writes a project's memories "+
			"into the project only: put a folder in the place of the link", path, Resolved(path))
	}
	return nil
}

// Belongs reports whether path lies below one of dirs, by its name or with links followed. It is for
// folders whose links somebody else may have made.
func Belongs(path string, dirs ...string) bool {
	for _, dir := range dirs {
		if _, is := Relative(dir, path); is && dir != "" {
			return true
		}
	}
	return Inside(path, dirs...)
}

// Relative returns path as it is called from dir, with slashes, and whether it is dir or lies below it.
// No link is followed; [Inside] does.
func Relative(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}
