// Package revoke takes out of a MemPalace what changed there without a person's approval, and puts it back.
//
// What appeared comes from the log of counts, what was edited or taken away from the history of what the
// palace said. MemPalace's own tools make every change. Before the first one, all that goes is in a file.
package revoke

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/mempalace"
)

// A Thing is one thing that was changed in a palace without an approval.
type Thing struct {
	Path string          `json:"path"` // of the palace's file
	Kind mempalace.Kind  `json:"kind"`
	Is   *mempalace.Item `json:"is,omitempty"`  // what it says now; nil if it is gone
	Was  *mempalace.Item `json:"was,omitempty"` // what it said before; nil if it was not there
	// It happened between two looks at the palace, of which a session had the later.
	Since   time.Time `json:"since"`
	At      time.Time `json:"at"`
	Session string    `json:"session,omitempty"`
	// Twice says that another palace has something with this id, so that MemPalace may mean that one.
	Twice bool `json:"twice,omitempty"`
}

// ID returns the id that MemPalace gave it.
func (t Thing) ID() string {
	if t.Is != nil {
		return t.Is.ID
	}
	return t.Was.ID
}

// same reports whether two things are the same change.
func (t Thing) same(o Thing) bool {
	eq := func(a, b *mempalace.Item) bool { return a == b || a != nil && b != nil && a.Same(*b) }
	return t.Path == o.Path && eq(t.Is, o.Is) && eq(t.Was, o.Was)
}

// A List is what was changed without an approval.
type List struct {
	Things []Thing
	// Away is how many others appeared while no session was open, and so are the person's own or another
	// program's.
	Away int
	Own  int // how many appeared among Keepsake's own drawers
	// Large are the files of palaces that are too large for a history, so that edits there are not known.
	Large []string
}

// A Desk revokes for a person.
type Desk struct {
	Log     mempalace.Log
	History mempalace.History
	Files   []mempalace.File
	Program string // bin/libexec/palace
	Dir     string // of the files with what was taken out
	Away    bool   // what changed while no session was open is listed too
	// Approvals returns what was approved since a time.
	Approvals func(since time.Time) (session.Approvals, error)
	// Call makes calls of MemPalace's tools.
	Call func(context.Context, []tiers.PalaceCall) ([]tiers.PalaceDone, error)
	// Settle records that the person approved a change; ids are what it stored.
	Settle func(writes string, ids []string) error
	Now    func() time.Time
	Note   func(format string, args ...any)
}

// List returns what was changed without an approval, oldest first.
func (d Desk) List(ctx context.Context) (l List, err error) {
	found, err := d.Log.Found()
	if err != nil {
		d.Note("%v", err)
	}
	asks := d.Log.Asks(d.Files)
	counts, err := mempalace.Run(ctx, d.Program, asks)
	if err != nil {
		return l, err
	}
	yes, err := d.Approvals(time.Time{})
	if err != nil {
		return l, fmt.Errorf("what was approved is not known: %w", err)
	}
	later, err := d.Log.Later(asks, counts, func(since time.Time) (mempalace.Approved, error) {
		return yes.Between(since, time.Time{}), nil
	})
	if err != nil {
		return l, err
	}
	for i := range later {
		later[i].At = d.Now()
	}
	if err := d.look(ctx); err != nil {
		return l, err
	}
	in := finder{yes: yes}
	for _, f := range append(found, later...) {
		switch {
		case f.Kind == mempalace.Own:
			l.Own += int(f.New())
		default:
			in.found = append(in.found, f)
		}
	}
	for _, f := range d.Files {
		if f.Kind == mempalace.Own {
			continue
		}
		edits, large, err := d.History.Edits(f, d.Away, yes.Between)
		if err != nil {
			d.Note("%v", err)
		}
		if large && !slices.Contains(l.Large, f.Path) {
			l.Large = append(l.Large, f.Path)
		}
		in.addEdits(f, edits)
	}
	if err := in.read(ctx, d); err != nil {
		return l, err
	}
	in.list(&l, d.Away)
	slices.SortStableFunc(l.Things, func(a, b Thing) int { return a.At.Compare(b.At) })
	return l, nil
}

