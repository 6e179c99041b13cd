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
)

// Apply makes the edits of a plan, all or none. It waits for the lock until ctx
// ends or Options.LockWait is over. A guard that does not hold is ErrConflict or
// ErrExists, a change that a record's rules do not allow is a *memory.Refusal, and
// nothing was written; ErrUnfinished says that the plan is logged
// and will be finished by the next call. A corrupt record in the way of a new
// one is set aside as <name>.json.invalid.<unix>; a link, pipe or directory, and
// what a newer version wrote, is in the way and stays.
//
// When ctx ends before the plan is logged that is ErrStopped, and nothing was
// written. After that the files get their names all the same, which is quick, and
// the search index is left to whoever asks it next.
func (s *Store) Apply(ctx context.Context, p plan.Plan) error { return s.ApplyIf(ctx, p, nil) }

// ApplyIf is Apply for a plan that rests on more than the records it changes, as
// on how many there are. holds is asked of the index of what is there when nobody
// else can write any more; its error is an ErrConflict. It is not asked where no
// index is to be had.
func (s *Store) ApplyIf(ctx context.Context, p plan.Plan, holds func(*Index) error) error {
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
	private := s.isNew()
	if err := errors.Join(disk.MakeDir(s.root, 0o755), disk.MakeDir(s.own, 0o700)); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	l, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Unlock()
	if private {
		if err := s.ignoreAll(); err != nil {
			return err
		}
	}
	if err := s.step("recover"); err != nil {
		return err
	}
	if _, err := s.recover(ctx); err != nil {
		return err
	}
	return s.applyLocked(ctx, p, made, holds)
}

