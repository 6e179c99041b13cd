package board

import (
	"errors"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
)

// errHidden is a file that nothing can be added to where it would be seen.
var errHidden = errors.New("code or a comment in it is not closed, so that what is added would be part of it; close it first")

// put inserts lines before the line at, with the line ending of the file.
func put(d *markdown.Doc, at int, texts ...string) {
	end := "\n"
	if len(d.Lines) > 0 && d.Lines[0].End != "" {
		end = d.Lines[0].End
	}
	if at > 0 && d.Lines[at-1].End == "" {
		d.Lines[at-1].End = end
	}
	var lines []markdown.Line
	for _, t := range texts {
		lines = append(lines, markdown.Line{Text: t, End: end})
	}
	d.Lines = slices.Insert(d.Lines, at, lines...)
}

// A heading is a line, or two with the one below it, that begins a part.
type heading struct {
	line, lines int // index of the first one, and how many
	level       int // 1 to 6
	title       string
}

func headings(d markdown.Doc) (out []heading) {
	for i := d.Front.Lines; i < len(d.Lines); i++ {
		if d.Lines[i].Kind != markdown.Heading {
			continue
		}
		t := strings.TrimSpace(d.Lines[i].Text)
		if level, title := markdown.ParseHeading(t); level > 0 {
			out = append(out, heading{i, 1, level, title})
			continue
		}
		level := 2
		if i+1 < len(d.Lines) && strings.HasPrefix(strings.TrimSpace(d.Lines[i+1].Text), "=") {
			level = 1
		}
		out = append(out, heading{i, 2, level, t})
		i++
	}
	return out
}

// bullet is where the text of an item begins in its line, 0 for no item.
func bullet(text string) int {
	t := strings.TrimLeft(text, " \t")
	at := len(text) - len(t)
	mark := strings.TrimLeft(t, "0123456789")
	if len(mark) == len(t) {
		if t == "" || !strings.ContainsRune("-*+", rune(t[0])) {
			return 0
		}
	} else if mark == "" || mark[0] != '.' && mark[0] != ')' {
		return 0
	}
	rest := strings.TrimLeft(mark[1:], " \t")
	if len(rest) == len(mark)-1 {
		return 0
	}
	return at + len(t) - len(rest)
}

// listed says that a line is an item of a list.
func listed(l markdown.Line) bool {
	return (l.Kind == markdown.Item || l.Kind == memdir.Pointer) && bullet(l.Text) > 0
}
