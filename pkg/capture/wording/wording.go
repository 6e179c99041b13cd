// Package wording cuts sentences of other languages into words, and turns those that carry what a sentence
// does into the English ones that the rules of picks, agreements and requests know: "la deuxième", "第二个"
// and "두 번째로" are all "the second".
//
// A language is one file: a function from a phrase to what it says in English. To add one, write that file
// and name it in Language, in Of and in lookup. What a phrase stands for is written so:
//
//   - "the second": English words, one behind the other.
//   - "~the": the same, but the phrase does not tell the language. Words that English and German have as well
//     need it.
//   - "<option": stands before the number or letter that it follows, as in "2番". Elsewhere it says nothing,
//     or what stands behind a bar: "<option|not".
//   - silent: nothing, as most particles.
//   - telling: what the word itself says, but it tells the language. Such are words that a phrase has.
//   - Go: a call to go on with something, which takes what follows it, and is a yes where nothing does.
//
// The functions are switches over constant strings, which the compiler searches by halves: they cost nothing
// until they are asked.
package wording

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Language is one that is read by its table. English and German are not: they need none.
type Language uint8

// The languages that have a table.
const (
	None Language = iota
	French
	Spanish
	Portuguese
	Russian
	Chinese
	Japanese
	Korean
)

// Go stands for a call to go on: "vamos", "давай", "就这样". No sentence has it as a word.
const Go = "go!"

// A Word is one of a sentence.
type Word struct {
	Text string // lower case, English where the table knows it
	Raw  string // as written, where the table does not know it
	End  byte   // ':' or ',' where a clause ends behind it, else 0
}

// told is how many words and bytes of a sentence tell its language.
const (
	toldWords = 24
	toldBytes = 600
)

// Of returns the language of a sentence, None for English, German and any other.
func Of[S string | []byte](s S) Language {
	var votes [Portuguese + 1]int
	var buf [longestTold]byte
	han := false
	for i, n := 0, 0; i < len(s) && i < toldBytes && n < toldWords; {
		if c := s[i]; c < utf8.RuneSelf {
			if !isLetter(c) {
				i++
				continue
			}
		} else {
			r, size := decode(s, i)
			switch scriptOf(r) {
			case cyrillic:
				return Russian
			case kana:
				return Japanese
			case hangul:
				return Korean
			case ideograph:
				han = true
			}
			switch r {
			case '¿', '¡', 'ñ':
				votes[Spanish] += tells
			case 'ä', 'ö', 'ü', 'ß', 'Ä', 'Ö', 'Ü':
				return None
			}
			if scriptOf(r) != latin {
				i += size
				continue
			}
		}
		w := buf[:0]
		for i < len(s) {
			r, size := decode(s, i)
			if r >= utf8.RuneSelf && r != '’' && scriptOf(r) != latin ||
				r < utf8.RuneSelf && r != '\'' && !isWordByte(byte(r)) {
				break
			}
			if i += size; len(w)+utf8.UTFMax <= len(buf) {
				w = utf8.AppendRune(w, lower(r))
			}
		}
		if n++; han {
			continue // kana may follow, no other script
		}
		if tellsEnglish(string(w)) {
			return None
		}
		vote(&votes, w)
	}
	if han {
		return Chinese
	}
	best := None
	for l := French; l <= Portuguese; l++ {
		if votes[l] > max(votes[best], tells-1) {
			best = l
		}
	}
	return best
}

// tells is the weight of a word that tells a language. Others only decide between two languages.
const tells = 1 << 8

// longestTold is a length in bytes: a longer word tells no language.
const longestTold = 32

// decode returns the character that begins at a place.
func decode[S string | []byte](s S, i int) (rune, int) {
	if s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
}

// lower folds the capitals of the Latin scripts that the tables have.
func lower(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z', r >= 0xc0 && r <= 0xde && r != 0xd7:
		return r + 0x20
	case r == '’':
		return '\''
	}
	return r
}

// vote counts a word for the languages that it tells.
func vote(votes *[Portuguese + 1]int, w []byte) {
	if i := bytes.IndexByte(w, '\''); i > 0 && i <= 2 && len(w) > i+2 {
		if _, ok := lookup(French, string(w[:i+1])); ok { // l'option
			votes[French] += tells
			return
		}
	}
	for l := French; l <= Portuguese; l++ {
		switch e, ok := lookup(l, string(w)); {
		case e == telling, ok && (e == "" || e[0] != '~'):
			votes[l] += tells
		case ok:
			votes[l]++
		}
	}
}

// tellsEnglish reports whether only English or German has a word, of those that most sentences have.
func tellsEnglish(w string) bool {
	switch w {
	case "the", "is", "and", "to", "of", "it", "you", "we", "with", "that", "this", "not", "my", "your",
		"i", "please", "let", "for", "in", "by", "at", "but", "can", "has", "when", "there", "were", "will",
		"would", "could", "they", "them", "its", "yes", "should", "are", "be", "from", "have", "what",
		"which", "why", "how", "der", "und", "ich", "ist", "nicht", "wir", "mit", "bitte", "nimm", "mach",
		"dann", "den", "dem", "ein", "eine", "einen", "auf", "soll", "sind", "auch", "oder", "wie", "was",
		"wenn", "die":
		return true
	}
	i := strings.IndexByte(w, '\'')
	if i < 0 {
		return false
	}
	switch w[i:] {
	case "'s", "'t", "'d", "'ll", "'ve", "'re", "'m":
		return true
	}
	return false
}

// lookup returns what a phrase of a language says in English.
func lookup(l Language, phrase string) (english string, ok bool) {
	switch l {
	case French:
		english = french(phrase)
	case Spanish:
		english = spanish(phrase)
	case Portuguese:
		english = portuguese(phrase)
	case Russian:
		english = russian(phrase)
	case Chinese:
		english = chinese(phrase)
	case Japanese:
		english = japanese(phrase)
	case Korean:
		english = korean(phrase)
	}
	switch english {
	case silent:
		return "", true
	case telling:
		return telling, false
	}
	return english, english != ""
}

// What the tables return of a phrase that says nothing, and of a word that stays as it is but tells the
// language: one of a phrase, say.
const (
	silent  = "-"
	telling = "="
)

// script is of a rune, as far as languages differ in it.
type script uint8

const (
	sign script = iota
	latin
	cyrillic
	kana
	hangul
	ideograph
)

func scriptOf(r rune) script {
	switch {
	case r < 0xaa:
		return sign
	case r < 0x250:
		if r == 'ª' || r == 'º' || r >= 0xc0 && r != 0xd7 && r != 0xf7 {
			return latin
		}
		return sign
	case r < 0x400:
		return sign
	case r < 0x530:
		return cyrillic
	case r < 0x1100:
		return sign
	case r < 0x1200, r >= 0x3130 && r < 0x3190, r >= 0xac00 && r < 0xd7b0:
		return hangul
	case r >= 0x3041 && r < 0x3100 && r != '・', r >= 0xff66 && r < 0xffa0:
		return kana
	case r == '々', r >= 0x3400 && r < 0xa000, r >= 0xf900 && r < 0xfb00, r >= 0x20000 && r < 0x32000:
		return ideograph
	}
	return sign
}

func isWordByte(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// inWord reports whether a text begins with a character of a word of a script with spaces.
func inWord(s string) bool {
	c := s[0]
	if c < utf8.RuneSelf {
		return isWordByte(c) || c == '\''
	}
	r, _ := utf8.DecodeRuneInString(s)
	x := scriptOf(r)
	return x == latin || x == cyrillic || r == '’'
}
