package memdir

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/markdown"
)

// hasContent reports whether a line carries something, and is not only form.
func hasContent(l markdown.Line) bool {
	return l.Kind != markdown.Blank && l.Kind != markdown.Front && l.Kind != markdown.Comment &&
		l.Kind != markdown.Break
}

// isText reports whether a line says something, and is no heading.
func isText(l markdown.Line) bool { return hasContent(l) && l.Kind != markdown.Heading }

func (v *view) fileEncoding() {
	for _, p := range v.pages {
		if !utf8.Valid(p.Bytes) {
			line := 0
			for i, l := range p.doc.Lines {
				if !utf8.ValidString(l.Text) {
					line = i + 1
					break
				}
			}
			v.find(p.Path, line, false, "has bytes that are no UTF-8")
		}
	}
}

func (v *view) topicEmpty() {
	for p := range v.topics {
		if len(p.doc.Front.Faults) > 0 {
			continue
		}
		if !slices.ContainsFunc(p.doc.Body(), isText) {
			v.find(p.Path, 0, false, "has no text")
		}
	}
}

func (v *view) topicLong() {
	for p := range v.topics {
		if n := len(p.doc.Lines); n > v.Topic && !v.giant(p) {
			v.find(p.Path, v.Topic+1, v.shortens(p), "has %d lines; %s keeps a topic to %d", n, v.Name,
				v.Topic)
		}
	}
}

func (v *view) topicGiant() {
	for p := range v.topics {
		if v.giant(p) {
			v.find(p.Path, 0, v.shortens(p),
				"%d lines with %d sections in one file; split it at its headings", len(p.doc.Lines),
				len(sectionsOf(p.doc)))
		}
	}
}

// A giant has many sections, and either a name that fits anything or nearly all
// that the directory knows.
const (
	giantSections = 4
	giantLines    = 100
)

func (v *view) giant(p *page) bool {
	large := 0
	sections := undatedSections(p.doc)
	for _, s := range sections {
		if textLines(p.doc.Lines[s.Body:s.End]) > smallLines {
			large++
		}
	}
	if len(sections) < giantSections || large < giantSections && len(p.doc.Lines) <= giantLines {
		return false // or a journal, or small sections that are best kept together
	}
	name := markdown.TrimExt(path.Base(p.Path))
	switch strings.ToLower(name) {
	case "memory", "memories", "notes", "note", "misc", "everything", "general", "stuff", "all", "dump",
		"knowledge", "context", "learnings":
		return true
	}
	if len(p.doc.Lines) <= max(giantLines, v.Topic) {
		return false
	}
	all := 0
	for q := range v.topics {
		all += len(q.doc.Lines)
	}
	return len(p.doc.Lines)*10 >= all*8
}

func (v *view) topicTitle() {
	for p := range v.topics {
		for i, l := range p.doc.Body() {
			if l.Kind == markdown.Blank || l.Kind == markdown.Comment {
				continue
			}
			if l.Kind != markdown.Heading || markdown.HeadingLevel(l.Text) > 1 {
				v.find(p.Path, p.doc.Front.Lines+i+1, len(p.doc.Front.Faults) == 0,
					`doesn't begin with "# Title"`)
			}
			break
		}
	}
}

func (v *view) topicWhy() {
	for p := range v.topics {
		t, _ := typeOfHead(p.doc.Front)
		if t != "feedback" && t != "project" {
			continue
		}
		lead, why, how := 0, 0, 0
		for i, l := range p.doc.Body() {
			at := p.doc.Front.Lines + i + 1
			switch {
			case !hasContent(l) || l.Kind == markdown.Heading && !Label(l.Text, "why") &&
				!Label(l.Text, "how to apply"):
			case Label(l.Text, "why"):
				why = cmp.Or(why, at)
			case Label(l.Text, "how to apply"):
				how = cmp.Or(how, at)
			default:
				lead = cmp.Or(lead, at)
			}
		}
		switch {
		case lead == 0 && why == 0:
		case lead == 0 || why > 0 && why < lead || how > 0 && how < lead:
			v.find(p.Path, cmp.Or(why, how), false, "begins with the reason; a %s memory begins with the %s",
				t, opening(t))
		case why == 0 && how == 0:
			v.find(p.Path, lead, false, `has neither "**Why:**" nor "**How to apply:**" below the %s`,
				opening(t))
		case why == 0:
			v.find(p.Path, lead, false, `has no "**Why:**" below the %s`, opening(t))
		case how == 0:
			v.find(p.Path, lead, false, `has no "**How to apply:**" below the %s`, opening(t))
		}
	}
}

func opening(t string) string {
	if t == "feedback" {
		return "rule"
	}
	return "fact"
}

// Label reports whether a line begins with "**name:**", or with another way to write that.
func Label(text, name string) bool {
	t := strings.TrimSpace(text)
	if s := markdown.ItemText(t); s != "" {
		t = s
	}
	t = strings.TrimLeft(t, "*_# ")
	if len(t) < len(name) || !strings.EqualFold(t[:len(name)], name) {
		return false
	}
	rest := strings.TrimLeft(t[len(name):], "*_ ")
	return rest == "" || rest[0] == ':' || strings.HasPrefix(strings.TrimSpace(text), "#")
}
