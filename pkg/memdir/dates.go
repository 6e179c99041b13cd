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
			for _, s := range spots(l.Text) {
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
	if date, line := p.doc.Front.Get("last_updated"); date != "" {
		at, _ = day(date)
		return at, line, "was last updated on"
	}
	for _, s := range stampsOf(p.doc) {
		if s.date.After(at) {
			at, line = s.date, s.line
		}
	}
	if !at.IsZero() {
		return at, line, "was last updated on"
	}
	return p.Modified, 0, "was last written on"
}
