package mempalace

import (
	"bytes"
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
	names := make([][]string, len(in))
	for i, room := range in {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		if names[i], err = visibleNames(room); err != nil {
			return c, err
		}
		names[i] = slices.DeleteFunc(names[i], func(name string) bool {
			return !strings.HasSuffix(name, ".md")
		})
		if c.Rows += int64(len(names[i])); c.Rows > maxOwn {
			return c,
				fmt.Errorf("more than %d drawers are not counted; hint: move those of old projects aside",
					maxOwn)
		}
	}
	c.own = make([]drawer, 0, c.Rows)
	c.Names = make([]byte, 0, packed*c.Rows)
	var path []byte
	for i, room := range in {
		at := filepath.Base(filepath.Dir(room)) + "/" + filepath.Base(room) + "/"
		for _, name := range names[i] {
			d := drawer{at, strings.TrimSuffix(name, ".md")}
			path = append(append(path[:0], d.at...), d.id...)
			sum := sha256.Sum256(path)
			c.own, c.Names = append(c.own, d), append(c.Names, sum[:packed]...)
		}
	}
	return c, nil
}

// A drawer is one of Keepsake's own.
type drawer struct{ at, id string } // wing/room/, id

// packed is how many bytes of a digest stand for the path of a drawer.
const packed = 8

// ownBetween returns which own drawers came and went. Drawers are named by id, as in approvals. If two have
// the same id, they are named by path, so that approving one does not approve the other. Counts are in the
// same order, so that what is the same at both ends need not be looked up. Damaged counts are not compared.
func ownBetween(before []byte, now Count) Change {
	names := now.Names
	if len(before)%packed != 0 || len(names) != packed*len(now.own) {
		return Change{}
	}
	for len(before) >= packed && len(names) >= packed && bytes.Equal(before[:packed], names[:packed]) {
		before, names = before[packed:], names[packed:]
	}
	own := now.own[len(now.own)-len(names)/packed:]
	for len(before) >= packed && len(names) >= packed &&
		bytes.Equal(before[len(before)-packed:], names[len(names)-packed:]) {
		before, names = before[:len(before)-packed], names[:len(names)-packed]
	}
	was := make(map[[packed]byte]bool, len(before)/packed)
	for s := range slices.Chunk(before, packed) {
		was[[packed]byte(s)] = true
	}
	var fresh []drawer
	of := map[string]int{} // how many drawers have the id of a fresh one
	for i := range len(names) / packed {
		if sum := [packed]byte(names[i*packed:]); was[sum] {
			delete(was, sum)
		} else {
			fresh = append(fresh, own[i])
			of[own[i].id] = 0
		}
	}
	c := Change{Gone: int64(len(was))}
	if len(fresh) == 0 {
		return c
	}
	for _, d := range now.own {
		if n, is := of[d.id]; is {
			of[d.id] = n + 1
		}
	}
	for _, d := range fresh {
		if of[d.id] > 1 || strings.Contains(d.id, piece) {
			c.New = append(c.New, d.at+d.id)
		} else {
			c.New = append(c.New, d.id)
		}
	}
	return c
}
