package memdir

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// Types returns the types of memories, in the order of the client.
func Types() []string { return types[:] }

// types are the four kinds of memories of the client.
var types = [...]string{"user", "feedback", "project", "reference"}

// typeOfHead returns the type of a memory, as it is written, and its line.
func typeOfHead(h markdown.Frontmatter) (string, int) { return h.Get("metadata.type", "type") }

func (v *view) headMissing() {
	for p := range v.topics {
		if p.doc.Front.Lines == 0 && len(p.doc.Front.Faults) == 0 {
			_, fixable := v.completed(p)
			v.find(p.Path, 1, fixable, "has no frontmatter with %s", text.AnyOf(v.Keys))
		}
	}
}

func (v *view) headBroken() {
	for p := range v.topics {
		if len(p.doc.Front.Faults) == 0 {
			continue
		}
		_, fixable := p.readable()
		for _, f := range p.doc.Front.Faults {
			v.find(p.Path, f.Line, fixable, "frontmatter: %s", f.Why)
		}
	}
}

func (v *view) headKey() {
	for p := range v.topics {
		h := p.doc.Front
		if h.Lines == 0 {
			continue
		}
		if lacks := v.lacks(h); len(lacks) > 0 {
			_, fixable := v.completed(p)
			v.find(p.Path, 1, fixable, "the frontmatter has no %s", text.AnyOf(lacks))
		}
	}
}

// lacks returns the keys of the profile that frontmatter has no value for.
func (v *view) lacks(h markdown.Frontmatter) (keys []string) {
	for _, k := range v.Keys {
		if valueOf(h, k) == "" {
			keys = append(keys, k)
		}
	}
	return keys
}

// valueOf returns the value of a key of the profile, "" for none.
func valueOf(h markdown.Frontmatter, key string) (value string) {
	switch key {
	case "type":
		value, _ = typeOfHead(h)
	case "last_updated":
		value, _ = h.Get(updatedKeys[:]...)
	case "topics":
		value, _ = h.Get(key, "metadata.topics")
	default:
		value, _ = h.Get(key)
	}
	return value
}

// typeByName returns the type that a file's name begins with, as in feedback_testing.md, or is. It is "" if
// there is none.
func typeByName(p string) string {
	for _, t := range types {
		if rest, ok := strings.CutPrefix(path.Base(p), t); ok &&
			(markdown.HasExt(rest) && len(rest) == len(".md") || rest[0] == '_' || rest[0] == '-') {
			return t
		}
	}
	return ""
}

func (v *view) headType() {
	for p := range v.topics {
		t, line := typeOfHead(p.doc.Front)
		if t == "" {
			continue
		}
		if !known(t) {
			_, mends := p.mendedValue(line - 1)
			v.find(p.Path, line, mends && known(strings.ToLower(t)), "the type %q is none of %s", short(t),
				text.AnyOf(types[:]))
			continue
		}
		if plain, line := p.doc.Front.Get("type"); plain != "" && plain != t {
			v.find(p.Path, line, false, "says type %q and metadata.type %q", short(plain), t)
		}
	}
}

func known(t string) bool { return slices.Contains(types[:], t) }

func (v *view) headDate() {
	for p := range v.topics {
		date, line := p.doc.Front.Get("last_updated")
		if date == "" || date == Unknown {
			continue
		}
		at, ok := day(date)
		switch {
		case !ok:
			_, mends := p.mendedValue(line - 1)
			v.find(p.Path, line, mends, "last_updated %q is no date of the form YYYY-MM-DD", short(date))
		case at.After(v.dir.Now.AddDate(0, 0, 1)):
			v.find(p.Path, line, false, "last_updated %s lies in the future", at.Format(time.DateOnly))
		}
	}
}

// day reads a date, also at the beginning of a time stamp.
func day(s string) (time.Time, bool) {
	if len(s) > 10 && (s[10] == 'T' || s[10] == ' ') {
		s = s[:10]
	}
	// most are no dates, and an error takes its time
	if len(s) != len(time.DateOnly) || s[4] != '-' || s[7] != '-' {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateOnly, s)
	return t, err == nil
}

// otherDate reads a date in a form that can be read in one way only.
func otherDate(s string) (time.Time, bool) {
	for _, form := range [...]string{"2006/01/02", "2006.01.02", "2006-1-2", "January 2, 2006", "Jan 2, 2006",
		"2 January 2006", "2 Jan 2006"} {
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func (v *view) descriptionVague() {
	for p := range v.topics {
		d, line := p.doc.Front.Get("description")
		if d == "" {
			continue
		}
		name, _ := p.doc.Front.Get("name")
		file := markdown.TrimExt(path.Base(p.Path))
		if IsFew(d) || vague(d) || len(strings.Fields(d)) <= nameWords && (same(d, name) || same(d, file)) {
			v.find(p.Path, line, false, "%q doesn't say what is in the file", short(d))
		}
	}
}

// IsFew reports whether a text has fewer than three words, in a script that has spaces between them.
func IsFew(s string) bool {
	return len(strings.Fields(s)) < 3 && !strings.ContainsFunc(s, dense)
}

// dense reports whether a letter is of a script without spaces between words.
func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// vague reports whether a text has only words that fit every memory.
func vague(s string) bool {
	words := strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
	for w := range words {
		switch w {
		case "a", "an", "the", "this", "that", "these", "about", "and", "or", "of", "for", "from", "to", "in",
			"on", "with", "my", "our", "your", "it", "its", "is", "are", "all", "as",
			"note", "notes", "memo", "misc", "miscellaneous", "stuff", "thing", "things", "info",
			"information", "various", "general", "random", "important", "useful", "relevant",
			"detail", "details", "data", "memory", "memories", "file", "files", "todo", "update", "updates",
			"updated", "other", "others", "some", "more", "many", "etc", "topic", "topics",
			"content", "contents", "summary", "description", "see", "here", "inside", "read", "below", "new",
			"old", "text", "document", "doc", "docs", "project", "session", "sessions",
			"remember", "context", "learned", "learnt", "what", "we", "i", "saved", "related", "tbd",
			"placeholder", "unknown", "none", "test":
		default:
			return false
		}
	}
	return true
}
