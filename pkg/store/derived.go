package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/kept"
)

// A Deriver makes the search index of a store.
type Deriver interface {
	// New returns an index without records.
	New() Derived
	// Open opens an index from its base of size bytes and the delta of what changed since, which may be nil.
	// An error says that they are not an index; a new one must be made.
	Open(base io.ReaderAt, size int64, delta []byte) (Derived, error)
}

// Derived is a search index, opened.
type Derived interface {
	// Each calls see with what the index has of each record, of all statuses, in order of path, until see
	// returns false. It has the path, title, category, status, tags and the File it was indexed from.
	Each(see func(memory.Stored) bool) error
	// Change begins a change. It leaves this index as it is.
	Change() Change
	// With returns the index after a change, by what Done returned. It reads from the same base unless that
	// is replaced.
	With(base, delta []byte) (Derived, error)
	// Check reads the whole index and returns an error if it is corrupt.
	Check() error
}

// Change is a change of an index.
type Change interface {
	Put(memory.Stored) // adds the record, or replaces the one at its path
	// PutStatus is Put for a record of which only its life, such as its status, is another than in the file
	// before.
	PutStatus(r memory.Stored, was memory.File)
	Remove(path string)
	// Done returns the delta of the changed index, and its base if that must be replaced too, else nil. The
	// error may also be that the index did not have a record of PutStatus as it was in the file before.
	Done() (base, delta []byte, err error)
}

// An Index is the search index as it is now.
type Index struct {
	Derived
	// Partial reports that some records are missing: there were too many new ones for one call, and the next
	// call goes on.
	Partial bool
	// Bad are the files that could not be read for the index, sorted by path.
	Bad []Bad

	file *os.File // the file of the base, if it is read from one
}

// Close closes the index's file, if it has one.
func (ix *Index) Close() error {
	if ix == nil || ix.file == nil {
		return nil
	}
	return ix.file.Close()
}

// The search index is kept (package kept) at Options.Cache, as made of a stand: little-endian, the state of
// the store that was indexed 72, the index.md that is known to have the lines of these records 24. It is
// written under the lock at Options.Cache + ".lock". Where the stand is lost, the base tells which records
// need not be read again.
const (
	lockSuffix = ".lock"

	stateLen = 9 // six folders, and index.md
	linesLen = 3
)

// state shows whether the store may have changed: when each folder last got or lost a file, and which
// index.md is there. The former changes if somebody else writes, the latter with each of our plans. A
// record edited in place changes neither; Sync and Refresh find it by its own time and size.
type state [stateLen]int64

// lines identifies a version of index.md: its time, inode and size.
type lines [linesLen]int64

const (
	absent  = -1
	unknown = -2 // no file has this value, so it must be looked at
)

func (s *Store) currentState() state {
	var st state
	for i, c := range memory.Categories() {
		st[i] = absent
		if info, err := os.Lstat(s.file(c.Folder())); err == nil && info.IsDir() {
			st[i] = info.ModTime().UnixNano()
		}
	}
	st.setLines(s.indexLines())
	return st
}

// indexLines returns which index.md is there.
func (s *Store) indexLines() lines {
	l := lines{absent}
	if info, err := os.Lstat(s.file(indexName)); err == nil {
		l[0], l[2] = info.ModTime().UnixNano(), info.Size()
		if sys, ok := info.Sys().(*syscall.Stat_t); ok {
			l[1] = int64(sys.Ino)
		}
	}
	return l
}

func (st *state) setLines(l lines) { copy(st[stateLen-linesLen:], l[:]) }

func (st *state) lines() lines { return lines(st[stateLen-linesLen:]) }

// A stand is the state of the store from which a stored index was made.
type stand struct {
	state state
	lines lines // the index.md known to be right; unknown if none is
}

// unknownStand returns a stand that matches no store.
func unknownStand() stand {
	n := stand{lines: lines{unknown}}
	for i := range n.state {
		n.state[i] = unknown
	}
	return n
}

