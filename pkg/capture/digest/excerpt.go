// Package digest has a small model judge, in one request, what may be worth keeping
// of a conversation. It makes the excerpt that the model reads, which numbers every
// line of the conversation, and reads its answer, which cites those numbers.
//
// The numbers are those of the whole conversation, whatever of it is shown: a line
// keeps its number when the excerpt is made again with more behind it. The package is
// pure.
package digest

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/text"
)

// Budget is how many tokens an excerpt has at most: most sessions fit whole.
const Budget = 12_000

// A Conversation is one session to be judged.
type Conversation struct {
	Session    string
	Entries    []transcript.Entry
	Candidates []finding.Status // that wait, of this session
}

// A Line is one numbered line of an excerpt.
type Line struct {
	Number     int // from 1, in the order of the conversation
	By         finding.Speaker
	Role       finding.Role
	Text       string // one line, secrets redacted, else word for word
	Session    string
	Record     string // uuid of the transcript's line
	Offset     int64  // of that line, in bytes; -1 when it is not known
	Time       time.Time
	Marked     transcript.Marked // what the transcript's line says of a person's words
	Candidates []int             // numbers of the findings that stand in it
	Shown      bool

	entry int // which of its conversation
}

// An Excerpt is the part of one or more conversations that the model reads.
type Excerpt struct {
	Project string
	Lines   []Line // all of the conversations, also those that are not shown
	Marked  []finding.Status

	goals map[string]Line // what the person asked first, by session
}

// New returns the excerpt of conversations that fits into a budget of tokens: all of
// it, else the lines that matter most with those around them. Findings that stand in
// no line are left out. The same conversations give the same excerpt.
func New(project string, conversations []Conversation, budget int) Excerpt {
	e := Excerpt{Project: oneLine(project), goals: map[string]Line{}}
	var weights []float64
	for _, c := range conversations {
		lines := linesOf(c)
		marked := mark(lines, c.Candidates)
		weights = append(weights, weigh(lines, marked)...)
		e.Marked = append(e.Marked, marked...)
		for _, l := range lines {
			l.Number = len(e.Lines) + 1
			e.Lines = append(e.Lines, l)
			if _, ok := e.goals[c.Session]; !ok && l.By.Person() && letters(l.Text) > 3 {
				e.goals[c.Session] = l
			}
		}
	}
	e.show(weights, budget)
	return e
}

// Line returns the line of a number.
func (e *Excerpt) Line(number int) (Line, bool) {
	if number < 1 || number > len(e.Lines) {
		return Line{}, false
	}
	return e.Lines[number-1], true
}

// Shown returns how many lines the model is shown.
func (e *Excerpt) Shown() (n int) {
	for _, l := range e.Lines {
		if l.Shown {
			n++
		}
	}
	return n
}

// ShownCandidates returns the findings that stand in a line that is shown.
func (e *Excerpt) ShownCandidates() (all []finding.Status) {
	shown := map[int]bool{}
	for _, l := range e.Lines {
		for _, n := range l.Candidates {
			shown[n] = shown[n] || l.Shown
		}
	}
	for _, f := range e.Marked {
		if shown[f.Number] {
			all = append(all, f)
		}
	}
	return all
}

// The tag around the lines of an excerpt, which no line can close.
const (
	openTag  = "<conversation>"
	closeTag = "</conversation>"
)

// gap stands where lines were left out.
const gap = "…"

// Text returns the whole excerpt.
func (e *Excerpt) Text() string {
	return openTag + "\n" + strings.Join(e.rows(), "\n") + "\n" + closeTag + "\n"
}

// Parts returns the excerpt in parts of at most limit UTF-16 code units each. The client may pass them on
// in any order; the line numbers show the right one.
func (e *Excerpt) Parts(limit int) (parts []string) {
	frame := units(openTag) + units(closeTag) + 64
	var rows []string
	size := frame
	flush := func() {
		parts = append(parts, strings.Join(rows, "\n"))
		rows, size = nil, frame
	}
	for _, r := range e.rows() {
		if n := units(r) + 1; size+n > limit && len(rows) > 0 {
			flush()
		}
		rows, size = append(rows, r), size+units(r)+1
	}
	flush()
	for i, p := range parts {
		parts[i] = fmt.Sprintf("Part %d of %d of the excerpt.\n%s\n%s\n%s\n", i+1, len(parts), openTag,
			p, closeTag)
	}
	return parts
}

// units returns how many UTF-16 code units a text has.
func units(s string) (n int) {
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// rows returns the lines of an excerpt as they are shown.
func (e *Excerpt) rows() []string {
	rows := []string{"project: " + inert(e.Project)}
	session, last, sessions := "", 0, 0
	for _, l := range e.Lines {
		if !l.Shown {
			continue
		}
		if l.Session != session {
			session, last = l.Session, l.Number-1
			sessions++
			begin := fmt.Sprintf("session %d", sessions)
			if !l.Time.IsZero() {
				begin += ", " + l.Time.UTC().Format(time.DateOnly)
			}
			if goal := e.goals[session]; goal.Number > 0 && !e.Lines[goal.Number-1].Shown {
				begin += ", begun with: " + inert(text.Shorten(goal.Text, maxGoal))
			}
			if i := l.Number - 2; i < 0 || e.Lines[i].Session == session && !e.Lines[i].Shown {
				last = l.Number - 1 // a gap before the first line says nothing
			}
			rows = append(rows, begin)
		}
		if l.Number > last+1 {
			rows = append(rows, gap)
		}
		rows, last = append(rows, l.row()), l.Number
	}
	return rows
}

// row returns the line as it is shown: its number, a star if it is a candidate, its speaker, and its words.
func (l Line) row() string {
	star := ""
	if len(l.Candidates) > 0 {
		star = "*"
	}
	return fmt.Sprintf("%d%s %s: %s", l.Number, star, l.who(), inert(l.Text))
}

// who returns the speaker of a line, in a word or two.
func (l Line) who() string {
	switch l.Role {
	case finding.Question:
		return "agent asks"
	case finding.Answer:
		return "user answers"
	case finding.Plan:
		return "approved plan"
	case finding.Failed:
		return "failed"
	case finding.Passed:
		return "passed"
	case finding.Quoted:
		return "also said"
	}
	if l.By.Person() {
		return "user"
	}
	return "agent"
}

// Tokens returns about how many tokens the model reads, with its instructions.
func (e *Excerpt) Tokens() int { return text.ModelTokens(e.Text()) + text.ModelTokens(Prompt()) }

// tags are those whose names mean something to a model; none of them is left standing
// in a line.
var tags = [...]string{"conversation", "system-reminder", "system", "transcript_data", "task-notification",
	"instructions"}

// inert takes what could close the excerpt or pose as the client out of a line: the
// angle bracket before such a name.
func inert(s string) string {
	if !strings.ContainsRune(s, '<') {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if r == '<' && isTag(s[i+1:]) {
			r = '‹'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isTag reports whether what follows an angle bracket is one of the tags.
func isTag(s string) bool {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '/' || r == '\\' })
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' })
	if end < 0 {
		end = len(s)
	}
	return slices.ContainsFunc(tags[:], func(t string) bool { return strings.EqualFold(t, s[:end]) })
}

// maxGoal bounds what a session began with, in runes.
const maxGoal = 300
