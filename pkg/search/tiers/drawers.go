package tiers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/kept"
	"keepsake/pkg/search/records"
	"keepsake/pkg/secret"
	"keepsake/pkg/why/drawer"
)

// Drawers is the embedded back end for why things were decided: one Markdown file
// per drawer, wing/room/drawer.md below Dir, which anybody may read, move and
// edit. What is searched is derived from them.
type Drawers struct {
	Dir   string      // absolute; made by the first Add
	Cache string      // folder of the search index; "" keeps none
	Wing  string      // of the project that asks: its drawers come before those of others
	Warn  func(error) // is called for files that are no drawers; nil ignores them
}

const (
	// elsewise is the factor on the score of a hit from another project's wing.
	elsewise = 0.8
	// looked is how many drawers or notes are compared with the question, or with a new drawer, for one
	// answer.
	looked = 50
	// nearScore is the least score of two drawers that say nearly the same. Two wordings of one decision
	// have 0.6 and more as alike.Candidates scores them, two decisions of one sort less.
	nearScore = 0.6
	// addWait is how long Add waits for another one.
	addWait = 5 * time.Second

	ending = ".md"
)

// Find answers why: Path is wing/room/drawer. A drawer that hardly has what was asked is
// left out when it is another project's.
func (d *Drawers) Find(ctx context.Context, query string, n int) ([]Hit, error) {
	if n <= 0 {
		return nil, nil
	}
	found, err := d.search(ctx, func(ix *records.Index) ([]records.Hit, error) {
		// Each hit costs two reads, and seldom are many of them left out.
		for limit := 2 * n; ; limit = looked {
			hits, err := ix.Search(records.Query{Text: query, Limit: limit})
			last := len(hits) < limit || limit >= looked
			hits = slices.DeleteFunc(hits, func(h records.Hit) bool {
				return h.Score < records.Floor && !d.own(h.Path)
			})
			if last || len(hits) >= n || err != nil {
				slices.SortStableFunc(hits, func(a, b records.Hit) int {
					return cmp.Compare(d.worth(b), d.worth(a))
				})
				return hits[:min(n, len(hits))], err
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var hits []Hit
	for _, f := range found {
		h := f.hit(records.Snippet(asRecord(f.drawer.Text), query, textRunes))
		h.Score = d.worth(f.Hit)
		hits = append(hits, h)
	}
	return hits, nil
}

func (d *Drawers) own(path string) bool { return strings.HasPrefix(path, d.Wing+"/") }

func (d *Drawers) worth(h records.Hit) float64 {
	if d.own(h.Path) {
		return h.Score
	}
	return h.Score * elsewise
}

// Near finds drawers of all wings that say nearly what text says.
func (d *Drawers) Near(ctx context.Context, text string, n int) ([]Hit, error) {
	if n <= 0 {
		return nil, nil
	}
	mine := asRecord(text)
	found, err := d.search(ctx, func(ix *records.Index) ([]records.Hit, error) {
		return ix.Similar(mine, looked, false)
	})
	if err != nil {
		return nil, err
	}
	by := map[string]shown{}
	var all []memory.Stored
	for _, f := range found {
		by[f.Path] = f
		r := asRecord(f.drawer.Text)
		r.ID, r.Status = f.Path, memory.Active
		all = append(all, memory.Stored{Path: f.Path, Record: r})
	}
	var hits []Hit
	for _, c := range alike.Candidates(mine, all, n) {
		if c.Score < nearScore {
			break
		}
		h := by[c.Path].hit(records.Snippet(asRecord(by[c.Path].drawer.Text), text, textRunes))
		h.Score = c.Score
		hits = append(hits, h)
	}
	return hits, nil
}

// titleRunes is the longest first line of a text that counts as its title.
const titleRunes = 120

// asRecord returns a text as a decision whose title is its first line, for the packages that search and
// compare records.
func asRecord(text string) memory.Record {
	title, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(title); len(r) > titleRunes {
		title = string(r[:titleRunes])
	}
	return memory.Record{Category: memory.Decision, Status: memory.Active, Title: title,
		Content: memory.Content{"decision": text}}
}

// shown is a hit with the drawer as it is now.
type shown struct {
	records.Hit
	drawer drawer.Drawer
}

func (k shown) hit(text string) Hit {
	h := Hit{Source: "WHY", Path: strings.TrimSuffix(k.Path, ending), Text: secret.Redact(text)}
	if !k.drawer.Filed.IsZero() {
		h.Date = k.drawer.Filed.Format(time.RFC3339)
	}
	return h
}

// Read returns the drawer at wing/room/drawer as it is now.
func (d *Drawers) Read(_ context.Context, at string) (drawer.Drawer, error) {
	dr, _, err := d.File(at)
	return dr, err
}

// Remove takes the file of a drawer away. The folders stay.
func (d *Drawers) Remove(ctx context.Context, at, text string) (err error) {
	ctx, stop := context.WithTimeout(ctx, addWait)
	defer stop()
	if _, _, err := d.File(at); errors.Is(err, fs.ErrNotExist) {
		return nil // and no lock is made where nothing ever was
	}
	lock, err := disk.Exclusive(ctx, filepath.Join(d.Dir, ".lock"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	dr, file, err := d.File(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case dr.Text != text:
		return fmt.Errorf("%s: somebody edited this drawer; hint: look at it again", file)
	}
	if err := disk.Remove(file); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(file))
}

// File returns the drawer at wing/room/drawer as it is now, and its file. None is
// fs.ErrNotExist, and so is a path that no drawer has.
func (d *Drawers) File(at string) (dr drawer.Drawer, file string, err error) {
	parts := strings.Split(at+ending, "/")
	if len(parts) != 3 || !fs.ValidPath(at) || slices.ContainsFunc(parts, func(p string) bool {
		return strings.HasPrefix(p, ".")
	}) {
		return dr, "", fmt.Errorf("%s: %w", at, fs.ErrNotExist)
	}
	for _, folder := range []string{parts[0], parts[0] + "/" + parts[1]} {
		if d.changed(folder) == 0 { // a link, or not there
			return dr, "", fmt.Errorf("%s: %w", at, fs.ErrNotExist)
		}
	}
	dr, _, err = d.read(at + ending)
	return dr, filepath.Join(d.Dir, filepath.FromSlash(at+ending)), err
}

// Add writes a drawer. Its id is the name of its file.
func (d *Drawers) Add(ctx context.Context, dr drawer.Drawer) (ids []string, existed bool, err error) {
	if err := dr.Check(); err != nil {
		return nil, false, err
	}
	id := dr.ID()
	file := filepath.Join(d.Dir, dr.Wing, dr.Room, id+ending)
	ctx, stop := context.WithTimeout(ctx, addWait)
	defer stop()
	if err := folder(d.Dir); err != nil {
		return nil, false, err
	}
	lock, err := disk.Exclusive(ctx, filepath.Join(d.Dir, ".lock"))
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	for _, dir := range []string{filepath.Dir(filepath.Dir(file)), filepath.Dir(file)} {
		if err := folder(dir); err != nil {
			return nil, false, err
		}
	}
	there, err := disk.Read(file, drawer.MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, false, err
	default:
		old, err := drawer.Parse(there)
		if err != nil || old.Text != dr.Text {
			return nil, false,
				fmt.Errorf("%s: somebody edited this drawer, which had the same text; hint: move it aside "+
					"to have the text again", file)
		}
		// What was there at a crash may not be on the disk yet.
		return []string{id}, true, disk.SyncDir(filepath.Dir(file))
	}
	if err := d.sweep(filepath.Dir(file), id); err != nil {
		return nil, false, err
	}
	if err := disk.Write(file, drawer.Encode(dr), 0o600); err != nil {
		return nil, false, err
	}
	return []string{id}, false, nil
}

// folder makes a folder that only this user can enter.
func folder(dir string) error {
	err := disk.MakeDir(dir, 0o700)
	if err == nil {
		err = disk.Private(dir)
	}
	if err != nil {
		return fmt.Errorf("%w; hint: drawers are kept there, in folders that are no links: move what is in "+
			"the way aside", err)
	}
	return nil
}

// sweep takes away what a crash left of this drawer: a file with a dot before the
// name and a number behind it. The lock is held, so nobody is writing it.
func (d *Drawers) sweep(dir, id string) error {
	left, err := filepath.Glob(filepath.Join(meta.Replace(dir), "."+meta.Replace(id)+ending+"*"))
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// meta escapes what Glob would take for a pattern.
var meta = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// read reads the drawer at a path below Dir, and returns which version of the file it was.
func (d *Drawers) read(at string) (drawer.Drawer, memory.File, error) {
	text, info, err := disk.ReadInfo(filepath.Join(d.Dir, filepath.FromSlash(at)), drawer.MaxFile)
	if err != nil {
		return drawer.Drawer{}, memory.File{}, err
	}
	dr, err := drawer.Parse(text)
	if err != nil {
		err = fmt.Errorf("%s: is no drawer: %w", filepath.Join(d.Dir, filepath.FromSlash(at)), err)
	}
	return dr, kept.FileOf(info), err
}

// isDrawer reports whether a file name in a room is that of a drawer.
func isDrawer(name string) bool { return path.Ext(name) == ending && !strings.HasPrefix(name, ".") }

func (d *Drawers) warn(err error) {
	if d.Warn != nil {
		d.Warn(err)
	}
}
