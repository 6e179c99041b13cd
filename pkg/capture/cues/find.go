package cues

import "unicode/utf8"

// Find returns the families that have a phrase in the text. It folds case, typographic apostrophes and wide
// forms, and reads over emphasis. It runs in time linear in the text and allocates nothing.
func Find[T string | []byte](text T) Set {
	var found Set
	opening := true // the next word begins a sentence
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case wordBytes[c]:
			if opening {
				found |= walk(text, i, theTable.child(root, markOpening))
				opening = false
			}
			if isDigit(c) {
				found |= walk(text, i, root)
				i = wordEnd(text, i+1)
				continue
			}
			// Most words leave the trie within a few bytes and meet no mark before.
			at := theTable.child(root, lower(c))
			for i++; at != 0 && at&special == 0 && i < len(text) && wordBytes[text[i]]; i++ {
				at = theTable.child(at, lower(text[i]))
			}
			if at != 0 {
				found |= walk(text, i, at)
			}
			i = wordEnd(text, i)
		case c < utf8.RuneSelf:
			if c == '\n' || (c == '.' || c == '!' || c == '?') && (i+1 == len(text) || isSpace(text[i+1])) {
				opening = true
			}
			if c > ' ' {
				found |= walk(text, i, root)
			}
			i++
		default:
			r, n := decode(text, i)
			kind := kindOf(r)
			if opening && kind >= letter {
				found |= walk(text, i, theTable.child(root, markOpening))
				opening = false
			}
			found |= walk(text, i, root)
			if kind == letter {
				i = wordEnd(text, i)
				continue
			}
			if r == '。' || r == '!' || r == '?' { // the wide ones are folded
				opening = true
			}
			i += n
		}
	}
	return found
}

// Marks are the bytes of the trie that stand for no byte of a text.
const (
	markEnd     = 0 // a phrase ends
	markRest    = 1 // the rest of the word, whatever it is
	markNumber  = 2 // a number
	markOpening = 3 // a sentence begins
)

// unit is a node of the trie, a double array: the child of a node by byte c is units[base^c] if that one's
// label is c. No two nodes have the same base.
type unit uint32

const (
	hasEnd unit = 1 << (8 + iota)
	hasRest
	hasNumber
	baseShift = 8 + iota
	special   = hasEnd | hasRest | hasNumber
)

// table has the trie and the sets of families at the ends of phrases.
type table struct {
	units []unit
	sets  []Set
}

// child returns the node that byte c leads to, or 0.
func (t *table) child(at unit, c byte) unit {
	if to := t.units[uint32(at>>baseShift)^uint32(c)]; byte(to) == c {
		return to
	}
	return 0
}

// walk returns the families of the phrases that begin at text[i:], read on from a node.
func walk[T string | []byte](text T, i int, at unit) (found Set) {
	for at != 0 {
		if at&special != 0 {
			if at&hasEnd != 0 && isBoundary(text, i) {
				found |= theTable.sets[theTable.child(at, markEnd)>>baseShift]
			}
			if at&hasRest != 0 {
				found |= walk(text, wordEnd(text, i), theTable.child(at, markRest))
			}
			if at&hasNumber != 0 && i < len(text) && isDigit(text[i]) {
				found |= walk(text, numberEnd(text, i), theTable.child(at, markNumber))
			}
		}
		if i >= len(text) {
			break
		}
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			r, n := decode(text, i)
			if kindOf(r) == space {
				at, i = theTable.child(at, ' '), spaceEnd(text, i)
				continue
			}
			var b [utf8.UTFMax]byte
			for _, c := range b[:utf8.EncodeRune(b[:], r)] {
				if at = theTable.child(at, c); at == 0 {
					return found
				}
			}
			i += n
		case c == '*':
			i++
		case isSpace(c):
			at, i = theTable.child(at, ' '), spaceEnd(text, i)
		case c < ' ':
			return found // a byte of a mark
		case c == '-' && joins(text, i):
			at, i = theTable.child(at, ' '), i+1
		default:
			at, i = theTable.child(at, lower(c)), i+1
		}
	}
	return found
}

// kind is what a character is in a word.
type kind uint8

const (
	symbol kind = iota
	space
	letter // of a script that separates words
	glyph  // of one that does not, or glues endings to words: Chinese, Japanese, Korean
)

// kindOf returns the kind of a character beyond ASCII, or of one that decode has folded into it.
func kindOf(r rune) kind {
	switch {
	case r < utf8.RuneSelf:
		if wordBytes[byte(r)] {
			return letter
		}
		if isSpace(byte(r)) {
			return space
		}
		return symbol
	case r == 0xa0 || r == 0x3000:
		return space
	case r < 0xc0:
		return symbol
	case r == '×' || r == '÷':
		return symbol
	case r < 0x1100, r >= 0x1e00 && r < 0x2000:
		return letter
	case r == '々', r >= 0x3040 && r <= 0x30ff, r >= 0x3131 && r <= 0x318e,
		r >= 0x3400 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3,
		r >= 0x20000 && r <= 0x3ffff:
		return glyph
	}
	return symbol
}

