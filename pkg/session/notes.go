package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/inbox"
	"keepsake/pkg/resolve"
	"keepsake/pkg/scratch"
)

// Inbox is what memory-keepers proposed in this project. All worktrees share it.
func (s *Session) Inbox() inbox.Box { return inbox.Open(filepath.Join(s.state(), "inbox")) }

// maxNotes is how many files of notes are looked at.
const maxNotes = 500

// notes are the files of notes of this checkout as they are, by their path below
// the folder of notes, without having been read. A folder that is a link is left
// alone: a project could lead it anywhere.
func (s *Session) notes() (map[string]inbox.Stamp, error) {
	dir := s.Root
	for name := range strings.SplitSeq(scratch.Dir, "/") {
		dir = filepath.Join(dir, name)
		info, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s: is no folder; hint: move it aside", dir)
		}
	}
	files := map[string]inbox.Stamp{}
	return files, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || len(files) == maxNotes {
			return err
		}
		if !d.Type().IsRegular() || filepath.Ext(path) != ".md" {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // moved away meanwhile
		}
		if err == nil {
			name, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(name)] = inbox.Stamp{Size: info.Size(), Time: info.ModTime().UTC()}
		}
		return err
	})
}

// entries reads one file of notes.
func (s *Session) entries(name string) ([]scratch.Entry, error) {
	text, err := disk.Read(filepath.Join(s.Root, scratch.Dir, filepath.FromSlash(name)), scratch.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return scratch.Parse(text), err
}

func topicOf(name string) string { return strings.TrimSuffix(filepath.Base(name), ".md") }

// Unseen counts the notes that no memory-keeper has looked at. It costs a look at
// the folder as long as no file there changed. What is promoted, and what says
// the same as something that was answered, counts as seen.
func (s *Session) Unseen() (int, error) {
	files, err := s.notes()
	if err != nil || len(files) == 0 {
		return 0, err
	}
	seen, err := s.Inbox().Seen()
	if err != nil {
		return 0, err
	}
	var open []unseen
	changed := false
	for name, stamp := range files {
		if old, ok := seen.Files[name]; ok && old == stamp {
			continue
		}
		changed = true
		all, err := s.entries(name)
		if err != nil {
			return 0, err
		}
		for _, e := range all {
			if id := e.ID(topicOf(name)); len(e.Promoted) == 0 && !slices.Contains(seen.Entries, id) {
				open = append(open, unseen{id, e.Text})
			}
		}
	}
	if len(open) > 0 {
		answered, err := s.Inbox().All()
		if err != nil {
			return 0, err
		}
		open = slices.DeleteFunc(open, func(u unseen) bool {
			return slices.ContainsFunc(answered, func(c inbox.Candidate) bool { return !c.Open() && (c.Entry == u.id || resolve.Alike(c.Text, u.text)) })
		})
	}
	if len(open) == 0 && changed { // so that the next turn need not read them
		return 0, s.Inbox().See(func(s *inbox.Seen) { s.Files = files })
	}
	return len(open), nil
}

type unseen struct{ id, text string }

// looked notes that a memory-keeper has looked at all notes there are but those
// that were written after it began.
func (s *Session) looked(began time.Time) error {
	files, err := s.notes()
	if err != nil {
		return err
	}
	began = began.Truncate(time.Second)
	var ids []string
	for name := range files {
		all, err := s.entries(name)
		if err != nil {
			return err
		}
		for _, e := range all {
			if e.At.After(began) {
				delete(files, name)
				continue
			}
			ids = append(ids, e.ID(topicOf(name)))
		}
	}
	return s.Inbox().See(func(seen *inbox.Seen) {
		// Other worktrees have notes of their own.
		for _, id := range seen.Entries {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		seen.Files, seen.Entries = files, ids[:min(len(ids), maxSeen)]
	})
}

// maxSeen bounds the list of the notes that were looked at; those of this checkout
// come first.
const maxSeen = 20_000
