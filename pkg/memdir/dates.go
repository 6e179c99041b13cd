package memdir

import (
	"strings"
	"time"

	"keepsake/pkg/markdown"
)

func (v *view) dateRelative() {
	for _, p := range v.pages {
		if p.role == log || p.role == archived || p.role == board || p.timeless() {
			continue
		}
		for i, l := range p.doc.Lines {
			if l.Kind == markdown.Blank || l.Kind == markdown.Code || l.Kind == markdown.Quote ||
				l.Kind == markdown.Comment {
				continue
			}
			if l.Kind == markdown.Front && i != p.descriptionLine() {
				continue
			}
			for _, s := range p.spotsAt(i) {
				_, absolute := p.absolute(i, s)
				v.find(p.Path, i+1, absolute, "%q is relative to a day that the memory doesn't know",
					l.Text[s.from:s.to])
			}
		}
	}
}

// timeless reports whether no line of a page can have a relative date.
func (p *page) timeless() bool {
	if !p.told {
		p.told, p.quiet = true, !timely(lower(string(p.Bytes)))
	}
	return p.quiet
}

// descriptionLine returns the index of the line of the description, -1 if there is none.
func (p *page) descriptionLine() int {
	_, line := p.doc.Front.Get("description")
	return line - 1
}

// staleDays is after how many days an entry that can go stale is to be checked.
const staleDays = 90

func (v *view) dateOld() {
	for p := range v.topics {
		if at, line, how := v.age(p); stale(at, v.dir.Now) {
			v.find(p.Path, line, false, "%s %s, %d days ago", how, at.Format(time.DateOnly),
				daysAgo(at, v.dir.Now))
		}
	}
}

// Unknown is the value of last_updated in a file that nobody knows the age of.
const Unknown = "unknown"

// updatedKeys are the keys of frontmatter that say when a memory was last known to be true. Those below
// metadata are the client's, which writes them when it edits a file.
var updatedKeys = [...]string{"last_updated", "metadata.last_updated", "metadata.modified"}

// Updated returns the latest day that frontmatter gives for the last change, and its line. If there is such
// a key but no date, it is the zero time; without one the line is 0, too.
func Updated(h markdown.Frontmatter) (at time.Time, line int) {
	for _, key := range updatedKeys {
		said, l := h.Get(key)
		if d, ok := day(said); ok && (line == 0 || d.After(at)) {
			at, line = d, l
		} else if line == 0 {
			line = l
		}
	}
	return at, line
}

// UpdatedKey returns the key of frontmatter that says when the file was last updated, "" if none does.
func UpdatedKey(h markdown.Frontmatter) string {
	_, line := Updated(h)
	for _, f := range h.Fields {
		if f.Line == line {
			return f.Key
		}
	}
	return ""
}

// ageless reports whether frontmatter says that nobody knows the age of its file.
func ageless(h markdown.Frontmatter) bool {
	said, _ := h.Get("last_updated")
	at, _ := Updated(h)
	return said == Unknown && at.IsZero()
}

// age returns when a file was last changed, the line that the date is in, and how to word it. It is the
// zero time if the file can't go stale. In the table profile every file can. In the pointer profile those
// of the types project and reference can, in the density profile those of people, tools and projects.
func (v *view) age(p *page) (at time.Time, line int, how string) {
	switch v.in {
	case inPointer:
		if t, _ := typeOfHead(p.doc.Front); t != "project" && t != "reference" {
			return at, 0, ""
		}
	case inDensity:
		if !strings.HasPrefix(p.Path, v.base+"user/entities/") {
			return at, 0, ""
		}
	}
	// A date that nobody can read, or one to come, makes nothing fresh.
	past := func(at time.Time) bool {
		return !at.IsZero() && (v.dir.Now.IsZero() || !at.After(v.dir.Now.Add(24*time.Hour)))
	}
	if at, line := Updated(p.doc.Front); line > 0 && !ageless(p.doc.Front) && past(at) {
		return at, line, "was last updated on"
	}
	if at, line := p.lastStamp(); past(at) {
		return at, line, "was last updated on"
	}
	return p.Modified, 0, "was last written on"
}

// lastStamp returns the latest date of the stamps in a page, and its line.
func (p *page) lastStamp() (at time.Time, line int) {
	for _, s := range stampsOf(p.doc) {
		if s.date.After(at) && !s.least {
			at, line = s.date, s.line
		}
	}
	return at, line
}

// Known returns when a file was last known to be true: by its frontmatter, else by the latest of its stamps,
// else by when it was written.
func Known(d markdown.Doc, modified time.Time) time.Time {
	if at, _ := Updated(d.Front); !at.IsZero() {
		return at
	}
	if at, _ := (&page{doc: d}).lastStamp(); !at.IsZero() {
		return at
	}
	return modified
}

// stampAgain puts the last stamp that a page had at its end, if the page lost all of them to another file and
// nothing else in it says when it was last updated.
func (t *tree) stampAgain(p *page, had time.Time) {
	now, _ := p.lastStamp()
	if _, line := Updated(p.doc.Front); line > 0 || had.IsZero() || !now.IsZero() {
		return
	}
	t.append(p, []markdown.Line{{Text: Stamp(had), End: p.eol()}})
}
