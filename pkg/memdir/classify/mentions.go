package classify

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A Place is a line that speaks of something.
type Place struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 1
	Text string `json:"text"` // the whole line
}

// Mentions returns the lines of indexes, topic files and project cards that contain one of the words, in any
// case, or a word that one of them begins, or that begins one of them. A word may be several, with spaces
// between them. Logs and archives are left out, as they
// are about the past. Secrets in the lines are redacted.
func Mentions(d memdir.Dir, p memdir.Profile, words []string) []Place {
	return redacted(mentions(d, p, words, func(low, w string) bool { return has(low, w) || begins(low, w) }))
}

// Two words are forms of one name if the shorter has at least formLetters letters, and the longer one begins
// with it and has at most formEnding more: postgres and PostgreSQL, deploy and deployed.
const (
	formLetters = 5
	formEnding  = 3
)

// begins reports whether a text has a word that is a form of another one.
func begins(low, word string) bool {
	if len(word) < formLetters || strings.ContainsFunc(word, func(r rune) bool { return !wordly(r) }) {
		return false
	}
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !wordly(r) }) {
		short, long := w, word
		if len(w) > len(word) {
			short, long = word, w
		}
		if len(short) >= formLetters && len(long)-len(short) <= formEnding && strings.HasPrefix(long, short) {
			return true
		}
	}
	return false
}

// redacted returns places without the secrets that somebody wrote there.
func redacted(all []Place) []Place {
	out := []Place{}
	for _, p := range all {
		p.Text = secret.Redact(p.Text)
		out = append(out, p)
	}
	return out
}

func mentions(d memdir.Dir, p memdir.Profile, words []string, has func(low, word string) bool) (out []Place) {
	m := d.Map(p)
	words = slices.Clone(words)
	for i := range words {
		words[i] = strings.ToLower(text.OneLine(words[i]))
	}
	for _, f := range d.Files {
		doc, _, ours := m.Doc(f.Path)
		if !ours || !(m.Topic(f.Path) || f.Path == memdir.Index || f.Path == m.Overview() ||
			strings.HasPrefix(f.Path, "blackboard/")) {
			continue
		}
		for i, l := range doc.Lines {
			low := strings.ToLower(l.Text)
			if slices.ContainsFunc(words, func(w string) bool { return has(low, w) }) {
				out = append(out, Place{f.Path, i + 1, l.Text})
			}
		}
	}
	layer := func(p Place) int {
		if p.Path == memdir.Index {
			return 0
		}
		if p.Path == m.Overview() {
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b Place) int {
		if la, lb := layer(a), layer(b); la != lb {
			return la - lb
		}
		return strings.Compare(a.Path, b.Path)
	})
	return out
}

// has reports whether a text contains a word with no letter or digit beside it.
func has(text, word string) bool {
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(word):])
		if !wordly(before) && !wordly(after) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		at = i + size
	}
	return false
}

