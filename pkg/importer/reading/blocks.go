package reading

import (
	"bytes"
	"strings"

	"keepsake/pkg/markdown"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A block is a part of a Markdown text that begins on a line of its own. Its
// text is as it was written.
type block struct {
	node       ast.Node
	text       string
	start, end int // in the source, in bytes; whole lines
}

// blocks returns the top-level blocks of a Markdown text. Their texts joined together are the source.
func blocks(src []byte) []block {
	doc := goldmark.DefaultParser().Parse(text.NewReader(src))
	if out := parts(doc, src, 0, len(src)); len(out) > 0 || len(src) == 0 {
		return out
	}
	return []block{{node: doc, text: string(src), end: len(src)}}
}

// parts returns the children of a container that takes up src[from:to]. Each begins on a line of its own,
// and together they are all of src[from:to].
func parts(container ast.Node, src []byte, from, to int) []block {
	var out []block
	for n := container.FirstChild(); n != nil; n = n.NextSibling() {
		at := bytes.LastIndexByte(src[:min(max(n.Pos(), 0), len(src))], '\n') + 1
		if len(out) == 0 {
			at = from
		} else if at <= out[len(out)-1].start || at >= to {
			continue // on the line of the block before it, which has its text
		}
		out = append(out, block{node: n, start: at})
	}
	for i := range out {
		out[i].end = to
		if i+1 < len(out) {
			out[i].end = out[i+1].start
		}
		out[i].text = string(src[out[i].start:out[i].end])
	}
	return out
}

// items returns the entries of the list b, without their bullets but with the lists inside them.
func (b block) items(src []byte) []block {
	list := parts(b.node, src, b.start, b.end)
	for i, it := range list {
		list[i].text = withoutMarker(it.text)
	}
	return list
}

// withoutMarker returns a list item without its bullet or number and the indentation that belongs to it.
func withoutMarker(s string) string {
	s = strings.TrimRight(s, " \t\n")
	trimmed := strings.TrimLeft(s, " \t\n")
	i := strings.IndexAny(trimmed, " \t")
	if i < 0 {
		return strings.Trim(trimmed, "-*+")
	}
	if mark := trimmed[:i]; strings.Trim(mark, "-*+") != "" && strings.Trim(mark, "0123456789.)") != "" {
		return trimmed
	}
	width := i + 1
	lines := strings.Split(trimmed[width:], "\n")
	for k, l := range lines[1:] {
		n := 0
		for n < len(l) && n < width && (l[n] == ' ' || l[n] == '\t') {
			n++
		}
		lines[k+1] = l[n:]
	}
	return strings.TrimLeft(strings.Join(lines, "\n"), " \t")
}

// heading returns the text and the level of a heading; level 0 if b is no heading.
func (b block) heading() (string, int) {
	h, ok := b.node.(*ast.Heading)
	if !ok {
		return "", 0
	}
	title, _, _ := strings.Cut(strings.TrimSpace(b.text), "\n")
	return markdown.Title(title), h.Level
}
