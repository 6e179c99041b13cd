package records

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Snippet returns the sentence of r that says most of what query asks, in at
// most limit runes: one line, cut at the ends of words where there are any, with
// "…" where something is left out, and with the words asked for in it. Of equal
// sentences it takes the first of the decisive fields. Where none has a word of
// the query, it is the beginning of what a reader needs to act on r.
func Snippet(r memory.Record, query string, limit int) string {
	q := terms{limit: maxTerms}
	q.add(query[:min(len(query), headBytes)])
	var best sentence
	for _, decisive := range []bool{true, false} {
		for _, f := range memory.Fields(r.Category) {
			if f.Decisive != decisive {
				continue
			}
			for _, text := range texts(r.Content[f.Name]) {
				for s := range Sentences(text) {
					if found := q.in(s); found.worth > best.worth || best.text == "" {
						best = found
					}
				}
			}
		}
	}
	if best.worth == 0 {
		return text.Around(opening(r), 0, limit)
	}
	return text.Around(best.text, best.at, limit)
}

// A sentence is a text with what it has of a query.
type sentence struct {
	text  string // without line breaks
	worth int
	at    int // where the first word of the query is
}

const topicWorth = 8 // of a word that is not generic, which is worth 1

// in returns a sentence with the worth of the terms in it, and the place of the first good one.
func (t *terms) in(one string) sentence {
	s := sentence{text: one}
	var seen [maxTerms]bool
	c := text.Tokenizer{}
	c.Emit = func(term []byte) bool {
		for i := range t.n {
			if seen[i] || !bytes.Equal(t.term(i), term) {
				continue
			}
			seen[i] = true
			worth := 1
			if isPair(term) && !text.IsGenericPair(term) || !isPair(term) && !text.IsGeneric(term) {
				worth = topicWorth
			}
			if s.worth < topicWorth && worth >= topicWorth || s.worth == 0 {
				s.at = c.At
			}
			s.worth += worth
		}
		return true
	}
	c.Cut(one)
	return s
}

// texts returns the texts of a content value.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []map[string]string:
		var out []string
		for _, m := range v {
			out = append(out, m["option"], m["rejected_reason"])
		}
		return out
	case map[string][]string:
		return slices.Concat(v["prefer"], v["avoid"])
	}
	return nil
}

// Sentences yields the sentences of a text, each on one line.
func Sentences(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			line = strings.Join(strings.Fields(line), " ")
			for line != "" {
				n := sentenceEnd(line)
				if s := strings.TrimSpace(line[:n]); s != "" && !yield(s) {
					return
				}
				line = line[n:]
			}
		}
	}
}

// sentenceEnd returns the length in bytes of the first sentence. It ends at a stop with a space behind it,
// or at a stop of a script that puts no space there.
func sentenceEnd(line string) int {
	for i, r := range line {
		end := i + utf8.RuneLen(r)
		switch r {
		case '.', '!', '?', ';':
			if end < len(line) && line[end] == ' ' {
				return end
			}
		case '。', '！', '？', '；', '।':
			return end
		}
	}
	return len(line)
}

// opening returns the fields that a reader needs to act on a record, for the beginning of a snippet.
func opening(r memory.Record) string {
	var parts []string
	for _, f := range memory.Fields(r.Category) {
		if f.Decisive {
			for _, text := range texts(r.Content[f.Name]) {
				parts = append(parts, strings.Join(strings.Fields(text), " "))
			}
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}
