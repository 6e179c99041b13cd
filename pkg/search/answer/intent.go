package answer

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
	"keepsake/pkg/text"
	"keepsake/pkg/text/date"
)

// An intent is what the form of a prompt says about the memories that it wants.
type intent struct {
	categories []memory.Category // that come first; none if the form says nothing
	// all is whether the prompt names no subject, as in "list our decisions": it wants the newest ones. If it
	// is dated, it wants those that were made at that time, as in "what did we decide last week".
	all, dated bool
	when       date.Period
	// reason is whether it asks why. It may be about the code as well, so it has the floor of others.
	reason bool
	about  string // the prompt without the words of its form
}

// isOfTime reports whether a memory is of the time that the prompt asks for.
func (in intent) isOfTime(h records.Hit) bool { return !in.dated || in.when.Has(h.Day) }

// rank is 0 for a category that the prompt asks for by its form, else 1.
func (in intent) rank(c memory.Category) int {
	if slices.Contains(in.categories, c) {
		return 0
	}
	return 1
}

// maxIntent is the longest sentence, in bytes, whose form is looked at. A longer one tells more than it asks.
const maxIntent = 160

// intentOf returns the intent of a prompt that is put now, by its first sentence that has one.
func intentOf(prompt string, now time.Time) intent {
	sentences := 0
	for one := range records.Sentences(prompt[:min(len(prompt), 8*maxIntent)]) {
		if sentences++; sentences > 4 {
			break
		}
		if len(one) > maxIntent {
			continue
		}
		in, rest := intentIn(lineOf(one))
		if when, undated, ok := date.Find(one, now); ok {
			if at, _ := intentIn(lineOf(undated)); at.all {
				in, in.dated, in.when = at, true, when
			}
		}
		if len(in.categories) == 0 {
			continue
		}
		if in.about = prompt; !in.reason {
			in.about = strings.Replace(text.OneLine(prompt), one, rest.said, 1)
		}
		return in
	}
	return intent{}
}

// A line is a sentence as it was said and in lower case, in as many bytes.
type line struct{ said, low string }

func lineOf(s string) line {
	low := text.Lower(s)
	if len(low) != len(s) {
		s = low
	}
	return line{s, low}
}

// cut returns the line with a space in the place of some bytes.
func (l line) cut(from, to int) line {
	return line{l.said[:from] + " " + l.said[to:], l.low[:from] + " " + l.low[to:]}
}

// intentIn returns the intent of one sentence, and the sentence without the words of its form.
func intentIn(s line) (in intent, rest line) {
	for i := range forms {
		f := &forms[i]
		if f.begins && !strings.HasPrefix(strings.TrimLeftFunc(s.low, isNoLetter), f.words) {
			continue
		}
		rest, ok := without(s, f.words)
		if !ok {
			continue
		}
		in = intent{categories: f.wants, reason: f.begins}
		in.all = f.lists && !hasSubject(rest)
		return in, rest
	}
	// "list our decisions": a word for a category, and beside it only words that ask for a list
	for i := range nouns {
		rest, ok := without(s, nouns[i].words)
		if !ok {
			continue
		}
		asked := false
		for _, a := range asks {
			if left, found := without(rest, a); found {
				rest, asked = left, true
			}
		}
		if hasSubject(rest) {
			if nouns[i].lists {
				return intent{categories: nouns[i].wants}, rest
			}
			continue
		}
		if asked || nouns[i].lists {
			return intent{categories: nouns[i].wants, all: true}, rest
		}
	}
	return intent{}, s
}

// hasSubject reports whether a sentence has a word beside those of any list and of grammar.
func hasSubject(s line) bool {
	for _, a := range asks {
		s, _ = without(s, a)
	}
	for _, f := range fillers {
		s, _ = without(s, f)
	}
	for w := range strings.FieldsFuncSeq(s.low, isNoLetter) {
		if !text.IsStopWord([]byte(w)) && utf8.RuneCountInString(w) > 1 {
			return true
		}
	}
	return false
}

func isNoLetter(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}

// without returns a sentence without some words, and whether it has them: as whole words where the script
// has spaces. A * in the words stands for others between them, which stay.
func without(s line, words string) (rest line, ok bool) {
	first, second, two := strings.Cut(words, " * ")
	at := place(s.low, first)
	if at < 0 {
		return s, false
	}
	rest = s.cut(at, at+len(first))
	if !two {
		return rest, true
	}
	next := place(rest.low[at:], second)
	if next < 0 {
		return s, false
	}
	return rest.cut(at+next, at+next+len(second)), true
}

// place returns where in a sentence words are, -1 for nowhere.
func place(s, words string) int {
	for from := 0; ; {
		at := strings.Index(s[from:], words)
		if at < 0 {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(words):])
		first, _ := utf8.DecodeRuneInString(words)
		last, _ := utf8.DecodeLastRuneInString(words)
		if (at == 0 || isNoLetter(before) || text.IsUnspaced(first)) &&
			(at+len(words) == len(s) || isNoLetter(after) || text.IsUnspaced(last)) {
			return at
		}
		from = at + cmp.Or(utf8.RuneLen(first), 1)
	}
}