// decode returns the folded character at text[i], which is not ASCII, and its length.
func decode[T string | []byte](text T, i int) (r rune, n int) {
	c := text[i]
	switch {
	case c >= 0xc2 && c < 0xe0 && i+1 < len(text) && text[i+1]&0xc0 == 0x80:
		r, n = rune(c&0x1f)<<6|rune(text[i+1]&0x3f), 2
	case c >= 0xe0 && c < 0xf0 && i+2 < len(text) && text[i+1]&0xc0 == 0x80 && text[i+2]&0xc0 == 0x80:
		r, n = rune(c&0xf)<<12|rune(text[i+1]&0x3f)<<6|rune(text[i+2]&0x3f), 3
		if r < 0x800 || r >= 0xd800 && r < 0xe000 {
			return utf8.RuneError, 1
		}
	default:
		var b [utf8.UTFMax]byte
		k := copy(b[:], text[i:min(i+utf8.UTFMax, len(text))])
		r, n = utf8.DecodeRune(b[:k])
	}
	return foldRune(r), n
}

// foldRune returns a character in lower case, with the forms of an apostrophe as one and wide forms as ASCII.
// Accents stay, except ё, which many write as е.
func foldRune(r rune) rune {
	switch {
	case r >= 'À' && r <= 'Þ' && r != '×':
		return r + 0x20
	case r >= 0x100 && r < 0x138, r >= 0x14a && r < 0x178:
		return r | 1
	case r >= 0x139 && r <= 0x148, r >= 0x179 && r <= 0x17e:
		return r + r&1
	case r >= 'А' && r <= 'Я':
		return r + 0x20
	case r == 'ё' || r == 'Ё':
		return 'е'
	case r == '’' || r == '‘' || r == 'ʼ' || r == '´':
		return '\''
	case r == '‑' || r == '‐':
		return '-'
	case r > 0xff00 && r < 0xff5f:
		r -= 0xfee0
		return rune(lower(byte(r)))
	}
	return r
}

func lower(c byte) byte {
	if c-'A' < 26 {
		c += 'a' - 'A'
	}
	return c
}

func isDigit(c byte) bool { return c-'0' < 10 }

func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

// isLetterAt reports whether a word goes on at text[i].
func isLetterAt[T string | []byte](text T, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	if c := text[i]; c < utf8.RuneSelf {
		return wordBytes[c]
	}
	r, _ := decode(text, i)
	return kindOf(r) == letter
}

// isLetterBefore reports whether text[:i] ends in a word.
func isLetterBefore[T string | []byte](text T, i int) bool {
	if i == 0 {
		return false
	}
	if c := text[i-1]; c < utf8.RuneSelf {
		return wordBytes[c]
	}
	for from := i - 2; from >= max(0, i-3); from-- {
		if text[from] >= 0xc0 {
			r, n := decode(text, from)
			return from+n == i && kindOf(r) == letter
		}
	}
	return false // the only letters are of one to three bytes
}

// joins reports whether the hyphen or apostrophe at text[i] stands within a word.
func joins[T string | []byte](text T, i int) bool {
	return isLetterAt(text, i+1) && isLetterBefore(text, i)
}

// isBoundary reports whether no word goes on over text[i]. Hyphens and apostrophes join: the "no" of "no-op"
// and the "can" of "can't" are no words.
func isBoundary[T string | []byte](text T, i int) bool {
	if i >= len(text) {
		return true
	}
	if c := text[i]; c == '-' || c == '\'' {
		return !joins(text, i)
	} else if c < utf8.RuneSelf {
		return !wordBytes[c] || !isLetterBefore(text, i)
	}
	r, n := decode(text, i)
	if r == '\'' || r == '-' {
		return !(isLetterAt(text, i+n) && isLetterBefore(text, i))
	}
	return kindOf(r) != letter || !isLetterBefore(text, i)
}

// wordEnd returns the end of the word at text[i:], where hyphens and apostrophes separate words.
func wordEnd[T string | []byte](text T, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if !wordBytes[c] {
				break
			}
			i++
			continue
		}
		r, n := decode(text, i)
		if kindOf(r) != letter {
			break
		}
		i += n
	}
	return i
}

// numberEnd returns the end of the number at text[i:]: digits, and points or commas between digits.
func numberEnd[T string | []byte](text T, i int) int {
	for i++; i < len(text); i++ {
		if isDigit(text[i]) {
			continue
		}
		if c := text[i]; c != '.' && c != ',' || i+1 >= len(text) || !isDigit(text[i+1]) {
			break
		}
	}
	return i
}

// spaceEnd returns the end of the spaces at text[i:], emphasis between them included.
func spaceEnd[T string | []byte](text T, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case isSpace(c) || c == '*':
			i++
		case c >= utf8.RuneSelf:
			r, n := decode(text, i)
			if kindOf(r) != space {
				return i
			}
			i += n
		default:
			return i
		}
	}
	return i
}

// wordBytes are the letters, digits and the underscore of ASCII.
var wordBytes = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true,
	'9': true, '_': true,
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true,
	'J': true, 'K': true, 'L': true, 'M': true, 'N': true, 'O': true, 'P': true, 'Q': true, 'R': true,
	'S': true, 'T': true, 'U': true, 'V': true, 'W': true, 'X': true, 'Y': true, 'Z': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true,
	'j': true, 'k': true, 'l': true, 'm': true, 'n': true, 'o': true, 'p': true, 'q': true, 'r': true,
	's': true, 't': true, 'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true,
}
