package promote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/why/drawer"
)

// A Register lists the drawers that this user promoted from a project, and which memories say the same as
// each of them. No back end knows these memories. A drawer must not be recalled as true when its memory
// no longer holds.
//
//	Path  one JSON file, and beside it a lock
type Register struct{ Path string }

// RegisterOf returns the register of a session's project.
func RegisterOf(s *session.Session) Register { return Register{s.Drawers()} }

// A Kept is a drawer that was promoted.
type Kept struct {
	Path    string    `json:"path"`              // wing/room/drawer
	IDs     []string  `json:"ids"`               // of the drawer and its pieces, as the back end named them
	Backend string    `json:"backend"`           // as tiers.Choice names it
	Records []string  `json:"records,omitempty"` // the memories that say the same, below the store's root
	At      time.Time `json:"at"`                // when it was promoted
	Stays   bool      `json:"stays,omitempty"`   // the person wants it although its memory is gone
}

// is reports whether path is the back end's path of the drawer or of one of its pieces.
func (k Kept) is(path string) bool {
	if k.Path == path {
		return true
	}
	at := strings.LastIndexByte(path, '/')
	own := strings.LastIndexByte(k.Path, '/')
	return at == own && path[:at+1] == k.Path[:own+1] && slices.Contains(k.IDs, path[at+1:])
}

// isOf reports whether the memory at path says the same as the drawer.
func (k Kept) isOf(path string) bool { return slices.Contains(k.Records, path) }

// Fate is what became of the memories that say the same as a drawer. The zero Fate means that the drawer
// still holds.
type Fate struct {
	Over bool   // none of them holds any more
	By   string // the memory that took the place of one, "" for none
	Of   string // a memory that it was promoted of
}

// Fate returns what became of the drawer's memories, given all records of the store. An archived memory
// still holds, as nobody said that it is wrong. A missing one does not: it was retired before, or
// forgotten.
func (k Kept) Fate(records []memory.Stored) (f Fate) {
	if len(k.Records) == 0 || k.Stays {
		return f
	}
	f = Fate{Over: true, Of: k.Records[0]}
	for _, path := range k.Records {
		i := slices.IndexFunc(records, func(r memory.Stored) bool { return r.Path == path })
		switch {
		case i < 0:
		case records[i].Status != memory.Retired:
			return Fate{}
		case records[i].SupersededBy != "":
			f.By = records[i].SupersededBy
		}
	}
	return f
}

// An Overdue is a drawer whose memory holds no longer.
type Overdue struct {
	Kept
	By string // the memory that took its place, "" for none
	Of string // the memory that it was promoted of
}

// Why returns in words what became of the memory.
func (o Overdue) Why() string {
	if o.By != "" {
		return "superseded by " + brief.Line(o.By)
	}
	return brief.Line(o.Of) + " holds no longer"
}

// Overdue returns the drawers whose memories no longer hold; if of has paths of memories, only the
// drawers of these.
func (r Register) Overdue(records []memory.Stored, of ...string) (all []Overdue, err error) {
	kept, err := r.All()
	for _, k := range kept {
		if f := k.Fate(records); f.Over && (len(of) == 0 || slices.ContainsFunc(of, k.isOf)) {
			all = append(all, Overdue{k, f.By, f.Of})
		}
	}
	return all, err
}

// Find returns the drawer with the back end's path, which may be the path of a piece.
func Find(all []Kept, path string) (Kept, bool) {
	i := slices.IndexFunc(all, func(k Kept) bool { return k.is(path) })
	if i < 0 {
		return Kept{}, false
	}
	return all[i], true
}

// register is the content of the file.
type register struct {
	Version int    `json:"version"`
	Drawers []Kept `json:"drawers"`
}

// Bounds of a register: bytes that are read, drawers that are kept. The oldest go.
const (
	maxRegister = 4 << 20
	maxKept     = 5000
)

// All returns the drawers, those that were promoted first before the others.
func (r Register) All() ([]Kept, error) {
	b, err := disk.Read(r.Path, maxRegister)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var in register
	if err := json.Unmarshal(b, &in); err != nil || in.Version != version ||
		slices.ContainsFunc(in.Drawers, func(k Kept) bool { return len(k.IDs) == 0 }) {
		return nil, fmt.Errorf("%s: no list of promoted drawers of version %d; hint: move it aside; then "+
			"nobody knows which drawers go with which memory", r.Path, version)
	}
	return in.Drawers, nil
}

