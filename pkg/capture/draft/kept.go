package draft

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// A keeper protects what a person said in a memory while a draft updates it.
type keeper struct {
	said   map[string][]string    // by field, word for word; the title's key is "title"
	theirs func(text string) bool // reports whether the person said this text of the draft, word for word
}

// title reports whether a memory takes over the title of a draft.
func (k keeper) title(now string) bool {
	return len(k.lostWords("title", now)) == 0 || k.theirs(now)
}

// value returns a field after an update: what the draft says, preceded by what a person said and the draft
// leaves out. kept reports whether there was such a text.
func (k keeper) value(f memory.Field, old, now any) (v any, kept bool) {
	field := "content." + f.Name
	if len(k.said[field]) == 0 {
		return now, false
	}
	switch new := now.(type) {
	case string:
		if was, ok := old.(string); ok && f.Kind == memory.Text {
			return k.text(field, was, new)
		}
	case []string:
		if lost := k.lostWords(field, new...); len(lost) > 0 {
			return slices.Concat(lost, new), true
		}
	case []map[string]string:
		var all []string
		for _, m := range new {
			all = slices.AppendSeq(all, maps.Values(m))
		}
		was, _ := old.([]map[string]string)
		lost := k.lostWords(field, all...)
		left := slices.DeleteFunc(slices.Clone(was), func(m map[string]string) bool {
			return !slices.ContainsFunc(lost, func(s string) bool {
				return slices.Contains(slices.Collect(maps.Values(m)), s)
			})
		})
		if len(left) > 0 {
			return slices.Concat(left, new), true
		}
	case map[string][]string:
		was, _ := old.(map[string][]string)
		joined := maps.Clone(new)
		for key, items := range was {
			lost := k.lostWords(field, new[key]...)
			left := slices.DeleteFunc(slices.Clone(items),
				func(s string) bool { return !slices.Contains(lost, s) })
			if len(left) > 0 {
				joined[key], kept = slices.Concat(left, new[key]), true
			}
		}
		return joined, kept
	}
	return now, false
}

// text is value for a field that is one text.
func (k keeper) text(field, old, now string) (string, bool) {
	lost := k.lostWords(field, now)
	if len(lost) == 0 || k.theirs(now) {
		return now, false
	}
	said := strings.Join(lost, " ")
	if alike.SayingOf(said).Says(alike.SayingOf(now)) {
		return old, true // the new text only says the same in other words
	}
	return withEnd(said) + " " + now, true
}

// withEnd returns a text with a full stop at its end.
func withEnd(s string) string {
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(last) || unicode.IsDigit(last) {
		s += "."
	}
	return s
}

// lostWords returns what a person said in a field that none of texts contains.
func (k keeper) lostWords(field string, texts ...string) (lost []string) {
	for _, s := range k.said[field] {
		if !slices.ContainsFunc(texts, func(t string) bool { return statesWords(t, s) }) {
			lost = append(lost, s)
		}
	}
	return lost
}

// statesWords reports whether a text contains another, word for word, as a sentence. Words before it ("it is
// not true that") or behind it ("no longer") may reverse its meaning.
func statesWords(text, said string) bool {
	text, said = foldText(text), strings.TrimRight(foldText(said), ".!;, ")
	for at := 0; said != ""; {
		i := strings.Index(text[at:], said)
		if i < 0 {
			return false
		}
		at += i
		before, after := strings.TrimRight(text[:at], " "), text[at+len(said):]
		next, _ := utf8.DecodeRuneInString(after)
		begins := before == "" || strings.ContainsRune(".!?;:", rune(before[len(before)-1]))
		switch {
		case !begins || isWordRune(next):
		case after == "" || strings.ContainsRune(".!;,:–—(", next):
			return true
		case next == ' ' && goesOnWith(after):
			return true
		}
		at += len(said)
	}
	return said == ""
}

// goesOnWith reports whether the words behind a statement add to it and cannot reverse it.
func goesOnWith(after string) bool {
	word, _, _ := strings.Cut(after[1:], " ")
	return text.OneOf(word, "and with because since und mit weil da")
}

// foldText returns a text in lower case with single blanks.
func foldText(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// isOver reports whether an update ends the subject of a memory that was not ended before.
func isOver(old, now memory.Record) bool {
	over := func(c memory.Content) bool {
		status, _ := c["status"].(string)
		active, isFlag := c["active"].(bool)
		switch old.Category {
		case memory.Decision:
			return status == "superseded" || status == "deprecated"
		case memory.TechDebt:
			return status == "resolved" || status == "wont_fix"
		case memory.Constraint:
			return isFlag && !active
		}
		return false
	}
	return over(now.Content) && !over(old.Content)
}
