package mempalace

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"keepsake/pkg/disk"
)

// History is the folder of what the palaces said at each look, so that an edit can be seen and undone. Each
// file of a palace has one file there, of one line for each look that saw a change.
type History struct{ Dir string }

// Bounds of a history. Older looks, and those beyond the size, are folded into the oldest one that is kept.
const (
	maxHistory = 64 << 20 // bytes of one file
	keptFor    = 30 * 24 * time.Hour
	maxPalace  = 1 << 30 // bytes of a file of a palace that is read
)

// A look is one line of a history. The first line has all items, the others have what changed since the one
// before.
type look struct {
	Path    string    `json:"path,omitempty"` // in the first line
	Kind    Kind      `json:"kind,omitempty"`
	Version int       `json:"version,omitempty"`
	At      time.Time `json:"at"`
	Session string    `json:"session,omitempty"`
	Away    bool      `json:"away,omitempty"` // no session was open since the look before
	Items   []Item    `json:"items,omitempty"`
	Gone    []string  `json:"gone,omitempty"`
	// Large says that the palace was too large to be read.
	Large bool `json:"large,omitempty"`
}

// A Snapshot says what is to be kept of the palaces as they are now.
type Snapshot struct {
	History History   `json:"-"`
	Files   []File    `json:"files"`
	Session string    `json:"session"`
	At      time.Time `json:"at"`
	Away    bool      `json:"away"`
}

// start starts the program that takes the snapshot, and does not wait for it.
func (s Snapshot) start(program string) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	cmd := exec.Command(program, s.History.Dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the client may kill the group of a hook
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = in.Write(b)
	return errors.Join(err, in.Close(), cmd.Process.Release())
}

