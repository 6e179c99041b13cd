package drawer

import (
	"bytes"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// MaxFile is the largest file of a drawer, in bytes.
const MaxFile = 4*MaxText + 8<<10

// fence stands above and below the head of a file.
const fence = "---\n"

// Encode prints a drawer as a Markdown file: a head with its address, where it
// was taken from and when it was filed, and below it the text byte for byte, with
// one line end after it.
//
//	---
//	wing: shop
//	room: decisions
//	source: .agents/memory/scratch/general.md:3
//	filed: 2026-04-23T10:30:00Z
//	---
//	Decided to use Postgres.
//
// A source is printed as one line without control characters.
func Encode(d Drawer) []byte {
	var b bytes.Buffer
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	b.WriteString(fence)
	line("wing", d.Wing)
	line("room", d.Room)
	line("source", text.FlatLine(strings.ToValidUTF8(d.Source, "")))
	if !d.Filed.IsZero() {
		line("filed", d.Filed.UTC().Format(time.RFC3339))
	}
	b.WriteString(fence + d.Text + "\n")
	return b.Bytes()
}

// Parse parses a drawer's file, even one that somebody edited. Unknown lines of the head are skipped, and
// a broken time becomes the zero time. A file without a head is an error, and so is a drawer that Check
// would refuse.
func Parse(file []byte) (Drawer, error) {
	var d Drawer
	if !utf8.Valid(file) {
		return d, errors.New("it is no text")
	}
	front, body, ok := markdown.CutFrontmatter(string(file))
	switch {
	case !ok && strings.HasPrefix(strings.TrimPrefix(body, "\uFEFF"), "---"):
		return d, errors.New("it has no --- below its head")
	case !ok:
		return d, errors.New("it does not begin with ---")
	}
	for line := range strings.Lines(front) {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch key {
		case "wing":
			d.Wing = value
		case "room":
			d.Room = value
		case "source":
			d.Source = text.FlatLine(strings.ToValidUTF8(value, ""))
		case "filed":
			if at, err := time.Parse(time.RFC3339, value); err == nil {
				d.Filed = at.UTC().Truncate(time.Second)
			}
		}
	}
	d.Text = strings.TrimSuffix(body, "\n")
	return d, d.Check()
}
