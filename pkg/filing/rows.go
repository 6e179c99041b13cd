package filing

import (
	"path"
	"strings"

	"keepsake/pkg/memdir"
)

// list adds a line to the list of an index: in the section that is called like the
// kind, else behind the last line of that sort, else at the end.
func (s *sheet) list(line, section string) {
	at, inside := -1, false
	for i := s.doc.Head.Lines; i < len(s.doc.Lines); i++ {
		switch l := s.doc.Lines[i]; l.Kind {
		case memdir.Heading:
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
		case memdir.More:
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

// row adds a row to the table of an index whose rows lead to files like this one,
// with as many cells as it has, or a line to such a list. Where there is none, the
// head of a table and the row are added.
func (s *sheet) row(target, about, date, link string, near func(target string) bool, head []string) {
	last, closest := -1, -1
	migrate := -1
	for i, l := range s.doc.Lines {
		if l.Kind == memdir.Heading && migrates(l.Text) {
			migrate = i
			break
		}
	}
	for _, r := range s.doc.Refs() {
		if migrate >= 0 && r.Line-1 > migrate {
			break
		}
		if strings.HasPrefix(r.Target, "/") || strings.HasPrefix(r.Target, "~") {
			continue
		}
		if s.doc.Lines[r.Line-1].Kind == memdir.Row || last < 0 || s.doc.Lines[last].Kind != memdir.Row {
			last = r.Line - 1
		}
		if near(r.Target) {
			closest = r.Line - 1
		}
	}
	if closest < 0 {
		closest = last
	}
	switch {
	case closest >= 0 && s.doc.Lines[closest].Kind == memdir.Row:
		s.insert(closest+1, s.cells(closest, about, date, link))
	case closest >= 0:
		s.insert(closest+1, "- "+link+": "+about)
	default:
		text := append(append([]string{}, head...), s.fill(cellsOf(head[0]), 0, about, date, link))
		if migrate >= 0 {
			s.insert(migrate, append(text, "")...)
			return
		}
		s.end(text...)
	}
}

// cells is a row like the one at a line.
func (s *sheet) cells(at int, about, date, link string) string {
	top := at
	for top > 0 && s.doc.Lines[top-1].Kind == memdir.Row {
		top--
	}
	file := 0
	for i, c := range cellsOf(s.doc.Lines[at].Text) {
		if strings.Contains(c, ".md") {
			file = i
			break
		}
	}
	row := s.fill(cellsOf(s.doc.Lines[top].Text), file, about, date, link)
	if !strings.HasPrefix(strings.TrimSpace(s.doc.Lines[at].Text), "|") {
		row = strings.Trim(row, "| ")
	}
	return row
}

// fill puts link, date and text below the heads of a table; file is the column of
// the link.
func (s *sheet) fill(heads []string, file int, about, date, link string) string {
	out := make([]string, max(len(heads), 2))
	said := false
	for i := range out {
		switch {
		case i == file:
			out[i] = link
		case i < len(heads) && dated(heads[i]):
			out[i] = date
		case !said:
			out[i], said = strings.ReplaceAll(about, "|", "/"), true
		}
	}
	return "| " + strings.Join(out, " | ") + " |"
}

// date sets the date of a row of a routing table.
func (s *sheet) date(at int, date string) {
	top := at
	for top > 0 && s.doc.Lines[top-1].Kind == memdir.Row {
		top--
	}
	for i, head := range cellsOf(s.doc.Lines[top].Text) {
		if !dated(head) {
			continue
		}
		cells := strings.Split(s.doc.Lines[at].Text, "|")
		if strings.HasPrefix(strings.TrimSpace(s.doc.Lines[at].Text), "|") {
			i++
		}
		if i < len(cells) {
			old := strings.TrimSpace(cells[i])
			switch {
			case old == "" && i == len(cells)-1:
				continue // behind the last bar
			case old == "":
				cells[i] = " " + date + " "
			default:
				cells[i] = strings.Replace(cells[i], old, date, 1)
			}
			s.line(at, strings.Join(cells, "|"))
		}
		return
	}
}

func dated(head string) bool { return strings.Contains(strings.ToLower(head), "updated") }

func cellsOf(text string) []string {
	cells := strings.Split(strings.Trim(strings.TrimSpace(text), "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// migrates says that a heading begins the list of files of an older form.
func migrates(text string) bool {
	return strings.Contains(strings.ReplaceAll(strings.ToLower(text), "-", " "), "to migrate")
}

// migrated takes the lines out of the list of what is to migrate whose file is gone,
// or is called like the one that is new.
func (s *sheet) migrated(file string, m memdir.Map) {
	inside := false
	drop := map[int]bool{}
	for i, l := range s.doc.Lines {
		if l.Kind == memdir.Heading {
			inside = migrates(l.Text)
		}
		if !inside || l.Kind != memdir.Pointer {
			continue
		}
		for _, r := range memdir.Parse([]byte(l.Text)).Refs() {
			if to, there := m.Leads(r); !there && strings.HasSuffix(r.Target, ".md") || there && path.Base(to) == path.Base(file) {
				drop[i] = true
			}
		}
	}
	if len(drop) == 0 {
		return
	}
	var kept []memdir.Line
	for i, l := range s.doc.Lines {
		if !drop[i] {
			kept = append(kept, l)
		}
	}
	s.set(kept)
}
