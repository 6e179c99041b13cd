package memory

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Forgotten replaces the name of a record that was deleted for good.
const Forgotten = "[forgotten]"

// WithoutMention returns text without the path of a record, such as "decisions/use-redis.json", and without
// its id. If text is only the path, the result is empty. An id of a single word is kept where it stands
// alone, since it may just be the word.
func WithoutMention(text, name string) string {
	id := strings.TrimSuffix(path.Base(name), ".json")
	if !strings.Contains(text, id) {
		return text
	}
	if at, ok := strings.CutSuffix(text, name); ok && (at == "" || strings.HasSuffix(at, "/")) &&
		!strings.ContainsFunc(at, unicode.IsSpace) {
		return ""
	}
	text = withoutName(text, name)
	text = withoutName(text, id+".json")
	if strings.Contains(id, "-") {
		text = withoutName(text, id)
	}
	return text
}

// withoutName removes a name where it is not part of a longer one.
func withoutName(text, name string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, name)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		b.WriteString(text[:i])
		if i > 0 && inName(before) || inName(after) {
			b.WriteString(name)
		} else {
			b.WriteString(Forgotten)
		}
		text = text[i+len(name):]
	}
}

// inName reports whether r, before or behind a name, makes it a longer one.
func inName(r rune) bool {
	return r != utf8.RuneError && (r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
