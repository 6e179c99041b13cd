package store

import (
	"context"
	"errors"
	"fmt"
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
	"keepsake/pkg/search/kept"
)

// Apply makes the edits of a plan, all or none. It waits for the lock until ctx ends or Options.LockWait is
// over. On these errors nothing was written: ErrConflict or ErrExists for a guard that does not hold, and a
// *memory.Refusal for a change that a record's rules do not allow. ErrUnfinished says that the plan is logged
// and that the next call will finish it. A corrupt record in the way of a new one is renamed to
// <name>.json.invalid.<unix>; a link, a pipe, a directory or a record of a newer version stays, and is in the
// way.
//
// If ctx ends before the plan is logged, the error is ErrStopped and nothing was written. If it ends later,
// the files still get their names, which is quick, but the search index is left to its next reader.
func (s *Store) Apply(ctx context.Context, p plan.Plan) error { return s.ApplyIf(ctx, p, nil) }

// ApplyIf is Apply for a plan that rests on more than the records it changes, such as their number. holds is
// called with the current index while nobody else can write, and not called if there is no index. Its error
// becomes an ErrConflict.
func (s *Store) ApplyIf(ctx context.Context, p plan.Plan, holds func(*Index) error) error {
	return s.applyIf(ctx, p, holds, nil)
}

// applyIf is ApplyIf for a plan of a series, or of none.
func (s *Store) applyIf(ctx context.Context, p plan.Plan, holds func(*Index) error, part *Series) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	made, err := s.checkAfter(ctx, p)
	if err != nil || len(p.Edits) == 0 {
		return err
	}
	if _, err := s.exists(); err != nil {
		return err
	}
	if err := s.opt.Writable(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	private := s.isNewPrivate()
	if err := errors.Join(disk.MakeDir(s.root, 0o755), disk.MakeDir(s.own, 0o700)); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	l, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Unlock()
	if private {
		if err := s.writeIgnoreAll(); err != nil {
			return err
		}
	}
	if err := s.step("recover"); err != nil {
		return err
	}
	if _, err := s.recover(ctx); err != nil {
		return err
	}
	return s.applyLocked(ctx, p, made, holds, part)
}

// checkAfter checks that every file fits the store's kind and its own path. It returns the records among
// them, one for each edit; the one of a deletion is zero.
func (s *Store) checkAfter(ctx context.Context, p plan.Plan) ([]memory.Stored, error) {
	made := make([]memory.Stored, len(p.Edits))
	err := together(ctx, len(p.Edits), func(i int) (err error) {
		e := p.Edits[i]
		if err := s.kind.check(e.Path); err != nil {
			return fmt.Errorf("store: %w", err)
		}
		if e.Deletes() {
			return nil
		}
		if int64(len(e.After)) > s.kind.limit {
			return fmt.Errorf("store: %s: has %d bytes, more than the %d of a file", e.Path, len(e.After),
				s.kind.limit)
		}
		if made[i], err = s.kind.made(e); err != nil {
			return fmt.Errorf("store: %s: %w", e.Path, err)
		}
		return nil
	})
	return made, err
}