// change replaces the drawers by what do returns for them, under the lock.
func (r Register) change(ctx context.Context, do func([]Kept) []Kept) (err error) {
	if err := disk.Private(filepath.Dir(r.Path)); err != nil {
		return err
	}
	waiting, stop := context.WithTimeout(ctx, lockWait)
	defer stop()
	lock, err := disk.Exclusive(waiting, r.Path+".lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	all, err := r.All()
	if err != nil {
		return err
	}
	all = do(all)
	b, err := json.Marshal(register{version, all[max(0, len(all)-maxKept):]})
	if err != nil {
		return err
	}
	return disk.Write(r.Path, append(b, '\n'), 0o600)
}

// Put adds drawers that were written. A drawer that is already listed is replaced, and keeps the memories
// that it had.
func (r Register) Put(ctx context.Context, drawers ...Kept) error {
	return r.change(ctx, func(all []Kept) []Kept {
		for _, k := range drawers {
			same := func(o Kept) bool { return o.Path == k.Path && o.Backend == k.Backend }
			i := slices.IndexFunc(all, same)
			if i < 0 {
				all = append(all, k)
				continue
			}
			for _, path := range all[i].Records {
				if !slices.Contains(k.Records, path) {
					k.Records = append(k.Records, path)
				}
			}
			all[i] = k
		}
		return all
	})
}

// Stored lists a drawer that a tool of MemPalace wrote with the person's approval. args are the arguments
// of its add_drawer, ids those of the drawer and its pieces. Its memories are found by its text; a drawer
// without any is not listed.
func (r Register) Stored(ctx context.Context, args []byte, ids []string, records []memory.Stored,
	now time.Time) error {
	var in struct{ Wing, Room, Content string }
	if err := json.Unmarshal(args, &in); err != nil || len(ids) == 0 {
		return err
	}
	active := slices.DeleteFunc(slices.Clone(records),
		func(m memory.Stored) bool { return m.Status != memory.Active })
	of := saying(clean(in.Content), active)
	if len(of) == 0 {
		return nil
	}
	d := drawer.Drawer{Wing: in.Wing, Room: in.Room}
	return r.Put(ctx, Kept{Path: at(d, ids), IDs: ids, Backend: "mempalace", Records: of, At: now})
}

// Drop removes a drawer that is gone, by its path or by its first id, as a back end may know only the id.
func (r Register) Drop(ctx context.Context, name string) error {
	all, err := r.All()
	gone := func(k Kept) bool { return k.Path == name || k.IDs[0] == name }
	if err != nil || !slices.ContainsFunc(all, gone) {
		return err
	}
	return r.change(ctx, func(all []Kept) []Kept { return slices.DeleteFunc(all, gone) })
}

// Leave notes that the person wants to keep a drawer even if its memory no longer holds.
func (r Register) Leave(ctx context.Context, path string) error {
	return r.change(ctx, func(all []Kept) []Kept {
		for i := range all {
			all[i].Stays = all[i].Stays || all[i].Path == path
		}
		return all
	})
}

// saying returns the paths of the records that say the same as a text. A doubtful match is left out.
func saying(text string, records []memory.Stored) (paths []string) {
	title := strings.TrimSpace(text)
	for _, end := range [...]string{"\n", ". ", ", ", " because "} { // a title gives no reasons
		title, _, _ = strings.Cut(title, end)
	}
	d := memory.Record{Category: memory.Decision, Title: title, Content: memory.Content{"decision": text}}
	for _, body := range [...]func(memory.Stored) string{ // what it comes to, and with all reasons
		func(r memory.Stored) string { return r.Title }, func(r memory.Stored) string { return r.Body() },
	} {
		all := make([]memory.Stored, len(records))
		for i, r := range records {
			r.Content, r.Category, r.Tags = memory.Content{"decision": body(r)}, memory.Decision, nil
			all[i] = r
		}
		for _, c := range alike.Candidates(d, all, maxNear) {
			if c.Same && !slices.Contains(paths, c.Path) {
				paths = append(paths, c.Path)
			}
		}
	}
	return paths
}

// at returns the path of a drawer that was written, with the first of its ids.
func at(d drawer.Drawer, ids []string) string {
	return d.Wing + "/" + d.Room + "/" + ids[0]
}
