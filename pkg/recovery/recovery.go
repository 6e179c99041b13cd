// Package recovery compares directories of Markdown memories with their snapshots, and plans how to bring
// files back.
package recovery

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir/snapshot"
	"keepsake/pkg/project/session"
)

// snapTime is how long a snapshot may take to copy the changed files.
const snapTime = 10 * time.Second

// Directory is a directory of Markdown memories with its snapshots, the newest first. The newest is of
// the directory as it is now.
type Directory struct {
	Root    string
	Session *session.Session

	box   snapshot.Box
	first int // number of the newest snapshot; a second directory's numbers follow the first's
	all   []snapshot.Snapshot
	now   snapshot.Snapshot
}

// Directories returns the directories of which snapshots are kept: the project's and the root scope's, or
// only the one that is named. If both are the same, it is returned once.
func Directories(s *session.Session, named string) (dirs []string, err error) {
	for _, dir := range []string{s.MemoryDir(), s.RootMemoryDir()} {
		if dir != "" && (named == "" || s.Beside(dir) == s.Beside(named)) &&
			!slices.ContainsFunc(dirs, func(d string) bool { return s.Beside(d) == s.Beside(dir) }) {
			dirs = append(dirs, dir)
		}
	}
	switch {
	case len(dirs) > 0:
		return dirs, nil
	case s.MemoryDir() == "" && s.RootMemoryDir() == "":
		return nil,
			errors.New("the client's memory folder is unknown; hint: name the folder with the setting " +
				"memdir.dir")
	}
	return nil,
		fmt.Errorf("%s: no snapshots are kept of it; hint: --dir wants the project's directory of memories "+
			"or the root scope's (scope.root): keepsake md snapshot names them", brief.Line(named))
}

// Open takes a snapshot of each directory and returns the directories that have snapshots. Snapshots are
// numbered from 1 across all directories. warn is called with the error of each snapshot that can't be
// read.
func Open(s *session.Session, dirs []string, now time.Time, warn func(error)) (all []Directory, err error) {
	next := 1
	for _, dir := range dirs {
		d := Directory{Root: dir, Session: s, box: s.Snapshots(dir), first: next}
		if err := d.load(now, warn); err != nil {
			return nil, err
		}
		if next += len(d.all); len(d.all) > 0 {
			all = append(all, d)
		}
	}
	return all, nil
}

// load takes a snapshot and reads all snapshots of the directory.
func (d *Directory) load(now time.Time, warn func(error)) error {
	_, is, err := d.Session.Snap(d.Root, now, snapTime)
	if err != nil || is.Name == "" {
		return err
	}
	if d.now, err = d.box.Load(is.Name); err != nil {
		return err
	}
	names, err := d.box.Names()
	for _, name := range slices.Backward(names) {
		s, err := d.box.Load(name)
		if err != nil { // the others are as good as before
			warn(err)
			continue
		}
		d.all = append(d.all, s)
	}
	return err
}

// Version is a snapshot, with the changes since and the files that were lost.
type Version struct {
	Number int // from 1, the newest
	snapshot.Snapshot
	Changed []snapshot.Change
	Lost    []snapshot.File // deleted, but not by a plan of Keepsake's
}

// Since returns how many files are gone since the snapshot, and how many others were changed.
func (v Version) Since() (gone, changed int) {
	for _, ch := range v.Changed {
		switch {
		case ch.Is == (snapshot.File{}):
			gone++
		case ch.Was != (snapshot.File{}):
			changed++
		}
	}
	return gone, changed
}

// Versions returns how many snapshots the directory has.
func (d Directory) Versions() int { return len(d.all) }

// Version returns the i-th snapshot, the newest being 0.
func (d Directory) Version(i int) (v Version, err error) {
	v.Number, v.Snapshot = d.first+i, d.all[i]
	v.Changed = d.Session.Changed(d.Root, v.Snapshot, d.now)
	v.Lost, err = d.Session.Lost(d.Root, v.Snapshot, v.Changed)
	return v, err
}

// Pick is one snapshot of one directory.
type Pick struct {
	Directory
	Version
	Also []string // other directories that lost files

	free bool // no snapshot was named: each file comes from the newest one in which it differs
}

// ErrWhich is the error for a snapshot named by neither a number nor a date.
var ErrWhich = errors.New("want the number of a snapshot, or a date as 2026-11-20 or 2026-11-20T15:04, in " +
	"UTC")

