package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/layout"
)

// A Gone is a project whose folder is no longer there, and of which nothing was written for long.
type Gone struct {
	Root    string    // its folder, absolute
	Dirs    []string  // what Keepsake has of it
	Bytes   int64     // in these
	Written time.Time // when something was written there last
}

// GoneProjects returns the projects that are gone, ordered by their folders, as far as Keepsake's
// folders that count for this place know of them.
func GoneProjects(place layout.Place, now time.Time) (all []Gone, err error) {
	dirs, _, _ := dirsFor(place, "")
	projects, err := dirs.States()
	for _, p := range projects {
		// One that can't be read is not cleared.
		states, _ := stage.Sessions{Dir: p.Sessions()}.All()
		if len(states) == 0 || !p.Is(states[0].Home) || !absent(states[0].Home) {
			continue
		}
		g := Gone{Root: states[0].Home, Dirs: []string{string(p)}}
		if dirs.Cache != "" {
			g.Dirs = append(g.Dirs, dirs.ProjectCached(g.Root, ""))
			for _, st := range states { // where there is no runtime directory, desks lie in the cache
				desk := filepath.Dir(st.Stage)
				ours := strings.HasPrefix(desk, dirs.Cache+"/") &&
					filepath.Base(desk) == layout.StageName(g.Root)
				if ours && !slices.Contains(g.Dirs, desk) {
					g.Dirs = append(g.Dirs, desk)
				}
			}
		}
		g.Dirs = slices.DeleteFunc(g.Dirs, absent)
		if merr := g.measure(); merr != nil {
			err = errors.Join(err, merr)
		} else if now.Sub(g.Written) > forgotten {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b Gone) int { return strings.Compare(a.Root, b.Root) })
	return all, err
}

func absent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// measure adds up how much there is of a project, and finds when it was last written.
func (g *Gone) measure() error {
	for _, dir := range g.Dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			g.Written = later(g.Written, info.ModTime())
			if info.Mode().IsRegular() {
				g.Bytes += info.Size()
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Clear deletes what Keepsake has of the project. It fails where the project's folder is there
// again.
func (g Gone) Clear() error {
	if !absent(g.Root) {
		return fmt.Errorf("%s is there again", g.Root)
	}
	var errs []error
	for _, dir := range g.Dirs {
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(errs...)
}
