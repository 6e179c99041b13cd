package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"keepsake/pkg/text"
)

const (
	maxMarks   = 4       // marks on one letter; scripts need at most three, decoration takes dozens
	titleInput = 4 << 10 // bytes of a title that are looked at
	maxTag     = 60      // runes in a tag
	maxLabel   = 80      // bytes in a "[confidence: …]" label; keeps the search linear
)

// CleanTitle makes a title of s: one line of visible text in NFC without what
// index.md uses as a delimiter ("->", "#tags:") or what poses as our own words
// ("[confidence: …]"), at most MaxTitle runes. It is idempotent.
func CleanTitle(s string) string {
	s = visible(head(s, titleInput), false)
	for {
		next := strings.ReplaceAll(s, "->", " - ")
		next = dropFold(next, "#tags:")
		next = dropConfidence(next)
		next = strings.Join(strings.Fields(next), " ")
		if next == s {
			break
		}
		s = next
	}
	return Shorten(s, MaxTitle)
}

// CleanTag makes a tag of s: lower case, hyphens for spaces, without commas and
// the delimiters of index.md. It is "" if nothing is left.
func CleanTag(s string) string {
	s = strings.ToLower(CleanTitle(head(s, titleInput)))
	s = visible(strings.NewReplacer(",", " ", ">", " ", "#", " ").Replace(s), false)
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' }), "-")
	return strings.TrimRight(norm.NFC.String(cutRunes(s, maxTag)), "-")
}

// CleanText takes out of a text what no reader can see: control characters but
// newline and tab, bidirectional overrides, tag characters, variation
// selectors. The joiners that Indic and Arabic scripts need stay.
func CleanText(s string) string { return visible(s, true) }

// Shorten returns s in at most n runes. A text that is cut ends in "…", at a
// word's end if there is one in the last fifth.
func Shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	short := cutRunes(s, n-1)
	if i := strings.LastIndexByte(short, ' '); s[len(short)] != ' ' && i > len(short)*4/5 {
		short = short[:i]
	}
	return strings.TrimRight(short, " ") + "…"
}

// cutRunes returns the first n runes of s, without the last letter if its marks
// would be cut from it.
func cutRunes(s string, n int) string {
	end := 0
	for i, r := range s {
		if n == 0 {
			if unicode.IsMark(r) {
				return s[:end]
			}
			return s[:i]
		}
		if !unicode.IsMark(r) {
			end = i
		}
		n--
	}
	return s
}

// visible drops what cannot be seen. With lines it keeps newlines, tabs, the order
// of white space and joiners; otherwise all white space becomes single spaces.
func visible(s string, lines bool) string {
	s = norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD"))
	var b strings.Builder
	b.Grow(len(s))
	marks := maxMarks // of the letter before; none may stand alone
	for _, r := range s {
		switch {
		case lines && (r == '\n' || r == '\t'):
			b.WriteRune(r)
			marks = maxMarks
		case lines && (r == '\u200c' || r == '\u200d'):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			if r == '\r' && lines {
				continue
			}
			b.WriteByte(' ')
			marks = maxMarks
		case unshown(r) || unicode.IsControl(r):
		case unicode.IsMark(r):
			if marks < maxMarks {
				b.WriteRune(r)
				marks++
			}
		default:
			b.WriteRune(r)
			marks = 0
		}
	}
	// Dropping a rune can bring together what composes.
	s = norm.NFC.String(b.String())
	if lines {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// unshown reports whether no reader is shown r: it is invisible, or assigned to nobody.
func unshown(r rune) bool {
	return text.IsInvisible(r) || unicode.In(r, unicode.Co, unicode.Cs, unicode.Noncharacter_Code_Point)
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
