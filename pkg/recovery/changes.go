package recovery

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/snapshot"
	"keepsake/pkg/plan"
)

// Kind is what happened to a file since a snapshot.
type Kind byte

// The kinds.
const (
	New     Kind = iota
	Moved        // its text is now under another name
	Gone         // deleted, but not by a plan of Keepsake's
	Planned      // deleted by a plan of Keepsake's
	Changed
)

// Change is what happened to one file since a snapshot.
type Change struct {
	Kind
	Name  string
	To    string   // the new name of a file that moved
	About string   // for a file that is gone: ": " and its description, or why that can't be read
	Lines []string // for a file that changed: its former lines that no file has any more
}

// Changes returns the files that have changed since the snapshot. warn is called with the error of each
// file that can't be compared.
func (p Pick) Changes(warn func(error)) (all []Change, err error) {
	kept, err := p.lines()
	if err != nil {
		return nil, err
	}
	for _, ch := range p.Version.Changed {
		c := Change{Name: ch.Was.Name}
		switch {
		case ch.Was == (snapshot.File{}):
			c.Kind, c.Name = New, ch.Is.Name
		case ch.Moved != "":
			c.Kind, c.To = Moved, ch.Moved
		case ch.Is == (snapshot.File{}) && !slices.Contains(p.Lost, ch.Was):
			c.Kind = Planned
		case ch.Is == (snapshot.File{}):
			c.Kind = Gone
			if text, err := p.box.Read(ch.Was); err != nil {
				c.About = " (" + err.Error() + ")"
			} else if d := memdir.AboutOf(text[:min(len(text), memdir.HeadBytes)]); d.Description != "" {
				c.About = ": " + d.Description
			}
		default:
			text, err := p.box.Read(ch.Was)
			if err != nil {
				warn(err)
				continue
			}
			c.Kind, c.Lines = Changed, missingLines(text, kept)
		}
		all = append(all, c)
	}
	return all, nil
}

// lines returns the set of all lines that the directory's files have now, without the space around them.
func (d Directory) lines() (map[string]bool, error) {
	kept := map[string]bool{}
	for _, f := range d.now.Files {
		if f.Digest == "" {
			continue
		}
		text, err := d.box.Read(f)
		if err != nil {
			return nil, err
		}
		for l := range strings.SplitSeq(string(text), "\n") {
			kept[strings.TrimSpace(l)] = true
		}
	}
	return kept, nil
}

// missingLines returns the lines of a former text that are not in kept, a set of lines.
func missingLines(was []byte, kept map[string]bool) []string {
	gone := []string{}
	for l := range strings.SplitSeq(string(was), "\n") {
		if l = strings.TrimSpace(l); l != "" && !kept[l] {
			gone = append(gone, l)
		}
	}
	return gone
}

// BringBack returns a plan that restores the lost files and the lines of MEMORY.md that linked to them.
// It calls warn with each file whose name no plan can have, and restores the others.
func (p Pick) BringBack(warn func(error)) (plan.Plan, error) {
	out := plan.Plan{Version: plan.Version}
	var names []string
	for _, f := range p.Lost {
		text, err := p.box.Read(f)
		if err != nil {
			return out, fmt.Errorf("%w; hint: name the other files: keepsake md snapshot diff lists them",
				err)
		}
		if err := plan.CheckMarkdown(f.Name); err != nil {
			warn(fmt.Errorf("%s: keepsake makes no file of that name (%v); its text is in %s",
				brief.Line(f.Name), err,
				brief.Line(p.box.Copy(f))))
			continue
		}
		out.Edits = append(out.Edits, plan.Edit{Path: f.Name, Verb: plan.Create, After: text,
			Modified: modified(f)})
		names = append(names, f.Name)
	}
	out.Edits = append(out.Edits, p.relink(names, func(string) snapshot.Snapshot { return p.Snapshot })...)
	return out, nil
}

// relink returns the edit that gives MEMORY.md the lines back that led to files which come back, as the
// snapshot of each has them. The files matter more than an index that can't be read; lint reports those
// without a link.
func (p Pick) relink(names []string, of func(name string) snapshot.Snapshot) []plan.Edit {
	is, err := p.indexFile(p.now)
	if err != nil || is == nil {
		return nil
	}
	linked := is
	for _, name := range names {
		if was, err := p.indexFile(of(name)); err == nil {
			linked = memdir.Relink(linked, was, []string{name})
		}
	}
	if string(linked) == string(is) {
		return nil
	}
	return []plan.Edit{{Path: memdir.Index, Verb: plan.Update, Before: plan.DigestOf(is), After: linked}}
}

// indexFile returns MEMORY.md as a snapshot has it, or nil if it has none.
func (d Directory) indexFile(s snapshot.Snapshot) ([]byte, error) {
	i := indexOf(s, memdir.Index)
	if i < 0 {
		return nil, nil
	}
	return d.box.Read(s.Files[i])
}

// modified returns when a file of a snapshot was last written: it comes back as old as it was.
func modified(f snapshot.File) time.Time { return plan.TimeOf(time.Unix(0, f.Modified)) }

// newestOf returns the index of the newest snapshot in which a file differs from what it is now, or -1.
func (d Directory) newestOf(name string) int {
	now := ""
	if i := indexOf(d.now, name); i >= 0 {
		now = d.now.Files[i].Digest
	}
	return slices.IndexFunc(d.all, func(s snapshot.Snapshot) bool {
		i := indexOf(s, name)
		return i >= 0 && s.Files[i].Digest != "" && s.Files[i].Digest != now
	})
}

// AsItWas returns a plan that makes the named files what they were at the snapshot, or if no snapshot was
// named, each what it was when it was last different. A file that is gone comes back with its line in
// MEMORY.md. same are the names of files that need no change.
func (p Pick) AsItWas(names []string) (out plan.Plan, same []string, err error) {
	out.Version = plan.Version
	gone := map[string]snapshot.Snapshot{}
	var back []string
	for _, name := range names {
		name = p.below(name)
		snap := p.Snapshot
		if at := p.newestOf(name); p.free && at >= 0 {
			snap = p.all[at]
		}
		i := indexOf(snap, name)
		if i < 0 {
			return out, nil,
				fmt.Errorf("%s: is not in snapshot %d; hint: keepsake md snapshot list --json says which "+
					"files each one has", brief.Line(name), p.Number)
		}
		was := snap.Files[i]
		text, err := p.box.Read(was)
		if err != nil {
			return out, nil, err
		}
		edit := plan.Edit{Path: name, Verb: plan.Create, After: text, Modified: modified(was)}
		if now := indexOf(p.now, name); now >= 0 {
			if p.now.Files[now].Digest == was.Digest {
				same = append(same, name)
				continue
			}
			edit.Verb, edit.Before = plan.Update, p.now.Files[now].Digest
		} else {
			gone[name], back = snap, append(back, name)
		}
		out.Edits = append(out.Edits, edit)
	}
	if !slices.ContainsFunc(out.Edits, func(e plan.Edit) bool { return e.Path == memdir.Index }) {
		of := func(name string) snapshot.Snapshot { return gone[name] }
		out.Edits = append(out.Edits, p.relink(back, of)...)
	}
	return out, same, nil
}
