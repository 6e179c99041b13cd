package cues

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// byFirst has phrases by the first byte that a text must have for them; a number has many.
type byFirst [256][]phrase

func newByFirst(all []phrase) (by byFirst) {
	for _, p := range all {
		first := strings.TrimPrefix(p.text, string(rune(markOpening)))[0]
		by[first] = append(by[first], p)
	}
	return by
}

// slowly is Find without a table: every phrase at every place.
func slowly(text string, all *byFirst) (found Set) {
	for i := range text {
		r, _ := decodeAny(text, i)
		switch kind := kindOf(r); {
		case kind == space || kind == letter && isLetterBefore(text, i):
			continue
		default:
			opening := kind >= letter && isOpening(text[:i])
			first := byte(markNumber)
			if !isDigit(text[i]) {
				first = string(r)[0]
			}
			for _, p := range slices.Concat(all[first], all[text[i]]) {
				rest, opens := strings.CutPrefix(p.text, string(rune(markOpening)))
				if found&p.found != p.found && (!opens || opening) && matches(text, i, rest) {
					found |= p.found
				}
			}
		}
	}
	return found
}

func decodeAny(text string, i int) (rune, int) {
	if c := text[i]; c < utf8.RuneSelf {
		return rune(lower(c)), 1
	}
	return decode(text, i)
}

// isOpening reports whether a sentence begins after the text.
func isOpening(before string) bool {
	for before != "" {
		r, n := utf8.DecodeLastRuneInString(before)
		i := len(before) - n
		if r >= utf8.RuneSelf {
			r = foldRune(r)
			if r == '。' || r == '!' || r == '?' {
				return true
			}
		} else if r == '\n' {
			return true
		}
		if k := kindOf(r); k == letter || k == glyph {
			return false
		}
		before = before[:i]
		if j := len(before); j > 0 && strings.IndexByte(".!?", before[j-1]) >= 0 && isSpace(byte(r)) &&
			r < utf8.RuneSelf {
			return true
		}
	}
	return true
}

// matches reports whether the folded text begins with the phrase at i.
func matches(text string, i int, phrase string) bool {
	if phrase == "" {
		return isBoundary(text, i)
	}
	want, n := utf8.DecodeRuneInString(phrase)
	if want == markRest {
		return matches(text, wordEnd(text, i), phrase[n:])
	}
	if i >= len(text) {
		return false
	}
	if want == markNumber && isDigit(text[i]) {
		return matches(text, numberEnd(text, i), phrase[n:])
	}
	r, size := decodeAny(text, i)
	switch {
	case r < utf8.RuneSelf && r == '*':
		return matches(text, i+1, phrase)
	case kindOf(r) == space:
		return want == ' ' && matches(text, spaceEnd(text, i), phrase[n:])
	case text[i] == '-' && joins(text, i):
		return want == ' ' && matches(text, i+1, phrase[n:])
	case r < ' ':
		return false
	}
	return r == want && matches(text, i+size, phrase[n:])
}

func FuzzFindSaysWhatEveryPhraseSays(f *testing.F) {
	all := newByFirst(readPhrases(f))
	for _, text := range []string{
		"", "Let's go with **option 2**: it’s simpler, since we can't\nuse Redis here.",
		"no-op, don't", "1. Yes, do that.",
		"\x00\x01\x02\x03", "v1.2.3 took 300ms",
		"- [ ] TODO: follow-up", "non\u00a0breaking\u3000spaces", "ＡＬＷＡＹＳ！ never",

		"nicht mehr, weil es zu spät ist", "C’est à cause de l’API", "давай так", "就用第二个",
		"2番でお願いします", "두 번째로 하자",
		"a\xffb\xc3", "\xf0\x9f\x98", "***", "we - use", "rate-limit*ed",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			text = text[:200]
		}
		got, want := Find(text), slowly(text, &all)
		if got != want {
			t.Errorf("Find(%q) = %v, want %v", text, got.families(), want.families())
		}
		if of := Find([]byte(text)); of != got {
			t.Errorf("Find(%q) of bytes = %v, of a string %v", text, of.families(), got.families())
		}
	})
}

// families returns the names of the families in the set.
func (s Set) families() (all []string) {
	for f := range Family(Count) {
		if s.Has(f) {
			all = append(all, f.String())
		}
	}
	return all
}

// english is a page as an agent writes it.
const english = `The retry loop swallowed the first error, so the job looked green although nothing was written.
I traced it to the connection pool: every worker opened its own transaction, and the third one waited for a lock
that the first one held. We keep the pool at eight connections, because the database of the staging environment
accepts no more than ten. Two things are left: the report still reads the old table, and the importer has no test
for an empty file. Run the migration before the next deployment, then restart the workers one after the other.
`

func BenchmarkFind(b *testing.B) {
	text := []byte(strings.Repeat(english, 20))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Find(text)
	}
}
