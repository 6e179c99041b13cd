package memdir

import (
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// lostWords is how many words a line must have so that it counts as a statement that was lost.
const lostWords = 4

// Lost returns the lines of a file's former text that state something and that a rewriting left out. A line
// that is there with other words, numbers or names was changed and is not lost. Headings, frontmatter, dates
// and the lines that lead to files don't count.
func Lost(was, is []byte) (lines []string) {
	now, before := map[string]bool{}, map[string]bool{}
	doc := Parse(was)
	for l := range strings.Lines(string(is)) {
		now[strings.TrimSpace(l)] = true
	}
	for _, l := range doc.Lines {
		before[strings.TrimSpace(l.Text)] = true
	}
	var fresh []map[string]bool // the words of the new lines
	var said []string           // these lines
	others := map[string]bool{} // new lines without their numbers
	for l := range now {
		if !before[l] {
			fresh, said = append(fresh, lineWords(l)), append(said, l)
			bare, _ := withoutNumbers(l)
			others[bare] = true
		}
	}
	for _, l := range doc.Body() {
		t := strings.TrimSpace(l.Text)
		if now[t] || len(strings.Fields(t)) < lostWords || !states(l) {
			continue
		}
		if bare, _ := withoutNumbers(t); others[bare] {
			continue
		}
		words, still := lineWords(t), false
		for i := range fresh {
			still = still || reworded(words, fresh[i:i+1]) && sameSense(t, said[i])
		}
		if !still {
			lines = append(lines, t)
		}
	}
	return lines
}

// sameSense reports whether a line that says much the same as it did denies what it denied, has the
// exceptions that it had, and speaks of the same names.
func sameSense(was, is string) bool {
	before, after := senseOf(was), senseOf(is)
	if before.denials%2 != after.denials%2 || before.bounds > after.bounds {
		return false
	}
	lost := slices.DeleteFunc(before.names, func(n string) bool { return slices.Contains(after.words, n) })
	return len(lost) == 0 || len(after.names) == 0
}

type sense struct {
	denials, bounds int
	words, names    []string // in lower case
}

func senseOf(line string) (s sense) {
	for i, w := range strings.FieldsFunc(line, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
	}) {
		low := strings.ToLower(w)
		s.words = append(s.words, low)
		switch {
		case text.IsDenial(low):
			s.denials++
		case text.OneOf(low, "except excepting excluding unless only"):
			s.bounds++
		case i > 0 && low != w:
			s.names = append(s.names, low)
		}
	}
	return s
}

// A Renumbered is a line of which only the numbers have changed.
type Renumbered struct{ Was, Is string }

// Changed returns the lines of a file's former text that state something and stand there with other numbers
// now, and all else as it was. Lost doesn't return them.
func Changed(was, is []byte) (all []Renumbered) {
	doc := Parse(was)
	now, before := map[string]bool{}, map[string]bool{}
	for _, l := range doc.Lines {
		before[strings.TrimSpace(l.Text)] = true
	}
	fresh := map[string][]string{} // new lines, by what they say besides their numbers
	for l := range strings.Lines(string(is)) {
		if l = strings.TrimSpace(l); !now[l] && !before[l] {
			bare, _ := withoutNumbers(l)
			fresh[bare] = append(fresh[bare], l)
		}
		now[l] = true
	}
	for _, l := range doc.Body() {
		t := strings.TrimSpace(l.Text)
		bare, words := withoutNumbers(t)
		if now[t] || !states(l) || words < 1 || len(fresh[bare]) == 0 {
			continue
		}
		all = append(all, Renumbered{t, fresh[bare][0]})
		fresh[bare] = fresh[bare][1:]
	}
	return all
}

// withoutNumbers returns a line with "0" in the place of each of its numbers, and how many words of three
// letters it has.
func withoutNumbers(l string) (bare string, words int) {
	var b strings.Builder
	for i := 0; i < len(l); i++ {
		if !isDigit(l[i]) {
			b.WriteByte(l[i])
			continue
		}
		b.WriteByte('0')
		for i+1 < len(l) && (isDigit(l[i+1]) || i+2 < len(l) && strings.IndexByte(".,:", l[i+1]) >= 0 &&
			isDigit(l[i+2])) {
			i++
		}
	}
	for w := range strings.FieldsFuncSeq(l, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 2 {
			words++
		}
	}
	return b.String(), words
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// states reports whether a line of a memory may state something: it is neither form nor a line that leads to
// a file.
func states(l markdown.Line) bool {
	switch l.Kind {
	case markdown.Blank, markdown.Heading, markdown.Break, markdown.Comment, Pointer:
		return false
	case markdown.Row:
		return !leadsRow(l.Text)
	}
	return !markdown.IsStamp(l.Text)
}

// Reworded reports whether a line with a relative date says nearly what another line said, with the same
// date. was is its file before, is the file with it. A line that is still there is no predecessor.
func Reworded(line string, was, is []byte) bool {
	dates := datesOf(line)
	if len(dates) == 0 {
		return false
	}
	now := map[string]bool{}
	for l := range strings.Lines(string(is)) {
		now[strings.TrimSpace(l)] = true
	}
	words := []map[string]bool{lineWords(line)}
	for l := range strings.Lines(string(was)) {
		l = strings.TrimSpace(l)
		same := !now[l] && slices.ContainsFunc(datesOf(l), func(d string) bool {
			return slices.Contains(dates, d)
		})
		if old := lineWords(l); same && (reworded(old, words) || reworded(words[0], []map[string]bool{old})) {
			return true
		}
	}
	return false
}

// datesOf returns the relative dates of a line, in lower case.
func datesOf(line string) (all []string) {
	for _, s := range spots(line) {
		all = append(all, lower(line[s.from:s.to]))
	}
	return all
}

// reworded reports whether one of the lines has at least half of the words.
func reworded(words map[string]bool, lines []map[string]bool) bool {
	for _, l := range lines {
		both := 0
		for w := range words {
			if l[w] {
				both++
			}
		}
		if 2*both >= len(words) {
			return true
		}
	}
	return false
}

// lineWords returns the words of a line that carry its meaning.
func lineWords(l string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(l), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if !text.IsStopWord([]byte(w)) {
			out[string(text.Stem([]byte(w)))] = true
		}
	}
	return out
}
