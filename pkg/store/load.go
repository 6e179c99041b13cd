package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/kept"
)

// Loaded is the contents of a store.
type Loaded struct {
	Records []memory.Stored // of all statuses, sorted by path
	Bad     []Bad           // what could not be read, sorted by path

	heads bool            // see Heads
	has   map[string]bool // paths of what is in Records already
}

// Bad is a file or folder that could not be read as what it should be.
type Bad struct {
	Path string // below the root
	Err  error  // may wrap memory.ErrNewer, disk.ErrNotRegular, *memory.ValidationError, ...
}

// Load reads all records. It first finishes a plan that was cut short; if that is not possible, the plan's
// edits are read as if they were in place. An error is about the root itself; all other faults are in Bad.
func (s *Store) Load() (Loaded, error) { return s.load(Loaded{}) }

// Heads is Load for records with nothing but their path, digest, category, status and times: of a large store
// they take a twentieth of the memory. Whole reads the rest of some of them. If there is no search index, it
// is made of what is read for the heads.
func (s *Store) Heads() (Loaded, error) {
	out := Loaded{heads: true, has: map[string]bool{}}
	if s.opt.Derive != nil && s.opt.Cache != "" && !s.inUse() {
		if _, err := os.Lstat(s.opt.Cache); errors.Is(err, fs.ErrNotExist) {
			ix, _ := s.openIndex(want{all: true, see: func(r memory.Stored) {
				if !out.has[r.Path] {
					out.Records = append(out.Records, headOf(r))
					out.has[r.Path] = true
				}
			}})
			ix.Close()
		}
	}
	return s.load(out)
}

// load adds what is in the store to out.
func (s *Store) load(out Loaded) (Loaded, error) {
	if ok, err := s.exists(); !ok {
		return out, err
	}
	bad, free := s.settlePlan()
	out.Bad = bad
	s.readShared(&out, free)
	return out, nil
}

// readWait is how long a reader waits for a writer; hooks read, and have no more time. Without the lock every
// record is whole, but a plan may be seen in part.
const readWait = 100 * time.Millisecond

// settlePlan finishes a plan that was cut short, if there is one. free reports whether the lock was free
// at some time within readWait.
func (s *Store) settlePlan() (bad []Bad, free bool) {
	if !s.inUse() {
		return nil, true
	}
	ctx, cancel := context.WithTimeout(context.Background(), readWait)
	defer cancel()
	h, err := s.lockStore(ctx, false)
	if err != nil {
		// Somebody is writing, or nobody may write here: the log is overlaid on what is read.
		return nil, !errors.Is(err, disk.ErrLocked) && !errors.Is(err, ErrStopped)
	}
	defer h.close()
	bad, err = h.recover(context.Background())
	if err != nil {
		bad = append(bad, Bad{redoName, err})
	}
	return bad, true
}

// readShared reads with the lock, if free.
func (s *Store) readShared(out *Loaded, free bool) {
	if free {
		if l := s.lockShared(); l != nil {
			defer l.Unlock()
		}
	}
	s.readInto(out)
}

// lockShared takes the lock for reading; it returns nil if there is none to take.
func (s *Store) lockShared() *disk.Lock {
	if _, err := os.Lstat(s.ownFile(lockName)); err != nil {
		return nil // nobody has written here with us yet
	}
	ctx, cancel := context.WithTimeout(context.Background(), readWait)
	defer cancel()
	l, err := disk.Shared(ctx, s.ownFile(lockName))
	if err != nil {
		return nil
	}
	return l
}

// readInto adds all records to out as they are once the plan in the redo log, if there is one, is in place.
func (s *Store) readInto(out *Loaded) {
	for _, c := range memory.Categories() {
		s.readFolder(c.Folder(), out)
	}
	// The log is read last, so that a plan begun while we read without the lock is seen whole.
	if log, err := s.readRedo(); err == nil {
		out.overlay(log)
	}
	out.sort()
}