// A want is how up to date an index must be.
type want struct {
	deep  bool     // compare time and size of every record, not only in changed folders
	anew  bool     // use nothing of the stored index
	paths []string // compare these records in any case
	mend  bool     // write index.md if it is wrong
	by    *held    // who mends it
	all   bool     // read everything, ignoring Options.Budget

	see func(memory.Stored) // is called with every record that is read
}

// Index returns the search index of the records; the caller closes it. While nothing has changed it costs two
// reads and eight stats. After a change it reads the records that are new or changed, or all of them if the
// index is missing or corrupt. An index that cannot be stored is made each time.
func (s *Store) Index() (*Index, error) { return s.openIndex(want{}) }

// Refresh is Index, and also notices edits in place of the records at paths.
func (s *Store) Refresh(paths ...string) (*Index, error) { return s.openIndex(want{paths: paths}) }

// Differing returns the paths of the record files that an index does not have, or that had another time or
// size when they were indexed, and the folders that can't be listed. Refresh reads the former.
func (s *Store) Differing(indexed map[string]memory.File) (paths, unlisted []string) {
	for _, c := range memory.Categories() {
		files, err := s.listRecords(c.Folder())
		if err != nil {
			unlisted = append(unlisted, c.Folder())
		}
		for _, f := range files {
			path := c.Folder() + "/" + f.Name()
			info, err := f.Info()
			if had, ok := indexed[path]; err != nil || !ok || kept.FileOf(info) != had {
				paths = append(paths, path)
			}
		}
	}
	return paths, unlisted
}

// Stamp returns a text that is another one whenever a record was added, changed or removed, as far as the
// times and sizes of the files tell. It is "" while a plan is being applied, and if a folder can't be listed.
func (s *Store) Stamp() string {
	if s.inUse() {
		return ""
	}
	root, err := disk.Hold(s.root, 0, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "-"
	} else if err != nil {
		return ""
	}
	defer root.Close()
	var all []byte
	for _, c := range memory.Categories() {
		if all, err = appendStamps(all, root, c.Folder()); err != nil {
			return ""
		}
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:16])
}

// appendStamps appends the names, times and sizes of the records of a folder.
func appendStamps(to []byte, root *disk.Folder, folder string) ([]byte, error) {
	info, err := root.Lstat(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return to, nil
	}
	if err != nil {
		return to, err
	}
	dir, err := root.Sub(folder)
	if err != nil {
		return to, err
	}
	entries, err := dir.List()
	if err != nil {
		return to, err
	}
	for _, e := range entries {
		path := folder + "/" + e.Name()
		if plan.CheckRecord(path) != nil {
			continue
		}
		info, err := dir.Lstat(e.Name())
		if err != nil {
			return to, err
		}
		is := kept.FileOf(info)
		to = append(append(to, path...), 0)
		to = binary.LittleEndian.AppendUint64(to, uint64(is.Time))
		to = binary.LittleEndian.AppendUint64(to, uint64(is.Size))
	}
	return to, nil
}

// Sync is Index, but compares every record and index.md, and writes index.md if its lines are wrong.
func (s *Store) Sync() (*Index, error) { return s.openIndex(want{deep: true, mend: true}) }

// Rebuild is Sync that reads every record anew. It takes the lock even in a store that has none yet.
func (s *Store) Rebuild() (*Index, error) {
	return s.openIndex(want{deep: true, mend: true, anew: true, all: true})
}

// InStep reports whether the stored search index and index.md are up to date, as far as that can be told
// without looking at every record.
func (s *Store) InStep() bool {
	ix, was := s.storedIndex()
	defer ix.Close()
	_, err := os.Lstat(s.ownFile(redoName))
	return ix != nil && was.state == s.currentState() && was.lines == s.indexLines() &&
		errors.Is(err, fs.ErrNotExist)
}

