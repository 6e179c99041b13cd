// Package lessons reads and counts what was learned from corrections, plans that failed, traps and better
// ways. A lesson is a trigger, what it taught, and what to do next time. A lesson that came up three times
// is proposed as an instinct, a small YAML file that a session gets when it begins.
//
// The place of a lesson depends on the directory's layout; it is read in any of them. The package touches
// no files.
package lessons

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// Paths below a directory of memories. The folder is hidden: lint doesn't look into
// it, and no index leads there.
const (
	Journal   = ".learnings/LEARNINGS.md"
	Instincts = ".learnings/instincts/"
)

// Enough is how often a lesson comes up before it is proposed as an instinct.
const Enough = 3

// Kind is the event that a lesson was learned from.
type Kind string

// The kinds. A correction goes into the journal, the others to the patterns.
const (
	Correction Kind = "correction"
	FailedPlan Kind = "failed-plan"
	Gotcha     Kind = "gotcha"
	BetterWay  Kind = "better-way"
)

// A Lesson is one thing learned. Each text is one line.
type Lesson struct {
	Title   string   `json:"title"`
	Trigger string   `json:"trigger"` // the situation
	Lesson  string   `json:"lesson"`  // what it taught
	Next    string   `json:"next"`    // what to do then
	Seen    []string `json:"seen"`    // days, YYYY-MM-DD, in order
}

// An Entry is a lesson where it stands.
type Entry struct {
	Lesson
	Path  string `json:"path"`
	Line  int    `json:"line"` // of its heading, or of its first words
	last  int    // the last line of its parts
	named bool   // it has parts that only a lesson has
	seen  int    // the line with its days, 0 for none
	mark  string // what its parts begin with: "- " in a list, else ""
}

// MaxText bounds each text of a lesson, in bytes.
const MaxText = 600

// Check makes each text one line without secrets, and returns an error that names what is missing.
func (l *Lesson) Check() error {
	for _, t := range [...]*string{&l.Title, &l.Trigger, &l.Lesson, &l.Next} {
		*t = text.OneLine(secret.Redact(*t))
	}
	for _, t := range []struct {
		name string
		text *string
	}{{"--trigger", &l.Trigger}, {"--lesson", &l.Lesson}, {"--next", &l.Next}} {
		switch {
		case *t.text == "":
			return fmt.Errorf("%s is missing", t.name)
		case len(*t.text) > MaxText:
			return fmt.Errorf("%s has %d bytes; at most %d", t.name, len(*t.text), MaxText)
		}
	}
	if l.Title == "" {
		l.Title = strings.TrimRight(memdir.Cut(l.Next, 60), ".")
	}
	l.Title = strings.TrimLeft(strings.Trim(memdir.Cut(l.Title, 100), "[] "), "#[] ")
	if l.Title == "" {
		return errors.New("--title has no words")
	}
	return nil
}

// labels are the parts of a lesson, by the names that the layouts have for them.
var labels = [...]struct {
	name string
	part func(*Lesson) *string
}{
	{"trigger", func(l *Lesson) *string { return &l.Trigger }},
	{"why", func(l *Lesson) *string { return &l.Trigger }},
	{"lesson", func(l *Lesson) *string { return &l.Lesson }},
	{"next time", func(l *Lesson) *string { return &l.Next }},
	{"how to apply", func(l *Lesson) *string { return &l.Next }},
}

// days returns the days that a line names, as YYYY-MM-DD, and the line without them.
func days(t string) (out []string, rest string) {
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if end := i + len(time.DateOnly); end <= len(t) && t[i] == '2' {
			if _, err := time.Parse(time.DateOnly, t[i:end]); err == nil {
				out = append(out, t[i:end])
				i = end - 1
				continue
			}
		}
		b.WriteByte(t[i])
	}
	return out, b.String()
}

