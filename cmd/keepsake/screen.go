package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"keepsake/pkg/text"
)

// A terminal is the controlling terminal, which knows its size.
type terminal struct{ *os.File }

// Size returns how many columns and rows the terminal has, or those of the usual one if it does not know.
func (t terminal) Size() (columns, rows int) {
	size, err := unix.IoctlGetWinsize(int(t.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Row == 0 || size.Col == 0 {
		return 80, 24
	}
	return int(size.Col), int(size.Row)
}

// show shows blocks of lines on a terminal, page by page, so that nothing scrolls away before the person has
// seen it. A block that fits a page is not cut. The last page leaves room for a question. It reports whether
// the person has seen all.
func show(tty io.Writer, answers *bufio.Reader, blocks ...[]string) bool {
	pages := pagesOf(tty, blocks)
	for i, page := range pages {
		for _, line := range page {
			fmt.Fprintln(tty, line)
		}
		if i == len(pages)-1 {
			break
		}
		for more := false; !more; {
			fmt.Fprintf(tty, "-- page %d of %d: Enter for more, q to leave -- ", i+1, len(pages))
			line, ok := readLine(answers)
			if !ok || text.OneOf(strings.ToLower(line), "q quit n no") {
				return false
			}
			more = line == "" // any other key, such as a yes before all was seen, asks again
		}
	}
	return true
}

// questionRows is how many rows of a page are left for a question below it, and its repetition.
const questionRows = 3

// pagesOf returns the lines of each page. A terminal without a size has one page.
func pagesOf(tty io.Writer, blocks [][]string) (pages [][]string) {
	sized, ok := tty.(interface{ Size() (columns, rows int) })
	if !ok {
		sized = endless{}
	}
	columns, rows := sized.Size()
	room := max(1, rows-questionRows)
	var page []string
	for _, block := range blocks {
		var lines []string
		for _, l := range block {
			lines = append(lines, text.Wrap(l, columns)...)
		}
		if len(page) > 0 && len(page)+len(lines) > room {
			pages, page = append(pages, page), nil
		}
		for len(lines) > room {
			pages, lines = append(pages, lines[:room]), lines[room:]
		}
		page = append(page, lines...)
	}
	return append(pages, page)
}

// endless is the size of what is no terminal.
type endless struct{}

func (endless) Size() (columns, rows int) { return math.MaxInt, math.MaxInt }