// Choose returns the snapshot with a number, or else the best of those that find returns for each
// directory. If files are given, it prefers the only directory that ever had these files; it is an error
// if several had them. Otherwise it prefers a directory that lost files since its snapshot, and then one
// in which any file has changed.
func Choose(all []Directory, which string, files []string, warn func(error)) (Pick, error) {
	if n, err := strconv.Atoi(which); err == nil {
		return numbered(all, n)
	}
	var found []Pick
	for i, d := range all {
		v, err := d.find(which)
		if err == nil {
			found = append(found, Pick{Directory: d, Version: v})
		} else if i == len(all)-1 && len(found) == 0 {
			return Pick{}, err
		} else {
			warn(fmt.Errorf("%s: %w", brief.Line(d.Root), err))
		}
	}
	if len(files) > 0 {
		with := slices.DeleteFunc(slices.Clone(found), func(p Pick) bool { return !p.had(files) })
		switch len(with) {
		case 0: // any of them will do: it reports that it does not have the file
		case 1:
			one := with[0]
			one.free = which == ""
			at := one.newestOf(one.below(files[0]))
			if !one.free || at < 0 {
				return one, nil
			}
			v, err := one.Directory.Version(at)
			one.Version = v
			return one, err
		default:
			return Pick{},
				fmt.Errorf("%s: is in snapshots of %s and of %s; hint: say which one is meant with --dir DIR",
					brief.Line(files[0]), brief.Line(with[0].Root), brief.Line(with[1].Root))
		}
	}
	best := slices.MinFunc(found, func(a, b Pick) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, p := range found {
		if len(p.Lost) > 0 && p.Root != best.Root {
			best.Also = append(best.Also, p.Root)
		}
	}
	return best, nil
}

// numbered returns the snapshot with a number.
func numbered(all []Directory, n int) (Pick, error) {
	last := 0
	for _, d := range all {
		if i := n - d.first; i >= 0 && i < len(d.all) {
			v, err := d.Version(i)
			return Pick{Directory: d, Version: v}, err
		}
		last = d.first + len(d.all) - 1
	}
	return Pick{}, fmt.Errorf("snapshot %d: there are %d; hint: keepsake md snapshot lists them", n, last)
}

// rank returns 0 for a pick since which files were lost, 1 for one since which any file has changed, else
// 2.
func (p Pick) rank() int {
	switch {
	case len(p.Lost) > 0:
		return 0
	case len(p.Changed) > 0:
		return 1
	}
	return 2
}

// dateForms are the forms in which a snapshot's time may be given, each with the time that it leaves open.
var dateForms = []struct {
	form string
	open time.Duration
}{
	{time.DateOnly, 24 * time.Hour}, {"2006-01-02T15:04", time.Minute}, {"2006-01-02 15:04", time.Minute},
	{brief.SnapshotTime, time.Second},
}

// find returns the last snapshot of the given day, minute or second, or before it. For "" it returns the
// newest snapshot since which a file was lost, else the newest that differs from the directory as it is
// now, else the newest.
func (d Directory) find(which string) (Version, error) {
	if which == "" {
		return d.newest()
	}
	for _, f := range dateForms {
		day, err := time.Parse(f.form, strings.TrimSuffix(which, "Z"))
		if err != nil {
			continue
		}
		i := slices.IndexFunc(d.all, func(s snapshot.Snapshot) bool {
			return s.Taken.Before(day.Add(f.open))
		})
		if i < 0 {
			return Version{}, fmt.Errorf("%s: no snapshot is that old; hint: keepsake md snapshot lists them",
				which)
		}
		return d.Version(i)
	}
	return Version{}, fmt.Errorf("%s: %w", which, ErrWhich)
}

// newest returns the newest snapshot since which a file was lost, else the newest that differs,
// else the newest.
func (d Directory) newest() (differs Version, err error) {
	for i := range d.all {
		v, err := d.Version(i)
		if err != nil || len(v.Lost) > 0 {
			return v, err
		}
		if differs.Number == 0 && len(v.Changed) > 0 {
			differs = v
		}
	}
	if differs.Number == 0 {
		return d.Version(0)
	}
	return differs, nil
}

// had reports whether each of those files is in one of the snapshots.
func (d Directory) had(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(d.all, func(s snapshot.Snapshot) bool {
			return indexOf(s, d.below(name)) >= 0
		})
	})
}

// below returns a file's name below the directory, with slashes.
func (d Directory) below(name string) string {
	if rel, err := filepath.Rel(d.Root, name); filepath.IsAbs(name) && err == nil {
		name = rel
	}
	return filepath.ToSlash(filepath.Clean(name))
}

// indexOf returns where a file is in a snapshot, or -1.
func indexOf(s snapshot.Snapshot, name string) int {
	return slices.IndexFunc(s.Files, func(f snapshot.File) bool { return f.Name == name })
}
