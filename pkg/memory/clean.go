package memory

import (
	"slices"
	"strings"

	"keepsake/pkg/text"
)

const (
	titleInput = 4 << 10 // bytes of a title that are read
	maxTag     = 60      // runes in a tag
	maxLabel   = 80      // bytes in a "[confidence: …]" label; keeps the search linear
)

// CleanTitle makes a title of s: one visible line in NFC of at most MaxTitle runes, without the delimiters of
// index.md ("->", "#tags:") and without labels that look like ours ("[confidence: …]"). It is idempotent.
func CleanTitle(s string) string {
	s = text.CleanLine(text.CutBytes(s, titleInput))
	for {
		next := strings.ReplaceAll(s, "->", " - ")
		next = dropWord(next, "#tags:")
		next = dropConfidence(next)
		next = text.OneLine(next)
		if next == s {
			break
		}
		s = next
	}
	return text.Shorten(s, MaxTitle)
}

// CleanTag makes a tag of s: in lower case, with hyphens for spaces, without commas and the delimiters of
// index.md. It may be "".
func CleanTag(s string) string {
	s = strings.ToLower(CleanTitle(text.CutBytes(s, titleInput)))
	s = text.CleanLine(strings.NewReplacer(",", " ", ">", " ", "#", " ").Replace(s))
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' }), "-")
	return strings.TrimRight(text.CleanLine(text.CutRunes(s, maxTag)), "-")
}

// dropWord removes every occurrence of an ASCII word from s, in any case.
func dropWord(s, word string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if len(s)-i >= len(word) && strings.EqualFold(s[i:i+len(word)], word) {
			i += len(word)
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// dropConfidence removes labels such as "[confidence: high]", which a reader of a title would take for ours.
func dropConfidence(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '[')
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:min(len(s), i+maxLabel)], ']')
		if end > 0 && strings.HasPrefix(strings.ToLower(strings.ReplaceAll(s[i+1:i+end], " ", "")),
			"confidence:") {
			b.WriteString(s[:i])
			s = s[i+end+1:]
			continue
		}
		b.WriteString(s[:i+1])
		s = s[i+1:]
	}
	b.WriteString(s)
	return b.String()
}

// CleanTags returns clean tags without duplicates, sorted, at most MaxTags, of which the first are kept. If
// none is left it returns ["untagged"].
func CleanTags(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t = CleanTag(t); t != "" && t != Untagged && !slices.Contains(out, t) && len(out) < MaxTags {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return []string{Untagged}
	}
	slices.Sort(out)
	return out
}

// Untagged is the tag of a record that has no other tag.
const Untagged = "untagged"
