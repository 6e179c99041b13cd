package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"strings"
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
	made, err := s.checkPlan(ctx, p)
	if err != nil || len(p.Edits) == 0 {
		return err
	}
	private := s.isNewPrivate()
	h, err := s.lockStore(ctx, true)
	if err != nil {
		return err
	}
	defer h.close()
	h.part = part
	if private {
		if err := h.writeIgnore(PrivateIgnore); err != nil {
			return err
		}
	}
	if err := s.step("recover"); err != nil {
		return err
	}
	if _, err := h.recover(ctx); err != nil {
		return err
	}
	return h.applyLocked(ctx, p, made, holds)
}

// Check returns why Apply would refuse a plan, as far as that can be told without the lock. It writes
// nothing.
func (s *Store) Check(ctx context.Context, p plan.Plan) error {
	made, err := s.checkPlan(ctx, p)
	if err != nil {
		return err
	}
	h := &held{Store: s}
	defer h.close()
	root, deep := s.withoutLinks()
	if h.dir, err = disk.Hold(root, deep, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: %w", err)
	}
	_, err = h.checkGuards(ctx, p, made)
	return err
}

// checkPlan checks what can be told of a plan without the store's files: that it is valid, and that there is
// a store which may be written. It returns the records that the plan makes, as checkAfter does.
func (s *Store) checkPlan(ctx context.Context, p plan.Plan) ([]memory.Stored, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	made, err := s.checkAfter(ctx, p)
	if err != nil || len(p.Edits) == 0 {
		return made, err
	}
	if _, err := s.exists(); err != nil {
		return nil, err
	}
	if err := s.opt.Writable(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return made, nil
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

func (s *held) applyLocked(ctx context.Context, p plan.Plan, made []memory.Stored,
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
	if err := s.beginWriting(); err != nil {
		return err
	}
	defer s.endWriting()
	if s.kind.indexed {
		if err := s.writeIgnore(SharedIgnore); err != nil {
			return err
		}
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	basis := s.part.basis(s.Store)
	defer basis.Close()
	if holds != nil && basis.Index != nil {
		if err := holds(basis.Index); err != nil {
			return fmt.Errorf("store: %w: %w", ErrConflict, err)
		}
	}
	files := s.filesOf(p, found, made, basis)
	pending, err := s.writeBeside(ctx, files, func(i int, info *disk.Info) {
		if i < len(made) {
			made[i].File = kept.FileOf(info)
		}
	})
	defer discard(pending)
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
			dir, name, err := s.at(p.Edits[i].Path)
			if err != nil {
				return fmt.Errorf("store: %w", err)
			}
			if _, err := setAside(dir, name); err != nil {
				return err
			}
			files[i].was.info = nil
		}
	}
	if err := writeTo(s.ownDir, redoName, text, privateMode); err != nil {
		return err
	}
	derive := func() {
		if ctx.Err() == nil {
			s.part.refresh(s.Store, basis, p, made)
		}
	}
	err = s.commitAll(pending, log.Digest, derive)
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
func (s *held) checkGuards(ctx context.Context, p plan.Plan, made []memory.Stored) ([]guard,
	error) {
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

// A guard is what is at the path of an edit.
type guard struct {
	before   []byte      // the bytes there; nil if there are none, or none that the edit knows
	info     *disk.Info  // of the file there; nil if there is none
	mode     fs.FileMode // permissions the file has, or had last; 0 if nobody knows
	modified time.Time   // when it was last written; the zero time where that isn't kept
	corrupt  bool        // a record is there that cannot be read
	trouble  error       // why the edit must not be made
}

// checkGuard compares one edit with the file at its path. It returns an error if it cannot tell whether
// the guard holds.
func (s *held) checkGuard(e plan.Edit, made memory.Stored, now time.Time) (g guard, err error) {
	if _, _, err := s.at(e.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return g, fmt.Errorf("store: %w", err)
	}
	b, info, err := s.read(e.Path, s.kind.limit)
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
	there := func() (memory.Record, error) { return s.part.record(e.Path, e.Before, b) }
	if err := s.kind.rules(s.Store, e, there, made.Record); err != nil {
		g.trouble = fmt.Errorf("store: %s: %w", e.Path, err)
	}
	return g, nil
}

// stillThere returns an error of kind changed if a file is not as it was when its guard was checked.
func (s *held) stillThere(files []file, changed error) error {
	var all []error
	for _, f := range files {
		if f.was != nil && !s.lstat(f.path).SameFile(f.was.info) {
			all = append(all, fmt.Errorf("store: %s: %w", f.path, changed))
		}
	}
	return errors.Join(all...)
}

// file is a new version of a file; with a nil text it will be removed.
type file struct {
	path     string
	text     []byte
	mode     fs.FileMode // of a new one, less the umask
	modified time.Time   // that it gets; the zero time for now
	was      *guard      // nil if its old version does not matter
}

// A change is a file that waits to get its name, or to be removed.
type change struct {
	file
	written *disk.Pending // nil for a file that will be removed
}

// discard removes what was written and did not get its name.
func discard(pending []change) {
	for _, c := range pending {
		if c.written != nil {
			c.written.Discard()
		}
	}
}

// commit gives the file its name, or removes it.
func (s *held) commit(c change) error {
	if c.written == nil {
		if err := s.stillThere([]file{c.file}, ErrByHand); err != nil {
			return err
		}
		return s.remove(c.path)
	}
	if c.was == nil {
		return c.written.Commit()
	}
	old, err := c.written.Replace(c.was.info)
	if errors.Is(err, disk.ErrChanged) {
		return fmt.Errorf("store: %s: %w", c.path, ErrByHand)
	}
	if old != "" {
		s.replaced = append(s.replaced, path.Dir(c.path)+"/"+old)
	}
	return err
}

// remove takes a file away, and folders that become empty by that where the kind of the store says so.
func (s *held) remove(p string) error {
	dir, name, err := s.at(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = dir.Remove(name)
	}
	for s.kind.emptied && err == nil && path.Dir(p) != "." {
		p = path.Dir(p)
		if dir, name, err = s.at(p); err != nil || dir.RemoveSub(name) != nil {
			return nil
		}
	}
	return err
}

// filesOf returns the files of a plan, in its order, and then index.md.
func (s *held) filesOf(p plan.Plan, found []guard, made []memory.Stored, before basis) []file {
	files := make([]file, len(p.Edits), len(p.Edits)+1)
	for i, e := range p.Edits {
		files[i] = file{e.Path, e.After, s.kind.modeOf(found[i].mode), s.kind.timeOf(e.Modified), &found[i]}
	}
	if s.kind.indexed {
		lines := before.linesAfter(s.Store, p, made)
		files = append(files, file{path: indexName, text: lines, mode: recordMode})
	}
	return files
}

// manyFiles is from how many files on they are synced all at once.
const manyFiles = 256

// writeBeside writes files beside their places, several at once, so that the disk syncs them together. It
// calls written with the info of each.
func (s *held) writeBeside(ctx context.Context, files []file,
	written func(i int, info *disk.Info)) (pending []change, err error) {
	for _, f := range files {
		if f.text != nil {
			if _, _, err := s.makeAt(f.path); err != nil {
				return nil, fmt.Errorf("store: %w", err)
			}
		}
	}
	pending = make([]change, len(files))
	later := len(files) >= manyFiles
	err = together(ctx, len(files), func(i int) error {
		f := files[i]
		pending[i].file = f
		if f.text == nil {
			return nil
		}
		dir, name, err := s.at(f.path)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		w, err := dir.Prepare(name, s.kind.temp(name), f.text, f.mode, f.modified, later)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		pending[i].written = w
		written(i, w.Info)
		return nil
	})
	if err == nil && later {
		err = s.syncWritten(ctx, files, pending)
	}
	return pending, err
}

// syncWritten makes files durable that were written beside their places.
func (s *held) syncWritten(ctx context.Context, files []file, pending []change) error {
	err := disk.SyncFolders(s.foldersOf(files))
	if errors.Is(err, errors.ErrUnsupported) {
		err = together(ctx, len(pending), func(i int) error {
			if w := pending[i].written; w != nil {
				return w.Sync()
			}
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// commitAll gives every file its name and drops the log last, once all the rest is durable.
func (s *held) commitAll(pending []change, digest string, derive func()) error {
	files := make([]file, len(pending))
	for i, c := range pending {
		files[i] = c.file
		if err := s.step(fmt.Sprintf("file %d", i)); err != nil {
			return err
		}
		if err := s.commit(c); err != nil {
			return err
		}
	}
	if s.part == nil {
		s.removeReplaced()
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
func (s *held) syncFolders(files []file) error {
	folders := s.foldersOf(files)
	return together(context.Background(), len(folders), func(i int) error { return folders[i].Sync() })
}

// foldersOf returns the folders that files lie in, each once. One that is missing has nothing to sync.
func (s *held) foldersOf(files []file) (folders []*disk.Folder) {
	seen := map[string]bool{}
	for _, f := range files {
		in := path.Dir(f.path)
		if seen[in] {
			continue
		}
		seen[in] = true
		if dir, _, err := s.at(f.path); err == nil {
			folders = append(folders, dir)
		}
	}
	return folders
}

// beginWriting notes that files will be written beside their places, and removes those that a killed
// process left: its note is then still there. Without a note no folder is searched, as folders can be
// large. Whatever is in the way of our own files is set aside. The lock is held, so no other process is
// writing.
func (s *held) beginWriting() error {
	if err := s.makeWay(); err != nil {
		return err
	}
	sweep([]*disk.Folder{s.ownDir}, leftover)
	if _, err := s.ownDir.Lstat(begunName); err == nil && (s.part == nil || !s.part.kept) {
		var dirs []*disk.Folder
		for _, folder := range s.kind.folders(s.root) {
			if dir, _, err := s.at(folder + "/x"); err == nil {
				dirs = append(dirs, dir)
			}
		}
		sweep(dirs, s.kind.leftover)
	}
	if err := s.ownDir.Touch(begunName, privateMode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// endWriting removes the note of beginWriting, and the files that were replaced. Those of a series stay until
// its end: a file system without a journal does not use their places again at once, and every new file of
// the next part would look at each of them first.
func (s *held) endWriting() {
	if s.part != nil && len(s.replaced) > 0 {
		s.part.kept = true
		return // the note stays as well
	}
	s.removeReplaced()
	s.ownDir.Remove(begunName) // a note that stays only costs a search
}

// removeReplaced removes the files that were replaced; the log has what was in them.
func (s *held) removeReplaced() {
	together(context.Background(), len(s.replaced), func(i int) error {
		if dir, name, err := s.at(s.replaced[i]); err == nil {
			dir.Remove(name) // one that stays harms nothing
		}
		return nil
	})
	s.replaced = nil
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
	h, err := s.lockStore(now, false)
	if err != nil {
		return
	}
	defer h.close()
	if h.beginWriting() == nil && !s.inUse() { // finishing a plan ends with end
		h.endWriting()
	}
}

// sweep removes the files of some folders whose names are leftovers, several at once: names go one after the
// other in a folder, but what was in the files is taken away as well.
func sweep(dirs []*disk.Folder, leftover func(name string) bool) {
	type file struct {
		dir  *disk.Folder
		name string
	}
	var files []file
	for _, dir := range dirs {
		entries, _ := dir.List() // one that can't be read is left
		for _, e := range entries {
			if leftover(e.Name()) {
				files = append(files, file{dir, e.Name()})
			}
		}
	}
	rand.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] }) // in all folders
	together(context.Background(), len(files), func(i int) error {
		files[i].dir.Remove(files[i].name) // one that stays harms nothing
		return nil
	})
}

// leftover reports whether name is that of one of our files that was being written.
func leftover(name string) bool {
	of, is := disk.Leftover(name)
	return is && (strings.HasSuffix(of, ".json") || of == indexName || of == ignoreName)
}

// writeIgnore writes a .gitignore, unless there is one.
func (s *held) writeIgnore(text string) error {
	if _, err := s.dir.Lstat(ignoreName); err == nil {
		return nil
	}
	return writeTo(s.dir, ignoreName, []byte(text), recordMode)
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
	PrivateIgnore = "# These memories are yours alone. `keepsake team git-setup` shares them with a team.\n" +
		"*\n"
)
