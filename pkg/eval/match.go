package eval

import (
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/text"
)

// A statement states a quote if it has this share of the tokens of the shorter one, and both have at least so
// many.
const (
	likeShare  = 0.6
	likeTokens = 3
)

// joint stands between a person's words and what they refer to, as package explain joins them.
const joint = " — "

// States returns the indices of the items that a statement on a line of the transcript states: its quote on
// its line or on one that says it again, or its second quote on the line of that.
func (s Session) States(line int, statement string) (items []int) {
	if !s.hasLine(line) {
		return nil
	}
	return s.statedBy(line, tokenSet(statement))
}

func (s Session) statedBy(line int, said map[string]bool) (items []int) {
	tokens := s.tokens
	if tokens == nil {
		tokens = tokensOf(s.Items)
	}
	for i, item := range s.Items {
		if (item.Line == line || slices.Contains(item.Also, line)) && overlaps(said, tokens[i].quote) ||
			item.Line2 == line && item.Line2 > 0 && overlaps(said, tokens[i].quote2) {
			items = append(items, i)
		}
	}
	return items
}

// hasLine reports whether an item stands on a line.
func (s Session) hasLine(line int) bool {
	return line > 0 && slices.ContainsFunc(s.Items, func(i Item) bool {
		return i.Line == line || i.Line2 == line || slices.Contains(i.Also, line)
	})
}

// StatesAny returns the indices of the items that a finding states. lines are those that it comes from: the
// one in which it was said, and that of the proposal or question that it takes up. A finding may join the
// person's words with what they refer to; then each part may state an item on any of the lines.
func (s Session) StatesAny(lines []int, said string) (items []int) {
	if !slices.ContainsFunc(lines, s.hasLine) {
		return nil
	}
	parts := []string{said}
	if strings.Contains(said, joint) {
		parts = append(parts, strings.Split(said, joint)...)
	}
	for _, part := range parts {
		tokens := tokenSet(part)
		for _, line := range lines {
			items = append(items, s.statedBy(line, tokens)...)
		}
	}
	slices.Sort(items)
	return slices.Compact(items)
}

// itemTokens are the tokens of an item's quotes.
type itemTokens struct{ quote, quote2 map[string]bool }

func tokensOf(items []Item) []itemTokens {
	all := make([]itemTokens, len(items))
	for i, item := range items {
		all[i] = itemTokens{tokenSet(item.Quote), tokenSet(item.Quote2)}
	}
	return all
}

// tokenSet returns the words of a text that have two letters or more, in small letters, and the pairs of
// characters of scripts without spaces. It is the likeness by which the data was labelled, so it is not the
// tokenizer of the search index.
func tokenSet(s string) map[string]bool {
	set := map[string]bool{}
	var run []rune
	paired := false
	end := func() {
		switch {
		case paired:
			for i := range max(1, len(run)-1) {
				set[string(run[i:min(i+2, len(run))])] = true
			}
		case len(run) > 1:
			set[string(run)] = true
		}
		run = run[:0]
	}
	for _, r := range strings.ToLower(s) {
		pairs := text.IsUnspaced(r)
		if len(run) > 0 && pairs != paired {
			end()
		}
		if pairs || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) {
			run, paired = append(run, r), pairs
		} else if len(run) > 0 {
			end()
		}
	}
	if len(run) > 0 {
		end()
	}
	return set
}

// overlaps reports whether two sets of tokens say the same.
func overlaps(a, b map[string]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < likeTokens {
		return false
	}
	both := 0
	for t := range a {
		if b[t] {
			both++
		}
	}
	return float64(both) >= likeShare*float64(len(a))
}
