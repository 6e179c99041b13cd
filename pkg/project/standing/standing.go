// Package standing keeps what a session start found out about a project's records in one worktree: that a
// check fails, or that a record expired. A prompt only reads it, since there is no time then to look at the
// project's files.
//
// It is a small file of rows, one for each worktree, derived and made anew when a session starts. Where it
// is absent or broken, nothing is known against any record. Beside it lie two files that nothing makes anew:
// what the person chose, and what was seen of branches.
package standing

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"keepsake/pkg/disk"
)

// A Row is what is known against a record.
type Row struct {
	Path string `json:"path"` // of the record, below the store's root
	// Digest is that of the record's file. A row counts for these bytes only; "" is for whatever the record
	// says.
	Digest   string `json:"digest,omitempty"`
	Text     string `json:"text"`                // what is told with the record, without a full stop
	LeaveOut bool   `json:"leave_out,omitempty"` // the record is not told at all
}

// Bounds of the file.
const (
	version = 1
	maxRows = 4000
	maxText = 300 // bytes
)

// folderOf returns the folder of the file at a path. Each file has a lock of its own.
func folderOf(path string) disk.JSONFolder {
	if path == "" {
		return disk.JSONFolder{}
	}
	return disk.JSONFolder{Dir: filepath.Dir(path), Lock: filepath.Base(path) + ".lock", Version: version}
}

// file is what is written.
type file struct {
	Version int  `json:"version"`
	Rows    Rows `json:"rows"`
}

// A File is where the rows of a worktree are kept.
type File struct{ Path string }

// Rows are the rows of a file, ordered by path.
type Rows []Row

// Read returns the rows. Without a file there are none. A file that is broken gives an error and no rows.
func (f File) Read() (Rows, error) {
	var v file
	if err := folderOf(f.Path).Load(filepath.Base(f.Path), &v); err != nil {
		return nil, err
	}
	slices.SortStableFunc(v.Rows, compare)
	return v.Rows, nil
}

func compare(a, b Row) int { return cmp.Compare(a.Path, b.Path) }

// Replace puts rows in the place of all rows. Where nothing changes, nothing is written. Without rows there
// is no file.
func (f File) Replace(rows []Row) error {
	if f.Path == "" {
		return nil
	}
	rows = limited(rows)
	if old, err := f.Read(); err == nil && slices.Equal(old, rows) {
		return nil
	}
	return folderOf(f.Path).Change(func() error {
		if len(rows) > 0 {
			return folderOf(f.Path).Save(filepath.Base(f.Path), file{version, rows})
		}
		if err := os.Remove(f.Path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// limited returns rows as they are written: in order, each with a text of bounded size.
func limited(rows []Row) Rows {
	out := slices.Clone(rows[:min(len(rows), maxRows)])
	for i := range out {
		if t := out[i].Text; len(t) > maxText {
			out[i].Text = string(bytes.ToValidUTF8([]byte(t[:maxText]), nil)) + "…"
		}
	}
	slices.SortStableFunc(out, compare)
	return out
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
