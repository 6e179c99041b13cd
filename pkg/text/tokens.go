package text

import (
	"unicode"
	"unicode/utf8"
)

// MaxToken is the longest token in bytes. What is longer (hashes, base64, a
// minified line) is no word anybody asks for, and is left out.
const MaxToken = 48

// Cut emits every token of text, in order, with repeats, until Emit returns false.
//
// A token is a word folded to lower case without accents and stemmed; the parts
// of an identifier (camelCase, snake_case, kebab-case, dotted.name) and the
// identifier whole, without its joints; a pair of neighbouring characters where
// a script writes no spaces, and in Korean, whose particles hang on the word; an
// emoji.
// Stop words give nothing.
func (c *Tokenizer) Cut(text string) {
	for i := 0; i < len(text) && !c.done; {
		c.At, c.SmallTalk = i, false
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case IsUnspaced(r):
			i += c.pairs(text[i:])
		case wordRune(r):
			n := runLength(text[i:])
			c.identifier(text[i : i+n])
			i += n
		case pictograph(r):
			c.send(c.buf[:utf8.EncodeRune(c.buf[:], r)])
			i += size
		default:
			i += size
		}
	}
}

// A Tokenizer cuts one text into its tokens.
type Tokenizer struct {
	// Emit is called with each token, whose bytes are only valid during the call. false
	// ends the text.
	Emit      func(token []byte) bool
	At        int  // where in the text the word or pair begins that is emitted
	SmallTalk bool // the word that is emitted is small talk
	done      bool
	buf       [MaxToken + 2*utf8.UTFMax]byte
}

func (c *Tokenizer) send(token []byte) {
	c.done = c.done || !c.Emit(token)
}

// wordRune reports whether r belongs to a word of a script with spaces.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) && !IsUnspaced(r)
}

// IsUnspaced reports whether r is of a script that is indexed in pairs: Han, kana,
// hangul, Thai, Lao, Myanmar and Khmer.
func IsUnspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF: // Thai, Lao
		return r != 0x0E3F && (r < 0x0E4F || r > 0x0E5B)
	case 0x1000 <= r && r <= 0x109F, // Myanmar
		0x1100 <= r && r <= 0x11FF,                // hangul jamo
		0x1780 <= r && r <= 0x17D3,                // Khmer
		0x3040 <= r && r <= 0x30FF && r != 0x30FB, // kana, less the middle dot
		0x3130 <= r && r <= 0x318F,                // hangul compatibility jamo
		0x31F0 <= r && r <= 0x31FF,                // small kana
		0x3400 <= r && r <= 0x4DBF,
		0x4E00 <= r && r <= 0x9FFF,
		0xAC00 <= r && r <= 0xD7A3, // hangul
		0xF900 <= r && r <= 0xFAFF,
		0xFF66 <= r && r <= 0xFF9F, // half-width kana
		0x20000 <= r && r <= 0x3134F:
		return true
	}
	return r == 0x3005 || r == 0x3007 // 々 〇
}

// pictograph reports whether r is a sign that says something alone: emoji, but for
// the marks of skin and the joints between several, and the older signs like ✓.
func pictograph(r rune) bool {
	return 0x1F300 <= r && r <= 0x1FAFF && (r < 0x1F3FB || r > 0x1F3FF) ||
		0x1F1E6 <= r && r <= 0x1F1FF || 0x2600 <= r && r <= 0x27BF
}

// pairs emits the character pairs of the run of IsUnspaced script that text begins
// with (a run of one character is emitted alone) and returns its length in bytes.
func (c *Tokenizer) pairs(text string) int {
	pair := c.buf[:]
	first, length := 0, 0 // bytes of the previous character in pair; characters in the run
	i, start := 0, c.At
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !IsUnspaced(r) {
			break
		}
		n := utf8.EncodeRune(pair[first:], r)
		if length > 0 {
			c.At = start + i - first
			c.send(pair[:first+n])
			copy(pair, pair[first:first+n])
		}
		first = n
		length++
		i += size
	}
	if length == 1 {
		c.send(pair[:first])
	}
	return i
}