// look takes a snapshot of the palaces, so that the history is up to date.
func (d Desk) look(ctx context.Context) error {
	s := mempalace.Snapshot{History: d.History, At: d.Now(), Away: d.Log.IsAway()}
	for _, f := range d.Files {
		if f.Kind != mempalace.Own {
			s.Files = append(s.Files, f)
		}
	}
	return s.Take(func(f mempalace.File) ([]mempalace.Item, error) {
		counts, err := mempalace.Run(ctx, d.Program, []mempalace.Ask{{Path: f.Path, Kind: f.Kind,
			Read: &mempalace.Want{All: true}}})
		switch c := counts[f.Path]; {
		case err != nil:
			return nil, err
		case c.Error == mempalace.ErrLarge.Error():
			return nil, mempalace.ErrLarge
		case c.Error != "":
			return nil, fmt.Errorf("it cannot be read: %s; hint: if MemPalace is just writing, try again",
				c.Error)
		default:
			return c.Items, nil
		}
	})
}

// A finder puts together what the log and the history know.
type finder struct {
	yes   session.Approvals
	found []mempalace.Finding
	edits []Thing
	now   map[string]map[string]mempalace.Item // what the palaces hold of it, by file and id
}

func (in *finder) addEdits(f mempalace.File, edits []mempalace.Edit) {
	for _, e := range edits {
		t := Thing{Path: f.Path, Kind: f.Kind, Was: &e.Before, Since: e.Since, At: e.At, Session: e.Session}
		if !e.IsGone() {
			t.Is = &e.After
		}
		if t.Is != nil || !e.Before.IsOver(f.Kind) { // an ended fact says nothing any more
			in.edits = append(in.edits, t)
		}
	}
}

// read reads what the palaces hold of all that was found. Each id is looked for in all files.
func (in *finder) read(ctx context.Context, d Desk) (err error) {
	in.now, err = d.read(ctx, func(f mempalace.File) (want mempalace.Want) {
		for _, n := range in.found {
			if n.Kind == f.Kind {
				want.IDs = append(want.IDs, n.IDs...)
			}
			if n.Path == f.Path && n.Span != nil {
				want.Spans = append(want.Spans, *n.Span)
			}
		}
		for _, t := range in.edits {
			if t.Kind == f.Kind {
				want.IDs = append(want.IDs, t.ID())
			}
		}
		return want
	})
	return err
}

// read returns what each file of a palace holds of what is wanted of it, by file and id.
func (d Desk) read(ctx context.Context, wanted func(mempalace.File) mempalace.Want) (
	map[string]map[string]mempalace.Item, error) {
	var asks []mempalace.Ask
	for _, f := range d.Files {
		if f.Kind == mempalace.Own {
			continue
		}
		if want := wanted(f); len(want.IDs)+len(want.Spans) > 0 {
			asks = append(asks, mempalace.Ask{Path: f.Path, Kind: f.Kind, Read: &want})
		}
	}
	now := map[string]map[string]mempalace.Item{}
	if len(asks) == 0 {
		return now, nil
	}
	counts, err := mempalace.Run(ctx, d.Program, asks)
	if err != nil {
		return nil, err
	}
	for _, a := range asks {
		c := counts[a.Path]
		if c.Error != "" {
			return nil, fmt.Errorf("%s cannot be read: %s; hint: if MemPalace is just writing, try again",
				a.Path, c.Error)
		}
		now[a.Path] = map[string]mempalace.Item{}
		for _, it := range c.Items {
			now[a.Path][it.ID] = it
		}
	}
	return now, nil
}