func (s *Store) openIndex(w want) (*Index, error) {
	if s.opt.Derive == nil {
		return nil, errors.New("store: has no search index: Options.Derive is not set")
	}
	_, free := s.settlePlan()
	if ix := s.freshIndex(w); ix != nil {
		return ix, nil
	}
	if ok, err := s.exists(); err != nil {
		return nil, err
	} else if !ok {
		return &Index{Derived: s.opt.Derive.New()}, nil
	}
	if free {
		if w.by = s.holdToMend(w); w.by != nil {
			defer w.by.close()
		} else if l := s.lockShared(); l != nil {
			defer l.Unlock()
		}
	}
	cache := s.lockCache()
	if cache != nil {
		defer cache.Unlock()
		// The previous holder of the lock may have done the work.
		if ix := s.freshIndex(w); ix != nil {
			return ix, nil
		}
	}
	ix, _, err := s.updateIndex(w, cache != nil)
	return ix, err
}

// freshIndex returns the stored index if it satisfies w, else nil.
func (s *Store) freshIndex(w want) *Index {
	if w.deep || len(w.paths) > 0 {
		return nil
	}
	ix, was := s.storedIndex()
	if ix != nil && was.state != s.currentState() {
		ix.Close()
		return nil
	}
	return ix
}

// holdToMend takes the lock for writing if index.md is to be mended and that is possible; else it returns
// nil. A store that nobody wrote with us has no lock, and only Rebuild makes one.
func (s *Store) holdToMend(w want) *held {
	if _, err := os.Lstat(s.ownFile(lockName)); !w.mend || err != nil && !w.anew {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), readWait)
	defer cancel()
	h, err := s.lockStore(ctx, false)
	if err != nil {
		return nil
	}
	if w.anew && h.writeIgnore(SharedIgnore) != nil {
		h.close()
		return nil
	}
	return h
}

// lockCache takes the lock of the index's files; it returns nil if they cannot be stored.
func (s *Store) lockCache() *disk.Lock {
	if s.opt.Cache == "" || disk.MakeDir(filepath.Dir(s.opt.Cache), 0o700) != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), readWait)
	defer cancel()
	l, err := disk.Exclusive(ctx, s.opt.Cache+lockSuffix)
	if err != nil {
		return nil
	}
	return l
}

// storedIndex opens the stored index, up to date or not; nil if there is none.
func (s *Store) storedIndex() (*Index, stand) {
	d, made, f := kept.Open(s.opt.Cache, s.opt.Derive.Open)
	if f == nil {
		return nil, unknownStand()
	}
	return &Index{Derived: d, file: f}, decodeStand(made)
}

// updateIndex updates the index as far as w wants, and stores it if keep is set. The caller holds the
// store's lock, if there is one, and the index's.
func (s *Store) updateIndex(w want, keep bool) (*Index, stand, error) {
	// taken before the records are read: a change meanwhile makes the index old rather than wrong
	now := stand{state: s.currentState()}
	old, was := s.storedIndex()
	if old != nil && w.anew {
		old.Close()
	}
	if old == nil || w.anew {
		old, was = &Index{Derived: s.opt.Derive.New()}, unknownStand()
	}
	defer func() { old.Close() }()
	anew := func(err error) (*Index, stand, error) {
		if w.anew {
			return nil, now, err
		}
		w.anew = true // the stored index is corrupt
		return s.updateIndex(w, keep)
	}

	counted := counting{Change: old.Change()}
	todo, err := s.differences(w, old, was.state, &now.state, &counted)
	if err != nil {
		return anew(err)
	}
	budget := s.opt.Budget
	if w.all {
		budget = 0
	}
	ix := &Index{}
	ix.Bad, ix.Partial = s.readChanged(todo, budget, &now.state, &counted, w.see)
	if log, err := s.readRedo(); err == nil {
		s.overlayIndex(log, &counted)
		keep = false // it is incomplete
	}
	base, delta, err := counted.Done()
	if err != nil {
		return anew(err)
	}
	if ix.Derived, err = old.With(base, delta); err != nil {
		return anew(err)
	}
	if base == nil {
		ix.file, old.file = old.file, nil // ix uses it now
	}
	now.lines = was.lines
	if counted.n > 0 || ix.Partial {
		now.lines = lines{unknown}
	}
	if w.by != nil && !ix.Partial && (now.lines[0] == unknown || now.lines != now.state.lines()) {
		if err := w.by.mendLines(ix); err == nil {
			now.lines = s.indexLines()
			now.state.setLines(now.lines)
		}
	}
	if keep {
		s.storeIndex(now, base, delta)
	}
	return ix, now, nil
}

