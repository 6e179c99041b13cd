package files

import (
	"bytes"
	"path"
	"strings"
	"sync"

	"keepsake/pkg/markdown"
)

// A part is what a line is in its file. The rules for it hold for most languages, and a line that they miss
// is still found as text.
type part uint8

const (
	plain   part = iota
	comment      // explains the code near it
	heading      // of a document, or in the comment at the top of a file
	defines      // a symbol: function, type, class, target, section
)

// A reader works out the parts of the lines of one file, in order.
type reader struct {
	markup, target, section bool
	top                     bool // nothing but comments has been read
	fence                   markdown.Fence
}

func newReader(file string) *reader {
	base := strings.ToLower(path.Base(file))
	ext := path.Ext(base)
	return &reader{
		top:     true,
		markup:  ext == ".md" || ext == ".markdown" || ext == ".mdx" || ext == ".adoc",
		target:  strings.HasPrefix(base, "makefile") || ext == ".mk" || ext == ".yml" || ext == ".yaml",
		section: ext == ".toml" || ext == ".ini" || ext == ".cfg" || ext == ".conf",
	}
}

// line returns which part of a file a line is. For a line that defines something it also returns the
// defined name.
func (r *reader) line(line []byte) (part, []byte) {
	text := bytes.TrimSpace(line)
	if len(text) == 0 {
		return plain, nil
	}
	if r.markup {
		if (r.fence.Open() || bytes.Contains(text, []byte("```")) || bytes.Contains(text, []byte("~~~"))) &&
			r.fence.Read(string(line)) {
			return plain, nil
		}
		if isHeading(text) {
			return heading, nil
		}
		return plain, nil
	}
	if isComment(text) {
		if r.top {
			return heading, nil
		}
		return comment, nil
	}
	r.top = false
	indented := line[0] == ' ' || line[0] == '\t'
	switch {
	case r.section && text[0] == '[' && text[len(text)-1] == ']':
		return defines, text[1 : len(text)-1]
	case r.target && !indented:
		if name, _, ok := bytes.Cut(text, []byte(":")); ok && len(name) > 0 &&
			!bytes.ContainsAny(name, "=\"'{$") {
			return defines, name
		}
		return plain, nil
	}
	if name := symbol(text, indented); len(name) > 0 {
		return defines, name
	}
	return plain, nil
}

// isHeading reports whether a line is a heading of Markdown, or of AsciiDoc, which has
// equals signs.
func isHeading(text []byte) bool {
	if text[0] == '#' {
		_, title := markdown.ParseHeading(string(text))
		return title != ""
	}
	rest := bytes.TrimLeft(text, "=")
	return len(rest) < len(text) && len(rest) > 0 && rest[0] == ' '
}

func isComment(text []byte) bool {
	for _, mark := range []string{"//", "#", "/*", "* ", "--", ";;", `"""`, "<!--", "%"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return mark != "#" || !bytes.HasPrefix(text, []byte("#define")) &&
				!bytes.HasPrefix(text, []byte("#include"))
		}
	}
	return false
}

// modifiers stand before the word that defines something.
var modifiers = set("pub public private protected internal static export default async abstract final " +
	"sealed inline virtual override open unsafe extern declare partial create or replace data suspend const")

// definers are words that a name follows.
var definers = set("func fn def class interface struct type enum trait impl module mod namespace object " +
	"protocol record union defmodule defp defn defmacro sub function procedure fun table view index " +
	"trigger resource message service rpc macro_rules template component mixin actor extension #define")

// bindings define only at the left margin: inside a function they are details.
var bindings = set("const let var val")

// flow are words that stand before a bracket without defining anything.
var flow = set("if for while switch catch return else do match when with unless until foreach elif except " +
	"select case synchronized using lock")

// set returns a function that makes a set of words when it is first called, as most calls look for no
// place.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			m[w] = true
		}
		return m
	})
}

// symbol returns the name that a line of code defines, or nil.
func symbol(text []byte, indented bool) []byte {
	rest := text
	if rest[0] == '@' { // an annotation
		return nil
	}
	for range 6 {
		word, after := firstWord(rest)
		low := strings.ToLower(string(word))
		switch {
		case definers()[low] && len(after) > 0:
			if after[0] == '(' || bytes.HasPrefix(after, []byte(" (")) { // the receiver of a method in Go
				if _, behind, ok := bytes.Cut(after, []byte(")")); ok && low == "func" {
					after = behind
				}
			}
			name, _ := firstWord(bytes.TrimLeft(after, " \t\"'`*&!<("))
			return name
		case bindings()[low] && !indented && len(after) > 0 && (after[0] == ' ' || after[0] == '\t'):
			name, _ := firstWord(after)
			if nameOf := strings.ToLower(string(name)); definers()[nameOf] || modifiers()[nameOf] ||
				bindings()[nameOf] {
				rest = after
				continue
			}
			return name
		case modifiers()[low] && len(after) > 0:
			rest = bytes.TrimLeft(after, " \t")
			if len(rest) > 0 && rest[0] == '(' { // pub(crate)
				_, rest, _ = bytes.Cut(rest, []byte(")"))
			}
			continue
		}
		break
	}
	return called(text, indented)
}

// called returns the name before the bracket of a line that opens a function's body, in C-like languages,
// JavaScript and shells.
func called(text []byte, indented bool) []byte {
	if text[len(text)-1] != '{' && (indented || !bytes.HasSuffix(text, []byte(")"))) {
		return nil
	}
	head, _, ok := bytes.Cut(text, []byte("("))
	if !ok || bytes.ContainsAny(head, "=.\"'`+|&!?,") {
		if before, behind, ok := bytes.Cut(text, []byte("=")); ok &&
			(bytes.Contains(behind, []byte("function")) || bytes.Contains(behind, []byte("=>"))) {
			return lastWord(before)
		}
		return nil
	}
	name := lastWord(head)
	first, _ := firstWord(bytes.TrimLeft(head, "} "))
	if flow()[string(name)] || flow()[string(first)] || first == nil && name == nil {
		return nil
	}
	// At the margin a call without a body is no definition: int f(void) is.
	if text[len(text)-1] != '{' && len(first) == len(bytes.TrimSpace(head)) {
		return nil
	}
	return name
}

func wordByte(c byte) bool {
	return c >= 0x80 || class[c&0x7f] != other || c == '_' || c == '$'
}

func firstWord(s []byte) (word, rest []byte) {
	s = bytes.TrimLeft(s, " \t")
	end := 0
	if len(s) > 0 && s[0] == '#' {
		end = 1
	}
	for end < len(s) && wordByte(s[end]) {
		end++
	}
	return s[:end], s[end:]
}

func lastWord(s []byte) []byte {
	s = bytes.TrimRight(s, " \t:")
	start := len(s)
	for start > 0 && wordByte(s[start-1]) {
		start--
	}
	return s[start:]
}
