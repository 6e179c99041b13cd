package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// A Deriver makes the search index of a store.
type Deriver interface {
	// Open opens an index that is kept as a base of size bytes and the delta of
	// what changed since. Without a base it is empty; a delta of nil is none.
	// An error says that they are no index, and asks for a new one.
	Open(base io.ReaderAt, size int64, delta []byte) (Derived, error)
}

// Derived is a search index, opened.
type Derived interface {
	// Each calls see with what the index knows of each record, of all statuses,
	// in order of path, until it returns false: path, title, category, status,
	// tags and the File it was indexed from.
	Each(see func(memory.Stored) bool) error
	// Change begins a change, which leaves this index as it is.
	Change() Change
	// Check reads the whole index; an error says that it is corrupt.
	Check() error
}

// Change is a change of an index.
type Change interface {
	Put(memory.Stored) // adds a record, or takes it in the place of the one at its path
	Remove(path string)
	// Done returns the delta of the changed index and, where that has to be
	// replaced too, its base, else nil.
	Done() (base, delta []byte, err error)
}

// An Index is the search index as it is now.
type Index struct {
	Derived
	// Partial says that not all records are in it yet: there were too many new
	// ones for the time of one call, and the next goes on.
	Partial bool
	// Bad is what was to be read for it and could not be, sorted by path.
	Bad []Bad

	file *os.File // the base, where it is read from its file
}

// Close closes the index's file, if it has one.
func (ix *Index) Close() error {
	if ix == nil || ix.file == nil {
		return nil
	}
	return ix.file.Close()
}

// The search index is kept in two files: the base at Options.Cache + ".base", and
// at Options.Cache its head, little-endian:
//
//	8 bytes   headMagic
//	72 bytes  the state of the store that it is the index of
//	24 bytes  the index.md that is known to have the lines of these records
//	4 bytes   CRC-32 (IEEE) of all that follows headMagic but itself
//	…         the delta
//
// The base checks itself. Both are written under the lock at Options.Cache +
// ".lock", the base first: a head that does not fit its base is as none, and then
// the base alone says which records need not be read again.
const (
	headMagic  = "KSDERIV2"
	headSize   = len(headMagic) + 8*(stateLen+linesLen) + 4
	headLimit  = 64 << 20 // bytes
	baseSuffix = ".base"
	lockSuffix = ".lock"

	stateLen = 9 // six folders, and index.md
	linesLen = 3
)

// state says what the store looked like: when each folder last got or lost a
// file, which says that somebody else wrote, and which index.md is there, which
// every plan of ours replaces. A record that is edited in place by hand changes
// neither: Sync and Refresh find it by its own time and size.
type state [stateLen]int64

// lines says which index.md is meant: its time, inode and size.
type lines [linesLen]int64

const (
	absent  = -1
	unknown = -2 // no file is ever like that: it is to be looked at
)

func (s *Store) state() state {
	var st state
	for i, c := range memory.Categories() {
		st[i] = absent
		if info, err := os.Lstat(s.file(c.Folder())); err == nil && info.IsDir() {
			st[i] = info.ModTime().UnixNano()
		}
	}
	st.setLines(s.lines())
	return st
}

