package markdown_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/markdown"
)

// FuzzParse prints what it parsed, byte by byte.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "\n", "\r\n", "a\rb\r\nc\n", "\ufeff", "---", "---\n---",
		"---\r\na: b\r\n---", "- [a](b.md", "|a.md|\n|-|", "> x\n===\n", "```\n", "<!--\n", "# a\n\n## b #\n",
		"\x00\xff\n\x80"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d := markdown.Parse(b)
		if got := d.Print(); !bytes.Equal(got, b) {
			t.Fatalf("%q is printed as %q", b, got)
		}
		for i, s := range d.Sections() {
			if s.Body <= s.At || s.End < s.Body && s.End != len(d.Lines) || s.End > len(d.Lines) {
				t.Fatalf("%q: section %d is %+v", b, i, s)
			}
		}
	})
}

func TestKinds(t *testing.T) {
	text := "---\nname: a\n---\n# Title\n\nText\ngoes on\n\n- item\n  more\n" +
		"- [T](f.md) — hook\n\n1. first\n\n> said\n\n" +
		"```go\n- code\n```\n\n    indented\n\n<!-- a\nb -->\n" +
		"| a |\n|---|\n| b |\n\na | b\n--|--\nc | d\n\n" +
		"Under\n-----\n\n***\n`inline` text\n\n##### five\n####### seven\n#none\n\n" +
		"2) second\n-none\n\n123456789. nine\n\n1234567890. ten\n1x none"
	want := []markdown.Kind{
		markdown.Front, markdown.Front, markdown.Front, markdown.Heading, markdown.Blank, markdown.Paragraph,
		markdown.Paragraph, markdown.Blank,
		markdown.Item, markdown.Continued, markdown.Item, markdown.Blank, markdown.Item, markdown.Blank,
		markdown.Quote, markdown.Blank,
		markdown.Code, markdown.Code, markdown.Code, markdown.Blank, markdown.Code, markdown.Blank,
		markdown.Comment, markdown.Comment,
		markdown.Row, markdown.Row, markdown.Row, markdown.Blank, markdown.Row, markdown.Row, markdown.Row,
		markdown.Blank,
		markdown.Heading, markdown.Heading, markdown.Blank, markdown.Break, markdown.Paragraph,
		markdown.Blank, markdown.Heading, markdown.Paragraph, markdown.Paragraph, markdown.Blank,
		markdown.Item, markdown.Continued, markdown.Blank,
		markdown.Item, markdown.Blank, markdown.Paragraph, markdown.Paragraph,
	}
	d := markdown.Parse([]byte(text))
	if len(d.Lines) != len(want) {
		t.Fatalf("%d lines, want %d", len(d.Lines), len(want))
	}
	for i, l := range d.Lines {
		if l.Kind != want[i] {
			t.Errorf("line %d %q is of kind %d, want %d", i+1, l.Text, l.Kind, want[i])
		}
	}
}

// TestFenceInItem: a block of code in an item ends where it is closed.
func TestFenceInItem(t *testing.T) {
	d := markdown.Parse([]byte("- ```sh\n  make\n  ```\n\n## Next\n"))
	for i, want := range []markdown.Kind{markdown.Item, markdown.Code, markdown.Code, markdown.Blank,
		markdown.Heading} {
		if got := d.Lines[i].Kind; got != want || d.Open {
			t.Errorf("%q is of kind %d, want %d", d.Lines[i].Text, got, want)
		}
	}
}

// TestOpen: what is put at the end is a part of code or a comment that is not closed.
func TestOpen(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "```": true, "```\na\n```": false, "````\n```\n": true, "<!-- a": true,
		"<!-- a -->": false,
		"- ~~~ a":    false, "- ```\n  a\n": false, "- ```\n\nb\n```": true,
	} {
		if got := markdown.Parse([]byte(text)).Open; got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\n```\nb\n```\nc":              "a\nc",
		"a\n~~~ sh\n```\nb\n~~~~\nc":     "a\nc",
		"````\n```\na\n````\nb":          "b",
		"```a``` b":                      "```a``` b",
		"a <!-- b --> c":                 "a  c",
		"<!-- a\n```\nb -->\nc":          "\n\n\nc",
		"`<!--` a -->":                   "`<!--` a -->",
		"  - ```\n    a\n    ```\nb -->": "b -->",
	} {
		if got := markdown.Visible(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\n```\n<!--\n```\nb <!-- c")
	f.Fuzz(func(t *testing.T, text string) {
		if got := markdown.Visible(text); len(got) > len(text) {
			t.Fatalf("%q: %q", text, got)
		}
	})
}

// TestBlocks has which lines stand together, and what they say on one line.
func TestBlocks(t *testing.T) {
	d := markdown.Parse([]byte("---\nname: n\n---\n# T\n- one\n  goes  on\n\n  behind a blank\n- " +
		"two\n```\nx\n\ny\n```\ntext\nof two\n\n> a\n> b\n| r |\n| s |\n"))
	var got []string
	for b := range d.Blocks {
		got = append(got, fmt.Sprintf("%d-%d %d %s", b.From, b.To, b.Kind, d.BlockText(b)))
	}
	want := []string{
		fmt.Sprintf("3-4 %d # T", markdown.Heading), fmt.Sprintf("4-6 %d one goes on", markdown.Item),
		fmt.Sprintf("7-8 %d behind a blank", markdown.Continued), fmt.Sprintf("8-9 %d two", markdown.Item),
		fmt.Sprintf("9-14 %d ``` x y ```", markdown.Code),
		fmt.Sprintf("14-16 %d text of two", markdown.Paragraph),
		fmt.Sprintf("17-19 %d > a > b", markdown.Quote), fmt.Sprintf("19-20 %d | r |", markdown.Row),
		fmt.Sprintf("20-21 %d | s |", markdown.Row),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestExtentHasExceptions: what a statement goes with stands behind blank lines, too.
func TestExtentHasExceptions(t *testing.T) {
	for below, belongs := range map[string]bool{
		"Except Acme, who has 200.": true, "Not on Fridays, though.": true, "Only on weekdays.": true,
		"This does not hold for Acme.": true, "**Except:** Acme": true, "> Except Acme": true,
		"No longer true since May.": true, "- only on weekdays": true, "- Acme is exempt from this.": true,
		"_Updated: 2026-05-06_\n\nExcept Acme.": true, "Sauf Acme.": true,
		"Only the release branch is ever deployed from here.": false, "Acme has 200.": false,
		"- Zeta is up.": false, "_Updated: 2026-05-06_\n\nZeta is up.": false,
	} {
		for _, rule := range []string{"- The limit is 50 rps.", "The limit is 50 rps."} {
			d := markdown.Parse([]byte(rule + "\n\n" + below + "\n"))
			want := 1
			if belongs {
				want = len(d.Lines)
			}
			b := markdown.Block{From: 0, To: 1, Kind: d.Lines[0].Kind}
			if got := d.Extent(b); got != want {
				t.Errorf("%s / %s: %d lines of %d", rule, below, got, len(d.Lines))
			}
		}
	}
}
