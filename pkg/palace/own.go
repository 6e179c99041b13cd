package palace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/paths"
)

// OwnFolders lists the folders of Keepsake's own drawers that are there, of dirs,
// which are paths.Drawers. Like Keepsake it follows no link to one.
func OwnFolders(dirs []string) []File {
	var all []File
	for _, dir := range dirs {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		if f := (File{paths.Resolved(dir), Own}); !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// young is how old a change of a folder must be before its time stands for what is
// in it: clocks of file systems have ticks.
const young = 50 * time.Millisecond

// ownStamp tells whether a folder of drawers may have other names in it than before,
// by when it, its wings and its rooms were changed.
func ownStamp(dir string) string {
	sum := sha256.New()
	recent := time.Now().Add(-young)
	_, err := rooms(dir, func(folder string, changed time.Time) {
		fmt.Fprintf(sum, "%q %d\n", folder, changed.UnixNano())
		if changed.After(recent) {
			fmt.Fprintln(sum, recent.UnixNano()) // the next look lists it again
		}
	})
	fmt.Fprintln(sum, err) // who lists it says so too
	return fmt.Sprintf("%x", sum.Sum(nil)[:12])
}

// rooms lists the rooms of a folder of drawers, in order, and hands over each folder
// on the way with the time of its last change. Names with a dot in front and links
// are none.
func rooms(dir string, see func(folder string, changed time.Time)) (all []string, err error) {
	level := []string{dir}
	for depth := range 3 {
		var below []string
		for _, folder := range level {
			info, err := os.Lstat(folder)
			if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
				continue
			}
			if err != nil {
				return nil, err
			}
			see(folder, info.ModTime())
			if depth == 2 {
				all = append(all, folder)
				continue
			}
			names, err := list(folder)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				below = append(below, filepath.Join(folder, name))
			}
		}
		level = below
	}
	return all, nil
}

// list names what is in a folder, in order, but for what has a dot in front.
func list(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // gone since it was listed
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") }), err
}

// maxOwn is how many drawers of its own Keepsake counts.
const maxOwn = 50_000

// own counts a folder of Keepsake's own drawers, by the names of its files.
func own(ctx context.Context, dir string) (Count, error) {
	in, err := rooms(dir, func(string, time.Time) {})
	if err != nil {
		return Count{}, err
	}
	c := Count{Path: dir}
	for _, room := range in {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		names, err := list(room)
		if err != nil {
			return c, err
		}
		at := filepath.Base(filepath.Dir(room)) + "/" + filepath.Base(room)
		for _, name := range names {
			if id, ok := strings.CutSuffix(name, ".md"); ok {
				path := at + "/" + id
				sum := sha256.Sum256([]byte(path))
				c.own = append(c.own, drawer{id, path, [packed]byte(sum[:packed])})
			}
		}
		if len(c.own) > maxOwn {
			return c, fmt.Errorf("more than %d drawers are not counted; hint: move those of old projects aside", maxOwn)
		}
	}
	c.Rows = int64(len(c.own))
	c.Names = make([]byte, 0, packed*len(c.own))
	for _, d := range c.own {
		c.Names = append(c.Names, d.sum[:]...)
	}
	return c, nil
}

// A drawer is one of Keepsake's own.
type drawer struct {
	id, path string       // wing/room/id
	sum      [packed]byte // of the path
}

// packed is how many bytes of a digest stand for the path of a drawer.
const packed = 8

// ownBetween tells which own drawers came and went. They are named by their ids, as
// approvals name them; one whose id another drawer has too is named by its path, so
// that the approval of the one is none of the other.
func ownBetween(before []byte, now []drawer) Change {
	was := make(map[[packed]byte]bool, len(before)/packed)
	for s := range slices.Chunk(before, packed) {
		was[[packed]byte(s)] = true
	}
	var fresh []drawer
	for _, d := range now {
		if was[d.sum] {
			delete(was, d.sum)
		} else {
			fresh = append(fresh, d)
		}
	}
	c := Change{Gone: int64(len(was))}
	if len(fresh) == 0 {
		return c
	}
	of := make(map[string]int, len(now))
	for _, d := range now {
		of[d.id]++
	}
	for _, d := range fresh {
		if of[d.id] > 1 || strings.Contains(d.id, piece) {
			c.New = append(c.New, d.path)
		} else {
			c.New = append(c.New, d.id)
		}
	}
	return c
}