func wordly(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// changes are words of what a whole directory may have to follow: agents and
// models, tools and channels, a project's state and its dates, rules.
var changes = sync.OnceValue(func() []string {
	return strings.Fields(`agent agents subagent subagents model models prompt prompts
	toolchain compiler upgrade upgraded upgrades switch switched channel channels pipeline runtime version ci replaced renamed
	deadline deadlines due postponed delayed blocked unblocked milestone status moved launch released cancelled canceled
	protocol protocols policy policies convention conventions guideline guidelines rule rules workflow process`)
})

// models are names of models, by whatever version.
var models = sync.OnceValue(func() []string {
	return strings.Fields(`opus sonnet haiku claude gpt gemini llama mistral`)
})

// cascade returns the other places that mention what a note changes. It is nil unless the note replaces a
// statement, or has a word of change or the name of a model.
func (j *job) cascade(after memdir.Dir) (out []Place) {
	said := spaced(j.Text)
	if j.res.Did != Replaced && !slices.ContainsFunc(slices.Concat(changes(), models()), func(w string) bool {
		return strings.Contains(said, " "+w+" ")
	}) {
		return nil
	}
	words, least := subjects(j.Text)
	if len(words) == 0 { // of nothing but a change: "the deadline of the launch moved"
		for _, w := range changes() {
			if utf8.RuneCountInString(w) > 4 && strings.Contains(said, " "+w+" ") {
				words = append(words, w)
			}
		}
		least = min(2, len(words))
	}
	if j.res.Did == Replaced {
		return j.still(after)
	}
	for _, p := range mentions(after, j.p, words, has) {
		low, n := strings.ToLower(p.Text), 0
		for _, w := range words {
			if has(low, w) {
				n++
			}
		}
		key, _, _ := strings.Cut(p.Text, ":")
		if n >= least && j.stood(p) && key != "last_updated" && key != "name" {
			out = append(out, p)
		}
	}
	return out
}

// still returns the other places that say what the old statement said and the new one doesn't, MEMORY.md
// first: a line has a word of the old statement alone, and one that both have, or else half of the old
// statement's words.
func (j *job) still(after memdir.Dir) (out []Place) {
	both, was := shared(j.replaced, j.Text), dropped(j.replaced, j.Text)
	form := func(low, w string) bool { return has(low, w) || begins(low, w) }
	count := func(low string, words []string) (n int) {
		for _, w := range words {
			if form(low, w) {
				n++
			}
		}
		return n
	}
	for _, p := range mentions(after, j.p, was, form) {
		low := strings.ToLower(p.Text)
		key, _, _ := strings.Cut(p.Text, ":")
		if (count(low, both) > 0 || 2*count(low, was) >= max(len(was), 3)) && j.stood(p) &&
			!text.OneOf(key, "last_updated topics name") {
			out = append(out, p)
		}
	}
	return out
}

// dropped returns the words and numbers of an old statement that its new version doesn't have.
func dropped(old, text string) (words []string) {
	said := spaced(text)
	for w := range strings.FieldsSeq(spaced(old)) {
		number := strings.ContainsFunc(w, unicode.IsDigit)
		if (number || utf8.RuneCountInString(w) > 2) && !slices.Contains(common(), w) &&
			!slices.Contains(words, w) && !strings.Contains(said, " "+w+" ") {
			words = append(words, w)
		}
	}
	return words
}

// stood reports whether a line was there before the note, and is not the one that it replaces.
func (j *job) stood(p Place) bool {
	doc, _, _ := j.m.Doc(p.Path)
	at := slices.IndexFunc(doc.Lines, func(l markdown.Line) bool { return l.Text == p.Text })
	return at >= 0 && p.Path+":"+strconv.Itoa(at+1) != j.res.Near
}

// subjects returns the words for what a text is about, and how many of them a line must have. They are its
// names, one of which is enough, else its longer words.
func subjects(text string) (words []string, least int) {
	begins := true
	var long []string
	for field := range strings.FieldsSeq(text) {
		w := strings.TrimFunc(field, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
		})
		first, size := utf8.DecodeRuneInString(w)
		low := strings.ToLower(w)
		switch {
		case w == "" || isDate(w) || slices.Contains(changes(), low):
		case slices.Contains(models(), low) || strings.Contains(field, "`") ||
			strings.ContainsFunc(w[size:], unicode.IsUpper) || !begins && unicode.IsUpper(first) &&
			size < len(w) ||
			unicode.IsLetter(first) && strings.ContainsFunc(w, unicode.IsDigit) || path.Ext(w) != "":
			if !slices.Contains(words, low) {
				words = append(words, low)
			}
		case utf8.RuneCountInString(w) > 3 && !slices.Contains(common(), low) && !slices.Contains(long, low):
			long = append(long, low)
		}
		begins = strings.ContainsAny(field[len(field)-1:], ".!?:")
	}
	if len(words) > 0 {
		return words, 1
	}
	return long, min(2, len(long))
}

// shared returns the words that an old statement and its new version have in common.
func shared(old, text string) (words []string) {
	said := spaced(text)
	for w := range strings.FieldsSeq(spaced(old)) {
		if utf8.RuneCountInString(w) > 2 && !slices.Contains(common(), w) && !slices.Contains(words, w) &&
			strings.Contains(said, " "+w+" ") {
			words = append(words, w)
		}
	}
	return words
}

// common are words that any text has.
var common = sync.OnceValue(func() []string {
	return strings.Fields(`the and for use are was not has have had with its our but all any can will this that from they you who what
	also been both each even ever have here into just keep kept like made make many more most much must need only over said same says some such takes than
	them then they upon used uses very want were when will your
	about after again against always another because before being below between could during every first
	never other project projects should since their there these thing things those three through under until using where which while whole without would years`)
})

// isDate reports whether a word is a date of the form YYYY-MM-DD, or a number.
func isDate(w string) bool { return strings.Trim(w, "0123456789-.:/") == "" }
