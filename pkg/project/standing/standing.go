// Package standing keeps what a session start found out about a project's records in one worktree: that a
// check fails, or that a record belongs to another branch. A prompt only reads it, since there is no time
// then to run git or to look at the project's files.
//
// It is a small file of rows, one for each worktree, derived and made anew when a session starts. Where it
// is absent or broken, nothing is known against any record.
package standing

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
)

// Kind says what a row is about. Each kind is replaced as a whole by whoever finds it out.
type Kind string

// The kinds.
const (
	Check  Kind = "check"  // a check of the record fails, or it expired
	Branch Kind = "branch" // the record belongs to another branch
)

// A Row is what is known against a record.
type Row struct {
	Path string `json:"path"` // of the record, below the store's root
	// Digest is that of the record's file. A row counts for these bytes only; "" is for whatever the record
	// says.
	Digest   string `json:"digest,omitempty"`
	Kind     Kind   `json:"kind"`
	Text     string `json:"text"`                // what is told with the record, without a full stop
	LeaveOut bool   `json:"leave_out,omitempty"` // the record is not told at all
}

// Bounds of the file.
const (
	version  = 1
	maxBytes = 4 << 20 // more than maxRows with maxText and a path each
	maxRows  = 4000
	maxText  = 300 // bytes
	lockWait = time.Second
)

// file is what is written.
type file struct {
	Version int   `json:"version"`
	Rows    []Row `json:"rows"`
}

// A File is where the rows of a worktree are kept.
type File struct{ Path string }

// Rows are the rows of a file, ordered by path.
type Rows []Row

// Read returns the rows. Without a file there are none. A file that is broken gives an error and no rows.
func (f File) Read() (Rows, error) {
	b, err := disk.Read(f.Path, maxBytes)
	if f.Path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return rows, nil
}

// parse returns the rows in the bytes of a file.
func parse(b []byte) (Rows, error) {
	var v file
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, err
	}
	if v.Version != version {
		return nil, fmt.Errorf("has version %d, not %d", v.Version, version)
	}
	for _, r := range v.Rows {
		if r.Path == "" || r.Text == "" || r.Kind != Check && r.Kind != Branch {
			return nil, fmt.Errorf("has a row without path, kind or text: %q", r.Path)
		}
	}
	slices.SortStableFunc(v.Rows, compare)
	return v.Rows, nil
}

// compare orders rows by path, and those of a record by kind.
func compare(a, b Row) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), -cmp.Compare(a.Kind, b.Kind))
}

// Replace puts rows in the place of all rows of a kind, and leaves those of other kinds as they are. Where
// nothing changes, nothing is written. Without rows of any kind there is no file.
func (f File) Replace(ctx context.Context, kind Kind, rows []Row) error {
	if f.Path == "" {
		return nil
	}
	if old, err := f.Read(); err == nil && slices.Equal(old.only(kind), limited(kind, rows)) {
		return nil
	}
	if err := disk.Private(filepath.Dir(f.Path)); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, lockWait)
	defer stop()
	lock, err := disk.Exclusive(ctx, f.Path+".lock")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	old, _ := f.Read() // what is broken is made anew
	all := slices.DeleteFunc(old, func(r Row) bool { return r.Kind == kind })
	all = append(all, limited(kind, rows)...)
	slices.SortStableFunc(all, compare)
	if len(all) == 0 {
		err := os.Remove(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(file{version, all}); err != nil {
		return err
	}
	return disk.Replace(f.Path, b.Bytes(), 0o600)
}

// limited returns rows as they are written: of one kind, in order, each with a text of bounded size.
func limited(kind Kind, rows []Row) []Row {
	out := slices.Clone(rows[:min(len(rows), maxRows)])
	for i := range out {
		out[i].Kind = kind
		if t := out[i].Text; len(t) > maxText {
			out[i].Text = string(bytes.ToValidUTF8([]byte(t[:maxText]), nil)) + "…"
		}
	}
	slices.SortStableFunc(out, compare)
	return out
}

// only returns the rows of a kind.
func (r Rows) only(kind Kind) (some []Row) {
	for _, row := range r {
		if row.Kind == kind {
			some = append(some, row)
		}
	}
	return some
}

// Of returns what is known against the record at a path whose file has a digest.
func (r Rows) Of(path, digest string) (some []Row) {
	at, _ := slices.BinarySearchFunc(r, path, func(row Row, path string) int {
		return cmp.Compare(row.Path, path)
	})
	for ; at < len(r) && r[at].Path == path; at++ {
		if r[at].Digest == "" || r[at].Digest == digest {
			some = append(some, r[at])
		}
	}
	return some
}

// LeftOut returns why a record is not told, by what is known against it, and whether it is not.
func LeftOut(rows []Row) (why string, is bool) {
	for _, r := range rows {
		if r.LeaveOut {
			return r.Text, true
		}
	}
	return "", false
}
