package classify

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
)

// list adds a line that leads to a file to the list of an index: in the section that
// is called like the kind, else behind the last line of that sort, else at the end.
// A target that no line can hold is left out: lint says so.
func (s *sheet) list(form memdir.Form, title, target, hook, section string) {
	line, ok := memdir.IndexLine(form, title, target, hook)
	if !ok {
		return
	}
	at, inside := -1, false
	for i := s.doc.Front.Lines; i < len(s.doc.Lines); i++ {
		switch l := s.doc.Lines[i]; l.Kind {
		case markdown.Heading:
			if strings.HasPrefix(l.Text, "# ") || !strings.HasPrefix(l.Text, "#") {
				continue
			}
			if inside && at >= 0 {
				s.insert(at+1, line)
				return
			}
			inside = strings.Contains(spaced(l.Text), " "+section+" ")
			if inside {
				at = -1
			}
		case memdir.Pointer:
			at = i
		case markdown.Continued:
			if at == i-1 {
				at = i
			}
		}
	}
	if at >= 0 {
		s.insert(at+1, line)
		return
	}
	s.end(line)
}

// row adds a row to the table of an index whose rows lead to files like this one, with as many cells as the
// table has. If the index has such a list instead, it adds a line to that. If it has neither, it adds the
// head of a table with the row. If coded is true, the path is in backticks.
func (s *sheet) row(target, about, date string, coded bool, near func(target string) bool, head []string) {
	last, closest := -1, -1
	migrate := -1
	for i, l := range s.doc.Lines {
		if l.Kind == markdown.Heading && migrates(l.Text) {
			migrate = i
			break
		}
	}
	for _, r := range memdir.Refs(s.doc) {
		if migrate >= 0 && r.Line-1 > migrate {
			break
		}
		if strings.HasPrefix(r.Target, "/") || strings.HasPrefix(r.Target, "~") {
			continue
		}
		if s.doc.Lines[r.Line-1].Kind == markdown.Row || last < 0 || s.doc.Lines[last].Kind != markdown.Row {
			last = r.Line - 1
		}
		if near(r.Target) {
			closest = r.Line - 1
		}
	}
	if closest < 0 {
		closest = last
	}
	if closest >= 0 && s.doc.Lines[closest].Kind != markdown.Row {
		form := memdir.Link
		if coded {
			form = memdir.Keyword
		}
		if line, ok := memdir.IndexLine(form, titled(strings.TrimSuffix(path.Base(target), ".md")), target,
			about); ok {
			s.insert(closest+1, line)
		}
		return
	}
	names, file := markdown.CellTexts(head[0]), 0
	if closest >= 0 {
		names, file = s.columns(closest)
	}
	line, ok := memdir.IndexRow(names, file, target, about, date, coded)
	switch {
	case !ok:
	case closest >= 0:
		if !strings.HasPrefix(strings.TrimSpace(s.doc.Lines[closest].Text), "|") {
			line = strings.Trim(line, "| ")
		}
		s.insert(closest+1, line)
	case migrate >= 0:
		s.insert(migrate, append(slices.Clone(head), line, "")...)
	default:
		s.end(append(slices.Clone(head), line)...)
	}
}

// columns returns the heads of the table of a row, and the index of the column with its link.
func (s *sheet) columns(at int) (names []string, file int) {
	top, _ := s.doc.Table(at)
	file = slices.IndexFunc(markdown.CellTexts(s.doc.Lines[at].Text), func(c string) bool {
		return strings.Contains(c, ".md")
	})
	return markdown.CellTexts(s.doc.Lines[top].Text), max(file, 0)
}

// date sets the date of a row of a routing table.
func (s *sheet) date(at int, date string) {
	top, _ := s.doc.Table(at)
	for i, head := range markdown.Cells(s.doc.Lines[top].Text) {
		if !dated(head.Text) {
			continue
		}
		row := s.doc.Lines[at].Text
		if cells := markdown.Cells(row); i < len(cells) {
			c := cells[i]
			now := " " + date + " "
			if c.Text != "" {
				now = strings.Replace(row[c.From:c.To], c.Text, date, 1)
			}
			s.line(at, row[:c.From]+now+row[c.To:])
		}
		return
	}
}

func dated(head string) bool { return strings.Contains(strings.ToLower(head), "updated") }

// migrates reports whether a heading begins the list of files that are still to migrate.
func migrates(text string) bool {
	return strings.Contains(strings.ReplaceAll(strings.ToLower(text), "-", " "), "to migrate")
}

// migrated takes the lines out of the list of what is to migrate whose file is gone.
func (s *sheet) migrated(m memdir.Map) {
	inside := false
	drop := map[int]bool{}
	for i, l := range s.doc.Lines {
		if l.Kind == markdown.Heading {
			inside = migrates(l.Text)
		}
		if !inside || l.Kind != memdir.Pointer {
			continue
		}
		for _, r := range memdir.Refs(memdir.Parse([]byte(l.Text))) {
			if _, there := m.Leads(r); !there && strings.EqualFold(path.Ext(r.Target), ".md") {
				drop[i] = true
			}
		}
	}
	if len(drop) == 0 {
		return
	}
	var kept []markdown.Line
	for i, l := range s.doc.Lines {
		if !drop[i] {
			kept = append(kept, l)
		}
	}
	s.set(kept)
}
