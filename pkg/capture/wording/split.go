package wording

import (
	"strings"
	"unicode/utf8"
)

// longest phrases of the tables: in words where words are spaced, in characters where not.
const (
	mostWords = 4
	mostRunes = 10
)

// Split returns the words of a sentence of a language that has a table; "1+2" is three.
func Split(l Language, s string) []Word {
	c := cutter{l: l, words: make([]Word, 0, 1+len(s)/5)}
	var tokens []token
	s = strings.ReplaceAll(s, "’", "'")
	if l >= Chinese {
		s = narrow(s)
	}
	for i := 0; i < len(s); {
		switch from := i; {
		case inWord(s[i:]):
			for i < len(s) && (inWord(s[i:]) || s[i] == '.' && i+1 < len(s) && inWord(s[i+1:])) {
				_, size := utf8.DecodeRuneInString(s[i:])
				i += size
			}
			tokens = append(tokens, token{raw: s[from:i]})
		case unspaced(s[i:]):
			for i < len(s) && unspaced(s[i:]) {
				_, size := utf8.DecodeRuneInString(s[i:])
				i += size
			}
			tokens = append(tokens, token{raw: s[from:i], run: true})
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			i += size
			switch {
			case r == '+' || r == '&' || r == '#':
				tokens = append(tokens, token{raw: s[from:i]})
			case strings.ContainsRune(" *\"`_¿¡«»“”「」『』\u00a0\u3000", r),
				r == '-' && from > 0 && i < len(s) && s[from-1] != ' ' && s[i] != ' ': // vas-y
			case len(tokens) == 0:
			case r == ':':
				tokens[len(tokens)-1].end = ':'
			default:
				tokens[len(tokens)-1].end = ','
			}
		}
	}
	if len(tokens) > 0 && tokens[len(tokens)-1].end == 0 {
		tokens[len(tokens)-1].end = ','
	}
	for len(tokens) > 0 {
		n := 1
		switch {
		case tokens[0].run && l == Korean:
			n = c.hangul(tokens)
		case tokens[0].run:
			c.run(tokens[0])
		default:
			n = c.spaced(tokens)
		}
		tokens = tokens[n:]
	}
	return c.words
}

// English returns what a sentence of a language that has a table says in English, as far as the table knows.
func English(l Language, s string) string {
	var b strings.Builder
	for i, w := range Split(l, s) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
		if w.End != 0 {
			b.WriteByte(w.End)
		}
	}
	return strings.TrimSuffix(b.String(), ",")
}

// A token is what stands between signs and blanks.
type token struct {
	raw string
	run bool // of characters that need no blanks between words
	end byte
}

// cutter gathers the words of a sentence.
type cutter struct {
	l     Language
	words []Word
	buf   [96]byte
}

// spaced adds the words of the first tokens, and returns how many they are.
func (c *cutter) spaced(tokens []token) int {
	joined := c.buf[:0]
	ends := [mostWords]int{}
	most := 0
	for i, t := range tokens[:min(len(tokens), mostWords)] {
		if t.run || len(joined)+len(t.raw) > len(c.buf)-mostWords {
			break
		}
		if i > 0 {
			joined = append(joined, ' ')
		}
		joined = append(joined, strings.ToLower(t.raw)...)
		ends[i], most = len(joined), i+1
		if t.end != 0 {
			break
		}
	}
	for n := most; n > 0; n-- {
		if n == 1 && c.isKey(tokens[0]) {
			break
		}
		if english, ok := lookup(c.l, string(joined[:ends[n-1]])); ok {
			c.say(english, tokens[n-1].end)
			return n
		}
	}
	t := tokens[0]
	if i := strings.IndexByte(t.raw, '\''); i > 0 {
		if english, ok := lookup(c.l, strings.ToLower(t.raw[:i+1])); ok { // l'option
			if c.say(english, 0); i+1 < len(t.raw) {
				c.spaced([]token{{raw: t.raw[i+1:], end: t.end}})
			}
			return 1
		}
	}
	c.keep(t.raw, t.end)
	return 1
}

// isKey reports whether a token may be the letter of an option, rather than a small word: "opción a".
func (c *cutter) isKey(t token) bool {
	if len(t.raw) != 1 || t.raw[0]|0x20 < 'a' || t.raw[0]|0x20 > 'h' {
		return false
	}
	n := len(c.words)
	return t.raw[0] < 'a' || t.end != 0 || n > 0 && c.words[n-1].Text == "option" && c.words[n-1].End == 0
}

