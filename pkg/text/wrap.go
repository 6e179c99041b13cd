package text

import "strings"

// Wrap returns a line as the rows that it takes on a terminal, broken behind a blank where there is one in
// the second half of a row. Rows behind the first begin as deep as the line does, behind its bar if it has
// one. A word of up to maxLabel letters may stand before the bar; it is not repeated.
func Wrap(line string, columns int) (rows []string) {
	if len(line) <= columns {
		return []string{line}
	}
	indent := hanging(line)
	if 2*len(indent) > columns {
		indent = ""
	}
	row, at := "", 0
	for _, r := range line {
		if at+wide(r) > columns && at > len(indent) {
			rest := ""
			if i := strings.LastIndexByte(row, ' ') + 1; i > max(len(row)/2, len(indent)) {
				row, rest = row[:i], row[i:]
			}
			rows, row, at = append(rows, row), indent+rest, len(indent)
			for _, r := range rest {
				at += wide(r)
			}
		}
		row += string(r)
		at += wide(r)
	}
	return append(rows, row)
}

// maxLabel is how many columns what stands before a bar has at most, its indentation included.
const maxLabel = 12

// hanging returns what the rows of a line begin with, behind the first.
func hanging(line string) string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if indent == "" {
		return ""
	}
	label, _, ok := strings.Cut(line, "| ")
	if ok && len(label) <= maxLabel && len(strings.Fields(label)) <= 1 {
		return strings.Repeat(" ", len(label)) + "| "
	}
	return indent
}

// wide returns how many columns a character takes, or one too many.
func wide(r rune) int {
	if r >= 0x1100 {
		return 2
	}
	return 1
}
