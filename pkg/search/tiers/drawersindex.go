package tiers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/kept"
	"keepsake/pkg/search/records"
)

// young is how old a change of a folder must be before the folder's time can be trusted, as the clocks of
// file systems tick slowly.
const young = 50 * time.Millisecond

// folders is when each folder last changed, by its path below Dir, in nanoseconds since 1970. A time of 0
// means that the folder must be looked at again. The time changes when a file in the folder is added,
// removed or replaced. It doesn't when a file is edited in place; then the file's own time and size differ.
type folders map[string]int64

// shelf is an index with what it was made of.
type shelf struct {
	*records.Index
	folders folders
	file    *os.File // nil where the index is in memory
}

func (s *shelf) close() {
	if s.file != nil {
		s.file.Close()
	}
}

// search asks the index, and returns the drawers that answer as they are now. One
// that was edited since it was indexed is indexed again, and then it asks once
// more; so it does with a new index where the old one is corrupt.
func (d *Drawers) search(ctx context.Context, ask func(*records.Index) ([]records.Hit, error)) ([]shown,
	error) {
	var edited []string
	anew := false
	for round := 0; ; round++ {
		s, err := d.shelf(ctx, anew, edited)
		if err != nil {
			return nil, err
		}
		hits, err := ask(s.Index)
		s.close()
		if errors.Is(err, records.ErrCorrupt) && !anew {
			anew = true
			continue
		}
		if err != nil {
			return nil, err
		}
		var found []shown
		edited = nil
		for _, h := range hits {
			dr, file, err := d.read(h.Path)
			if err != nil || file != h.File {
				edited = append(edited, h.Path)
			}
			if err == nil {
				found = append(found, shown{h, dr})
			}
		}
		if len(edited) == 0 || round > 1 {
			return found, nil
		}
	}
}

// shelf opens the index, brought up to date with what is there now: with all of
// it when anew, else with the folders that changed and the paths that are known to
// have.
func (d *Drawers) shelf(ctx context.Context, anew bool, edited []string) (*shelf, error) {
	s := d.open(anew)
	if len(edited) == 0 && d.same(s.folders) {
		return s, nil
	}
	for _, at := range edited {
		delete(s.folders, strings.TrimSuffix(at[:strings.LastIndexByte(at, '/')+1], "/"))
	}
	now, rooms, err := d.walk()
	if err != nil {
		s.close()
		return nil, err
	}
	if len(now) == 0 && s.Len() == 0 {
		return s, nil // nothing was ever promoted
	}
	change := s.Change()
	known, err := s.known(rooms, now)
	for _, room := range rooms {
		if err == nil && (s.folders[room] == 0 || s.folders[room] != now[room]) {
			err = d.room(ctx, room, known[room], change, now)
		}
		delete(known, room)
	}
	for _, gone := range known {
		for at := range gone {
			change.Remove(at)
		}
	}
	if err == nil {
		s, err = d.keep(s, change, now)
	}
	if errors.Is(err, records.ErrCorrupt) && !anew {
		s.close()
		return d.shelf(ctx, true, nil)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// known returns the files in the index by room, without the rooms that haven't changed.
func (s *shelf) known(rooms []string, now folders) (map[string]map[string]memory.File, error) {
	same := map[string]bool{}
	for _, room := range rooms {
		same[room] = s.folders[room] != 0 && s.folders[room] == now[room]
	}
	known := map[string]map[string]memory.File{}
	err := s.Each(func(e records.Entry) bool {
		room := e.Path[:strings.LastIndexByte(e.Path, '/')]
		if !same[room] {
			if known[room] == nil {
				known[room] = map[string]memory.File{}
			}
			known[room][e.Path] = e.File
		}
		return true
	})
	return known, err
}

// room brings what the index has of a room up to date. What is no drawer, or was
// changed just now, has the room looked at again by the next question.
func (d *Drawers) room(ctx context.Context, room string, known map[string]memory.File, change *records.Change,
	now folders) error {
	names, err := readNames(filepath.Join(d.Dir, filepath.FromSlash(room)))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := room + "/" + name
		if !isDrawer(name) {
			continue
		}
		was, ok := known[at]
		delete(known, at)
		if ok {
			info, err := os.Lstat(filepath.Join(d.Dir, filepath.FromSlash(at)))
			if err == nil && info.Mode().IsRegular() && was == kept.FileOf(info) {
				continue
			}
		}
		dr, file, err := d.read(at)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // went meanwhile
		} else if err == nil {
			r := asRecord(dr.Text)
			change.Put(memory.Stored{Path: at, File: file, Record: r})
			continue
		}
		if err != nil {
			d.warn(err)
			now[room] = 0
		}
		if ok {
			change.Remove(at)
		}
	}
	for at := range known {
		change.Remove(at)
	}
	return nil
}

