package tiers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/scratch"
	"keepsake/pkg/secret"
)

// maxNotes is how many files of notes are read for one question.
const maxNotes = 500

// saveWait is how long a save waits for those before it, in the worst case.
const saveWait = 10 * time.Second

// Scratch is the notes of one checkout: files below scratch.Dir in the project's
// folder, as package scratch describes them.
type Scratch struct {
	Root string // the project's folder in this checkout, absolute
	// Warn is called for files that could not be read and are passed over.
	Warn func(error)
}

// Saved is the result of a save.
type Saved struct {
	Topic   string   `json:"topic"`
	Path    string   `json:"path"`     // below the project's folder, with slashes
	At      string   `json:"at"`       // the entry's heading, RFC 3339
	Secrets []string `json:"redacted"` // the kinds of secrets that were taken out
}

// Save appends a note to the file of the active phase of task_plan.md, durably
// and whole. What stands in the file is not touched. Secrets are redacted. The
// folder is made if it is missing, with a .gitignore that keeps all of it out of
// commits; one that is there stays. A text that is empty or longer than
// scratch.MaxText, a file that is full, and a link or anything else that is no
// folder or file in its place are errors, and nothing is written.
func (s Scratch) Save(ctx context.Context, text string, now time.Time) (Saved, error) {
	kinds := secret.Kinds(text)
	text = scratch.Clean(secret.Redact(text))
	switch {
	case text == "":
		return Saved{},
			errors.New("nothing to save: the text is empty; hint: keepsake notes save 'what to keep'")
	case len(text) > scratch.MaxText:
		return Saved{},
			fmt.Errorf("the text has %d bytes, a note has at most %d; hint: save what matters of it",
				len(text), scratch.MaxText)
	}
	topic, err := s.topic()
	if err != nil {
		s.warn(err)
	}
	dir, err := s.folder()
	if err != nil {
		return Saved{}, err
	}
	ctx, stop := context.WithTimeout(ctx, saveWait)
	defer stop()
	now = now.UTC().Truncate(time.Second)
	if err := add(ctx, filepath.Join(dir, topic+".md"),
		scratch.Encode(scratch.Entry{At: now, Text: text})); err != nil {
		return Saved{}, err
	}
	return Saved{Topic: topic, Path: scratch.Dir + "/" + topic + ".md", At: now.Format(time.RFC3339),
		Secrets: append([]string{}, kinds...)}, nil
}

// topic returns the topic of the plan. It is scratch.General if there is no plan, or if the plan can't be
// read, and then also an error.
func (s Scratch) topic() (string, error) {
	plan, err := disk.Read(filepath.Join(s.Root, "task_plan.md"), scratch.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return scratch.General, nil
	}
	return scratch.Topic(plan), err
}

// folder makes the folder of the notes. No link is followed on the way: a
// project could lead it anywhere.
func (s Scratch) folder() (string, error) {
	dir, err := disk.MakeBelow(s.Root, scratch.Dir, 0o755)
	if err != nil {
		return "", err
	}
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := disk.Write(ignore,
			[]byte("# Notes of this checkout. Delete this line and the next to commit them.\n*\n"),
			0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// look returns the folder of the notes, and whether it exists.
func (s Scratch) look() (dir string, there bool, err error) {
	return disk.Below(s.Root, scratch.Dir)
}

// add appends one entry to a file of notes.
func add(ctx context.Context, path string, entry []byte) error {
	return grow(ctx, path, func(f io.ReaderAt, size int64) ([]byte, error) {
		tail := make([]byte, min(size, 2))
		if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
			return nil, err
		}
		entry = append([]byte(scratch.Gap(tail)), entry...)
		if size+int64(len(entry)) > scratch.MaxFile {
			return nil,
				fmt.Errorf("%s is full (at most %d bytes); hint: move it aside, it stays readable, and "+
					"save again", path, scratch.MaxFile)
		}
		return entry, nil
	})
}

// grow appends to a file what more makes of it, durably; the file is made if it is
// missing, and locked meanwhile. What could not be written whole is taken back.
func grow(ctx context.Context, path string,
	more func(f io.ReaderAt, size int64) ([]byte, error)) (err error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file but %s; hint: move it aside and save again", path,
			disk.Kind(info.Mode()))
	}
	fresh := errors.Is(err, fs.ErrNotExist)
	lock, err := locked(ctx, path) // makes the file
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if err := disk.Append(path, more); err != nil {
		return err
	}
	if fresh {
		return disk.SyncDir(filepath.Dir(path))
	}
	return nil
}

// A Note is an entry with where it stands.
type Note struct {
	scratch.Entry
	Topic string
	Path  string // of the file below the project's folder, with slashes
}

// All returns every note, file by file, in the order of each. Files that can't be
// read go to Warn.
func (s Scratch) All(ctx context.Context) (all []Note, err error) {
	err = s.each(ctx, func(n Note) { all = append(all, n) })
	return all, err
}

// Find returns the notes that have anything of the question, those that answer best
// first, of equal ones the latest. Files that can't be read go to Warn. Secrets in a line,
// which somebody wrote by hand, are redacted.
func (s Scratch) Find(ctx context.Context, query string, n int) ([]Hit, error) {
	notes, err := s.All(ctx)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(notes))
	for i, e := range notes {
		texts[i] = e.Text
	}
	found, err := among(texts, query, max(looked, n))
	// Later in a file is later, and times have seconds only.
	slices.SortStableFunc(found, func(a, b match) int {
		x, y := notes[a.at], notes[b.at]
		return cmp.Or(cmp.Compare(b.score, a.score), y.At.Compare(x.At), strings.Compare(x.Path, y.Path),
			cmp.Compare(y.Line, x.Line))
	})
	var hits []Hit
	for _, m := range found[:min(n, len(found))] {
		e := notes[m.at]
		line, says := passage(e.Text, query)
		line += e.Line
		if e.At.IsZero() { // what stands above the first entry has no heading
			line--
		}
		hits = append(hits, Hit{Source: "scratch", Path: e.Path, Line: line, Text: says, Date: stamp(e.At),
			Score: m.score})
	}
	return hits, err
}

// each calls see with every note.
func (s Scratch) each(ctx context.Context, see func(Note)) error {
	dir, there, err := s.look()
	if err != nil || !there {
		return err
	}
	files := 0
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err != nil {
			s.warn(err)
			return nil
		}
		if d.IsDir() || filepath.Ext(path) != ".md" {
			return nil
		}
		if files++; files > maxNotes {
			s.warn(fmt.Errorf("%s has more than %d files; the others were not looked at", dir, maxNotes))
			return fs.SkipAll
		}
		text, err := disk.Read(path, scratch.MaxFile)
		if errors.Is(err, disk.ErrTooLarge) {
			err = fmt.Errorf("%w; hint: split it into files of notes beside it, all of them are read", err)
		}
		if err != nil {
			s.warn(err)
			return nil
		}
		rel, err := filepath.Rel(s.Root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		for _, e := range scratch.Parse(text) {
			see(Note{Entry: e, Topic: scratch.TopicOf(rel), Path: rel})
		}
		return nil
	})
}

func (s Scratch) warn(err error) {
	if s.Warn != nil {
		s.Warn(err)
	}
}
