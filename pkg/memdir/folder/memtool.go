package folder

import (
	"time"

	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/memdir/memtool"
	"keepsake/pkg/memdir/proposed"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

// MemoryTool carries out a call of the client's memory tool on the project's Markdown memories, as the
// session sees them: with the changes that it has proposed. What the call changes is proposed too, and waits
// for the person. It returns what the model is told.
func MemoryTool(s *session.Session, c memtool.Call, now time.Time) (said string, err error) {
	dir, err := Place(s, false)
	if err != nil {
		return "", err
	}
	f, err := OpenNotes(s, dir, now)
	if err != nil {
		return "", err
	}
	digest, over := f.digests(), ""
	do := func(waiting []proposed.Change) (edits map[string]*string, err error) {
		n := memtool.Notes{Files: map[string]string{}, Unread: f.Unread, Most: mdwalk.MaxNote}
		for _, file := range f.Files {
			n.Files[file.Path] = string(file.Bytes)
		}
		for _, w := range waiting {
			if !w.Fits(digest) {
				over += "\n\nYour proposed change " + w.ID + " is not in this: somebody else changed a " +
					"file of it " +
					"meanwhile, so it can't be made any more."
				continue
			}
			for _, e := range w.Plan.Edits {
				if delete(n.Files, e.Path); !e.Deletes() {
					n.Files[e.Path] = string(e.After)
				}
			}
		}
		said, edits, err = c.Do(n)
		return edits, err
	}
	if c.Command == "view" {
		waiting, err := s.NoteChanges().Of(s.ID, f.Root)
		if err == nil {
			_, err = do(waiting)
		}
		return said + over, err
	}
	made, err := s.NoteChanges().Edit(s.ID, f.Root, digest, now, do)
	switch {
	case err != nil:
		return "", err
	case made.ID == "":
		return said + "\n\nThe files are again as they were, so nothing of it waits for the user.", nil
	}
	return said + "\n\nProposed as " + made.ID + ": you see it as done, and it is written when the user " +
		"says yes " +
		"to it (keepsake review).", nil
}

// digests returns a function that returns the digest of a file of the directory, "" for none.
func (f Folder) digests() func(path string) string {
	all := make(map[string]string, len(f.Files))
	for _, file := range f.Files {
		all[file.Path] = plan.DigestOf(file.Bytes)
	}
	return func(path string) string { return all[path] }
}

// Fits reports whether a proposed change can still be made.
func Fits(s *session.Session, c proposed.Change, now time.Time) (bool, error) {
	f, err := OpenNotes(s, c.Dir, now)
	return err == nil && c.Fits(f.digests()), err
}
