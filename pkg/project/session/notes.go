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
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/why/candidate"
)

// Proposals is what memory-keepers made of the notes of a checkout.
type Proposals struct{ *Place }

// Inbox returns the box of what memory-keepers proposed in this project. All worktrees share it.
func (pr *Proposals) Inbox() candidate.Box { return candidate.Box{Dir: pr.state().Inbox()} }

// maxNotes is how many files of notes are looked at.
const maxNotes = 500

// noteFiles returns the files of notes of this checkout, by their paths below the folder of notes,
// and a text that differs when one of them changes. It reads no file. A folder that is a link is
// left alone, since a project could lead it anywhere.
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

// eachNote calls see with each note of some files, and with its id.
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

// Unseen counts the notes that no memory-keeper has looked at. As long as no file changed it only
// looks at the folder. Notes that are promoted, or say the same as something that was answered,
// count as seen.
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

// markSeen notes that a memory-keeper has looked at all notes, except those that were written after
// it began and those that are to be looked at again.
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

// maxSeen bounds the list of the notes that were looked at; those of this checkout
// come first.
const maxSeen = 20_000
