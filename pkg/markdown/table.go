package markdown

import "strings"

// A Cell is a cell of a row of a table, without the bars around it.
type Cell struct {
	Text     string // without blanks at its ends; a bar that is part of it keeps its backslash
	From, To int    // where it begins and ends in the row, in bytes, with those blanks
}

// Cells returns the cells of a row, with or without bars at its ends; there is always one. A bar with a
// backslash before it is part of a cell.
func Cells(row string) []Cell {
	from, end := len(Indent(row)), len(strings.TrimRight(row, " \t"))
	if from < end && row[from] == '|' {
		from++
	}
	cells := make([]Cell, 0, strings.Count(row, "|")+1)
	add := func(to int) {
		cells = append(cells, Cell{strings.TrimSpace(row[from:to]), from, to})
		from = to + 1
	}
	for i := from; i < end; i++ {
		if row[i] == '|' && row[max(i-1, 0)] != '\\' {
			add(i)
		}
	}
	if from < end || len(cells) == 0 {
		add(max(from, end))
	}
	return cells
}

// CellTexts returns the texts of the cells of a row.
func CellTexts(row string) []string {
	cells := Cells(row)
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = c.Text
	}
	return texts
}

// PrintRow returns the row that has cells with these texts.
func PrintRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// IsDelimiterRow reports whether a line is the one below the head of a table.
func IsDelimiterRow(t string) bool {
	t = strings.TrimSpace(t)
	return (strings.HasPrefix(t, "|") && strings.Contains(t, "-") || strings.Contains(t, "|") &&
		strings.Contains(t, "--")) &&
		strings.Trim(t, "|-: \t") == ""
}

// Table returns where the table of a row begins and ends, as indices of lines.
func (d Doc) Table(row int) (top, end int) {
	top, end = row, row+1
	for top > 0 && d.Lines[top-1].Kind == Row {
		top--
	}
	for end < len(d.Lines) && d.Lines[end].Kind == Row {
		end++
	}
	return top, end
}
