package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/memdir/snapshot"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
	"keepsake/pkg/store"
)

// snapLimit is how long a hook may copy changed files. The rest is copied the next time.
const snapLimit = 100 * time.Millisecond

// Beside returns the folder in which Keepsake keeps its own files about a directory of memories. No
// variable can move it into the project. There a project could bring along a plan that looks cut short,
// and Keepsake would finish it.
func (md *Memdir) Beside(dir string) string {
	return md.Dirs.Beside(md.resolved(dir))
}

// Snapshots returns the snapshots of a directory of Markdown memories.
func (md *Memdir) Snapshots(dir string) snapshot.Box {
	return snapshot.Box{Dir: filepath.Join(md.Beside(dir), "snapshots")}
}

// Snap takes a snapshot of a directory of Markdown memories, if a file has changed since the last. was is
// the snapshot before, is the present one; a missing one has no name. Files that can't be copied within
// the limit are copied the next time.
func (md *Memdir) Snap(dir string, now time.Time, limit time.Duration) (was, is snapshot.Kept, err error) {
	all, err := listMemories(dir)
	if err != nil {
		return was, is, err
	}
	files := make([]snapshot.File, len(all))
	for i, f := range all {
		files[i] = snapshot.File{Name: f.Name, Size: f.Size, Modified: f.Modified.UnixNano(),
			State: f.State}
	}
	return md.Snapshots(dir).Take(now, files, func(name string) ([]byte, error) {
		return mdwalk.Read(dir, name)
	}, limit)
}

// Keep takes snapshots of the project's and the root scope's directories, for a hook that says
// nothing about them.
func (md *Memdir) Keep(now time.Time) {
	end := time.Now().Add(snapLimit)
	for _, dir := range md.MemoryDirs() {
		if _, _, err := md.Snap(dir, now, time.Until(end)); err != nil && !errors.Is(err, disk.ErrLocked) {
			md.Fault("snapshot", "no copy was kept of the memory files in "+dir+
				", so what is deleted next can't be brought back", err)
		}
	}
}

// told records what sessions were told about a directory of memories.
type told struct {
	Snapshot string `json:"snapshot,omitempty"` // the last one whose deletions were told
	Index    string `json:"index,omitempty"`    // digest of what was told of MEMORY.md
	Upkeep   string `json:"upkeep,omitempty"`   // the day on which upkeep was proposed, or done
}

// toldPath returns the path of the file with a directory's told.
func (md *Memdir) toldPath(dir string) string { return filepath.Join(md.Beside(dir), "told.json") }

// readTold returns what was told about a directory so far. It is empty if the file can't be read, since
// telling twice is better than never.
func (md *Memdir) readTold(dir string) (t told) {
	if b, err := disk.Read(md.toldPath(dir), maxSettings); err == nil {
		_ = json.Unmarshal(b, &t)
	}
	return t
}

// writeTold stores what was told about a directory.
func (md *Memdir) writeTold(dir string, t told) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	file := md.toldPath(dir)
	return errors.Join(disk.Private(filepath.Dir(file)), disk.Replace(file, b, 0o600))
}

// A Loss is the files that somebody deleted from a directory of Markdown memories, and those of which
// statements are gone since somebody wrote them anew.
type Loss struct {
	Dir       string
	Root      bool     // the root scope's directory, not the project's
	Names     []string // below Dir, with slashes
	Rewritten []brief.Rewritten
	Since     time.Time
}

// Vanished takes a snapshot of the project's and the root scope's Markdown memories, and returns the
// files, and the statements of other files, that are gone since a session was last told. Files that a plan of
// Keepsake's removed or changed, and what stands elsewhere now, do not count. It returns each loss once. If
// one directory can't be read, the loss of the other is still returned.
func (md *Memdir) Vanished(now time.Time) (all []Loss, err error) {
	end := time.Now().Add(snapLimit)
	for i, dir := range md.MemoryDirs() {
		l := Loss{Dir: dir, Root: i > 0}
		lerr := md.findLoss(&l, now, time.Until(end))
		err = errors.Join(err, lerr)
		if len(l.Names)+len(l.Rewritten) > 0 {
			all = append(all, l)
		}
	}
	return all, err
}

// findLoss fills in the names and the time of a loss.
func (md *Memdir) findLoss(l *Loss, now time.Time, limit time.Duration) error {
	was, is, err := md.Snap(l.Dir, now, limit)
	if err != nil || is.Name == "" {
		return err
	}
	t := md.readTold(l.Dir)
	upTo := t.Snapshot
	if upTo == is.Name {
		return nil
	}
	t.Snapshot = is.Name
	if err := md.writeTold(l.Dir, t); err != nil || upTo == "" {
		return err
	}
	then := was.Snapshot
	if upTo != was.Name || then.Taken.IsZero() {
		then, err = md.Snapshots(l.Dir).Load(upTo)
	}
	if errors.Is(err, fs.ErrNotExist) { // the snapshot is so old that it is no longer kept
		return nil
	}
	if err != nil {
		return err
	}
	l.Since = then.Taken
	changed := md.Changed(l.Dir, then, is.Snapshot)
	files, err := md.Lost(l.Dir, then, changed)
	for _, f := range files {
		l.Names = append(l.Names, f.Name)
	}
	var rerr error
	l.Rewritten, rerr = md.rewritten(l.Dir, then, is.Snapshot, changed)
	return errors.Join(err, rerr)
}