// runLength returns the length in bytes of the identifier that text begins with:
// word characters, and single joints between two of them.
func runLength(text string) int {
	end := 0
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if wordRune(r) {
			end += size
			continue
		}
		if !joint(r) {
			break
		}
		if next, _ := utf8.DecodeRuneInString(text[end+size:]); !wordRune(next) {
			break
		}
		end += size
	}
	return end
}

// joint reports whether r holds the parts of an identifier together.
func joint(r rune) bool {
	switch r {
	case '_', '-', '.', '\'', '’':
		return true
	}
	return false
}

// identifier emits the parts of run and, where there are several, run whole.
func (c *Tokenizer) identifier(run string) {
	var (
		parts   int
		start   int  // of the part
		before  rune // the character before
		numbers = true
	)
	part := func(end int) {
		if end > start {
			parts++
			number := c.word(run[start:end], parts > 1 || end < len(run))
			numbers = numbers && number
		}
	}
	for i, r := range run {
		switch {
		case joint(r):
			part(i)
			start = i + utf8.RuneLen(r)
		case i > start && unicode.IsUpper(r) &&
			(unicode.IsLower(before) || unicode.IsUpper(before) && lowerFollows(run[i:])):
			part(i)
			start = i
		}
		before = r
	}
	part(len(run))
	if parts < 2 {
		return
	}
	whole := c.buf[:0]
	for _, r := range run {
		// The point between numbers is kept: 1.23 is not 12.3.
		if joint(r) && !(numbers && r == '.') {
			continue
		}
		if whole = appendFolded(whole, r); len(whole) > MaxToken {
			return
		}
	}
	c.sendWord(whole)
}

// lowerFollows reports whether the second character of s is a lower-case letter:
// in HTTPServer the S begins a part.
func lowerFollows(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	return unicode.IsLower(next)
}

// word emits one word, and reports whether it is a number. A number inside an
// identifier (v1.2.3, utf-8) says nothing alone and is not emitted.
func (c *Tokenizer) word(s string, inside bool) (number bool) {
	w := c.buf[:0]
	number = true
	for _, r := range s {
		number = number && unicode.IsDigit(r)
		if len(w) <= MaxToken {
			w = appendFolded(w, r)
		}
	}
	if !(inside && number) {
		c.sendWord(w)
	}
	return number
}

// sendWord emits a folded word unless it is empty, one letter, too long or a stop word.
func (c *Tokenizer) sendWord(w []byte) {
	if len(w) < 2 || len(w) > MaxToken || IsStopWord(w) {
		return
	}
	c.SmallTalk = smallTalk(w)
	c.send(canonical(Stem(w)))
}

// appendFolded appends r in lower case and without accents: full-width forms
// become ASCII, Latin letters lose their marks, combining accents vanish.
func appendFolded(b []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(b, byte(r))
	case 0x0300 <= r && r <= 0x036F, 0xFE00 <= r && r <= 0xFE0F: // combining accents, variants of signs
		return b
	case 0xFF01 <= r && r <= 0xFF5E: // full-width ASCII
		return appendFolded(b, r-0xFF01+'!')
	case 0x00C0 <= r && r <= 0x017F:
		if c := plainLatin[r-0x00C0]; c != ' ' {
			return append(b, c)
		}
	}
	switch r = unicode.ToLower(r); r {
	case 'ß':
		return append(b, "ss"...)
	case 'æ':
		return append(b, "ae"...)
	case 'œ':
		return append(b, "oe"...)
	case 'ё':
		r = 'е'
	}
	return utf8.AppendRune(b, r)
}

// plainLatin is the bare letter of each of U+00C0 to U+017F, or a space where
// the character stays itself.
const plainLatin = "aaaaaa ceeeeiiiidnooooo ouuuuy  aaaaaa ceeeeiiiidnooooo ouuuuy y" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii  jjkkklllllll" +
	"lllnnnnnn   oooooo  rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