func (s *Store) applyLocked(ctx context.Context, p plan.Plan, made []memory.Stored,
	holds func(*Index) error, part *Series) (err error) {
	if err := s.step("guards"); err != nil {
		return err
	}
	found, err := s.checkGuards(ctx, p, made, part)
	if err != nil {
		return err
	}
	if err := s.step("prepare"); err != nil {
		return err
	}
	log := newRedo(p, found, time.Now())
	text, err := log.encode()
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := s.beginWriting(); err != nil {
		return err
	}
	defer s.endWriting()
	if err := s.writeIgnore(); err != nil {
		return err
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	basis := part.basis(s)
	defer basis.Close()
	if holds != nil && basis.Index != nil {
		if err := holds(basis.Index); err != nil {
			return fmt.Errorf("store: %w: %w", ErrConflict, err)
		}
	}
	files := s.filesOf(p, found, made, basis)
	pending, err := s.writeBeside(ctx, files, func(i int, info fs.FileInfo) {
		if i < len(made) {
			made[i].File = kept.FileOf(info)
		}
	})
	defer func() {
		for _, f := range pending {
			f.Discard() // a file that has its name is left alone
		}
	}()
	if err != nil {
		return err
	}
	if err := s.step("log"); err != nil {
		return err
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	// Others may have changed a file meanwhile without our lock.
	if err := s.stillThere(files, ErrConflict); err != nil {
		return err
	}
	for i, g := range found {
		if g.corrupt {
			if _, err := setAside(s.file(p.Edits[i].Path)); err != nil {
				return err
			}
			files[i].was.info = nil
		}
	}
	if err := disk.Write(s.ownFile(redoName), text, privateMode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	derive := func() {
		if ctx.Err() == nil {
			part.refresh(s, basis, p, made)
		}
	}
	err = s.commit(files, pending, log.Digest, derive)
	if errors.Is(err, ErrByHand) {
		// The rest of the plan is in place when the conflict is reported.
		if _, mend := s.recover(ctx); mend == nil {
			return err
		}
	}
	if err != nil {
		return fmt.Errorf("store: the plan %w: %w; hint: when that is mended, the next command finishes it",
			ErrUnfinished, err)
	}
	return nil
}

// checkGuards compares every edit with the files and returns what is at their paths.
func (s *Store) checkGuards(ctx context.Context, p plan.Plan, made []memory.Stored,
	part *Series) ([]guard, error) {
	now := time.Now()
	found := make([]guard, len(p.Edits))
	err := together(ctx, len(p.Edits), func(i int) (err error) {
		found[i], err = s.checkGuard(p.Edits[i], made[i], now, part)
		return err
	})
	if err != nil {
		return nil, err
	}
	var trouble []error
	for _, g := range found {
		if g.trouble != nil {
			trouble = append(trouble, g.trouble)
		}
	}
	if len(trouble) == 0 {
		trouble = append(trouble, s.checkReverts(p, found))
	}
	return found, errors.Join(trouble...)
}

// A guard is what is at the path of an edit.
type guard struct {
	before   []byte      // the bytes there; nil if there are none, or none that the edit knows
	info     fs.FileInfo // of the file there; nil if there is none
	mode     fs.FileMode // permissions the file has, or had last; 0 if nobody knows
	modified time.Time   // when it was last written; the zero time where that isn't kept
	corrupt  bool        // a record is there that cannot be read
	trouble  error       // why the edit must not be made
}

// checkGuard compares one edit with the file at its path. It returns an error if it cannot tell whether
// the guard holds.
func (s *Store) checkGuard(e plan.Edit, made memory.Stored, now time.Time, part *Series) (g guard,
	err error) {
	if err := s.checkFolder(e.Path); err != nil {
		return g, err
	}
	b, info, err := disk.ReadInfo(s.file(e.Path), s.kind.limit)
	g.info = info
	absent := errors.Is(err, fs.ErrNotExist)
	switch {
	case e.Before == "" && absent:
	case e.Before == "" && err != nil:
		g.trouble = fmt.Errorf("store: %s: %w: %w", e.Path, ErrExists, err)
		return g, nil
	case e.Before == "":
		g.trouble = s.kind.blocks(e.Path, b, now)
		g.corrupt = g.trouble == nil
		return g, nil
	case absent:
		g.trouble = fmt.Errorf("store: %s: %w: it is gone", e.Path, ErrConflict)
		return g, nil
	case err != nil:
		return g, fmt.Errorf("store: %w", err)
	case plan.DigestOf(b) != e.Before:
		g.trouble = fmt.Errorf("store: %s: %w", e.Path, ErrConflict)
		return g, nil
	case s.kind.locked != nil && s.kind.locked(info.Mode()):
		return g, fmt.Errorf("store: %s: %w; hint: chmod u+w it first, if it may be changed", e.Path,
			ErrReadOnly)
	default:
		g.before, g.mode = b, info.Mode().Perm()
		g.modified = plan.TimeOf(s.kind.timeOf(info.ModTime()))
	}
	there := func() (memory.Record, error) { return part.record(e.Path, e.Before, b) }
	if err := s.kind.rules(s, e, there, made.Record); err != nil {
		g.trouble = fmt.Errorf("store: %s: %w", e.Path, err)
	}
	return g, nil
}

// stillThere returns an error of kind changed if a file is not as it was when its guard was checked.
func (s *Store) stillThere(files []file, changed error) error {
	var all []error
	for _, f := range files {
		if f.was == nil {
			continue
		}
		info, err := os.Lstat(s.file(f.path))
		there, was := err == nil, f.was.info
		if there != (was != nil) ||
			there && (!os.SameFile(info, was) || kept.FileOf(info) != kept.FileOf(was)) {
			all = append(all, fmt.Errorf("store: %s: %w", f.path, changed))
		}
	}
	return errors.Join(all...)
}

// change is a file that waits to be renamed into place, or to be removed.
type change interface {
	Commit() error
	Discard() error
}

// removal is a file that will be removed.
type removal struct {
	path string
	top  string // empty folders below it are removed too
}

func (r removal) Commit() error {
	if err := os.Remove(r.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := filepath.Dir(r.path); dir != r.top && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
	}
	return nil
}

func (removal) Discard() error { return nil }

// file is a new version of a file; with a nil text it will be removed.
type file struct {
	path     string
	text     []byte
	mode     fs.FileMode // of a new one, less the umask
	modified time.Time   // that it gets; the zero time for now
	was      *guard      // nil if its old version does not matter
}

// filesOf returns the files of a plan, in its order, and then index.md.
func (s *Store) filesOf(p plan.Plan, found []guard, made []memory.Stored, before basis) []file {
	files := make([]file, len(p.Edits), len(p.Edits)+1)
	for i, e := range p.Edits {
		files[i] = file{e.Path, e.After, s.kind.modeOf(found[i].mode), s.kind.timeOf(e.Modified), &found[i]}
	}
	if s.kind.indexed {
		files = append(files, file{path: indexName, text: before.linesAfter(s, p, made), mode: recordMode})
	}
	return files
}

// manyFiles is from how many files on they are synced all at once.
const manyFiles = 256

// writeBeside writes files beside their places, several at once, so that the disk syncs them together. It
// calls written with the info of each.
func (s *Store) writeBeside(ctx context.Context, files []file,
	written func(i int, info fs.FileInfo)) (pending []change, err error) {
	for _, f := range files {
		if f.text != nil {
			if err := disk.MakeDir(filepath.Dir(s.file(f.path)), 0o755); err != nil {
				return nil, fmt.Errorf("store: %w", err)
			}
		}
	}
	pending = make([]change, len(files))
	later := len(files) >= manyFiles
	err = together(ctx, len(files), func(i int) error {
		path := s.file(files[i].path)
		if files[i].text == nil {
			r := removal{path, filepath.Dir(path)}
			if s.kind.emptied {
				r.top = s.root
			}
			pending[i] = r
			return nil
		}
		f, err := disk.Prepare(path, s.kind.temp(filepath.Base(path)), files[i].text, files[i].mode,
			files[i].modified, later)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		pending[i] = f
		written(i, f.Info)
		return nil
	})
	if err == nil && later {
		err = s.syncWritten(ctx, files, pending)
	}
	return slices.DeleteFunc(pending, func(f change) bool { return f == nil }), err
}

// syncWritten makes files durable that were written beside their places.
func (s *Store) syncWritten(ctx context.Context, files []file, pending []change) error {
	err := disk.SyncFolders(s.foldersOf(files))
	if errors.Is(err, errors.ErrUnsupported) {
		err = together(ctx, len(pending), func(i int) error {
			if f, ok := pending[i].(*disk.Pending); ok {
				return f.Sync()
			}
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// commit renames everything into place and drops the log last, once all the rest is durable.
func (s *Store) commit(files []file, pending []change, digest string, derive func()) error {
	for i, f := range pending {
		if err := s.step(fmt.Sprintf("file %d", i)); err != nil {
			return err
		}
		if err := s.stillThere(files[i:i+1], ErrByHand); err != nil {
			return err
		}
		if err := f.Commit(); err != nil {
			return err
		}
	}
	if err := s.step("sync"); err != nil {
		return err
	}
	if err := s.syncFolders(files); err != nil {
		return err
	}
	if err := s.step("derive"); err != nil {
		return err
	}
	derive()
	if err := s.step("drop"); err != nil {
		return err
	}
	if err := s.dropRedo(digest); err != nil {
		return err
	}
	return s.step("done")
}

// syncFolders makes the names of files durable, with one sync for each folder.
func (s *Store) syncFolders(files []file) error {
	folders := s.foldersOf(files)
	return together(context.Background(), len(folders), func(i int) error {
		err := disk.SyncDir(folders[i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil // there was nothing to remove
		}
		return err
	})
}

// foldersOf returns the folders that files lie in, each once.
func (s *Store) foldersOf(files []file) (folders []string) {
	for _, f := range files {
		if dir := filepath.Dir(s.file(f.path)); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}

// beginWriting notes that files will be written beside their places, and removes those that a killed
// process left: its note is then still there. Without a note no folder is searched, as folders can be
// large. Whatever is in the way of our own files is set aside. The lock is held, so no other process is
// writing.
func (s *Store) beginWriting() error {
	if err := s.makeWay(); err != nil {
		return err
	}
	sweep(s.own, leftover)
	note := s.ownFile(begunName)
	if _, err := os.Lstat(note); err == nil {
		for _, dir := range s.kind.folders(s.root) {
			sweep(dir, s.kind.leftover)
		}
	}
	// A link in its place is not followed.
	f, err := os.OpenFile(note, os.O_CREATE|os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, privateMode)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// endWriting removes the note of beginWriting.
func (s *Store) endWriting() {
	os.Remove(s.ownFile(begunName)) // a note that stays only costs a search
}

// Tidy finishes a plan that was cut short and removes files that a killed process left, as the next save
// would. It does nothing while somebody is writing.
func (s *Store) Tidy() {
	s.settlePlan()
	if _, err := os.Lstat(s.ownFile(begunName)); err != nil {
		return
	}
	now, cancel := context.WithCancel(context.Background())
	cancel() // so the lock is tried only once
	l, err := disk.Exclusive(now, s.ownFile(lockName))
	if err != nil {
		return
	}
	defer l.Unlock()
	if s.beginWriting() == nil && !s.inUse() { // finishing a plan ends with end
		s.endWriting()
	}
}

// sweep removes the files of a folder whose names are leftovers.
func sweep(dir string, leftover func(name string) bool) {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if leftover(e.Name()) {
			os.Remove(filepath.Join(dir, e.Name())) // one that stays harms nothing
		}
	}
}

// leftover reports whether name is that of one of our files that was being written.
func leftover(name string) bool {
	of, is := disk.Leftover(name)
	return is && (strings.HasSuffix(of, ".json") || of == indexName || of == ignoreName)
}

// writeIgnore writes a .gitignore that keeps our own files out of the project's repository, unless there is
// one.
func (s *Store) writeIgnore() error {
	if !s.kind.indexed {
		return nil
	}
	path := s.file(ignoreName)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := disk.Write(path, []byte(SharedIgnore), recordMode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// writeIgnoreAll makes a new store ignore itself, unless there is a .gitignore.
func (s *Store) writeIgnoreAll() error {
	path := s.file(ignoreName)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := disk.Write(path, []byte(PrivateIgnore), recordMode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// isNewPrivate reports whether the store has none of our files yet and is to be private.
func (s *Store) isNewPrivate() bool {
	if !s.kind.indexed || s.opt.Private == nil {
		return false
	}
	entries, err := os.ReadDir(s.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") || e.Name() == indexName ||
			e.Name() == historyName {
			return false
		}
	}
	return s.opt.Private()
}

// What a store's .gitignore says. SharedIgnore keeps our own files out of the project's repository.
// PrivateIgnore keeps out the whole store and itself, so that a project that did not ask for memories shows
// none of them.
const (
	SharedIgnore = "# Keepsake's own files: of this checkout only.\n" + lockName + "\n" + redoName + "*\n" +
		historyName + "/\n" +
		"# Files that were being written by a process that was killed.\n.*.json[0-9]*\n." + indexName +
		"[0-9]*\n." + ignoreName + "[0-9]*\n"
	PrivateIgnore = "# These memories are yours alone. `keepsake git-setup` shares them with a team.\n*\n"
)
