package memory

import (
	"slices"
	"strings"

	"keepsake/pkg/text"
)

const (
	titleInput = 4 << 10 // bytes of a title that are looked at
	maxTag     = 60      // runes in a tag
	maxLabel   = 80      // bytes in a "[confidence: …]" label; keeps the search linear
)

// CleanTitle makes a title of s: one line of visible text in NFC without what
// index.md uses as a delimiter ("->", "#tags:") or what poses as our own words
// ("[confidence: …]"), at most MaxTitle runes. It is idempotent.
func CleanTitle(s string) string {
	s = text.CleanLine(text.CutBytes(s, titleInput))
	for {
		next := strings.ReplaceAll(s, "->", " - ")
		next = dropFold(next, "#tags:")
		next = dropConfidence(next)
		next = text.OneLine(next)
		if next == s {
			break
		}
		s = next
	}
	return text.Shorten(s, MaxTitle)
}

// CleanTag makes a tag of s: lower case, hyphens for spaces, without commas and
// the delimiters of index.md. It is "" if nothing is left.
func CleanTag(s string) string {
	s = strings.ToLower(CleanTitle(text.CutBytes(s, titleInput)))
	s = text.CleanLine(strings.NewReplacer(",", " ", ">", " ", "#", " ").Replace(s))
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' }), "-")
	return strings.TrimRight(text.CleanLine(text.CutRunes(s, maxTag)), "-")
}

// dropFold removes every occurrence of an ASCII word from s, in any case.
func dropFold(s, word string) string {
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

// dropConfidence removes labels such as "[confidence: high]", which in a title
// would pass for a judgement of ours.
func dropConfidence(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '[')
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:min(len(s), i+maxLabel)], ']')
		if end > 0 && strings.HasPrefix(strings.ToLower(strings.ReplaceAll(s[i+1:i+end], " ", "")), "confidence:") {
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

// CleanTags cleans a list of tags: no doubles, sorted, at most MaxTags with the
// first ones kept, and ["untagged"] if none is left.
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

// Untagged is the tag of a record that has no other.
const Untagged = "untagged"
