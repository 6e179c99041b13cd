package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/memdir/memtool"
	"keepsake/pkg/memdir/proposed"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

// MemoryTool carries out a call of the client's memory tool on the project's Markdown memories, as the
// session sees them: with the changes that it has proposed. What the call changes is proposed too, and waits
// for the person. It returns what the model is told.
func MemoryTool(ctx context.Context, s *session.Session, c memtool.Call,
	now time.Time) (said string, err error) {
	dir, err := Place(s, false)
	if err != nil {
		return "", err
	}
	f, err := OpenNotes(s, dir, now)
	if err != nil {
		return "", err
	}
	n := proposed.Notes{Dir: f.Root, Digest: f.digests(), Check: func(p plan.Plan) error {
		return CheckChange(ctx, s, f.Root, p)
	}}
	over := ""
	do := func(waiting []proposed.Change) (edits map[string]*string, err error) {
		notes := memtool.Notes{Files: map[string]string{}, Unread: f.Unread, Most: mdwalk.MaxNote}
		for _, file := range f.Files {
			notes.Files[file.Path] = string(file.Bytes)
		}
		for _, w := range waiting {
			if err := n.Check(w.Plan); err != nil {
				over += "\n\nYour proposed change " + w.ID + " is not in this, as it can't be written any " +
					"more: " + brief.Line(err.Error())
				continue
			}
			for _, e := range w.Plan.Edits {
				if delete(notes.Files, e.Path); !e.Deletes() {
					notes.Files[e.Path] = string(e.After)
				}
			}
		}
		said, edits, err = c.Do(notes)
		return edits, err
	}
	if c.Command == "view" {
		waiting, err := s.NoteChanges().Of(s.ID, f.Root)
		if err == nil {
			_, err = do(waiting)
		}
		return said + over, err
	}
	made, err := s.NoteChanges().Edit(s.ID, n, now, do)
	switch {
	case errors.Is(err, proposed.ErrUnwritable):
		return "", memtool.Refusal("Error: Not proposed: it " + brief.Line(err.Error()))
	case err != nil:
		return "", err
	case made.ID == "":
		return said + "\n\nThe files are again as they were, so nothing of it waits for the user.", nil
	}
	said += "\n\nProposed as " + made.ID + ": you see it as done, and it is written when the user says " +
		"yes to it (keepsake review)."
	all, err := s.NoteChanges().All()
	for _, other := range all {
		if other.Dir == made.Dir && other.Session != made.Session && other.Meets(made) {
			said += "\n\nAnother session has proposed a change of the same note, " + other.ID + ": only " +
				"the one that the user says yes to first can be written."
		}
	}
	return said, err
}

// digests returns a function that returns the digest of a file of the directory, "" for none.
func (f Folder) digests() func(path string) string {
	all := make(map[string]string, len(f.Files))
	for _, file := range f.Files {
		all[file.Path] = plan.DigestOf(file.Bytes)
	}
	return func(path string) string { return all[path] }
}

// CheckChange returns why a change of a directory of Markdown memories can't be written as things are. A
// change that is made already can be.
func CheckChange(ctx context.Context, s *session.Session, dir string, p plan.Plan) error {
	if !slices.Contains(s.MemoryDirs(), dir) {
		return fmt.Errorf("%s is no directory of memories of this project", brief.Line(dir))
	}
	if err := s.Notes(dir).Check(ctx, p); err != nil {
		if isMade(dir, p) {
			return nil
		}
		return plain{err}
	}
	files, _, err := mdwalk.List(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	for _, e := range p.Edits {
		if is := memtool.Resolve(names, e.Path); is != e.Path && !e.Deletes() {
			return fmt.Errorf("%s: %s is there, and names that differ by their case only are one", e.Path, is)
		}
	}
	return nil
}

// A plain is an error of the store without the word that it begins with, for a person and for a model.
type plain struct{ error }

func (p plain) Error() string { return strings.ReplaceAll(p.error.Error(), "store: ", "") }

func (p plain) Unwrap() error { return p.error }
