package tidy

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// join puts all that a file says at the end of another one. Its description, which the
// other file has one of its own for, is named in the plan as what goes.
func (w *planner) join(f *draft, a Answer, c Change) string {
	if !w.m.Topic(f.path) {
		return "is an index"
	}
	if a.Reason == "" {
		return "gives no reason"
	}
	to, why := w.target(f, a.To)
	if why != "" {
		return why
	}
	if f.changed() || slices.ContainsFunc(f.said, func(s Statement) bool {
		return w.taken[place{f.path, s.Line}] > 0
	}) {
		return "another answer changes the file: join it first, and go on with the next plan"
	}
	var lines []string
	title := ""
	for _, l := range f.doc.Lines[f.doc.Front.Lines:] {
		if level, t := markdown.ParseHeading(l.Text); level == 1 && title == "" &&
			l.Kind == markdown.Heading &&
			len(strings.TrimSpace(strings.Join(lines, ""))) == 0 {
			title, lines = text.OneLine(t), nil
			continue
		}
		lines = append(lines, l.Text)
	}
	name, _ := f.doc.Front.Get("name")
	title = cmp.Or(title, text.OneLine(name), strings.TrimSuffix(path.Base(f.path), ".md"))
	body := strings.Split(strings.Trim(strings.Join(lines, "\n"), "\n"), "\n")
	at, _ := to.end("")
	if known := f.known(); w.isNewer(to, known) {
		title += " " + memdir.AsOf(known)
		w.keepsAge(known)
	}
	to.after(at, append([]string{"## " + title, ""}, body...))
	f.gone, f.moved = true, true
	to.fresh = to.fresh || f.fresh
	if f.modified.After(to.modified) {
		to.modified = f.modified
	}
	if own, _ := memdir.Updated(to.doc.Front); !own.IsZero() {
		if said, _ := memdir.Updated(f.doc.Front); said.After(own) && said.After(to.day) {
			to.day = said
		}
	}
	c.File, c.To = f.path, to.path
	if said, _ := f.doc.Front.Get("description"); !strings.Contains(text.OneLine(strings.Join(lines, " ")),
		text.OneLine(said)) {
		c.Text = text.OneLine(said)
	}
	w.out.Done = append(w.out.Done, c)
	return ""
}

// head changes the frontmatter of a file.
func (w *planner) head(f *draft, a Answer, c Change) string {
	c.File = f.path
	if !w.m.Topic(f.path) {
		return "is an index, and has no frontmatter"
	}
	if len(f.doc.Front.Faults) > 0 {
		return "its frontmatter can't be read: mend it by hand"
	}
	switch a.Action {
	case "describe":
		if c.New = text.OneLine(c.New); c.New == "" {
			return "says nothing new"
		}
		old, _ := f.doc.Front.Get("description")
		c.Text = text.OneLine(old)
		f.set("description", markdown.Scalar(c.New))
		w.hook(f.path, c.Text, c.New)
	case "retype":
		c.New = strings.ToLower(c.New)
		if !slices.Contains(memdir.Types(), c.New) {
			return fmt.Sprintf("%q is none of %s", c.New, strings.Join(memdir.Types(), ", "))
		}
		key := "type"
		for _, field := range f.doc.Front.Fields {
			if field.Key == "metadata.type" {
				key = field.Key
			}
		}
		old, _ := f.doc.Front.Get("type", "metadata.type")
		c.Text = old
		f.set(key, c.New)
	case "confirm":
		if a.Reason == "" {
			return "gives no reason"
		}
		f.fresh = true
		if old, _ := f.doc.Front.Get("last_updated"); old == "" && w.p.Tree != nil {
			w.confirm(f)
		} else {
			f.date(w.now, true)
		}
	}
	w.out.Done = append(w.out.Done, c)
	return ""
}

// confirm dates a file as the layout dates its files: by a stamp at its end.
func (w *planner) confirm(f *draft) {
	if n := len(f.said); n > 0 && updated().MatchString(f.said[n-1].Text) && w.take(f.said[n-1]) == "" {
		f.say(f.said[n-1], w.stamp())
		return
	}
	at, _ := f.end("")
	f.after(at, []string{w.stamp()})
}

var updated = late(`^_Updated: [\d-]+_$`)

// hook gives the line that leads to a file a new hook, where it had none or the old
// description.
func (w *planner) hook(file, old, now string) {
	index := w.files[memdir.Index]
	if index == nil {
		return
	}
	for _, r := range memdir.Refs(index.doc) {
		to, ok := w.m.Leads(r)
		if !ok || to != file || r.Form != memdir.Link || index.drop[r.Line] ||
			w.taken[place{memdir.Index, r.Line}] > 0 {
			continue
		}
		line := index.doc.Lines[r.Line-1].Text
		switch {
		case r.Hook == "":
			line = strings.TrimRight(line, " \t—–-:") + " — " + now
		case text.OneLine(r.Hook) == old:
			line = strings.Replace(line, r.Hook, now, 1)
		default:
			continue
		}
		index.drop[r.Line] = true
		index.put[r.Line] = []string{line}
	}
}
