// Package verify evaluates the checks of memories against a project's files. It starts no program, follows no
// link, reads only regular files of bounded size in the project's folder, and changes nothing.
//
// Whether HEAD has a commit in its history only git can say, so the caller brings that.
package verify

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/source"
	"keepsake/pkg/text/version"
)

// Verdict is what became of a check.
type Verdict string

// The verdicts. What can't be looked at is Unknown, and is held against no memory.
const (
	Holds   Verdict = "holds"
	Fails   Verdict = "fails"
	Unknown Verdict = "unknown"
)

// A Result is what became of a check, and why, in a few words: "internal/queue/redis.go is gone".
type Result struct {
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why,omitempty"` // "" if it holds
}

func fails(format string, args ...any) Result { return Result{Fails, fmt.Sprintf(format, args...)} }
func unknown(why string) Result               { return Result{Unknown, why} }

// Bounds of what is read.
const (
	maxFile   = 1 << 20 // bytes of a file
	maxFolder = 400     // files of a folder in which a symbol is looked for
	maxInDir  = 8 << 20 // bytes of all of these
)

// A Tree is the files that checks are about: those of a folder, or of a commit. Paths are relative to its
// root. The error is fs.ErrNotExist for what is not there.
type Tree interface {
	IsDir(file string) (bool, error)
	Read(file string) ([]byte, error)      // of a regular file, at most 1 MiB
	Files(folder string) ([]string, error) // the names of the regular files right in a folder
}

// A Project is what checks are evaluated against.
type Project struct {
	Tree
	Today string // the date, as 2026-11-20, UTC
	// Ancestor reports whether HEAD has a commit in its history; nil where git must not be asked.
	Ancestor func(commit string) (bool, error)

	disk      *onDisk                              // nil for another tree
	manifests map[string]read[source.Requirements] // by path, once they were read
	infos     map[string]read[*disk.Info]          // by path, once State looked
}

type read[T any] struct {
	value T
	err   error
}

// Open opens the project in a folder. Close it after use.
func Open(root, today string) (*Project, error) {
	dir, err := disk.Hold(root, 0, 0)
	if err != nil {
		return nil, err
	}
	p := Of(&onDisk{dir})
	p.Today, p.disk = today, &onDisk{dir}
	return p, nil
}

// Of returns the project whose files are those of a tree.
func Of(t Tree) *Project {
	return &Project{Tree: t, manifests: map[string]read[source.Requirements]{},
		infos: map[string]read[*disk.Info]{}}
}

// Close closes the folders that were opened.
func (p *Project) Close() {
	if p.disk != nil {
		p.disk.root.Close()
	}
}

// State returns a text that is another one once what a check looks at in the folder may have changed. It is
// "" where that can't be told without evaluating it.
func (p *Project) State(c memory.Check, head string) string {
	switch c.Kind {
	case memory.Before:
		return p.Today
	case memory.CommitAncestor:
		return head
	}
	found, known := p.infos[c.Path] // several memories rest on one file
	if !known {
		found.value, found.err = p.disk.stat(c.Path)
		p.infos[c.Path] = found
	}
	info, err := found.value, found.err
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "gone"
	case err != nil:
		return ""
	case c.Kind == memory.PathExists:
		return "there"
	case info.IsDir():
		return p.disk.folderState(c.Path)
	}
	return stateOf(info)
}

// Evaluate returns what becomes of a check now.
func (p *Project) Evaluate(c memory.Check) Result {
	switch c.Kind {
	case memory.PathExists:
		_, err := p.IsDir(c.Path)
		return p.ofPath(c.Path, err)
	case memory.FileContains:
		b, err := p.Read(c.Path)
		if err == nil && !bytes.Contains(b, []byte(c.Name)) {
			return fails("%s no longer has %q", c.Path, c.Name)
		}
		return p.ofPath(c.Path, err)
	case memory.Requires:
		return p.requires(c)
	case memory.SymbolDefined:
		return p.defines(c)
	case memory.CommitAncestor:
		if p.Ancestor == nil {
			return unknown("git was not asked")
		}
		is, err := p.Ancestor(c.Commit)
		switch {
		case err != nil:
			return unknown(err.Error())
		case !is:
			return fails("HEAD does not have commit %s in its history", c.Commit)
		}
		return Result{Verdict: Holds}
	case memory.Before:
		if p.Today >= c.Date {
			return fails("%s has come", c.Date)
		}
		return Result{Verdict: Holds}
	}
	return unknown("it is no check")
}

// ofPath returns the result for a path that was looked at with an error.
func (p *Project) ofPath(file string, err error) Result {
	switch {
	case err == nil:
		return Result{Verdict: Holds}
	case errors.Is(err, fs.ErrNotExist):
		return fails("%s is gone", file)
	case errors.Is(err, errLink):
		return unknown(file + " leads through a link, which is not followed")
	case errors.Is(err, disk.ErrNotRegular):
		return unknown(file + " is no regular file")
	case errors.Is(err, disk.ErrTooLarge):
		return unknown(fmt.Sprintf("%s has more than %d KiB", file, maxFile>>10))
	}
	return unknown(file + " can't be read")
}