// counting is a Change that counts its calls.
type counting struct {
	Change
	n int
}

func (c *counting) Put(r memory.Stored) { c.n++; c.Change.Put(r) }

func (c *counting) Remove(path string) { c.n++; c.Change.Remove(path) }

// differences removes deleted records from the index and returns the paths of the records that must be read.
func (s *Store) differences(w want, ix *Index, was state, now *state, change Change) (todo []string,
	err error) {
	var looked []string // folders
	for i, c := range memory.Categories() {
		if w.deep || was[i] != now[i] || was[i] == unknown {
			looked = append(looked, c.Folder())
		}
	}
	if len(looked) == 0 && len(w.paths) == 0 {
		return nil, nil
	}
	known := map[string]memory.File{}
	err = ix.Each(func(r memory.Stored) bool {
		if slices.Contains(looked, folderOf(r.Path)) || slices.Contains(w.paths, r.Path) {
			known[r.Path] = r.File
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	compare := func(path string, info fs.FileInfo, err error) {
		if file, ok := known[path]; err != nil || !ok || file != kept.FileOf(info) {
			todo = append(todo, path) // if something is wrong with it, reading it will say what
		}
		delete(known, path)
	}
	for _, folder := range looked {
		files, err := s.listRecords(folder)
		if err != nil {
			now[folderAt(folder)] = unknown
			for path := range known {
				if folderOf(path) == folder {
					delete(known, path) // it may still exist
				}
			}
		}
		for _, f := range files {
			info, err := f.Info()
			compare(folder+"/"+f.Name(), info, err)
		}
	}
	for _, path := range w.paths {
		if !slices.Contains(looked, folderOf(path)) && plan.CheckRecord(path) == nil {
			info, err := os.Lstat(s.file(path))
			compare(path, info, err)
		}
	}
	for path := range known {
		change.Remove(path)
	}
	return todo, nil
}

func folderOf(path string) string {
	folder, _, _ := strings.Cut(path, "/")
	return folder
}

// folderAt returns the index of a folder in a state.
func folderAt(folder string) int {
	return slices.IndexFunc(memory.Categories(), func(c memory.Category) bool { return c.Folder() == folder })
}

// listRecords returns the files of a folder that have names of records.
func (s *Store) listRecords(folder string) ([]fs.DirEntry, error) {
	info, err := os.Lstat(s.file(folder))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, nil
	}
	entries, err := os.ReadDir(s.file(folder))
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return plan.CheckRecord(folder+"/"+e.Name()) != nil
	}), err
}

// ahead is how many records are read before they are put into the index. They are held in memory.
const ahead = 256

