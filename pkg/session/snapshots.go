package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memdir"
	"keepsake/pkg/notes"
	"keepsake/pkg/paths"
	"keepsake/pkg/plan"
	"keepsake/pkg/snapshot"
	"keepsake/pkg/store"
)

// snapLimit is how long a hook copies changed files; the rest is copied next time.
const snapLimit = 100 * time.Millisecond

// Beside is the folder for what is kept of a directory of memories, outside of it. It
// is never in the project, by whatever variable: a plan that a project brings along, as
// if it were cut short, would be finished there.
func (s *Session) Beside(dir string) string {
	state := s.Dirs.State
	if home, moved := s.moved(state); moved {
		state = filepath.Join(home, ".local", "state", "keepsake")
	}
	return filepath.Join(state, "notes", paths.Key(followed(dir)))
}

// Snapshots are what the project's Markdown memories said at other times.
func (s *Session) Snapshots() snapshot.Box { return s.snapshots(s.MemoryDir()) }

func (s *Session) snapshots(dir string) snapshot.Box {
	return snapshot.Box{Dir: filepath.Join(s.Beside(dir), "snapshots")}
}

// Snap takes a snapshot of the project's Markdown memories if one of them changed
// since the last, and names the one that says what there is; "" when there is none.
// What can't be copied within the limit is copied the next time.
func (s *Session) Snap(now time.Time, limit time.Duration) (name string, err error) {
	dir := s.MemoryDir()
	if dir == "" {
		return "", nil
	}
	all, err := listMemories(dir)
	if err != nil {
		return "", err
	}
	files := make([]snapshot.File, len(all))
	for i, f := range all {
		files[i] = snapshot.File{Name: f.Name, Size: f.Size, Modified: f.Modified.UnixNano()}
	}
	return s.snapshots(dir).Take(now, files, func(name string) ([]byte, error) { return notes.Read(dir, name) }, limit)
}

// Keep is Snap for a hook that has nothing to say about it.
func (s *Session) Keep(now time.Time) {
	if _, err := s.Snap(now, snapLimit); err != nil && !errors.Is(err, disk.ErrLocked) {
		s.Fault("snapshot", "what the client's memory files say was not kept, so what is deleted next can't be brought back", err)
	}
}

// told is what sessions were told about a directory of memories.
type told struct {
	Snapshot string `json:"snapshot,omitempty"` // up to which one deletions were told
	Index    string `json:"index,omitempty"`    // digest of what was told of MEMORY.md
	Upkeep   string `json:"upkeep,omitempty"`   // the day on which upkeep was proposed, or done
}

func (s *Session) toldFile() string { return filepath.Join(s.Beside(s.MemoryDir()), "told.json") }

// toldBefore is what was told so far; nothing where that can't be read, since twice
// is better than never.
func (s *Session) toldBefore() (t told) {
	if b, err := disk.Read(s.toldFile(), maxSettings); err == nil {
		_ = json.Unmarshal(b, &t)
	}
	return t
}

func (s *Session) tell(t told) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return errors.Join(disk.Private(filepath.Dir(s.toldFile())), disk.Replace(s.toldFile(), b, 0o600))
}

// Vanished takes a snapshot and says which Markdown memories are gone since a session
// was last told, and since when, but for those that a plan of keepsake's took away and
// those whose text lies under another name. It says so once.
func (s *Session) Vanished(now time.Time) (gone []string, since time.Time, err error) {
	name, err := s.Snap(now, snapLimit)
	if err != nil || name == "" {
		return nil, since, err
	}
	t := s.toldBefore()
	was := t.Snapshot
	if was == name {
		return nil, since, nil
	}
	t.Snapshot = name
	if err := s.tell(t); err != nil || was == "" {
		return nil, since, err
	}
	box := s.Snapshots()
	then, err := box.Load(was)
	if errors.Is(err, fs.ErrNotExist) { // so long ago that it is no longer kept
		return nil, since, nil
	}
	is, ierr := box.Load(name)
	if err := errors.Join(err, ierr); err != nil {
		return nil, since, err
	}
	files, err := s.Lost(then, s.Changed(then, is))
	for _, f := range files {
		gone = append(gone, f.Name)
	}
	return gone, then.Taken, err
}

// Changed is what differs in a later snapshot of the project's Markdown memories, but
// for files that are still there and only can't be kept: too large now, or a link.
func (s *Session) Changed(then, is snapshot.Snapshot) []snapshot.Change {
	return slices.DeleteFunc(snapshot.Diff(then, is), func(c snapshot.Change) bool {
		if c.Is != (snapshot.File{}) || c.Moved != "" {
			return false
		}
		_, err := os.Lstat(filepath.Join(s.MemoryDir(), filepath.FromSlash(c.Was.Name)))
		return err == nil
	})
}

// Lost are the files of a snapshot that are gone by what has changed since, and that
// no plan of keepsake's has taken away.
func (s *Session) Lost(then snapshot.Snapshot, changed []snapshot.Change) ([]snapshot.File, error) {
	gone := snapshot.Gone(changed)
	if len(gone) == 0 {
		return nil, nil
	}
	ours, err := s.took(then.Taken)
	return slices.DeleteFunc(gone, func(f snapshot.File) bool { return ours[f.Name] }), err
}

// took are the Markdown memories that plans have taken away since a time.
func (s *Session) took(since time.Time) (map[string]bool, error) {
	ours := map[string]bool{}
	err := s.Notes(s.MemoryDir()).History(func(a store.Applied) bool {
		for _, e := range a.Edits {
			if e.Deletes() {
				ours[e.Path] = true
			}
		}
		return a.At.After(since)
	}, nil)
	return ours, err
}

// overgrown are the rules of lint that speak of an index that became a memory.
var overgrown = []string{"index-cut", "index-long", "index-paragraph", "index-content", "index-stream", "index-history"}

// Overgrown are the findings of lint that say that MEMORY.md is too long or holds
// more than pointers. It reads that file only, and says the same findings once, to
// whichever session.
func (s *Session) Overgrown(now time.Time) ([]memdir.Finding, error) {
	dir := s.MemoryDir()
	all, err := listMemories(dir)
	if err != nil || !slices.ContainsFunc(all, func(f notes.Stat) bool { return f.Name == memdir.Index }) {
		return nil, err
	}
	text, err := notes.Read(dir, memdir.Index)
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
	p, set := memdir.Named(s.Config.Memdir.Profile)
	if !set {
		p = memdir.Detect(files)
	}
	found := memdir.LintFor(memdir.Dir{Files: []memdir.File{index}, Now: now}, p, overgrown...)
	var key string
	for _, f := range found {
		key += f.Rule + " " + f.Why + "\n"
	}
	if key != "" {
		key = plan.DigestOf([]byte(key))
	}
	t := s.toldBefore()
	if t.Index == key {
		return nil, nil
	}
	t.Index = key
	return found, s.tell(t)
}
