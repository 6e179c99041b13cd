package erase

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

// echoesOf returns the other findings that say the same as one of the numbered findings, or as a record,
// which may be nil. Most are an agent's repetition of the person's words. A finding that repeats an echo
// is an echo too.
func echoesOf(book *finding.Book, numbers []int, record *memory.Record) (all []finding.Status) {
	says := sayingsOf(book, numbers)
	var whole []alike.Saying
	if record != nil {
		whole = append(whole, alike.RecordSaying(*record))
	}
	for { // until nothing repeats the echoes found so far
		more := book.Each(func(f finding.Status) bool {
			return f.Text != "" && !slices.Contains(numbers, f.Number) && (says.repeated(f.Text) ||
				slices.ContainsFunc(whole, func(r alike.Saying) bool {
					return r.Says(alike.SayingOf(f.Text))
				}))
		})
		if len(more) == 0 {
			return all
		}
		all = append(all, more...)
		numbers = append(slices.Clone(numbers), finding.Numbers(more)...)
		for _, f := range more {
			says.add(f.Text)
		}
	}
}

// sayings are texts to which other texts are compared.
type sayings []saidText

type saidText struct {
	text string
	says alike.Saying
}

func (s *sayings) add(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	*s = append(*s, saidText{text, alike.SayingOf(text)})
}

// sayingsOf returns the texts of the numbered findings.
func sayingsOf(book *finding.Book, numbers []int) (all sayings) {
	for _, n := range numbers {
		if f, ok := book.Find(n); ok {
			all.add(f.Text)
		}
	}
	return all
}

// repeated reports whether said quotes one of the texts, or has a sentence that says the same as one of
// them, or a part of it, in other words.
func (s sayings) repeated(said string) bool {
	if strings.TrimSpace(said) == "" || len(s) == 0 {
		return false
	}
	parts := []string{said}
	if all := triage.Sentences(said); len(all) > 1 {
		for _, sentence := range all {
			parts = append(parts, sentence.Text)
		}
	}
	for _, part := range parts {
		says := alike.SayingOf(part)
		for _, t := range s {
			if strings.Contains(part, t.text) || alike.Notes(part, t.text) || t.says.Says(says) {
				return true
			}
		}
	}
	return false
}