// readChanged reads records into the change until the budget is used up. It marks the folders of the
// remaining ones to be looked at again. It calls see, unless that is nil, with each record.
func (s *Store) readChanged(todo []string, budget time.Duration, now *state, change Change,
	see func(memory.Stored)) (bad []Bad, partial bool) {
	type batch struct {
		records []memory.Stored
		errs    []error
	}
	start := time.Now()
	read := make(chan batch, 1)
	go func() {
		defer close(read)
		for paths := range slices.Chunk(todo, ahead) {
			if budget > 0 && time.Since(start) > budget {
				return
			}
			records, errs := s.readEach(paths, whole)
			read <- batch{records, errs}
		}
	}()
	for b := range read {
		for i, err := range b.errs {
			path := todo[i]
			if err == nil {
				change.Put(b.records[i])
				if see != nil {
					see(b.records[i])
				}
				continue
			}
			if !errors.Is(err, fs.ErrNotExist) {
				bad = append(bad, Bad{path, err})
			}
			if isPassing(err) {
				now[folderAt(folderOf(path))] = unknown
			}
			change.Remove(path)
		}
		todo = todo[len(b.errs):]
	}
	for _, path := range todo {
		now[folderAt(folderOf(path))] = unknown
	}
	slices.SortStableFunc(bad, func(a, b Bad) int { return strings.Compare(a.Path, b.Path) })
	return bad, len(todo) > 0
}

// isPassing reports whether the system could not read a file for a reason that may pass: no descriptors left,
// a failing disk.
func isPassing(err error) bool {
	var no syscall.Errno
	return errors.As(err, &no) && !errors.Is(err, fs.ErrNotExist)
}

// overlayIndex applies the edits of a log that are not in place to an index, as Loaded.overlay does to
// records.
func (s *Store) overlayIndex(log redo, change Change) {
	for _, e := range log.Edits {
		var l Loaded
		now, err := s.readRecord(e.Path)
		switch {
		case err == nil:
			l.Records = append(l.Records, now)
		case !errors.Is(err, fs.ErrNotExist):
			l.Bad = append(l.Bad, Bad{e.Path, err})
		}
		l.overlay(redo{Edits: []redoEdit{e}})
		if len(l.Records) > 0 {
			change.Put(l.Records[0])
		} else {
			change.Remove(e.Path)
		}
	}
}

// mendLines writes index.md if it does not fit the index. The caller holds the lock for writing.
func (s *held) mendLines(ix *Index) error {
	all, err := ix.activeEntries()
	if err != nil {
		return err
	}
	text := memory.Index(all)
	if was, err := disk.Read(s.file(indexName), int64(len(text))); err == nil && bytes.Equal(was, text) {
		return nil
	}
	if err := s.makeWay(); err != nil {
		return err
	}
	return writeTo(s.dir, indexName, text, recordMode)
}

// activeEntries returns what the index has of the active records.
func (ix *Index) activeEntries() ([]memory.Stored, error) {
	var all []memory.Stored
	err := ix.Each(func(r memory.Stored) bool {
		if r.Status == memory.Active {
			all = append(all, r)
		}
		return true
	})
	return all, err
}

// A basis is the index of the store before a plan is applied.
type basis struct {
	*Index // nil if there is none
	stand
}

// basis returns the up-to-date index. The caller holds the store's lock for writing.
func (s *Store) basis() basis {
	none := basis{stand: unknownStand()}
	if s.opt.Derive == nil {
		return none
	}
	if ix, was := s.storedIndex(); ix != nil {
		if was.state == s.currentState() {
			return basis{ix, was}
		}
		ix.Close()
	}
	cache := s.lockCache()
	if cache != nil {
		defer cache.Unlock()
	}
	ix, now, err := s.updateIndex(want{all: true}, cache != nil)
	if err != nil {
		return none
	}
	return basis{ix, now}
}

// linesAfter returns the text of index.md after a plan that makes these records, one for each edit; the
// one of a deletion is ignored.
func (b basis) linesAfter(s *Store, p plan.Plan, made []memory.Stored) []byte {
	made = slices.DeleteFunc(slices.Clone(made), func(r memory.Stored) bool { return r.Path == "" })
	if b.lines[0] != unknown && b.lines == s.indexLines() {
		var gone []string
		for _, e := range p.Edits {
			if e.Before != "" { // a new record has no line to remove
				gone = append(gone, e.Path)
			}
		}
		if text, err := disk.Read(s.file(indexName), linesLimit); err == nil {
			if text, ok := memory.SpliceIndex(text, gone, made); ok {
				return text
			}
		}
	}
	if b.Index != nil {
		if all, err := b.activeEntries(); err == nil {
			return memory.Index(recordsAfter(all, p, made))
		}
	}
	var loaded Loaded
	s.readInto(&loaded)
	return memory.Index(recordsAfter(loaded.Records, p, made))
}