// same reports whether the folders haven't changed.
func (d *Drawers) same(was folders) bool {
	for folder, at := range was {
		if at == 0 || d.changed(folder) != at {
			return false
		}
	}
	return len(was) > 0
}

// changed returns when a folder below Dir last changed, in nanoseconds since 1970. It is 0 if there is no
// such folder.
func (d *Drawers) changed(folder string) int64 {
	info, err := os.Lstat(filepath.Join(d.Dir, filepath.FromSlash(folder)))
	if err != nil || !info.IsDir() {
		return 0
	}
	return info.ModTime().UnixNano()
}

// walk lists the folders that are there: Dir itself as ".", wings and rooms.
// Without Dir there are none.
func (d *Drawers) walk() (now folders, rooms []string, err error) {
	now = folders{}
	recent := time.Now().Add(-young).UnixNano()
	see := func(folder string) bool {
		at := d.changed(folder)
		if at == 0 {
			return false // a file, a link, or gone
		}
		if now[folder] = at; at > recent {
			now[folder] = 0
		}
		return true
	}
	if !see(".") {
		if info, err := os.Lstat(d.Dir); err == nil {
			return nil, nil,
				fmt.Errorf("%s is no folder but %s; hint: drawers are kept there, and Keepsake follows no "+
					"link: move it aside", d.Dir, disk.Kind(info.Mode()))
		}
		return now, nil, nil
	}
	wings, err := readNames(d.Dir)
	if err != nil {
		return nil, nil, err
	}
	for _, wing := range wings {
		if strings.HasPrefix(wing, ".") || !see(wing) {
			continue
		}
		names, err := readNames(filepath.Join(d.Dir, wing))
		if err != nil {
			return nil, nil, err
		}
		for _, name := range names {
			if room := wing + "/" + name; !strings.HasPrefix(name, ".") && see(room) {
				rooms = append(rooms, room)
			}
		}
	}
	return now, rooms, nil
}

// readNames lists a folder in the order in which the file system has it.
func readNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// index returns the path of the index's file, "" if no index is kept.
func (d *Drawers) index() string {
	if d.Cache == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(d.Dir))
	return filepath.Join(d.Cache, "drawers-"+hex.EncodeToString(sum[:6])+".idx")
}

// open opens the index that is kept; one that is missing, damaged or not wanted
// is an empty one.
func (d *Drawers) open(anew bool) *shelf {
	if !anew {
		if ix, made, file := kept.Open(d.index(), records.Open); file != nil {
			s := &shelf{Index: ix, file: file}
			if json.Unmarshal(made, &s.folders) != nil {
				s.folders = nil // all are to be looked at again
			}
			return s
		}
	}
	return &shelf{Index: records.New()}
}

// keep writes the changed index, if it can, and returns it opened.
func (d *Drawers) keep(s *shelf, change *records.Change, now folders) (*shelf, error) {
	base, delta, err := change.Done()
	if err != nil {
		return s, err
	}
	made, err := json.Marshal(now)
	if err != nil {
		return s, err
	}
	_ = kept.Save(d.index(), made, base, delta) // without it the next question takes longer, and that is all
	index, err := s.With(base, delta)
	if base != nil {
		s.close()
		s.file = nil
	}
	return &shelf{index, now, s.file}, err
}