// Take takes the snapshot with the items that read returns. A palace that can't be read now, as when
// MemPalace is writing, is left for the next look.
func (s Snapshot) Take(read func(File) ([]Item, error)) error {
	if err := disk.Private(s.History.Dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	lock, err := disk.Exclusive(ctx, filepath.Join(s.History.Dir, "lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	errs := []error{s.History.sweep(s.At)}
	for _, f := range s.Files {
		info, err := os.Stat(f.Path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		var now []Item
		large := info.Size() > maxPalace
		if !large {
			now, err = read(f)
			large = errors.Is(err, ErrLarge)
		}
		if err != nil && !large {
			errs = append(errs, fmt.Errorf("%s: %w", f.Path, err))
			continue
		}
		errs = append(errs, s.add(f, now, large))
	}
	return errors.Join(errs...)
}

// Forget removes things from the histories, by their ids.
func (h History) Forget(ids []string) error {
	files, err := filepath.Glob(filepath.Join(h.Dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	lock, err := disk.Exclusive(ctx, filepath.Join(h.Dir, "lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	var errs []error
	for _, name := range files {
		looks, _, err := h.load(firstPath(name))
		errs = append(errs, err)
		found := false
		for i, l := range looks {
			n := len(l.Items) + len(l.Gone)
			l.Items = slices.DeleteFunc(l.Items, func(it Item) bool { return it.IsAny(ids) })
			l.Gone = slices.DeleteFunc(l.Gone, func(id string) bool { return slices.Contains(ids, id) })
			found = found || len(l.Items)+len(l.Gone) < n
			looks[i] = l
		}
		if found {
			errs = append(errs, writeLooks(name, looks))
		}
	}
	return errors.Join(errs...)
}

// file returns the path of the history of a file of a palace.
func (h History) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(h.Dir, fmt.Sprintf("%x.jsonl", sum[:8]))
}

// has reports whether there is a history of a file of a palace.
func (h History) has(path string) bool {
	_, err := os.Lstat(h.file(path))
	return err == nil
}

// add adds a look at a file, if it sees a change.
func (s Snapshot) add(f File, now []Item, large bool) error {
	path := s.History.file(f.Path)
	looks, whole, err := s.History.load(f.Path)
	if err != nil {
		return err
	}
	next := look{At: s.At, Session: s.Session, Away: s.Away, Large: large}
	base := func(l look) look {
		l.Path, l.Kind, l.Version = f.Path, f.Kind, version
		return l
	}
	if large || len(looks) == 0 || looks[0].Large {
		if large && len(looks) == 1 && looks[0].Large {
			return nil
		}
		next.Items = now
		return writeLooks(path, []look{base(next)})
	}
	was := replay(looks)
	for _, it := range now {
		if old, is := was[it.ID]; !is || !old.Same(it) {
			next.Items = append(next.Items, it)
		}
		delete(was, it.ID)
	}
	next.Gone = slices.Sorted(maps.Keys(was))
	if len(next.Items)+len(next.Gone) == 0 {
		return nil
	}
	line, err := json.Marshal(next)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if whole && info.Size()+int64(len(line)) < maxHistory && s.At.Sub(looks[0].At) < 2*keptFor {
		return appendLine(path, line)
	}
	looks = append(looks, next)
	from := max(0, slices.IndexFunc(looks, func(l look) bool { return s.At.Sub(l.At) < keptFor })-1)
	for {
		kept := fold(looks, from)
		kept[0] = base(kept[0])
		err := writeLooks(path, kept)
		if !errors.Is(err, errFull) || len(kept) == 1 {
			return err
		}
		from += (len(looks) - from + 1) / 2
	}
}

// fold returns the looks with those before from as one, which comes first.
func fold(looks []look, from int) []look {
	first := looks[from]
	all := replay(looks[:from+1])
	first.Items, first.Gone = nil, nil
	for _, id := range slices.Sorted(maps.Keys(all)) {
		first.Items = append(first.Items, all[id])
	}
	return append([]look{first}, looks[from+1:]...)
}

// replay returns what a palace held after some looks, by id.
func replay(looks []look) map[string]Item {
	all := map[string]Item{}
	for _, l := range looks {
		for _, it := range l.Items {
			all[it.ID] = it
		}
		for _, id := range l.Gone {
			delete(all, id)
		}
	}
	return all
}

var errFull = errors.New("the history would be too large")

func writeLooks(path string, looks []look) error {
	var b bytes.Buffer
	for _, l := range looks {
		line, err := json.Marshal(l)
		if err != nil {
			return err
		}
		if b.Write(append(line, '\n')); b.Len() > maxHistory && len(looks) > 1 {
			return errFull
		}
	}
	return disk.Replace(path, b.Bytes(), 0o600)
}

func appendLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// load returns the looks at a file of a palace. whole is false if the last line was cut off by a crash.
func (h History) load(path string) (looks []look, whole bool, err error) {
	b, err := disk.Read(h.file(path), 2*maxHistory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	for len(b) > 0 {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		var l look
		if !ended || json.Unmarshal(line, &l) != nil {
			return looks, false, nil
		}
		if len(looks) == 0 && (l.Path != path || l.Version != version) {
			return nil, false, fmt.Errorf("%s: no history of version %d of %s; hint: move it aside, and the "+
				"next look begins a new one", h.file(path), version, path)
		}
		looks, b = append(looks, l), rest
	}
	return looks, true, nil
}

// sweep removes the histories of palaces that are gone for long.
func (h History) sweep(now time.Time) error {
	entries, err := os.ReadDir(h.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || filepath.Ext(e.Name()) != ".jsonl" || now.Sub(info.ModTime()) < keptFor {
			continue
		}
		if path := firstPath(filepath.Join(h.Dir, e.Name())); path != "" {
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				os.Remove(filepath.Join(h.Dir, e.Name()))
			}
		}
	}
	return nil
}

// firstPath returns the path of the palace's file in the first line of a history.
func firstPath(name string) string {
	f, _, err := disk.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	// Path is the first field, and the line may be long.
	d := json.NewDecoder(bufio.NewReader(f))
	for _, want := range []json.Token{json.Delim('{'), "path"} {
		if t, err := d.Token(); err != nil || t != want {
			return ""
		}
	}
	t, _ := d.Token()
	path, _ := t.(string)
	return path
}

// An Edit is something that was changed in its place, or taken away, without a person's yes.
type Edit struct {
	Before Item
	After  Item // the zero Item if it is gone
	// It happened between two looks, of which a session had the later.
	Since, At time.Time
	Session   string
}

// IsGone reports whether it was taken away.
func (e Edit) IsGone() bool { return e.After.ID == "" }

// Edits returns the edits in a file of a palace that were not approved, by id. approved returns what was
// approved in a time. With away it returns those from when no session was open too. large reports that the
// palace is too large for a history.
func (h History) Edits(f File, away bool, approved func(since, until time.Time) Approved) (all []Edit,
	large bool, err error) {
	looks, _, err := h.load(f.Path)
	if err != nil || len(looks) == 0 {
		return nil, false, err
	}
	good, open := map[string]Item{}, map[string]Edit{}
	for i, l := range looks {
		var yes Approved
		mine := i == 0 || l.Away && !away
		if !mine {
			yes = approved(looks[i-1].At, l.At)
		}
		for _, it := range l.Items {
			before, was := good[it.ID]
			edit, edited := open[it.ID]
			switch {
			case mine || !was && !edited || yes.covers(it, f.Kind):
				good[it.ID] = it
				delete(open, it.ID)
			case was && before.Same(it): // it is again as it was
				delete(open, it.ID)
			case edited:
				edit.After = it
				open[it.ID] = edit
			default:
				open[it.ID] = Edit{Before: before, After: it, Since: looks[i-1].At, At: l.At,
					Session: l.Session}
			}
		}
		for _, id := range l.Gone {
			before, was := good[id]
			edit, edited := open[id]
			switch {
			case mine || yes.Open || yes.Removes || !was:
				delete(good, id)
				delete(open, id)
			case edited:
				edit.After = Item{}
				open[id] = edit
			default:
				open[id] = Edit{Before: before, Since: looks[i-1].At, At: l.At, Session: l.Session}
			}
		}
	}
	all = slices.SortedFunc(maps.Values(open), func(a, b Edit) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Before.ID, b.Before.ID))
	})
	return all, looks[0].Large, nil
}

// covers reports whether the approval is one to change an item.
func (a Approved) covers(it Item, k Kind) bool {
	return a.Open || k == Facts && a.Ends || it.IsAny(a.IDs)
}
