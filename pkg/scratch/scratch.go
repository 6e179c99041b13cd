// Package scratch is the form of the notes that a session keeps while it works:
// entries appended to a Markdown file per topic. It writes and reads entries,
// finds those that a question is about, and tells the topic from a plan.
//
// A file is Markdown that anybody may edit:
//
//	## 2026-04-23T10:30:00Z
//	Decided to use Postgres over SQLite for the memory store, scaling concern.
package scratch

import (
	"bytes"
	"strings"
	"time"
	"unicode"
)

// Dir is where a checkout keeps its notes, below the project's folder.
const Dir = ".agents/memory/scratch"

// General is the topic of what is noted while no phase of a plan is active.
const General = "general"

const (
	// MaxText is the longest text of one entry, in bytes.
	MaxText = 16 << 10
	// MaxFile is the largest file of notes that is written or read, in bytes.
	MaxFile = 1 << 20
)

// An Entry is one note.
type Entry struct {
	At   time.Time // UTC, to the second; zero for what a file says above its first entry
	Text string    // without blank lines around it
	Line int       // of its heading in the file, from 1; Parse sets it
	// Promoted is the lines below it that say when it was promoted, as Mark
	// prints them; Parse sets it.
	Promoted []string
}

// Clean returns a typed text in a form that Encode can keep: valid UTF-8, line ends of one kind, no control
// characters but tabs, no blank lines around it. It is "" if nothing is left.
func Clean(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
	return trim(text)
}

// trim takes away the blank lines around a text and the space at its end; the
// first line keeps its indent.
func trim(text string) string {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}

// Encode prints an entry as it stands in a file. A line of the text that would
// read as the heading of another entry, or as the mark of a promotion, gets a
// backslash, which Parse takes away.
// The text must be as Clean leaves it.
func Encode(e Entry) []byte {
	var b bytes.Buffer
	b.WriteString("## " + e.At.UTC().Format(time.RFC3339) + "\n")
	for line := range strings.SplitSeq(e.Text, "\n") {
		if special(strings.TrimLeft(line, `\`)) {
			b.WriteByte('\\')
		}
		b.WriteString(line + "\n")
	}
	return b.Bytes()
}

// special reports whether a line is a heading or a mark, and not a part of an entry's text.
func special(line string) bool {
	_, ok := heading(line)
	return ok || isMark(line)
}

// Gap returns the line ends to write between a file and an entry appended to it, so that one blank line
// separates them. tail is the file's last two bytes, or the whole file if it is shorter.
func Gap(tail []byte) string {
	switch {
	case len(tail) == 0 || bytes.HasSuffix(tail, []byte("\n\n")):
		return ""
	case bytes.HasSuffix(tail, []byte("\n")):
		return "\n"
	}
	return "\n\n"
}

// Parse returns the entries of a file of notes, in its order. Headings other than a time belong to the text
// above them. The text above the first entry is an entry without a time. Marks of a promotion are left out
// of the text, and entries without text are left out.
func Parse(file []byte) []Entry {
	var all []Entry
	if n := bytes.Count(file, []byte("\n## ")); n > 0 {
		all = make([]Entry, 0, n+1)
	}
	e := Entry{Line: 1}
	var text []string
	end := func() {
		for len(text) > 0 && strings.TrimSpace(text[len(text)-1]) == "" {
			text = text[:len(text)-1] // so that joining one line copies nothing
		}
		if e.Text = trim(strings.Join(text, "\n")); e.Text != "" {
			all = append(all, e)
		}
		text = text[:0]
	}
	n := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(string(file), "\uFEFF"), "\n") {
		n++
		line = strings.TrimSuffix(line, "\r")
		if at, ok := heading(line); ok {
			end()
			e = Entry{At: at, Line: n}
			continue
		}
		if isMark(line) {
			e.Promoted = append(e.Promoted, strings.TrimRight(line, " \t"))
			continue
		}
		if bare, escaped := strings.CutPrefix(line, `\`); escaped && special(strings.TrimLeft(bare, `\`)) {
			line = bare
		}
		text = append(text, line)
	}
	end()
	return all
}

// heading reads the line that begins an entry.
func heading(line string) (time.Time, bool) {
	stamp, ok := strings.CutPrefix(line, "## ")
	if !ok || len(stamp) < len("2006-01-02T15:04:05Z") {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, strings.TrimRight(stamp, " \t"))
	if err != nil || at.IsZero() {
		return time.Time{}, false
	}
	return at.UTC().Truncate(time.Second), true
}