// requirements returns what a manifest requires. Each is read once.
func (p *Project) requirements(file string) (source.Requirements, error) {
	if m, known := p.manifests[file]; known {
		return m.value, m.err
	}
	var m read[source.Requirements]
	b, err := p.Read(file)
	if m.err = err; err == nil {
		m.value, m.err = source.RequirementsOf(file, b)
	}
	p.manifests[file] = m
	return m.value, m.err
}

func (p *Project) requires(c memory.Check) Result {
	all, err := p.requirements(c.Path)
	if err != nil {
		return p.ofPath(c.Path, err)
	}
	found, is := all.Of(c.Path, c.Name)
	low, ok := version.Compare(found, c.AtLeast)
	switch {
	case !is && all.More != "":
		return unknown(fmt.Sprintf("%s does not require %s itself, and %s", c.Path, c.Name, all.More))
	case !is:
		return fails("%s no longer requires %s", c.Path, c.Name)
	case !ok:
		return unknown(fmt.Sprintf("%s does not say which version of %s it requires", c.Path, c.Name))
	case low < 0:
		return fails("%s requires %s %s, not %s or later", c.Path, c.Name, found, c.AtLeast)
	}
	if high, ok := version.Compare(found, c.Below); ok && high >= 0 {
		return fails("%s requires %s %s, no longer below %s", c.Path, c.Name, found, c.Below)
	}
	return Result{Verdict: Holds}
}

func (p *Project) defines(c memory.Check) Result {
	gone := fails("%s no longer defines %s", c.Path, c.Name)
	isDir, err := p.IsDir(c.Path)
	if err != nil || !isDir {
		b, rerr := p.Read(c.Path)
		switch {
		case rerr != nil:
			return p.ofPath(c.Path, rerr)
		case !bytes.Contains(b, []byte(lastOf(c.Name))): // in whatever language
			return gone
		}
		switch source.Defines(c.Path, b, c.Name) {
		case source.Yes:
			return Result{Verdict: Holds}
		case source.No:
			return gone
		}
		return unknown("what " + c.Path + " defines can't be told")
	}
	names, err := p.Files(c.Path)
	if err != nil {
		return unknown(fmt.Sprintf("%s: %v", c.Path, err))
	}
	size, passed := 0, false
	for _, name := range names {
		b, err := p.Read(path.Join(c.Path, name))
		if size += len(b); err != nil || size > maxInDir {
			passed = true // it may be in what is not read
			continue
		}
		if !bytes.Contains(b, []byte(lastOf(c.Name))) {
			continue
		}
		switch source.Defines(name, b, c.Name) {
		case source.Yes:
			return Result{Verdict: Holds}
		case source.NotKnown:
			passed = passed || source.IsCode(name)
		}
	}
	if passed {
		return unknown(c.Path + " has a file of which it can't be told what it defines")
	}
	return gone
}

// lastOf returns the last part of a symbol's name.
func lastOf(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// Manifests returns the paths of the manifests right in the project's folder, and what each requires. What
// can't be read is left out.
func (p *Project) Manifests() (all map[string]source.Requirements) {
	all = map[string]source.Requirements{}
	for _, file := range memory.Manifests() {
		if r, err := p.requirements(file); err == nil {
			all[file] = r
		}
	}
	return all
}

// Expired returns whether what an expiry belongs to still holds. If it is reached it fails, and says why, as
// "2026-11-20 is past".
func (p *Project) Expired(e memory.Expiry) Result {
	reached := func(why string, is bool) Result {
		if is {
			return Result{Verdict: Fails, Why: why}
		}
		return Result{Verdict: Holds}
	}
	check := func(c memory.Check, until Verdict, why string) Result {
		r := p.Evaluate(c)
		if r.Verdict == Unknown {
			return r
		}
		return reached(cmp.Or(why, r.Why), r.Verdict == until)
	}
	switch {
	case e.Date != "":
		return reached(e.Date+" is past", p.Today > e.Date)
	case e.Commit != "":
		return check(memory.Check{Kind: memory.CommitAncestor, Commit: e.Commit}, Holds,
			"HEAD has commit "+e.Commit)
	case e.Name != "":
		named := false
		for _, file := range memory.Manifests() {
			all, err := p.requirements(file)
			if err != nil {
				continue
			}
			found, is := all.Of(file, e.Name)
			named = named || is
			if n, ok := version.Compare(found, e.Version); is && ok && n >= 0 {
				return reached(fmt.Sprintf("%s requires %s %s", file, e.Name, found), true)
			}
		}
		if !named {
			return Result{Verdict: Unknown, Why: "no manifest names " + e.Name}
		}
	case e.Check.Kind != "" && e.Not:
		return check(e.Check, Fails, "")
	case e.Check.Kind != "":
		return check(e.Check, Holds, e.Check.String()+" holds")
	}
	return reached("", false)
}

// ExpiryState is State for an expiry.
func (p *Project) ExpiryState(e memory.Expiry, head string) string {
	switch {
	case e.Date != "":
		return p.Today
	case e.Commit != "":
		return head
	case e.Check.Kind != "":
		return p.State(e.Check, head)
	}
	state := ""
	for _, file := range memory.Manifests() {
		state += p.State(memory.Check{Kind: memory.Requires, Path: file}, head) + ";"
	}
	return state
}