// lines says which index.md is there.
func (s *Store) lines() lines {
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

// A stand is what the index that is kept was made of.
type stand struct {
	state state
	lines lines // known to be right; unknown where none is
}

// nowhere is a stand that no store is in.
func nowhere() stand {
	n := stand{lines: lines{unknown}}
	for i := range n.state {
		n.state[i] = unknown
	}
	return n
}

// A want says how much of an index is to be made sure.
type want struct {
	deep  bool     // compare the time and size of every record, not only in folders that changed
	anew  bool     // take nothing from what is kept
	paths []string // compare these records in any case
	mend  bool     // write index.md if it is not what it should be
	all   bool     // read all that there is to read, whatever Options.Budget says
}

// Index returns the search index of the records; the caller closes it. It costs
// two reads and eight looks at the file system while nothing has changed. Of what
// has changed only the records are read that are new, or other than they were;
// where the files of the index are missing or corrupt that is all of them. What
// cannot be kept is made each time.
func (s *Store) Index() (*Index, error) { return s.open(want{}) }

// Refresh is Index, and also looks whether these records were edited in place.
func (s *Store) Refresh(paths ...string) (*Index, error) { return s.open(want{paths: paths}) }

// Sync is Index, and looks at every record and at index.md, whose lines are
// written anew if they are not those of the records.
func (s *Store) Sync() (*Index, error) { return s.open(want{deep: true, mend: true}) }

// Rebuild is Sync that believes nothing of what is kept: every record is read. It
// takes the lock also where nobody has written with us yet.
func (s *Store) Rebuild() (*Index, error) {
	return s.open(want{deep: true, mend: true, anew: true, all: true})
}

// InStep says whether the search index that is kept, and index.md, are of what is
// there, as far as that shows without a look at every record.
func (s *Store) InStep() bool {
	ix, was := s.kept()
	defer ix.Close()
	_, err := os.Lstat(s.ours(redoName))
	return ix != nil && was.state == s.state() && was.lines == s.lines() && errors.Is(err, fs.ErrNotExist)
}

func (s *Store) open(w want) (*Index, error) {
	if s.opt.Derive == nil {
		return nil, errors.New("store: has no search index: Options.Derive is not set")
	}
	_, free := s.settle()
	if ix := s.fresh(w); ix != nil {
		return ix, nil
	}
	if ok, err := s.exists(); err != nil {
		return nil, err
	} else if !ok {
		empty, err := s.opt.Derive.Open(nil, 0, nil)
		return &Index{Derived: empty}, err
	}
	if free {
		l, exclusive := s.lockToRead(w)
		if l != nil {
			defer l.Unlock()
		}
		w.mend = exclusive
	} else {
		w.mend = false
	}
	cache := s.lockCache()
	if cache != nil {
		defer cache.Unlock()
		// Whoever held the lock before us may have done it.
		if ix := s.fresh(w); ix != nil {
			return ix, nil
		}
	}
	ix, _, err := s.heal(w, cache != nil)
	return ix, err
}

// fresh returns the index that is kept if it is all that is wanted, else nil.
func (s *Store) fresh(w want) *Index {
	if w.deep || len(w.paths) > 0 {
		return nil
	}
	ix, was := s.kept()
	if ix != nil && was.state != s.state() {
		ix.Close()
		return nil
	}
	return ix
}

// lockToRead takes the lock, for writing index.md too if that is wanted and to be
// had. Where nobody ever wrote with us there is none, and only Rebuild makes one.
func (s *Store) lockToRead(w want) (l *disk.Lock, exclusive bool) {
	if _, err := os.Lstat(s.ours(lockName)); w.mend && (err == nil || w.anew && s.ignore() == nil) {
		ctx, cancel := context.WithTimeout(context.Background(), readWait)
		defer cancel()
		if l, err := disk.Exclusive(ctx, s.ours(lockName)); err == nil {
			return l, true
		}
	}
	return s.share(), false
}

// lockCache takes the lock of the index's files, nil where they cannot be kept.
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

// kept opens the index that is kept, whatever it is the index of; nil if there
// is none.
func (s *Store) kept() (*Index, stand) {
	if s.opt.Cache == "" {
		return nil, nowhere()
	}
	f, info, err := disk.Open(s.opt.Cache + baseSuffix)
	if err != nil {
		return nil, nowhere()
	}
	head, err := disk.Read(s.opt.Cache, headLimit)
	if was, delta, ok := openHead(head); ok && err == nil {
		if d, err := s.opt.Derive.Open(f, info.Size(), delta); err == nil {
			return &Index{Derived: d, file: f}, was
		}
	}
	d, err := s.opt.Derive.Open(f, info.Size(), nil)
	if err != nil {
		f.Close()
		return nil, nowhere()
	}
	return &Index{Derived: d, file: f}, nowhere()
}

// empty is the index of no records.
func (s *Store) empty() (*Index, error) {
	d, err := s.opt.Derive.Open(nil, 0, nil)
	return &Index{Derived: d}, err
}

// heal brings the index in step with the records, as far as is wanted, and keeps
// it if it may. The caller holds the lock of the store, if it is to be had, and
// that of the index.
func (s *Store) heal(w want, keep bool) (*Index, stand, error) {
	// before the records are read: a change in between makes the index old rather than wrong
	now := stand{state: s.state()}
	old, was := s.kept()
	if old != nil && w.anew {
		old.Close()
	}
	if old == nil || w.anew {
		var err error
		if old, err = s.empty(); err != nil {
			return nil, now, err
		}
		was = nowhere()
	}
	defer func() { old.Close() }()
	anew := func(err error) (*Index, stand, error) {
		if w.anew {
			return nil, now, err
		}
		w.anew = true // what is kept is corrupt
		return s.heal(w, keep)
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
	ix.Bad, ix.Partial = s.take(todo, budget, &now.state, &counted)
	if log, err := s.readRedo(); err == nil {
		s.overlayIndex(log, &counted)
		keep = false // it is not what is there
	}
	base, delta, err := counted.Done()
	if err != nil {
		return anew(err)
	}
	if base != nil {
		ix.Derived, err = s.opt.Derive.Open(bytes.NewReader(base), int64(len(base)), delta)
	} else {
		err = ix.reopen(s.opt.Derive, old, delta)
		old = &Index{} // its file is ix's now
	}
	if err != nil {
		return anew(err)
	}
	now.lines = was.lines
	if counted.n > 0 || ix.Partial {
		now.lines = lines{unknown}
	}
	if w.mend && !ix.Partial && (now.lines[0] == unknown || now.lines != now.state.lines()) {
		if err := s.mendLines(ix); err == nil {
			now.lines = s.lines()
			now.state.setLines(now.lines)
		}
	}
	if keep {
		s.keep(now, base, delta) // best effort: without it we are slow, not wrong
	}
	return ix, now, nil
}

// reopen makes ix the old index with another delta, on the same file.
func (ix *Index) reopen(d Deriver, old *Index, delta []byte) (err error) {
	ix.file = old.file
	if ix.file == nil {
		ix.Derived, err = d.Open(nil, 0, delta)
		return err
	}
	info, err := ix.file.Stat()
	if err != nil {
		return err
	}
	ix.Derived, err = d.Open(ix.file, info.Size(), delta)
	return err
}

// counting is a change that knows whether it is one.
type counting struct {
	Change
	n int
}

func (c *counting) Put(r memory.Stored) { c.n++; c.Change.Put(r) }

func (c *counting) Remove(path string) { c.n++; c.Change.Remove(path) }

// differences takes what is gone out of the index and returns the paths of the
// records that are to be read.
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
		if file, ok := known[path]; err != nil || !ok || file != fileOf(info) {
			todo = append(todo, path) // where there is trouble, reading it says which
		}
		delete(known, path)
	}
	for _, folder := range looked {
		files, err := s.list(folder)
		if err != nil {
			now[folderAt(folder)] = unknown
			for path := range known {
				if folderOf(path) == folder {
					delete(known, path) // nobody knows that it is gone
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

// folderAt is the place of a folder in a state.
func folderAt(folder string) int {
	return slices.IndexFunc(memory.Categories(), func(c memory.Category) bool { return c.Folder() == folder })
}

// list returns the files of a folder that are named like records.
func (s *Store) list(folder string) ([]fs.DirEntry, error) {
	info, err := os.Lstat(s.file(folder))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, nil
	}
	entries, err := os.ReadDir(s.file(folder))
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return plan.CheckRecord(folder+"/"+e.Name()) != nil
	}), err
}

// ahead is how many records are read at once while those before them are put into
// the index: few, for they are held in memory.
const ahead = 256

// take reads records into the change, as many as there is time for. The folders
// of those that are missing then are to be looked at again.
func (s *Store) take(todo []string, budget time.Duration, now *state, change Change) (bad []Bad,
	partial bool) {
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
			records, errs := s.readEach(paths)
			read <- batch{records, errs}
		}
	}()
	for b := range read {
		for i, err := range b.errs {
			path := todo[i]
			if err == nil {
				change.Put(b.records[i])
				continue
			}
			if !errors.Is(err, fs.ErrNotExist) {
				bad = append(bad, Bad{path, err})
			}
			if passing(err) {
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

// passing says that the system could not read a file, for a reason that may
// pass: no descriptors left, a disk that fails.
func passing(err error) bool {
	var no syscall.Errno
	return errors.As(err, &no) && !errors.Is(err, fs.ErrNotExist)
}

// overlayIndex is Loaded.overlay for an index: those edits of a log that are not
// in place are put there.
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

// mendLines writes index.md if it is not that of the index. The caller holds the
// lock for writing.
func (s *Store) mendLines(ix *Index) error {
	all, err := ix.all()
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
	return disk.Write(s.file(indexName), text, recordMode)
}

func (ix *Index) all() ([]memory.Stored, error) {
	var all []memory.Stored
	err := ix.Each(func(r memory.Stored) bool {
		all = append(all, r)
		return true
	})
	return all, err
}

// A basis is the index of what is there before a plan is applied.
type basis struct {
	*Index // nil where there is none to be had
	stand
}

// basis brings the index in step. The caller holds the store's lock for writing.
func (s *Store) basis() basis {
	none := basis{stand: nowhere()}
	if s.opt.Derive == nil {
		return none
	}
	if ix, was := s.kept(); ix != nil {
		if was.state == s.state() {
			return basis{ix, was}
		}
		ix.Close()
	}
	cache := s.lockCache()
	if cache != nil {
		defer cache.Unlock()
	}
	ix, now, err := s.heal(want{all: true}, cache != nil)
	if err != nil {
		return none
	}
	return basis{ix, now}
}

// fewLines are put into index.md and taken out of it one by one; with more of
// them it is quicker to write it anew.
const fewLines = 64

// next returns the text of index.md when a plan that makes these records, one for
// each edit that is no deletion, is in place.
func (b basis) next(s *Store, p plan.Plan, made []memory.Stored) []byte {
	made = slices.DeleteFunc(slices.Clone(made), func(r memory.Stored) bool { return r.Path == "" })
	if b.Index == nil {
		var loaded Loaded
		s.read(&loaded)
		return memory.Index(replaced(loaded.Records, p, made))
	}
	if len(p.Edits) <= fewLines && b.lines[0] != unknown && b.lines == s.lines() {
		var gone []string
		for _, e := range p.Edits {
			if e.Before != "" { // else it has no line yet
				gone = append(gone, e.Path)
			}
		}
		if text, err := disk.Read(s.file(indexName), linesLimit); err == nil {
			if text, ok := memory.SpliceIndex(text, gone, made); ok {
				return text
			}
		}
	}
	all, err := b.all()
	if err != nil {
		b.Index = nil
		return b.next(s, p, made)
	}
	return memory.Index(replaced(all, p, made))
}

// linesLimit bounds an index.md, in bytes: that of a million records.
const linesLimit = 256 << 20

// replaced is records after a plan that makes next of those that it does not
// delete.
func replaced(records []memory.Stored, p plan.Plan, next []memory.Stored) []memory.Stored {
	edited := map[string]bool{}
	for _, e := range p.Edits {
		edited[e.Path] = true
	}
	return append(slices.DeleteFunc(records, func(r memory.Stored) bool { return edited[r.Path] }), next...)
}

// refresh brings the index in step with a plan that was just put in place over
// the state before, and made these records, one for each edit. The lock is held.
// It is best effort: an index that is not refreshed shows by its state that it is
// old.
func (s *Store) refresh(before state, p plan.Plan, made []memory.Stored) {
	if s.opt.Derive == nil {
		return
	}
	cache := s.lockCache()
	if cache == nil {
		return
	}
	defer cache.Unlock()
	now := stand{state: s.state()}
	for i, was := range before {
		if was == unknown {
			now.state[i] = unknown // what is missing there is not in this plan
		}
	}
	now.lines = now.state.lines() // we have just written them
	ix, was := s.kept()
	if ix == nil || was.state != before {
		if ix != nil {
			ix.Close()
		}
		if ix, _, err := s.heal(want{all: true}, true); err == nil {
			ix.Close()
		}
		return
	}
	defer ix.Close()
	change := ix.Change()
	for i, e := range p.Edits {
		if e.Deletes() {
			change.Remove(e.Path)
		} else {
			change.Put(made[i])
		}
	}
	if base, delta, err := change.Done(); err == nil {
		s.keep(now, base, delta)
	}
}

// keep writes the index.
func (s *Store) keep(now stand, base, delta []byte) {
	if base != nil {
		// Rare, and dear to make again: it is worth waiting for the disk.
		if err := disk.Write(s.opt.Cache+baseSuffix, base, privateMode); err != nil {
			return
		}
	}
	disk.Replace(s.opt.Cache, sealHead(now, delta), privateMode)
}

func sealHead(now stand, delta []byte) []byte {
	b := make([]byte, 0, headSize+len(delta))
	b = append(b, headMagic...)
	for _, n := range append(now.state[:], now.lines[:]...) {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	b = binary.LittleEndian.AppendUint32(b, headSum(b[len(headMagic):], delta))
	return append(b, delta...)
}

// openHead returns what is in a head that is whole.
func openHead(b []byte) (was stand, delta []byte, ok bool) {
	if len(b) < headSize || string(b[:len(headMagic)]) != headMagic {
		return was, nil, false
	}
	head, delta := b[len(headMagic):headSize-4], b[headSize:]
	for i := range was.state {
		was.state[i] = int64(binary.LittleEndian.Uint64(head[8*i:]))
	}
	for i := range was.lines {
		was.lines[i] = int64(binary.LittleEndian.Uint64(head[8*(stateLen+i):]))
	}
	return was, delta, headSum(head, delta) == binary.LittleEndian.Uint32(b[headSize-4:])
}

func headSum(head, delta []byte) uint32 {
	// IEEE, because Castagnoli's tables take a hook 0.15 ms to build.
	return crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, delta)
}