// sort sorts everything by path.
func (l *Loaded) sort() {
	slices.SortFunc(l.Records, func(a, b memory.Stored) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(l.Bad, func(a, b Bad) int { return strings.Compare(a.Path, b.Path) })
}

func (s *Store) readFolder(folder string, out *Loaded) {
	info, err := os.Lstat(s.file(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil && !info.IsDir() {
		err = errors.New("is not a directory")
	}
	var entries []fs.DirEntry
	if err == nil {
		entries, err = os.ReadDir(s.file(folder))
	}
	if err != nil {
		out.Bad = append(out.Bad, Bad{folder, err})
	}
	var paths []string
	for _, e := range entries {
		// Files with other names are ours or the user's.
		if path := folder + "/" + e.Name(); plan.CheckRecord(path) == nil {
			paths = append(paths, path)
		}
	}
	s.readAll(paths, out)
}

// fewRecords are read one after the other, since starting goroutines would take as long.
const fewRecords = 64

func whole(r memory.Stored) memory.Stored { return r }

// headOf returns a record with what Heads has of it, and does not keep the rest in memory.
func headOf(r memory.Stored) memory.Stored {
	head := memory.Stored{Path: r.Path, Digest: r.Digest, File: r.File, Record: memory.Record{
		Category: r.Category, Status: r.Status, CreatedAt: strings.Clone(r.CreatedAt),
		UpdatedAt: strings.Clone(r.UpdatedAt),
	}}
	if r.RetiredAt != nil {
		at := strings.Clone(*r.RetiredAt)
		head.RetiredAt = &at
	}
	return head
}

// Whole returns the records whose heads these are, in their order, and in bad those that have changed since
// or cannot be read any more.
func (s *Store) Whole(heads []memory.Stored) (records []memory.Stored, bad []Bad) {
	paths := make([]string, len(heads))
	for i, h := range heads {
		paths[i] = h.Path
	}
	records, errs := s.readEach(paths, whole)
	for i, h := range heads {
		if errs[i] == nil && records[i].Digest != h.Digest {
			errs[i] = ErrConflict
		}
		if errs[i] != nil {
			bad = append(bad, Bad{h.Path, errs[i]})
			records[i].Path = ""
		}
	}
	return slices.DeleteFunc(records, func(r memory.Stored) bool { return r.Path == "" }), bad
}

// readAll reads the records at these paths into out.
func (s *Store) readAll(paths []string, out *Loaded) {
	part := whole
	if out.heads {
		part = headOf
		paths = slices.DeleteFunc(paths, func(p string) bool { return out.has[p] })
	}
	records, errs := s.readEach(paths, part)
	for i, err := range errs {
		if err == nil {
			out.Records = append(out.Records, records[i])
		} else if !errors.Is(err, fs.ErrNotExist) {
			out.Bad = append(out.Bad, Bad{paths[i], err})
		}
	}
}

// readEach reads the records at these paths, many at once, and returns for each what part has of it, or the
// error.
func (s *Store) readEach(paths []string, part func(memory.Stored) memory.Stored) ([]memory.Stored, []error) {
	records, errs := make([]memory.Stored, len(paths)), make([]error, len(paths))
	root, missing := disk.Hold(s.root, 0, 0)
	if missing == nil {
		defer root.Close()
	}
	h := held{Store: s, dir: root}
	read := func(i int) error {
		r, err := memory.Stored{}, missing
		if missing == nil {
			r, err = recordFrom(paths[i], h.read)
		}
		records[i], errs[i] = part(r), err
		return nil
	}
	if len(paths) > fewRecords {
		together(context.Background(), len(paths), read)
	} else {
		for i := range paths {
			read(i)
		}
	}
	return records, errs
}

// overlay applies the edits of a log that are not in place yet.
func (l *Loaded) overlay(log redo) {
	at := make(map[string]int, len(l.Records))
	for i, r := range l.Records {
		at[r.Path] = i
	}
	bad := make(map[string]bool, len(l.Bad))
	for _, b := range l.Bad {
		bad[b.Path] = true
	}
	gone := make(map[int]bool)
	for _, e := range log.Edits {
		i, there := at[e.Path]
		asBefore := there && l.Records[i].Digest == plan.DigestOf(e.Before)
		if e.After == nil {
			if asBefore {
				gone[i] = true
			}
			continue
		}
		r, err := parseRecord(e.Path, e.After)
		switch {
		case err != nil:
		case !there && e.Before == nil && !bad[e.Path]:
			l.Records = append(l.Records, r)
		case asBefore:
			l.Records[i] = r
		}
	}
	kept := l.Records[:0]
	for i, r := range l.Records {
		if !gone[i] {
			kept = append(kept, r)
		}
	}
	l.Records = kept
}

// Read returns the record at path, such as "decisions/use-postgres.json". The error names the path and says
// what is wrong; it may wrap fs.ErrNotExist, disk.ErrNotRegular or memory.ErrNewer.
func (s *Store) Read(path string) (memory.Stored, error) {
	if err := plan.CheckRecord(path); err != nil {
		return memory.Stored{}, fmt.Errorf("store: %w", err)
	}
	if ok, err := s.exists(); err != nil {
		return memory.Stored{}, err
	} else if !ok {
		return memory.Stored{}, fmt.Errorf("store: %s: %w", path, fs.ErrNotExist)
	}
	if err := s.checkFolder(path); err != nil {
		return memory.Stored{}, err
	}
	r, err := s.readRecord(path)
	if err != nil {
		return memory.Stored{}, fmt.Errorf("store: %s: %w", path, err)
	}
	return r, nil
}

// checkFolder returns an error if a folder on the way to path is a link, which could lead out of the store. A
// missing folder is no error.
func (s *Store) checkFolder(path string) error {
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		folder := s.file(path[:i])
		info, err := os.Lstat(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		if !info.IsDir() {
			return fmt.Errorf("store: %s: is not a directory; hint: a link is not followed here", folder)
		}
	}
	return nil
}

func (s *Store) readRecord(path string) (memory.Stored, error) {
	return recordFrom(path, func(path string, limit int64) ([]byte, fs.FileInfo, error) {
		return disk.ReadInfo(s.file(path), limit)
	})
}

// recordFrom returns the record that read finds at a path.
func recordFrom[I fs.FileInfo](path string, read func(string, int64) ([]byte, I, error)) (memory.Stored,
	error) {
	b, info, err := read(path, recordLimit)
	if err != nil {
		return memory.Stored{}, err
	}
	r, err := parseRecord(path, b)
	if err != nil {
		return memory.Stored{}, err
	}
	r.File = kept.FileOf(info)
	return r, nil
}

// parseRecord decodes the record at path and checks that its category and id belong there.
func parseRecord(path string, b []byte) (memory.Stored, error) {
	r, err := memory.Decode(b)
	if err != nil {
		return memory.Stored{}, err
	}
	if own := memory.Path(r.Category, r.ID); own != path {
		return memory.Stored{}, fmt.Errorf("says that it is %s; hint: file name and id must agree", own)
	}
	return memory.Stored{Record: r, Path: path, Digest: plan.DigestOf(b)}, nil
}
