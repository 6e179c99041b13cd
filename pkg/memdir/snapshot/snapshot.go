// Package snapshot keeps the earlier contents of a directory of memories: copies of its files, each version
// once, and lists of which files there were.
//
// A snapshot serves to bring back what another program deleted, above all the client's own consolidation.
// What keepsake itself writes is undone by its store.
package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/plan"
)

// Limits of a box.
const (
	maxKept  = 30       // snapshots
	maxBytes = 64 << 20 // of all copies
	maxList  = 4 << 20  // bytes of one list
	maxFile  = 512 << 10
)

// lockWait is how long Take waits for another one.
const lockWait = 20 * time.Millisecond

// A File is one file as it was.
type File struct {
	Name     string `json:"name"` // below the directory, with slashes
	Size     int64  `json:"size"` // bytes
	Modified int64  `json:"modified"`
	// State differs after any change of the file; see disk.State. It is "" in older lists.
	State string `json:"state,omitempty"`
	// Digest is plan.DigestOf its bytes; "" where there was no time to copy it.
	Digest string `json:"digest,omitempty"`
}

// A Snapshot is a directory at one time. Files are in the order of their names.
type Snapshot struct {
	Taken time.Time `json:"taken"` // UTC
	Files []File    `json:"files"`
}

// A Kept is a snapshot in a box. One whose list is damaged has only its name.
type Kept struct {
	Name string
	Snapshot
}

// A Box is where snapshots of one directory lie: lists named by their time, and
// copies below files. What is in it is readable by this user only.
type Box struct{ Dir string }

// stamp is the name of a list, so that the names are in the order of time.
const stamp = "20060102T150405.000000000Z"

func (b Box) list(name string) string { return filepath.Join(b.Dir, name+".json") }
func (b Box) copies() string          { return filepath.Join(b.Dir, "files") }

// Names returns the names of the snapshots, the oldest first.
func (b Box) Names() (names []string, err error) {
	entries, err := os.ReadDir(b.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if _, terr := time.Parse(stamp, name); ok && terr == nil {
			names = append(names, name)
		}
	}
	return names, err
}

// Load reads one snapshot by its name.
func (b Box) Load(name string) (s Snapshot, err error) {
	text, err := disk.Read(b.list(name), maxList)
	if err == nil {
		if err = json.Unmarshal(text, &s); err != nil {
			err = fmt.Errorf("%s: no list of a snapshot: %w; hint: remove it, the next one is taken anew",
				b.list(name), err)
		}
	}
	return s, err
}

// Copy returns the path of the copy of a snapshot's file.
func (b Box) Copy(f File) string { return filepath.Join(b.copies(), f.Digest) }

// Read returns the bytes of a file in a snapshot. A copy that isn't there or is
// damaged is an error.
func (b Box) Read(f File) ([]byte, error) {
	if len(f.Digest) < 2 || strings.Trim(f.Digest, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("%s: was gone before it was copied", f.Name)
	}
	text, err := disk.Read(b.Copy(f), maxFile)
	if err == nil && plan.DigestOf(text) != f.Digest {
		err = fmt.Errorf("%s: its copy is damaged", f.Name)
	}
	return text, err
}

// Take makes a snapshot of a directory with these files, unless the last one has the same. It works out
// their digests. read returns the bytes of a file. Files that are not copied within the limit are copied by
// the next Take. was is the last snapshot, and is the one of the directory as it is now.
func (b Box) Take(now time.Time, files []File, read func(name string) ([]byte, error),
	limit time.Duration) (was, is Kept, err error) {
	last, _, err := b.last()
	if err != nil || last.Name == "" && len(files) == 0 {
		return last, last, err
	}
	if slices.EqualFunc(files, last.Files, func(f, was File) bool {
		return was.Digest != "" && same(f, was)
	}) {
		return last, last, nil
	}
	if err := disk.Private(b.copies()); err != nil {
		return last, last, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock, err := disk.Exclusive(ctx, filepath.Join(b.Dir, "lock"))
	if err != nil {
		return last, last, err
	}
	defer lock.Unlock()
	names, err := b.Names()
	if err != nil {
		return last, last, err
	}
	if len(names) > 0 && names[len(names)-1] != last.Name { // another one was quicker
		if last, names, err = b.last(); err != nil {
			return last, last, err
		}
	}
	by := map[string]File{}
	for _, f := range last.Files {
		by[f.Name] = f
	}
	end := time.Now().Add(limit)
	next := Kept{Snapshot: Snapshot{Taken: now.UTC()}}
	for _, f := range files {
		f.Digest = ""
		if w := by[f.Name]; same(f, w) && w.Digest != "" {
			f.Digest = w.Digest
		} else if time.Now().Before(end) {
			text, rerr := read(f.Name)
			if errors.Is(rerr, fs.ErrNotExist) {
				continue
			}
			if rerr == nil {
				f.Digest, rerr = b.copy(text)
			}
			err = errors.Join(err, rerr)
		}
		next.Files = append(next.Files, f)
	}
	if last.Name != "" && slices.EqualFunc(next.Files, last.Files, func(f, w File) bool {
		return f.Name == w.Name && f.Digest == w.Digest
	}) {
		next.Name, next.Taken = last.Name, last.Taken // only written again, with the same text
		return last, next, errors.Join(err, b.write(next))
	}
	next.Name = next.Taken.Format(stamp)
	if next.Name <= last.Name { // the clock was set back; the order is what matters
		at, _ := time.Parse(stamp, last.Name)
		next.Name = at.Add(1).Format(stamp)
	}
	if err := errors.Join(err, b.write(next)); err != nil {
		return last, last, err
	}
	return last, next, b.prune(append(names, next.Name))
}

func same(f, was File) bool {
	return f.Name == was.Name && f.Size == was.Size && f.Modified == was.Modified && f.State == was.State
}

// last returns the newest snapshot, and the names of all. A snapshot whose list is damaged counts as empty.
func (b Box) last() (last Kept, names []string, err error) {
	names, err = b.Names()
	if err != nil || len(names) == 0 {
		return last, nil, err
	}
	last.Name = names[len(names)-1]
	if last.Snapshot, err = b.Load(last.Name); err != nil {
		return Kept{Name: last.Name}, names, nil
	}
	return last, names, nil
}

func (b Box) write(s Kept) error {
	text, err := json.Marshal(s.Snapshot)
	if err != nil {
		return err
	}
	return disk.Replace(b.list(s.Name), text, 0o600)
}

// copy keeps a text under its digest.
func (b Box) copy(text []byte) (digest string, err error) {
	if text == nil {
		text = []byte{}
	}
	digest = plan.DigestOf(text)
	path := filepath.Join(b.copies(), digest)
	if info, err := os.Lstat(path); err == nil && info.Size() == int64(len(text)) {
		return digest, nil
	}
	return digest, disk.Replace(path, text, 0o600)
}