// run adds the words of a run of characters that stand without blanks. Of what the table does not know each
// two characters are a word.
func (c *cutter) run(t token) {
	unknown := 0 // where that begins
	for at := 0; at < len(t.raw); {
		n, english := c.longest(t.raw[at:])
		if n == 0 {
			_, size := utf8.DecodeRuneInString(t.raw[at:])
			at += size
			continue
		}
		c.pairs(t.raw[unknown:at])
		at += n
		unknown = at
		c.say(english, 0)
	}
	c.pairs(t.raw[unknown:])
	c.end(t.end)
}

// longest returns the longest phrase that a text begins with.
func (c *cutter) longest(s string) (n int, english string) {
	for at, runes := 0, 0; at < len(s) && runes < mostRunes; runes++ {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
		if e, ok := lookup(c.l, s[:at]); ok {
			n, english = at, e
		}
	}
	return n, english
}

func (c *cutter) pairs(s string) {
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		_, next := utf8.DecodeRuneInString(s[n:])
		c.keep(s[:n+next], 0)
		s = s[n+next:]
	}
}

// hangul adds the words of the first tokens of Korean, and returns how many they are. People write blanks
// there as they like, so a phrase may reach over them; but a word is known to its end or, but for its
// particle, not at all.
func (c *cutter) hangul(tokens []token) int {
	var joined string
	ends := make([]int, 0, 4)
	for _, t := range tokens[:min(len(tokens), 4)] {
		if !t.run {
			break
		}
		joined += t.raw
		ends = append(ends, len(joined))
		if t.end != 0 {
			break
		}
	}
	var known []string
	for at := 0; at < len(joined); {
		n, english := c.longest(joined[at:])
		if n == 0 {
			break
		}
		known = append(known, english)
		at += n
		for i, end := range ends {
			if at == end {
				for _, k := range known {
					c.say(k, 0)
				}
				c.end(tokens[i].end)
				return i + 1
			}
		}
	}
	raw := tokens[0].raw
	for at := range raw { // the longest particle
		if english, ok := lookup(c.l, raw[at:]); ok && at > 0 {
			c.keep(raw[:at], 0)
			c.say(english, 0)
			c.end(tokens[0].end)
			return 1
		}
	}
	c.keep(raw, tokens[0].end)
	return 1
}

// say adds English words.
func (c *cutter) say(english string, end byte) {
	english = strings.TrimPrefix(english, "~")
	if before, ok := strings.CutPrefix(english, "<"); ok {
		before, english, _ = strings.Cut(before, "|")
		if n := len(c.words) - 1; n >= 0 && c.words[n].End == 0 && isKeyText(c.words[n].Raw) {
			key := c.words[n]
			c.words[n] = Word{Text: before, Raw: before}
			c.words = append(c.words, key)
			english = ""
		}
	}
	for english != "" {
		var w string
		w, english, _ = strings.Cut(english, " ")
		c.words = append(c.words, Word{Text: w, Raw: w})
	}
	c.end(end)
}

// isKeyText reports whether a word is a number of at most two digits or a letter.
func isKeyText(w string) bool {
	switch {
	case len(w) == 1 && isLetter(w[0]):
		return true
	case w == "" || len(w) > 2:
		return false
	}
	return strings.Trim(w, "0123456789") == ""
}

// keep adds a word that the table does not know.
func (c *cutter) keep(raw string, end byte) {
	c.words = append(c.words, Word{Text: strings.ToLower(raw), Raw: raw, End: end})
}

// end ends a clause behind the last word.
func (c *cutter) end(end byte) {
	if n := len(c.words); n > 0 && end != 0 {
		c.words[n-1].End = end
	}
}

// Wide reports whether a text begins with a character of Chinese, Japanese or Korean, or a sign of them. A
// letter before it is a word by itself.
func Wide(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unspaced(s) || Narrow(r) != r || r == '【' || r == '】'
}

// unspaced reports whether a text begins with a character of a script whose words stand without blanks, or as
// in Korean are written together with their particles.
func unspaced(s string) bool {
	if s[0] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	return scriptOf(r) >= kana
}

// narrow returns a text with the wide forms of ASCII, and of its stops, as ASCII.
func narrow(s string) string {
	if !strings.ContainsAny(s, "\uff08\uff09\uff0c\uff1a\uff1b\uff01\uff1f\uff0e\u3002\u3001") &&
		!strings.Contains(s, "\xef\xbc") && !strings.Contains(s, "\xef\xbd") {
		return s
	}
	return strings.Map(Narrow, s)
}

// Narrow returns the ASCII form of a wide character, and other characters as they are.
func Narrow(r rune) rune {
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		return r - 0xfee0
	case r == '。':
		return '.'
	case r == '、':
		return ','
	}
	return r
}
