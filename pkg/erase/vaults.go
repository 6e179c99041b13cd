// Package erase takes out of all that Keepsake stored what must not stay there: secrets that got in,
// and what a person wants forgotten for good. What is not Keepsake's it names and leaves as it is.
package erase

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// A vault is a place where Keepsake stores, and how it is cleaned.
type vault struct {
	root string
	how  cleaning
	only func(path string) bool // of the files below root; nil: all
}

// cleaning is how the secrets in the files of a vault are handled.
type cleaning byte

const (
	asText  cleaning = iota // the file is rewritten in its form: text, JSON or JSON lines
	byStore                 // by the store of the project's records
	byLog                   // by the history of Markdown memories
	anew                    // the file is a cache: it goes, and is made anew
	theirs                  // the person's own: it stays
)

// maxFile is the largest file that is looked at, in bytes.
const maxFile = 256 << 20

// vaultsOf returns the places where Keepsake stores for this user, and in this project.
func vaultsOf(s *session.Session) []vault {
	all := []vault{
		{s.MemoryRoot(), byStore, nil},
		{s.Place.Agents(), asText, nil},
		{s.Dirs.Drawers(), asText, nil},
		{s.Dirs.State, asText, nil},
		{s.Dirs.Cache, anew, nil},
		{filepath.Dir(s.Desk.Dir), asText, nil},
		{s.Dirs.Config, theirs, nil},
	}
	for _, client := range layout.ClientsBeside(s.ClientConfig()) {
		// Redacted, what a palace said before would look like an edit.
		all = append(all, vault{layout.PalaceHistory(client), anew, nil},
			vault{filepath.Dir(layout.Approvals(client)), asText, nil})
	}
	isMarkdown := func(path string) bool { return strings.EqualFold(filepath.Ext(path), ".md") }
	for _, dir := range s.MemoryDirs() {
		all = append(all, vault{dir, theirs, isMarkdown})
	}
	return slices.DeleteFunc(all, func(v vault) bool { return v.root == "" })
}

// walk calls file for each regular file of the vault. skip, if it is not nil, leaves a folder
// out; fail hears of what can't be read.
func (v vault) walk(skip func(dir string) bool, file func(path string), fail func(path string, err error)) {
	err := filepath.WalkDir(v.root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			fail(path, err)
		case e.IsDir() && skip != nil && skip(path):
			return fs.SkipDir
		case e.Type().IsRegular() && (v.only == nil || v.only(path)):
			file(path)
		}
		return nil
	})
	if err != nil {
		fail(v.root, err)
	}
}
