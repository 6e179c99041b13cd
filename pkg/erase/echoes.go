package erase

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

// echoesOf returns the findings beside those of some numbers that say what one of them says,
// or what a record says, nil for none: an agent that repeats what the person said, mostly,
// and what it said again of that.
func echoesOf(book *finding.Book, numbers []int, record *memory.Record) (all []finding.Status) {
	says := sayingsOf(book, numbers)
	var whole []alike.Saying
	if record != nil {
		whole = append(whole, alike.RecordSaying(*record))
	}
	for { // what repeats an echo is one
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

// sayings are texts that others are held against.
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

// sayingsOf are what some findings say.
func sayingsOf(book *finding.Book, numbers []int) (all sayings) {
	for _, n := range numbers {
		if f, ok := book.Find(n); ok {
			all.add(f.Text)
		}
	}
	return all
}

// repeated reports whether a text quotes one of the others, or a sentence of it says the
// same, or less, in other words.
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
