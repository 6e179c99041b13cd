package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// cellsOf returns the cells of a line of a Markdown table.
func cellsOf(line string) (cells []string) {
	cells = markdown.CellTexts(line)
	for i, cell := range cells {
		cells[i] = plain(strings.ReplaceAll(cell, `\|`, "|"))
	}
	return cells
}

// maxRows and maxColumns bound a table that may hold options: a longer one is data.
const (
	maxRows    = 10
	maxColumns = 8
)

// tableList returns the options that a table compares: a row each, or a column each where
// the first one only names what they are compared by.
func tableList(rows [][]string) (l list) {
	if len(rows) < 3 || len(rows) > maxRows || len(rows[0]) < 2 || len(rows[0]) > maxColumns ||
		!isDelimiter(rows[1]) {
		return list{}
	}
	head, body := rows[0], rows[2:]
	if comparesColumns(head) {
		turned := make([][]string, len(head)-1)
		names := []string{""}
		for _, row := range body {
			names = append(names, row[0])
		}
		for i, name := range head[1:] {
			turned[i] = append(turned[i], name)
			for _, row := range body {
				cell := ""
				if i+1 < len(row) {
					cell = row[i+1]
				}
				turned[i] = append(turned[i], cell)
			}
		}
		head, body = names, turned
	}
	for i, row := range body {
		kind, key, rest := readRowKey(row[0])
		if i > 0 && kind != l.kind || kind.keyed() && key != i+1 {
			return list{}
		}
		first := 1
		if rest == "" && len(row) > 1 {
			rest, first = row[1], 2
		}
		line := rest
		var details []string
		for n := first; n < min(len(row), len(head)); n++ {
			switch {
			case row[n] == "":
			case head[n] == "":
				details = append(details, row[n])
			default:
				details = append(details, head[n]+": "+row[n])
			}
		}
		if len(details) > 0 {
			line += " (" + strings.Join(details, "; ") + ")"
		}
		if rest == "" {
			return list{}
		}
		l.kind = kind
		l.options = append(l.options, option{i + 1, text.ShortenBytes(line, maxOption)})
	}
	return l
}

func isDelimiter(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool {
		return cell == "" || strings.Trim(cell, "-:") != ""
	})
}

// comparesColumns reports whether a table compares its columns, and not its rows.
func comparesColumns(head []string) bool {
	if head[0] == "" {
		return true
	}
	words := splitWords(head[0])
	if len(words) != 1 {
		return false
	}
	return words[0].in("aspect criterion criteria feature property dimension factor " +
		"aspekt kriterium kriterien eigenschaft merkmal")
}

// readRowKey takes the key off the first cell of a row: "2", "B", "Option B: x".
func readRowKey(cell string) (kind listKind, key int, rest string) {
	if key, letter, after := readKey(cell); key > 0 && strings.Trim(after, ".) ") == "" {
		if letter {
			return lettered, key, ""
		}
		return numbered, key, ""
	}
	if kind, key, rest, ok := readItem(cell); ok && key > 0 {
		return kind, key, rest
	}
	return tabled, 0, cell
}