// checkAfter lets only files of its kind into the store, each at its own place. It
// returns the records among them, one for each edit; a deletion has none.
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
	holds func(*Index) error) (err error) {
	if err := s.step("guards"); err != nil {
		return err
	}
	found, err := s.checkGuards(ctx, p, made)
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
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if err := s.ignore(); err != nil {
		return err
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	basis := s.basis()
	defer basis.Close()
	if holds != nil && basis.Index != nil {
		if err := holds(basis.Index); err != nil {
			return fmt.Errorf("store: %w: %w", ErrConflict, err)
		}
	}
	files := s.files(p, found, made, basis)
	pending, err := s.beside(ctx, files, func(i int, info fs.FileInfo) {
		if i < len(made) {
			made[i].File = fileOf(info)
		}
	})
	defer func() {
		for _, f := range pending {
			f.Discard() // what is in place already is left alone
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
	// Writing took its time, and not everybody asks for our lock.
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
	if err := disk.Write(s.ours(redoName), text, privateMode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	derive := func() {
		if ctx.Err() == nil {
			s.refresh(basis.state, p, made)
		}
	}
	err = s.commit(files, pending, log.Digest, derive)
	if errors.Is(err, ErrByHand) {
		// The rest of the plan is in place when that is told.
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

// checkGuards holds every edit against what is there, and returns that.
func (s *Store) checkGuards(ctx context.Context, p plan.Plan, made []memory.Stored) ([]guard, error) {
	now := time.Now()
	found := make([]guard, len(p.Edits))
	err := together(ctx, len(p.Edits), func(i int) (err error) {
		found[i], err = s.checkGuard(p.Edits[i], made[i], now)
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

// A guard is what stands where an edit goes.
type guard struct {
	before  []byte      // nil: nothing, or nothing that the edit knows of
	info    fs.FileInfo // of what stands there; nil: nothing
	mode    fs.FileMode // permissions that the file has, or had when it was last there; 0: nobody knows
	corrupt bool        // a record that cannot be read is in the way
	trouble error       // why the edit is not to be made
}

// checkGuard holds one edit against what is there. The error is that nobody can
// tell.
func (s *Store) checkGuard(e plan.Edit, made memory.Stored, now time.Time) (g guard, err error) {
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
	default:
		g.before, g.mode = b, info.Mode().Perm()
	}
	if err := s.kind.rules(s, e, b, made.Record); err != nil {
		g.trouble = fmt.Errorf("store: %s: %w", e.Path, err)
	}
	return g, nil
}

// stillThere says, as a kind of error, which files are not what they were when
// their guards were checked.
func (s *Store) stillThere(files []file, changed error) error {
	var all []error
	for _, f := range files {
		if f.was == nil {
			continue
		}
		info, err := os.Lstat(s.file(f.path))
		there, was := err == nil, f.was.info
		if there != (was != nil) || there && (!os.SameFile(info, was) || fileOf(info) != fileOf(was)) {
			all = append(all, fmt.Errorf("store: %s: %w", f.path, changed))
		}
	}
	return errors.Join(all...)
}

// change is one file that waits for its name, or to be taken away.
type change interface {
	Commit() error
	Discard() error
}

// removal is a file that is to go.
type removal struct {
	path string
	top  string // those folders below it that are left empty go too
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

// file is a file as it shall be: one with a text of nil shall be gone.
type file struct {
	path string
	text []byte
	mode fs.FileMode // of a new one, less the umask
	was  *guard      // nil: it matters to nobody
}

// files are those of a plan, in its order, and then index.md.
func (s *Store) files(p plan.Plan, found []guard, made []memory.Stored, before basis) []file {
	files := make([]file, len(p.Edits), len(p.Edits)+1)
	for i, e := range p.Edits {
		files[i] = file{e.Path, e.After, s.kind.modeOf(found[i].mode), &found[i]}
	}
	if s.kind.indexed {
		files = append(files, file{path: indexName, text: before.next(s, p, made), mode: recordMode})
	}
	return files
}

// beside writes files beside their places, several at once: the disk makes them
// durable in one go. written is told what each is like.
func (s *Store) beside(ctx context.Context, files []file,
	written func(i int, info fs.FileInfo)) (pending []change, err error) {
	for _, f := range files {
		if f.text != nil {
			if err := disk.MakeDir(filepath.Dir(s.file(f.path)), 0o755); err != nil {
				return nil, fmt.Errorf("store: %w", err)
			}
		}
	}
	pending = make([]change, len(files))
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
		f, err := disk.Prepare(path, s.kind.temp(filepath.Base(path)), files[i].text, files[i].mode)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		pending[i] = f
		written(i, f.Info)
		return nil
	})
	return slices.DeleteFunc(pending, func(f change) bool { return f == nil }), err
}

// commit puts everything in place and drops the log. Nothing is told durable
// before it is: the log goes last.
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

// syncFolders makes the names of files durable, with one wait for each folder.
func (s *Store) syncFolders(files []file) error {
	var folders []string
	for _, f := range files {
		if dir := filepath.Dir(s.file(f.path)); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return together(context.Background(), len(folders), func(i int) error {
		err := disk.SyncDir(folders[i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil // nothing was left to take away
		}
		return err
	})
}

// begin notes that files will be written beside their places, and removes those
// that a killed process left there: where it died before end, its note is still
// there. Without one nobody looks at folders that can be large. What is in the way
// of our own files is set aside. The lock is held, so no other process is writing.
func (s *Store) begin() error {
	if err := s.makeWay(); err != nil {
		return err
	}
	sweep(s.own, leftover)
	note := s.ours(begunName)
	if _, err := os.Lstat(note); err == nil {
		for _, dir := range s.kind.folders(s.root) {
			sweep(dir, s.kind.leftover)
		}
	}
	// Not by way of a link that stands there.
	f, err := os.OpenFile(note, os.O_CREATE|os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, privateMode)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// end takes the note of begin away.
func (s *Store) end() {
	os.Remove(s.ours(begunName)) // one that stays costs a look
}

// Tidy finishes a plan that was cut short and removes what a process that was killed
// left beside its files, as the next save would, unless somebody is writing.
func (s *Store) Tidy() {
	s.settle()
	if _, err := os.Lstat(s.ours(begunName)); err != nil {
		return
	}
	now, cancel := context.WithCancel(context.Background())
	cancel() // the lock is tried once
	l, err := disk.Exclusive(now, s.ours(lockName))
	if err != nil {
		return
	}
	defer l.Unlock()
	if s.begin() == nil && !s.inUse() { // whoever finishes a plan ends it
		s.end()
	}
}

// sweep removes what is left over in a folder.
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
			os.Remove(filepath.Join(dir, e.Name())) // a leftover that stays harms nothing
		}
	}
}

// leftover says whether name is that of a file that was being written: a dot,
// the name of one of our files, and a random number.
func leftover(name string) bool {
	bare := strings.TrimRight(name, "0123456789")
	if bare == name || !strings.HasPrefix(bare, ".") {
		return false
	}
	return strings.HasSuffix(bare, ".json") || bare == "."+indexName || bare == "."+ignoreName
}

// ignore keeps our own files out of the project's version control, unless
// somebody has already said what to ignore.
func (s *Store) ignore() error {
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

// ignoreAll has a store that is made now ignore itself, unless somebody has already
// said what to ignore.
func (s *Store) ignoreAll() error {
	path := s.file(ignoreName)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := disk.Write(path, []byte(PrivateIgnore), recordMode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// isNew reports whether nothing of ours is in the store yet, and it is to be private.
func (s *Store) isNew() bool {
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

// What a store's .gitignore says: SharedIgnore keeps our own files out of the
// project's version control, PrivateIgnore the whole store, itself too, so that a
// project that did not ask for memories sees nothing of them.
const (
	SharedIgnore = "# Keepsake's own files: of this checkout only.\n" + lockName + "\n" + redoName + "*\n" +
		historyName + "/\n" +
		"# Files that were being written by a process that was killed.\n.*.json[0-9]*\n." + indexName +
		"[0-9]*\n." + ignoreName + "[0-9]*\n"
	PrivateIgnore = "# These memories are yours alone. `keepsake git-setup` shares them with a team.\n*\n"
)
