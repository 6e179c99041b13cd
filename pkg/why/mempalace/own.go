package mempalace

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

	"keepsake/pkg/layout"
)

// OwnFolders returns those of dirs, which come from layout.Drawers, that exist and hold Keepsake's own
// drawers. Links are not followed.
func OwnFolders(dirs []string) []File {
	var all []File
	for _, dir := range dirs {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		if f := (File{layout.Resolved(dir), Own}); !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// young is how old a change of a folder must be before its time proves what is in it. Clocks of file systems
// tick slowly.
const young = 50 * time.Millisecond

// ownStamp returns a text that changes when names in a folder of drawers may have changed. It is made of the
// times of the folder, its wings and its rooms.
func ownStamp(dir string) string {
	sum := sha256.New()
	recent := time.Now().Add(-young)
	_, err := listRooms(dir, func(folder string, changed time.Time) {
		fmt.Fprintf(sum, "%q %d\n", folder, changed.UnixNano())
		if changed.After(recent) {
			fmt.Fprintln(sum, recent.UnixNano()) // so that the next look lists it again
		}
	})
	fmt.Fprintln(sum, err) // listing it gives the same error
	return fmt.Sprintf("%x", sum.Sum(nil)[:12])
}

// listRooms returns the rooms of a folder of drawers, in order. It calls see with each folder on the way and
// the time of its last change. Hidden names and links are skipped.
func listRooms(dir string, see func(folder string, changed time.Time)) (all []string, err error) {
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
			names, err := visibleNames(folder)
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

// visibleNames returns the names in a folder, in order, without hidden ones.
func visibleNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it went meanwhile
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") }), err
}

// maxOwn is how many own drawers are counted.
const maxOwn = 50_000

// countOwn counts a folder of Keepsake's own drawers by the names of its files.
func countOwn(ctx context.Context, dir string) (Count, error) {
	in, err := listRooms(dir, func(string, time.Time) {})
	if err != nil {
		return Count{}, err
	}
	c := Count{Path: dir}
	for _, room := range in {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		names, err := visibleNames(room)
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
			return c,
				fmt.Errorf("more than %d drawers are not counted; hint: move those of old projects aside",
					maxOwn)
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

// ownBetween returns which own drawers came and went. Drawers are named by id, as in approvals. If two have
// the same id, they are named by path, so that approving one does not approve the other.
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