// maxRewritten bounds how many changed files are compared with what they were, and how many bytes the others
// may have.
const (
	maxRewritten = 32
	maxCompared  = 4 << 20
)

// rewritten returns the files of a directory that lost statements since a snapshot, or of which statements
// have other numbers, but not by a plan of Keepsake's. A statement that another file has now is not lost.
func (md *Memdir) rewritten(dir string, then, is snapshot.Snapshot, changed []snapshot.Change) (
	all []brief.Rewritten, err error) {
	box := md.Snapshots(dir)
	var lost [][]string
	var changes [][]memdir.Renumbered
	for _, c := range changed {
		if c.Was == (snapshot.File{}) || c.Is == (snapshot.File{}) || len(lost) == maxRewritten {
			continue
		}
		before, err := box.Read(c.Was)
		if err != nil {
			continue // it was gone before it was copied
		}
		now, err := box.Read(c.Is)
		if err != nil {
			continue
		}
		lines, other := memdir.Lost(before, now), memdir.Changed(before, now)
		if len(lines)+len(other) > 0 {
			all = append(all, brief.Rewritten{Name: c.Was.Name})
			lost, changes = append(lost, lines), append(changes, other)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	ours := map[string]bool{}
	err = md.Notes(dir).History(func(a store.Applied) bool {
		for _, e := range a.Edits {
			ours[e.Path] = ours[e.Path] || a.At.After(then.Taken)
		}
		return a.At.After(then.Taken)
	}, nil)
	kept, size := map[string]bool{}, int64(0)
	for _, f := range is.Files {
		if size += f.Size; size > maxCompared {
			break
		}
		now, err := box.Read(f)
		if err != nil {
			continue
		}
		for l := range strings.Lines(string(now)) {
			kept[strings.TrimSpace(l)] = true
		}
	}
	for i := range all {
		if ours[all[i].Name] {
			continue
		}
		for _, l := range lost[i] {
			if !kept[l] {
				all[i].Lines++
			}
		}
		for _, c := range changes[i] {
			if !kept[c.Was] {
				all[i].Changed = append(all[i].Changed, memdir.Renumbered{Was: secret.Redact(c.Was),
					Is: secret.Redact(c.Is)})
			}
		}
	}
	return slices.DeleteFunc(all, func(r brief.Rewritten) bool {
		return r.Lines == 0 && len(r.Changed) == 0
	}), err
}

// Changed returns the differences between two snapshots of a directory of Markdown memories. It leaves
// out files that still exist but can't be copied any more: those that are too large now, or links.
func (md *Memdir) Changed(dir string, then, is snapshot.Snapshot) []snapshot.Change {
	return slices.DeleteFunc(snapshot.Diff(then, is), func(c snapshot.Change) bool {
		if c.Is != (snapshot.File{}) || c.Moved != "" {
			return false
		}
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(c.Was.Name)))
		return err == nil
	})
}

// Lost returns the files of a directory's snapshot that were deleted since, but not by a plan of
// Keepsake's. changed are the changes since.
func (md *Memdir) Lost(dir string, then snapshot.Snapshot, changed []snapshot.Change) ([]snapshot.File,
	error) {
	gone := snapshot.Gone(changed)
	if len(gone) == 0 {
		return nil, nil
	}
	ours, err := md.deletedByPlans(dir, then.Taken)
	return slices.DeleteFunc(gone, func(f snapshot.File) bool { return ours[f.Name] }), err
}

// deletedByPlans returns the paths of the Markdown memories that plans have removed since a time and that
// no later plan brought back.
func (md *Memdir) deletedByPlans(dir string, since time.Time) (map[string]bool, error) {
	ours := map[string]bool{}
	err := md.Notes(dir).History(func(a store.Applied) bool {
		for _, e := range a.Edits {
			if _, later := ours[e.Path]; !later {
				ours[e.Path] = e.Deletes()
			}
		}
		return a.At.After(since)
	}, nil)
	return ours, err
}

// overgrown are the rules of lint for an index that became a memory.
var overgrown = []string{"index-cut", "index-long", "index-paragraph", "index-content", "index-stream",
	"index-history"}

// Overgrown returns lint's findings that MEMORY.md is too long or holds more than pointers. It
// reads only that file. It returns the same findings once, to whichever session asks first.
func (md *Memdir) Overgrown(now time.Time) ([]memdir.Finding, error) {
	dir := md.MemoryDir()
	all, err := listMemories(dir)
	if err != nil || !slices.ContainsFunc(all, func(f mdwalk.Stat) bool { return f.Name == memdir.Index }) {
		return nil, err
	}
	text, err := mdwalk.Read(dir, memdir.Index)
	if err != nil {
		return nil, err
	}
	index := memdir.File{Path: memdir.Index, Bytes: text}
	files := []memdir.File{index}
	for _, f := range all {
		if f.Name != memdir.Index {
			files = append(files, memdir.File{Path: f.Name})
		}
	}
	found := memdir.LintFor(memdir.Dir{Files: []memdir.File{index}, Now: now}, md.profile(files),
		overgrown...)
	var key string
	for _, f := range found {
		key += f.Rule + " " + f.Why + "\n"
	}
	if key != "" {
		key = plan.DigestOf([]byte(key))
	}
	t := md.readTold(dir)
	if t.Index == key {
		return nil, nil
	}
	t.Index = key
	return found, md.writeTold(dir, t)
}