// linesLimit bounds an index.md, in bytes. A million records have less.
const linesLimit = 256 << 20

// recordsAfter returns records after a plan that makes next, one for each edit.
func recordsAfter(records []memory.Stored, p plan.Plan, next []memory.Stored) []memory.Stored {
	edited := map[string]bool{}
	for _, e := range p.Edits {
		edited[e.Path] = true
	}
	return append(slices.DeleteFunc(records, func(r memory.Stored) bool { return edited[r.Path] }), next...)
}

// refresh updates the index after a plan was applied over the state before; made has the record of each edit.
// The lock is held. Errors are ignored: the state of an index that was not refreshed shows that it is old.
func (s *Store) refresh(before state, p plan.Plan, made []memory.Stored) {
	if s.opt.Derive == nil {
		return
	}
	cache := s.lockCache()
	if cache == nil {
		return
	}
	defer cache.Unlock()
	now := s.standAfter(before)
	ix, was := s.storedIndex()
	if ix == nil || was.state != before {
		if ix != nil {
			ix.Close()
		}
		if ix, _, err := s.updateIndex(want{all: true}, true); err == nil {
			ix.Close()
		}
		return
	}
	defer ix.Close()
	change := ix.Change()
	changeFor(change, p, nil, made)
	if base, delta, err := change.Done(); err == nil {
		s.storeIndex(now, base, delta)
	}
}

// standAfter returns the stand of the store after a plan was applied over the state before.
func (s *Store) standAfter(before state) stand {
	now := stand{state: s.currentState()}
	for i, was := range before {
		if was == unknown {
			now.state[i] = unknown // something is missing there that this plan did not remove
		}
	}
	now.lines = now.state.lines() // we have just written them
	return now
}

// changeFor makes the change of the index for a plan; made has the record of each edit, and was what is known
// of those before.
func changeFor(change Change, p plan.Plan, was, made []memory.Stored) {
	for i, e := range p.Edits {
		switch {
		case e.Deletes():
			change.Remove(e.Path)
		case was != nil && saysSame(was[i].Record, made[i].Record):
			change.PutStatus(made[i], was[i].File)
		default:
			change.Put(made[i])
		}
	}
}

// saysSame reports whether two records differ in nothing but their life.
func saysSame(a, b memory.Record) bool {
	a.Status, a.UpdatedAt, a.TimesUpdated, a.Changes = b.Status, b.UpdatedAt, b.TimesUpdated, b.Changes
	a.RetiredAt, a.RetiredReason = b.RetiredAt, b.RetiredReason
	a.ArchivedAt, a.ArchivedReason = b.ArchivedAt, b.ArchivedReason
	return reflect.DeepEqual(a, b)
}

// storeIndex stores the index.
func (s *Store) storeIndex(now stand, base, delta []byte) {
	_ = kept.Save(s.opt.Cache, now.encode(), base, delta) // if this fails, the next look is slow, not wrong
}

func (n stand) encode() (b []byte) {
	for _, v := range append(n.state[:], n.lines[:]...) {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

// decodeStand returns what encode has encoded; all else is an unknown stand.
func decodeStand(b []byte) stand {
	if len(b) != 8*(stateLen+linesLen) {
		return unknownStand()
	}
	var n stand
	for _, part := range [][]int64{n.state[:], n.lines[:]} {
		for i := range part {
			part[i] = int64(binary.LittleEndian.Uint64(b))
			b = b[8:]
		}
	}
	return n
}
