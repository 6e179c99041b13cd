package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memdir/proposed"
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/why/candidate"
)

// Proposals are the candidates that memory-keepers found in the notes of a checkout.
type Proposals struct{ *Place }

// Inbox returns the box with the candidates of this project. All worktrees share it.
func (pr *Proposals) Inbox() candidate.Box { return candidate.Box{Dir: pr.state().Inbox()} }

// NoteChanges returns the box with the changes of Markdown memories that agents propose in this project.
func (pr *Proposals) NoteChanges() proposed.Box { return proposed.Box{Dir: pr.state().Inbox()} }

// maxNotes is how many files of notes are read at most.
const maxNotes = 500

// noteFiles returns the paths of this checkout's files of notes, relative to the folder of notes, and a
// text that differs after any of them has changed. It reads no file. It leaves out a folder that is a
// link, since a project could lead it anywhere.
func (pr *Proposals) noteFiles() (names []string, state string, err error) {
	dir, there, err := disk.Below(pr.Root, scratch.Dir)
	if err != nil || !there {
		return nil, "", err
	}
	var all strings.Builder
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || len(names) == maxNotes {
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
			names = append(names, filepath.ToSlash(name))
			fmt.Fprintf(&all, "%s %d %d\n", pr.Root+"/"+name, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	return names, all.String(), err
}

// eachNote calls see with each note in the named files, and with the note's id.
func (pr *Proposals) eachNote(names []string, see func(id string, e scratch.Entry)) error {
	for _, name := range names {
		text, err := disk.Read(filepath.Join(pr.Root, scratch.Dir, filepath.FromSlash(name)), scratch.MaxFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range scratch.Parse(text) {
			see(e.ID(scratch.TopicOf(name)), e)
		}
	}
	return nil
}

// Unseen returns how many notes no memory-keeper has looked at. While no file has changed, it only lists
// the folder. Notes that are promoted, or that say the same as an answered candidate, count as seen.
func (pr *Proposals) Unseen() (int, error) {
	names, state, err := pr.noteFiles()
	if err != nil || len(names) == 0 {
		return 0, err
	}
	seen, err := pr.Inbox().Seen()
	if err != nil || seen.Files == state {
		return 0, err
	}
	var open []unseen
	err = pr.eachNote(names, func(id string, e scratch.Entry) {
		if len(e.Promoted) == 0 && !strings.Contains(seen.Entries, id) {
			open = append(open, unseen{id, e.Text})
		}
	})
	if err != nil {
		return 0, err
	}
	if len(open) > 0 {
		answered, err := pr.Inbox().All()
		if err != nil {
			return 0, err
		}
		open = slices.DeleteFunc(open, func(u unseen) bool {
			return slices.ContainsFunc(answered, func(c candidate.Candidate) bool {
				return !c.Open() && (c.Entry == u.id || alike.Notes(c.Text, u.text))
			})
		})
	}
	if len(open) == 0 { // so that the next turn need not read them
		return 0, pr.Inbox().See(func(s *candidate.Seen) { s.Files = state })
	}
	return len(open), nil
}

type unseen struct{ id, text string }

// markSeen records that a memory-keeper has looked at all notes, except those written after it began and
// those in again, which are to be looked at once more.
func (pr *Proposals) markSeen(began time.Time, again []string) error {
	names, state, err := pr.noteFiles()
	if err != nil {
		return err
	}
	began = began.Truncate(time.Second)
	var ids []string
	err = pr.eachNote(names, func(id string, e scratch.Entry) {
		if e.At.After(began) || slices.Contains(again, id) {
			state = ""
		} else {
			ids = append(ids, id)
		}
	})
	if err != nil {
		return err
	}
	return pr.Inbox().See(func(seen *candidate.Seen) {
		// Other worktrees have notes of their own.
		for id := range strings.FieldsSeq(seen.Entries) {
			if !slices.Contains(ids, id) && !slices.Contains(again, id) {
				ids = append(ids, id)
			}
		}
		seen.Files, seen.Entries = state, strings.Join(ids[:min(len(ids), maxSeen)], " ")
	})
}

// maxSeen is how many ids of seen notes are kept. Those of this checkout come first.
const maxSeen = 20_000
