package usage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// maxWords is how many words of a memory are looked for, and how many of its names.
const maxWords = 24

// ownWords returns the words of a memory by which its use is recognised: those that it speaks for.
func ownWords(m memory.Record) (names, others []string) {
	gist := alike.GistOf(m.Title, m.Body())
	chosen := func(raw string) bool {
		p := alike.PhraseOf(raw)
		return p.Weight() == 0 || gist.Chooses(p) > 0
	}
	return wordsOf(m, chosen)
}

// allWords returns also the words that the memory turns down.
func allWords(m memory.Record) (names, others []string) {
	return wordsOf(m, func(string) bool { return true })
}

func wordsOf(m memory.Record, wanted func(raw string) bool) (names, others []string) {
	var drop []string
	for _, s := range []string{m.Title, m.Body()} {
		each(s, isTitled(s), func(w, raw string, name bool) bool {
			switch {
			case slices.Contains(drop, w) || slices.Contains(names, w):
			case !wanted(raw):
				drop = append(drop, w)
			case name && len(names) < maxWords:
				names = append(names, w)
				others = slices.DeleteFunc(others, func(o string) bool { return o == w })
			case !name && len(others) < maxWords && !slices.Contains(others, w):
				others = append(others, w)
			}
			return len(names)+len(others) < 2*maxWords
		})
	}
	return names, others
}

// Spelled returns the history with the words as the memory has them now, not as they are compared.
func (h History) Spelled(m memory.Record) History {
	spelled := map[string]string{}
	for _, s := range []string{m.Title, m.Body()} {
		each(s, true, func(w, raw string, _ bool) bool {
			if _, known := spelled[w]; !known {
				spelled[w] = strings.TrimLeft(raw, "([{\"'`")
			}
			return true
		})
	}
	h.Times = slices.Clone(h.Times)
	for i, n := range h.Times {
		var words []string
		for _, w := range n.Used {
			if as, known := spelled[w]; known {
				w = as
			}
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		h.Times[i].Used = words
	}
	return h
}

// termsOf returns the distinct words of a text that say something by themselves.
func termsOf(s string) (words []string) {
	each(s, true, func(w, _ string, _ bool) bool {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
		return len(words) < maxWords
	})
	return words
}

// wordsIn returns which of the words that are left a text has.
func wordsIn(s string, given []Given) map[string]bool {
	wanted := map[string]bool{}
	for _, g := range given {
		for _, all := range [...][]string{g.Names, g.Words} {
			for _, w := range all {
				wanted[w] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	var found map[string]bool
	c := text.Tokenizer{}
	c.Emit = func(term []byte) bool {
		if wanted[string(term)] {
			if found == nil {
				found = map[string]bool{}
			}
			found[string(term)] = true
		}
		return len(found) < len(wanted)
	}
	c.Cut(s)
	return found
}

// each calls see with each word of a text that says something by itself, with the text that it stands in, up
// to the next blank, and whether it is a name. With titled, capitals mean nothing. It ends when see returns
// false.
func each(s string, titled bool, see func(word, raw string, name bool) bool) {
	at, raw, name := -1, "", false
	c := text.Tokenizer{}
	c.Emit = func(term []byte) bool {
		if c.SmallTalk || text.IsGeneric(term) || text.IsGenericPair(term) || text.IsWorkflow(term) {
			return true
		}
		if c.At != at {
			at = c.At
			raw = rawWord(s[at:])
			name = isName(s, at, raw, titled)
		}
		return see(string(term), raw, name)
	}
	c.Cut(s)
}

// rawWord returns what a text begins with, up to the next blank.
func rawWord(s string) string {
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		s = s[:i]
	}
	return strings.TrimRight(s, ".,:;!?)]}\"'`")
}

// isName reports whether the word at an offset is a name: a known tool, an identifier, a path, an
// abbreviation, what has a digit, what stands in code, or what has a capital within a sentence.
func isName(s string, at int, raw string, titled bool) bool {
	if at > 0 && s[at-1] == '`' || strings.ContainsAny(raw, "_/0123456789`@") ||
		strings.Contains(raw, "::") || hasInnerPoint(raw) {
		return true
	}
	first, size := utf8.DecodeRuneInString(raw)
	if strings.IndexFunc(raw[size:], unicode.IsUpper) >= 0 {
		return true
	}
	if unicode.IsUpper(first) {
		return !titled && !beginsSentence(s[:at])
	}
	return alike.PhraseOf(raw).Names()
}

// hasInnerPoint reports whether a word has a point between letters, as a file's name has.
func hasInnerPoint(raw string) bool {
	i := strings.IndexByte(raw, '.')
	return i > 1 && len(raw)-i > 2
}

// beginsSentence reports whether a word behind some text begins a sentence.
func beginsSentence(before string) bool {
	before = strings.TrimRight(before, " \t*_\"'(`")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:;\n-")
}

// isTitled reports whether a text has so many capitals within its sentences that they are no names: a title,
// or a language that begins all nouns with one.
func isTitled(s string) bool {
	words, capitals := 0, 0
	for i, w := range strings.Fields(s) {
		if first, _ := utf8.DecodeRuneInString(w); i > 0 && unicode.IsLetter(first) {
			words++
			if unicode.IsUpper(first) {
				capitals++
			}
		}
	}
	return capitals > 2 && 3*capitals > words
}
