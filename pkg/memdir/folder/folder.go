// Package folder opens a directory of Markdown memories for a verb, with what git, the project and
// Keepsake's own plans know of it, and does there what takes more than one plan or more than one file.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
)

// A Folder is a directory of memories as it was read.
type Folder struct {
	memdir.Dir
	Root    string
	Profile memdir.Profile
	Named   bool // somebody named the profile
	Passed  []Passed
	session *session.Session
}

// A Passed is a file that was not read.
type Passed struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Open reads a directory, the client's own memory of the project for "", laid out as the profile of that name
// says, that of the settings for "".
func Open(s *session.Session, root, profile string, now time.Time) (Folder, error) {
	f := Folder{Root: filepath.Clean(root), Passed: []Passed{}, session: s}
	if root == "" {
		f.Root = s.MemoryDir()
		if _, err := os.Stat(f.Root); err != nil {
			return f,
				fmt.Errorf("%w; hint: the client keeps no memory of this project there; name the folder "+
					"if autoMemoryDirectory moved it", err)
		}
	}
	if profile == "" {
		profile = s.Config.Memdir.Profile
	}
	var err error
	f.Dir, err = session.ReadMemories(f.Root, now, func(name, why string) {
		f.Passed = append(f.Passed, Passed{name, why})
	})
	f.Alike = alike.Notes
	f.Profile, f.Named = memdir.ProfileOf(profile, f.Files)
	return f, err
}

// OpenNotes calls Open for a directory that need not exist yet.
func OpenNotes(s *session.Session, root string, now time.Time) (Folder, error) {
	f, err := Open(s, root, "", now)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return f, err
}

// Place returns the directory of memories of the project, or of the root scope.
func Place(s *session.Session, root bool) (string, error) {
	if root {
		if dir := s.RootMemoryDir(); dir != "" {
			return dir, nil
		}
		return "", errors.New("no root scope is set: memories for all projects have no directory; " +
			"hint: keepsake config set --user scope.root ~/projects names the folder whose memory it is")
	}
	if dir := s.MemoryDir(); dir != "" {
		return dir, nil
	}
	return "", errors.New("the client's memory folder is unknown: neither HOME nor CLAUDE_CONFIG_DIR is set")
}

// CheckIndex returns why MEMORY.md can't be read though it is there. Without it nothing is to be written:
// every file would look as if no line led to it.
func (f Folder) CheckIndex() error {
	if why := f.Unread[memdir.Index]; why != "" {
		return fmt.Errorf("%s %s", brief.Line(filepath.Join(f.Root, memdir.Index)), brief.Line(why))
	}
	return nil
}

// CheckWrite returns why nothing is to be written there, if a person may have named the directory by mistake.
func (f Folder) CheckWrite() error {
	if f.Root == f.session.MemoryDir() || f.Root == f.session.RootMemoryDir() {
		return nil
	}
	if ok, why := memdir.Kept(f.Files, f.Profile); !ok {
		return fmt.Errorf("%s doesn't look like a directory of memories: %s", brief.Line(f.Root),
			brief.Line(why))
	}
	return nil
}

// Unindexed reports whether the directory exists without a MEMORY.md, so that no session loads anything of
// it.
func Unindexed(root string) bool {
	_, err := os.Stat(root)
	_, missing := os.Stat(filepath.Join(root, memdir.Index))
	return err == nil && errors.Is(missing, fs.ErrNotExist)
}

// Mentioning returns the places besides the blackboard that speak of a project.
func (f Folder) Mentioning(p blackboard.Project) []classify.Place {
	words := []string{p.ID}
	if !strings.EqualFold(p.Name(), p.ID) {
		words = append(words, p.Name())
	}
	return slices.DeleteFunc(classify.Mentions(f.Dir, f.Profile, words), func(at classify.Place) bool {
		return at.Path == blackboard.Registry || at.Path == blackboard.Schema ||
			strings.EqualFold(at.Path, blackboard.CardPath(p.ID))
	})
}
