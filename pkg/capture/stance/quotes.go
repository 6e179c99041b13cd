package stance

import (
	"strings"
	"unicode/utf8"
)

// Filler stands for the rest of a character that was folded into one byte.
const Filler = '\x02'

// longestQuote bounds a quotation, in bytes: one left open must not take a paragraph.
const longestQuote = 400

// EachQuotation calls see with the bytes of each quotation in a text whose quotes are
// ASCII, in their order: in double quotes, and in single ones that can be no apostrophes.
func EachQuotation(m []byte, see func(from, to int)) {
	double, single := -1, -1
	for i, c := range m {
		before := i == 0 || m[i-1] == ' ' || m[i-1] == '\n' || m[i-1] == '(' || m[i-1] == '[' || m[i-1] == '*'
		switch c {
		case '"':
			if double >= 0 && i-double <= longestQuote {
				see(double, pastFiller(m, i+1))
				double = -1
			} else {
				double = i
			}
		case '\'':
			after := i+1 == len(m) || !IsWordByte(m[i+1]) && m[i+1] != Filler
			switch {
			case single >= 0 && after && m[i-1] != ' ' && i-single <= longestQuote:
				see(single, pastFiller(m, i+1))
				single = -1
			case before && !after:
				single = i
			}
		}
	}
}

// pastFiller returns where the character ends whose first byte stands before i.
func pastFiller(m []byte, i int) int {
	for i < len(m) && m[i] == Filler {
		i++
	}
	return i
}

// IsWordByte reports whether a byte is of a word: an ASCII letter or digit, or of any other character.
func IsWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// A Span is a stretch of a text, in bytes.
type Span struct{ From, To int }

// Quotations returns what in a text its author quotes: in quotes, or in lines that begin
// with ">".
func Quotations(text string) (all []Span) {
	if strings.ContainsAny(text, "\"'“”„«»‘’") {
		EachQuotation(fold(text), func(from, to int) { all = append(all, Span{from, to}) })
	}
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			all = append(all, Span{at, at + len(line)})
		}
		at += len(line) + 1
	}
	return all
}

// fold returns a text of the same length with its quotes in ASCII.
func fold(text string) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch r {
		case '’', '‘':
			out = append(out, '\'')
		case '“', '”', '„', '«', '»':
			out = append(out, '"')
		default:
			out = append(out, text[i:i+size]...)
			i += size
			continue
		}
		for range size - 1 {
			out = append(out, Filler)
		}
		i += size
	}
	return out
}
