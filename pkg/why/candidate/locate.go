package candidate

import (
	"strings"
	"unicode"
)

// Near is how many lines a claimed line may be away from the quote.
const Near = 20

// A Place is where a quote stands in a file.
type Place struct {
	Line int    // of its first word, from 1
	Last int    // of its last word
	Text string // what stands there, from the first word to the last
}

// Locate finds a quote in a file: every word of it in a row, however they are
// spread over lines. Of several places the nearest to a line is taken, or with
// line 0 the first. ok is false where it stands nowhere.
func Locate(file, quote string, line int) (p Place, ok bool) {
	want := joinedWords(tokens(quote))
	if len(want) == 1 {
		return p, false
	}
	have := tokens(file)
	all := joinedWords(have)
	first, k, at := 0, 0, 0 // have[k] begins behind all[at]
	for from := 0; ; from++ {
		i := strings.Index(all[from:], want)
		if i < 0 {
			return p, ok
		}
		for from += i; at < from; k++ {
			at += len(have[k].word) + 1
		}
		a, b := have[k], have[k+strings.Count(want, "\n")-2]
		if !ok || off(a.line, line) < off(first, line) {
			first, ok = a.line, true
			p = Place{Line: a.line, Last: b.line, Text: file[a.from:b.to]}
		}
		if line == 0 {
			return p, ok
		}
	}
}

// joinedWords returns words with a line end around each. No word has a line end in it, so a row of words
// can be searched for as one text, in linear time.
func joinedWords(all []token) string {
	var b strings.Builder
	b.WriteByte('\n')
	for _, t := range all {
		b.WriteString(t.word + "\n")
	}
	return b.String()
}

// Near reports whether a place is at most Near lines away from the line that was claimed.
func (p Place) Near(line int) bool {
	return line == 0 || off(p.Line, line) <= Near || p.Line <= line && line <= p.Last
}

func off(a, b int) int { return max(a-b, b-a) }

// Words returns how many words a quote has.
func Words(quote string) int { return len(tokens(quote)) }

type token struct {
	word     string
	from, to int // in bytes
	line     int
}

// tokens returns the words of a text: what stands between white space, without marks of layout such as
// those of a list, a quotation or a table. All kinds of quotation marks are equal.
func tokens(text string) (all []token) {
	line, from := 1, -1
	end := func(to int) {
		if from < 0 {
			return
		}
		word := text[from:to]
		if strings.Trim(word, ">-*+#|•") != "" {
			all = append(all, token{straight.Replace(word), from, to, line})
		}
		from = -1
	}
	for i, r := range text {
		if unicode.IsSpace(r) {
			end(i)
			if r == '\n' {
				line++
			}
			continue
		}
		if from < 0 {
			from = i
		}
	}
	end(len(text))
	return all
}

var straight = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "\u00a0", " ")