// Read returns the lessons of a file: one for each heading of the second level, or one for the whole file.
// A lesson must have all three parts. A fact with its Why and How to apply has as many, but is a lesson only
// as feedback, among patterns, or if it was counted before.
func Read(file string, b []byte) (out []Entry) {
	doc := memdir.Parse(b)
	kind, _ := doc.Front.Get("type", "metadata.type")
	fact := kind != "feedback" && file != Journal && !strings.Contains(file, "patterns")
	var e Entry
	var into *string // the part that a line may go on with
	end := func() {
		counts := !fact || e.seen > 0 || e.named && kind == ""
		if counts && e.Trigger != "" && e.Lesson.Lesson != "" && e.Next != "" {
			e.Title = cmp.Or(e.Title, memdir.Cut(e.Next, 60))
			out = append(out, e)
		}
		e, into = Entry{Path: file}, nil
	}
	end()
	title := ""
	for i := doc.Front.Lines; i < len(doc.Lines); i++ {
		l := doc.Lines[i]
		t := strings.TrimSpace(l.Text)
		switch l.Kind {
		case markdown.Heading:
			name := markdown.Title(t)
			if level, _ := markdown.ParseHeading(t); level == 1 {
				title = name
				continue
			}
			end()
			e.Line = i + 1
			e.Seen, name = days(name)
			e.Seen = e.Seen[:min(len(e.Seen), 1)]
			e.Title = strings.TrimSpace(strings.Trim(name, "[] "))
		case markdown.Item, markdown.Paragraph, markdown.Continued:
			if e.Line == 0 {
				e.Line, e.Title = i+1, title
			}
			if all, ok := seen(t); ok {
				e.Seen, e.seen, e.last, into = all, i+1, i+1, nil
				continue
			}
			if part, text := e.part(t); part != nil {
				e.named = e.named || memdir.Label(t, "trigger") || memdir.Label(t, "next time")
				if *part == "" {
					*part, into, e.last = text, part, i+1
					e.mark = t[:len(t)-len(strings.TrimLeft(t, "-*+ "))]
					if !strings.HasPrefix(e.mark, "- ") && !strings.HasPrefix(e.mark, "+ ") &&
						!strings.HasPrefix(e.mark, "* ") {
						e.mark = ""
					} else {
						e.mark = "- "
					}
				}
				continue
			}
			switch {
			case markdown.IsStamp(t):
				into = nil
			case into != nil && l.Kind != markdown.Item:
				*into += " " + t
				e.last = i + 1
			case e.Lesson.Lesson == "":
				if item := markdown.ItemText(t); item != "" {
					t = item
				}
				e.Lesson.Lesson, into, e.last = t, &e.Lesson.Lesson, i+1
			}
		case markdown.Blank:
			into = nil
		}
	}
	end()
	return out
}

// part returns the part of the entry that a line begins, and its text; nil if it begins none.
func (e *Entry) part(t string) (*string, string) {
	for _, l := range labels {
		if memdir.Label(t, l.name) {
			if _, text, ok := strings.Cut(t, ":"); ok {
				return l.part(&e.Lesson), strings.TrimSpace(strings.Trim(text, "*_ "))
			}
		}
	}
	return nil, ""
}

// seen reads the line with the days.
func seen(t string) ([]string, bool) {
	if !memdir.Label(t, "seen") {
		return nil, false
	}
	all, _ := days(t)
	return all, true
}

// Find returns the entry that says the same as a lesson: the same thing to do, and the same trigger or the
// same reason.
func Find(all []Entry, l Lesson, alike func(a, b string) bool) (Entry, bool) {
	for _, e := range all {
		if alike(e.Next, l.Next) && (alike(e.Trigger, l.Trigger) || alike(e.Lesson.Lesson, l.Lesson)) {
			return e, true
		}
	}
	return Entry{}, false
}

// Count adds a day to an entry of the file b, once for each day; false when it is
// counted already.
func (e Entry) Count(b []byte, day time.Time) ([]byte, Entry, bool) {
	today := day.Format(time.DateOnly)
	if slices.Contains(e.Seen, today) && e.seen > 0 {
		return b, e, false
	}
	if !slices.Contains(e.Seen, today) {
		e.Seen = append(slices.Clone(e.Seen), today)
		slices.Sort(e.Seen)
	}
	doc := memdir.Parse(b)
	line := markdown.Line{Text: "**Seen:** " + strings.Join(e.Seen, ", "), End: "\n"}
	if e.mark != "" {
		line.Text = e.mark + "**Seen**: " + strings.Join(e.Seen, ", ")
	}
	if e.last > 0 && doc.Lines[e.last-1].End != "" {
		line.End = doc.Lines[e.last-1].End
	}
	if e.seen > 0 {
		line.Text = markdown.Indent(doc.Lines[e.seen-1].Text) + line.Text
		line.End = doc.Lines[e.seen-1].End
		doc.Lines[e.seen-1] = line
	} else {
		if doc.Lines[e.last-1].End == "" {
			doc.Lines[e.last-1].End = line.End
		}
		add := []markdown.Line{line}
		if e.mark == "" {
			add = []markdown.Line{{End: line.End}, line}
		}
		doc.Lines = slices.Insert(doc.Lines, e.last, add...)
	}
	return doc.Print(), e, true
}

// Append puts a lesson at the end of the journal, which may be empty.
func Append(journal []byte, l Lesson, day time.Time) ([]byte, Entry) {
	today := day.Format(time.DateOnly)
	var b strings.Builder
	b.Write(journal)
	switch {
	case len(journal) == 0:
		b.WriteString("# Learnings\n")
	case journal[len(journal)-1] != '\n':
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b,
		"\n## [%s] %s\n\n- **Trigger**: %s\n- **Lesson**: %s\n- **Next time**: %s\n- **Seen**: %s\n", today,
		l.Title, l.Trigger, l.Lesson, l.Next, today)
	out := []byte(b.String())
	all := Read(Journal, out)
	return out, all[len(all)-1]
}

// ID returns the name of a lesson in commands and for its instinct, at most 48 letters, digits and hyphens
// unless it is made of the path.
func (e Entry) ID() string {
	var b strings.Builder
	for _, r := range strings.ToLower(e.Title) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	id := strings.Trim(b.String(), "-")
	if len(id) > 48 {
		id = strings.Trim(id[:48], "-")
	}
	return cmp.Or(id, "lesson-"+strings.TrimSuffix(path.Base(e.Path), ".md"))
}
