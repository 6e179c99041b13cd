package exchange

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// outline is the blocks of a document by their lines: "3 list", "3 item". Of
// what stands in an entry, only lists count.
func outline(src []byte, all []block, top bool) (out []string) {
	for _, b := range all {
		at := len(src[:b.start]) + len(b.blanks(src))
		say := func(what string) { out = append(out, fmt.Sprint(bytes.Count(src[:at], []byte("\n"))+1, " ", what)) }
		if top && b.kind != isItem {
			say(map[kind]string{isParagraph: "text", isHeading: fmt.Sprint("h", b.level), isList: "list", isOther: "other"}[b.kind])
		}
		if b.kind == isItem {
			say("item")
			out = append(out, outline(src, parts(src, b), false)...)
		}
		if b.kind == isList {
			out = append(out, outline(src, b.items(src), false)...)
		}
	}
	return out
}

// blanks are the blank lines that a document's first block begins with.
func (b block) blanks(src []byte) (blank string) {
	for line := range strings.Lines(string(src[b.start:b.end])) {
		if strings.TrimSpace(line) != "" {
			break
		}
		blank += line
	}
	return blank
}

// commonMark is what goldmark makes of it.
func commonMark(src []byte, in ast.Node, top bool) (out []string) {
	for n := in.FirstChild(); n != nil; n = n.NextSibling() {
		say := func(what string) {
			out = append(out, fmt.Sprint(bytes.Count(src[:n.Pos()], []byte("\n"))+1, " ", what))
		}
		what := "other"
		switch n := n.(type) {
		case *ast.Paragraph:
			if what = "text"; src[n.Pos()] == '|' {
				what = "other" // a table is none of CommonMark's
			}
		case *ast.Heading:
			what = fmt.Sprint("h", n.Level)
		case *ast.List:
			what = "list"
		case *ast.ListItem:
			say("item")
			out = append(out, commonMark(src, n, false)...)
			continue
		}
		if top {
			say(what)
		}
		if what == "list" {
			out = append(out, commonMark(src, n, false)...)
		}
	}
	return out
}

func TestBlocksAreThoseOfCommonMark(t *testing.T) {
	texts := map[string]string{
		"lists in lists":      "- a\n  - b\n\n  - c\n    d\n- e\n\n  f\n\ng\n",
		"numbers":             "1. a\n2. b\n   - c\n\n   d\n10) e\n",
		"a list behind text":  "text\n- a\n- b\nmore of b\n\ntext\n",
		"a number in a text":  "it was in\n2024. Then\n",
		"a list behind a gap": "* a\n\n\n* b\n\n***\n* c\n",
		"fences":              "```\n# a\n\n- b\n```\ntext\n~~~~ go\n```\n~~~\n~~~~\n# h\n",
		"a fence in a list":   "- a\n  ```\n  - no item\n\n  # no heading\n  ```\n- b\n",
		"a fence at a bullet": "- ```\n  - no item\n  ```\n- b\n",
		"a fence never ends":  "a\n```\nb\n\n# c\n",
		"code by indent":      "a\n\n    # code\n\n    - code\n\nb\n    still b\n",
		"headings":            "# a\n#b\n####### c\n\nd\n===\ne\n---\n---\n## f ##\n",
		"quotations":          "> a\nb\n\n> - c\n\n- d\n  > e\n",
		"HTML":                "<div>\na\n\n# b\n<!-- c\n\n# d\n-->\ntext\n\n<https://e.example> f\n",
		"tabs":                "-\ta\n\t- b\n\n\t  c\n-\td\n",
		"other scripts":       "# 規則\n- 必ず\n  - 書く\n",
		"names of links":      "a\n\n[x]: https://e.example\n\nb\n",
		"bullets of nothing":  "-\n- a\n-\n",
		"far to the right":    "- a\n  - b\n    - c\n      - d\n        - e\n",
	}
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/adr/*.md", "../../skills/*/*.md", "../../agents/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v %v", pattern, files, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(b)
		}
	}
	for name, s := range texts {
		src := []byte(s)
		got, want := outline(src, blocks(src), true), commonMark(src, goldmark.DefaultParser().Parse(text.NewReader(src)), true)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, ", "), strings.Join(want, ", "))
		}
	}
}

// Thousands of bullets on one line take no longer than other lines.
func TestManyBullets(t *testing.T) {
	src := []byte(strings.Repeat("- ", 50_000) + "x\n")
	depth := 0
	for all := blocks(src); len(all) == 1 && all[0].kind == isList; depth++ {
		all = parts(src, all[0].items(src)[0])
	}
	if depth != maxMargin/2+1 {
		t.Error(depth)
	}
}
