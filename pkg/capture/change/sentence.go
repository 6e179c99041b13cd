package change

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// A token is a word of a sentence in lower case, with what stands before it.
type token struct {
	word       string
	start, end int  // in the sentence's text
	breaks     bool // punctuation stands before it
}

// A sentence is one that a person said, in words.
type sentence struct {
	text   string
	tokens []token
	asks   bool // it ends with a question mark
}

// sentencesOf cuts a statement. What stands in quotes as code is left out: it is no
// word of the person's.
func sentencesOf(statement string) (out []sentence) {
	statement = withoutCode(statement)
	start := 0
	add := func(end int, asks bool) {
		s := sentence{text: statement[start:end], asks: asks}
		s.tokens = tokensOf(s.text)
		if len(s.tokens) > 0 {
			out = append(out, s)
		}
		start = end
	}
	for i, r := range statement {
		rest := statement[i+utf8.RuneLen(max(r, 0)):]
		switch {
		case r == '\n', r == ';':
			add(i, false)
		case strings.ContainsRune(".!?", r) && (rest == "" ||
			strings.ContainsRune(" \n\t\"')", rune(rest[0]))):
			add(i, r == '?')
		}
	}
	add(len(statement), false)
	return out
}

// withoutCode returns a text with blanks in the place of what stands in backquotes.
func withoutCode(text string) string {
	if strings.Count(text, "`") < 2 {
		return text
	}
	inside := false
	return strings.Map(func(r rune) rune {
		if r == '`' {
			inside = !inside
			return r
		}
		if inside && isWord(r) {
			return ' '
		}
		return r
	}, text)
}

func tokensOf(said string) (out []token) {
	breaks := false
	for i := 0; i < len(said); {
		r, size := utf8.DecodeRuneInString(said[i:])
		if !isWord(r) {
			breaks = breaks || strings.ContainsRune(",:()—–", r) || r == '-' && i > 0 && said[i-1] == ' '
			i += size
			continue
		}
		from := i
		for i < len(said) {
			r, size := utf8.DecodeRuneInString(said[i:])
			joint := (r == '.' || r == '/' || r == '-' || r == '\'' || r == '’' || r == '_' || r == '@') &&
				i+size < len(said) && isWordAt(said[i+size:])
			if !isWord(r) && !joint {
				break
			}
			i += size
		}
		out = append(out, token{text.Lower(said[from:i]), from, i, breaks})
		breaks = false
	}
	return out
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func isWordAt(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isWord(r)
}

// is reports whether the tokens from i on match words, one each. An entry of words may list several words,
// one of which must match.
func (s sentence) is(i int, words ...string) bool {
	if i < 0 || i+len(words) > len(s.tokens) {
		return false
	}
	for n, w := range words {
		if n > 0 && s.tokens[i+n].breaks || !text.OneOf(s.tokens[i+n].word, w) {
			return false
		}
	}
	return true
}

// clauseStart returns the token that begins the clause of a token.
func (s sentence) clauseStart(i int) int {
	for i > 0 && !s.tokens[i].breaks {
		i--
	}
	return i
}

// past returns the first token from i on that is not among words.
func (s sentence) past(i int, words string) int {
	for s.is(i, words) {
		i++
	}
	return i
}

// pastOne returns i, or the token behind it where that is one of some words.
func (s sentence) pastOne(i int, words string) int {
	if s.is(i, words) {
		return i + 1
	}
	return i
}

// phrase returns the text from a token on, up to punctuation, to one of the words that
// end it, or to the end; and the index of the token behind it.
func (s sentence) phrase(i int, until ...string) (string, int) {
	if i >= len(s.tokens) {
		return "", i
	}
	end := i
	for end < len(s.tokens) && (end == i || !s.tokens[end].breaks) &&
		!slices.Contains(until, s.tokens[end].word) && !endsPhrase(s.tokens[end].word) && !isTime(s, end) {
		end++
	}
	if end == i {
		return "", i
	}
	return s.text[s.tokens[i].start:s.tokens[end-1].end], end
}

// ends reports whether a part of the sentence ends before a token.
func ends(s sentence, i int) bool {
	return i >= len(s.tokens) || s.tokens[i].breaks || isTime(s, i) || s.is(i,
		"please then again and for let's we we'll i use go instead")
}

// after returns what a sentence says from a token on.
func after(s sentence, i int) string {
	if i >= len(s.tokens) {
		return ""
	}
	return s.text[s.tokens[i].start:]
}

// before returns what stands before a token, without the verb "is", since the last
// punctuation.
func before(s sentence, i int) string {
	end := i
	for end > 0 && s.is(end-1, "is are was has been being will be am now just") {
		end--
	}
	start := end
	for start > 0 && (start == end || !s.tokens[start].breaks) {
		start--
	}
	for start < end && text.OneOf(s.tokens[start].word, leadIns) {
		start++
	}
	if start >= end || end-start > 6 {
		return ""
	}
	return s.text[s.tokens[start].start:s.tokens[end-1].end]
}

// headOf returns a phrase up to what it is for or where it is: "Redis" of "Redis for the
// session cache".
func headOf(phrase string) string {
	for i, t := range tokensOf(phrase) {
		switch t.word {
		case "for", "in", "on", "at", "within", "für", "im", "bei", "beim":
			if i > 0 {
				return phrase[:t.start]
			}
		}
	}
	return phrase
}

// has reports whether one of the tokens is one of some words.
func has(tokens []token, words string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return text.OneOf(t.word, words) })
}
