package blackboard

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// A Row is what the registry says of a project.
type Row struct{ ID, Status, Deadline, Progress, Updated string }

// columns are those of the registry, in the order of a new one, with the names
// that a table may have for them.
var columns = [...]struct {
	name  string
	other []string
	of    func(*Row) *string
}{
	{"id", []string{"project", "card", "name"}, func(r *Row) *string { return &r.ID }},
	{"status", []string{"state"}, func(r *Row) *string { return &r.Status }},
	{"deadline", []string{"due"}, func(r *Row) *string { return &r.Deadline }},
	{"progress", []string{"last progress", "latest"}, func(r *Row) *string { return &r.Progress }},
	{"updated", []string{"last updated", "date"}, func(r *Row) *string { return &r.Updated }},
}

const newRegistry = `# Projects

One line for each project. What it says of status and deadline holds; the card in projects/ has the rest.

| id | status | deadline | progress | updated |
| --- | --- | --- | --- | --- |
`

// A table is the one of a registry: where its head is, where its rows end, and
// which cell has what, -1 for a column that there isn't.
type table struct {
	head, end int
	at        [len(columns)]int
	width     int
}

// rows finds the table of a registry.
func rows(d markdown.Doc) (table, bool) {
	for i := d.Front.Lines; i+1 < len(d.Lines); i++ {
		if d.Lines[i].Kind != markdown.Row || d.Lines[i+1].Kind != markdown.Row ||
			!markdown.IsDelimiterRow(d.Lines[i+1].Text) {
			continue
		}
		t := table{head: i}
		names := markdown.CellTexts(d.Lines[i].Text)
		t.width = len(names)
		for c, col := range columns {
			t.at[c] = slices.IndexFunc(names, func(n string) bool {
				name := strings.ToLower(strings.Trim(n, "*_` "))
				return name == col.name || slices.Contains(col.other, name)
			})
		}
		if t.at[0] < 0 || t.at[1] < 0 {
			continue
		}
		_, t.end = d.Table(i)
		return t, true
	}
	return table{}, false
}

// ParseRegistry reads the rows of a registry, in order.
func ParseRegistry(b []byte) (out []Row) {
	d := markdown.Parse(b)
	t, ok := rows(d)
	if !ok {
		return nil
	}
	for _, l := range d.Lines[t.head+2 : t.end] {
		if r := t.row(l.Text); r.ID != "" {
			out = append(out, r)
		}
	}
	return out
}

func (t table) row(text string) (r Row) {
	cells := markdown.CellTexts(text)
	for c, col := range columns {
		if at := t.at[c]; at >= 0 && at < len(cells) {
			*col.of(&r) = strings.ReplaceAll(cells[at], `\|`, "|")
		}
	}
	r.ID = named(r.ID)
	r.Status = strings.Trim(r.Status, "*_` ")
	r.Deadline = strings.Trim(r.Deadline, "*_` ")
	return r
}

// named returns the id in a cell: "[shop](projects/shop.md)", `shop` or shop.
func named(cell string) string {
	cell = strings.Trim(cell, "*_` ")
	if rest, ok := strings.CutPrefix(cell, "["); ok {
		if name, _, ok := strings.Cut(rest, "]"); ok {
			cell = strings.Trim(name, "[*_` ")
		}
	}
	return cell
}

// setRow returns a registry with the values of r in its row. Fields that are "" stay as they are. A
// registry without such a row gets it at its end.
func setRow(b []byte, r Row) ([]byte, error) {
	if b == nil {
		b = []byte(newRegistry)
	}
	d := markdown.Parse(b)
	t, ok := rows(d)
	if !ok {
		_, head, _ := strings.Cut(newRegistry, "\n\n|")
		texts := strings.Split(strings.TrimSpace("|"+head), "\n")
		if n := len(d.Lines); n > 0 && strings.TrimSpace(d.Lines[n-1].Text) != "" {
			texts = append([]string{""}, texts...)
		}
		d.Insert(len(d.Lines), texts...)
		d = markdown.Parse(d.Print())
		if t, ok = rows(d); !ok {
			return nil, errHidden
		}
	}
	at := -1
	for i := t.head + 2; i < t.end; i++ {
		if strings.EqualFold(t.row(d.Lines[i].Text).ID, r.ID) {
			at = i
			break
		}
	}
	if at < 0 {
		cells := make([]string, t.width)
		cells[t.at[0]] = "[" + r.ID + "](projects/" + strings.ReplaceAll(r.ID, " ", "%20") + ".md)"
		at = t.end
		d.Insert(at, markdown.PrintRow(cells))
	}
	for c, col := range columns {
		if v := *col.of(&r); c > 0 && v != "" && t.at[c] >= 0 && *col.of(ptr(t.row(d.Lines[at].Text))) != v {
			d.Lines[at].Text = setCell(d.Lines[at].Text, t.at[c], v)
		}
	}
	out := d.Print()
	if !slices.ContainsFunc(ParseRegistry(out), func(x Row) bool { return strings.EqualFold(x.ID, r.ID) }) {
		return nil, errHidden
	}
	return out, nil
}

func ptr(r Row) *Row { return &r }

// setCell gives a cell of a row a value; a row that is too short gets the cells.
func setCell(row string, at int, value string) string {
	value = strings.ReplaceAll(value, "|", `\|`)
	cells := markdown.Cells(row)
	if at < len(cells) {
		before, after := row[:cells[at].From], row[cells[at].To:]
		if before != "" {
			before += " "
		}
		if after != "" {
			after = " " + after
		}
		return before + value + after
	}
	row = strings.TrimRight(row, " \t")
	if !strings.HasSuffix(row, "|") || strings.HasSuffix(row, `\|`) {
		row += " |"
	}
	for range at - len(cells) {
		row += " |"
	}
	return row + " " + value + " |"
}