// list adds the things to a list.
func (in *finder) list(l *List, away bool) {
	listed := map[[2]string]bool{}
	for _, f := range in.found {
		approved := in.yes.Between(f.Since, time.Time{}).IDs
		var ids []string
		for id, it := range in.now[f.Path] {
			// Those that are not named are found by their rows, and have no other finding.
			if it.IsAny(f.IDs) || f.Span != nil && !in.isNamed(f.Path, it) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		for _, id := range ids {
			it := in.now[f.Path][id]
			if listed[[2]string{f.Path, id}] || it.IsOver(f.Kind) || it.IsAny(approved) {
				continue
			}
			if f.Away && !away {
				l.Away++
				continue
			}
			listed[[2]string{f.Path, id}] = true
			l.Things = append(l.Things, Thing{Path: f.Path, Kind: f.Kind, Is: &it, Since: f.Since, At: f.At,
				Session: f.Session, Twice: in.isTwice(f.Path, id)})
		}
	}
	for _, t := range in.edits {
		if listed[[2]string{t.Path, t.ID()}] || slices.ContainsFunc(in.yes.Between(t.At, time.Time{}).IDs,
			func(a string) bool { return mempalace.Whole(a) == t.ID() }) {
			continue
		}
		t.Twice = in.isTwice(t.Path, t.ID())
		l.Things = append(l.Things, t)
	}
}

// isNamed reports whether a finding or an edit names an item.
func (in *finder) isNamed(path string, it mempalace.Item) bool {
	return slices.ContainsFunc(in.found, func(f mempalace.Finding) bool {
		return f.Path == path && it.IsAny(f.IDs)
	}) || slices.ContainsFunc(in.edits, func(t Thing) bool { return t.Path == path && t.ID() == it.ID })
}

// isTwice reports whether another file has something with the same id.
func (in *finder) isTwice(path, id string) bool {
	for other, items := range in.now {
		if _, is := items[id]; is && other != path {
			return true
		}
	}
	return false
}

// version is the version of the file's form.
const version = 1

// taken is the content of the file with what was taken out.
type taken struct {
	Version int       `json:"version"`
	At      time.Time `json:"at"`
	Things  []Thing   `json:"things"`
}

// maxTaken is the size of the largest file that is read, in bytes.
const maxTaken = 256 << 20

// A Failure is a thing that could not be changed.
type Failure struct {
	Thing
	Why string
}

// Out takes things out of the palaces, and puts back what they took the place of. Everything is in the file
// that is returned before the first is changed, so that whatever ends the run loses nothing, and the same can
// be run again.
func (d Desk) Out(ctx context.Context, things []Thing) (file string, failed []Failure, err error) {
	l, err := d.lock(ctx)
	if err != nil {
		return "", nil, err
	}
	defer l.Unlock()
	now, err := d.List(ctx)
	if err != nil {
		return "", nil, err
	}
	var going []Thing
	for _, t := range things {
		i := slices.IndexFunc(now.Things, t.same)
		switch {
		case i < 0:
			failed = append(failed, Failure{t, "it changed since you saw it: look again"})
		case now.Things[i].Twice:
			failed = append(failed,
				Failure{t, "another palace has something with this id: take it out with MemPalace"})
		default:
			going = append(going, t)
		}
	}
	if len(going) == 0 {
		return "", failed, nil
	}
	if file, err = d.save(going); err != nil {
		return "", failed, err
	}
	// A session that ends a turn now must not report what goes.
	if err := d.Settle(digest("out", file, d.Now()), nil); err != nil {
		return file, failed, err
	}
	ids, more, err := d.change(ctx, going,
		func(t Thing) (from, to *mempalace.Item) { return t.Is, t.Was })
	if len(ids) > 0 {
		err = errors.Join(err, d.Settle(digest("mended", file, d.Now()), ids))
	}
	failed = append(failed, more...)
	still, lerr := d.List(ctx)
	if lerr == nil && !slices.ContainsFunc(going, func(t Thing) bool {
		return !slices.ContainsFunc(still.Things, t.same)
	}) {
		// As when another server keeps the palace. Then nothing needs the file.
		err = errors.Join(err, disk.Remove(file))
		file = ""
	}
	if err != nil {
		return file, failed, err
	}
	for _, t := range going {
		if slices.ContainsFunc(still.Things, t.same) && !slices.ContainsFunc(failed, func(f Failure) bool {
			return f.same(t)
		}) {
			failed = append(failed,
				Failure{t, "it is still there: MemPalace's server may serve another palace"})
		}
	}
	return file, failed, lerr
}

// lockWait is how long a run waits for another one to end.
const lockWait = 10 * time.Second

// lock keeps other runs out. Two that make the same change would store what comes back twice.
func (d Desk) lock(ctx context.Context) (*disk.Lock, error) {
	if err := disk.Private(d.Dir); err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, err := disk.Exclusive(wait, filepath.Join(d.Dir, ".lock"))
	if errors.Is(err, disk.ErrLocked) && ctx.Err() == nil {
		return nil, fmt.Errorf("another keepsake gate revoke is running: %w", err)
	}
	return l, err
}

// save writes things to a new file, durably.
func (d Desk) save(things []Thing) (string, error) {
	at := d.Now().UTC()
	b, err := json.MarshalIndent(taken{version, at, things}, "", " ")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	path := filepath.Join(d.Dir, at.Format("20060102T150405Z-")+hex.EncodeToString(sum[:4])+".json")
	return path, disk.Write(path, append(b, '\n'), 0o600)
}

// Read returns the things in a file that Out wrote.
func Read(path string) ([]Thing, error) {
	b, err := disk.Read(path, maxTaken)
	if err != nil {
		return nil, err
	}
	var in taken
	if err := json.Unmarshal(b, &in); err != nil || in.Version != version ||
		slices.ContainsFunc(in.Things, func(t Thing) bool { return t.Is == nil && t.Was == nil }) {
		return nil, fmt.Errorf("%s: not a file of version %d with what was taken out of a palace", path,
			version)
	}
	return in.Things, nil
}

// Back undoes Out for things of its file. It counts as the person's approval of them. What is as it shall be
// is left as it is, so that a run which was cut off can be run again.
func (d Desk) Back(ctx context.Context, things []Thing) ([]Failure, error) {
	l, err := d.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer l.Unlock()
	now, err := d.read(ctx, func(f mempalace.File) (want mempalace.Want) {
		for _, t := range things {
			if t.Path == f.Path {
				want.IDs = append(want.IDs, t.ID())
			}
		}
		return want
	})
	if err != nil {
		return nil, err
	}
	var ids []string
	var left []Thing
	for _, t := range things {
		switch it, is := now[t.Path][t.ID()]; {
		case t.Is == nil && !is:
		case t.Is != nil && is && it.Same(*t.Is) && it.IsOver(t.Kind) == t.Is.IsOver(t.Kind):
			ids = append(ids, t.ID())
		default:
			left = append(left, t)
		}
	}
	some, failed, err := d.change(ctx, left,
		func(t Thing) (from, to *mempalace.Item) { return t.Was, t.Is })
	if ids = append(ids, some...); len(ids) > 0 {
		err = errors.Join(err, d.Settle(digest("back", ids[0], d.Now()), ids))
	}
	return failed, err
}

// change makes each thing what it shall be. It returns the ids of what was stored.
func (d Desk) change(ctx context.Context, things []Thing,
	of func(Thing) (from, to *mempalace.Item)) (ids []string, failed []Failure, err error) {
	var calls []tiers.PalaceCall
	var owner []int
	// Drawers come before tunnels, which lead to rooms that must exist; what goes, goes in the other order.
	order := map[mempalace.Kind]int{mempalace.Drawers: 0, mempalace.Facts: 1, mempalace.Tunnels: 2}
	things = slices.Clone(things)
	slices.SortStableFunc(things, func(a, b Thing) int {
		_, to := of(a)
		if to == nil {
			return order[b.Kind] - order[a.Kind]
		}
		return order[a.Kind] - order[b.Kind]
	})
	for i, t := range things {
		from, to := of(t)
		some, err := callsFor(t.Kind, from, to, d.Now())
		if err != nil {
			failed = append(failed, Failure{t, err.Error()})
			continue
		}
		for range some {
			owner = append(owner, i)
		}
		calls = append(calls, some...)
	}
	done, err := d.Call(ctx, calls)
	bad := map[int]bool{}
	for i, r := range done {
		t := things[owner[i]]
		if r.Trouble != "" && !bad[owner[i]] {
			bad[owner[i]] = true
			failed = append(failed, Failure{t, r.Trouble})
		}
		if _, to := of(t); to != nil && r.Trouble == "" {
			ids = append(ids, append(r.IDs, t.ID())...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), failed, err
}

func digest(parts ...any) string {
	sum := sha256.Sum256(fmt.Append(nil, parts...))
	return hex.EncodeToString(sum[:])
}
