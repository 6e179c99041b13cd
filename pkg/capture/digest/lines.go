package digest

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/markdown"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// Sizes, in bytes but where it says otherwise.
const (
	fullLine     = 24  // a longer line ends with its sentence
	maxLine      = 800 // a sentence that goes on is cut here
	unwrapped    = 50  // whoever ends a line that is shorter meant to end it
	shownCode    = 6   // lines of a block of code that is shown whole
	headOfCode   = 3   // lines of a longer one
	repeated     = 24  // letters; a line of so many or more is not repeated
	maxFailure   = 240 // runes of what a failed command printed
	maxCommand   = 200 // runes of the command
	tellingError = 10  // letters of an error message that is worth showing
	maxOption    = 120 // runes of one option of a question
)

// linesOf lays a conversation out in lines: what the person and the agent said, the
// questions with their answers, the plans, and the commands that failed. A line that
// was said before is left out.
func linesOf(c Conversation) []Line {
	b := builder{session: c.Session, seen: map[string]bool{}, failed: map[string]bool{}}
	for i, e := range c.Entries {
		b.entry, b.at = e, i
		b.take()
	}
	return b.lines
}

// builder gathers the lines of one conversation.
type builder struct {
	session string
	entry   transcript.Entry
	at      int // index of entry
	lines   []Line
	seen    map[string]bool // by their words
	failed  map[string]bool // commands that failed last
}

func (b *builder) take() {
	e := b.entry
	switch {
	case e.Who == transcript.Tool:
		b.ran()
	case e.Who == transcript.Person && e.Asked != nil:
		b.question(*e.Asked)
		by := finding.Typed
		for _, o := range e.Asked.Options {
			if o.Label != "" && strings.Contains(e.Text, o.Label) {
				by = finding.Chosen
			}
		}
		b.say(by, finding.Answer, e.Text)
	case e.Who == transcript.Person && e.Plan != "":
		before, after, handed := strings.Cut(e.Text, e.Plan)
		if !handed {
			before, after = "", e.Text
		}
		b.say(finding.Typed, finding.Said, before)
		b.say(finding.Chosen, finding.Plan, e.Plan)
		b.say(finding.Typed, finding.Said, after)
	case e.Who == transcript.Person:
		b.say(finding.Typed, finding.Said, e.Text)
	case e.Who == transcript.Assistant && e.Tool == "":
		b.say(finding.Agent, finding.Said, e.Text)
	}
}

// say adds what somebody said, line by line.
func (b *builder) say(by finding.Speaker, role finding.Role, text string) {
	for _, line := range split(secret.Redact(text)) {
		b.add(by, role, line)
	}
}

// add adds one line, unless it is empty or was added before.
func (b *builder) add(by finding.Speaker, role finding.Role, text string) {
	text = oneLine(text)
	words := wordsOf(text)
	if words == "" && role != finding.Answer {
		return
	}
	if utf8.RuneCountInString(words) >= repeated {
		if b.seen[words] {
			return
		}
		b.seen[words] = true
	}
	e := b.entry
	b.lines = append(b.lines, Line{
		By: by, Role: role, Text: text, Session: b.session, Record: e.UUID, Offset: e.Offset,
		Time:   e.Time.UTC(),
		Marked: e.Marked, entry: b.at,
	})
}

// question adds a question of the agent with what it offered.
func (b *builder) question(q transcript.Asked) {
	question := secret.Redact(q.Question)
	var options []string
	for _, o := range q.Options {
		option := o.Label
		if o.Description != "" {
			option += ": " + o.Description
		}
		options = append(options, text.Shorten(secret.Redact(oneLine(option)), maxOption))
	}
	if len(options) > 0 {
		question += " Options: " + strings.Join(options, " | ")
	}
	b.add(finding.Agent, finding.Question, question)
}

// ran adds a command that failed, and the first run of it that did not.
func (b *builder) ran() {
	e := b.entry
	if e.Call == nil || e.Call.Command == "" {
		return
	}
	command := text.Shorten(oneLine(secret.Redact(e.Call.Command)), maxCommand)
	switch {
	case e.Failed:
		b.failed[command] = true
		b.add(finding.Program, finding.Failed, command+" → "+
			text.Shorten(failure(secret.Redact(e.Text)), maxFailure))
	case b.failed[command]:
		delete(b.failed, command)
		b.add(finding.Program, finding.Passed, command)
	}
}

// failure returns the most telling line that a failed command printed: the last line that names an error,
// else the last one.
func failure(output string) string {
	var said, last string
	for line := range strings.Lines(output) {
		line = oneLine(line)
		if wordsOf(line) == "" {
			continue
		}
		last = line
		low := strings.ToLower(line)
		for _, word := range [...]string{"error", "fail", "fatal", "cannot", "can't", "denied", "not found",
			"no such", "panic", "undefined"} {
			if strings.Contains(low, word) && letters(line) >= tellingError {
				said = line
				break
			}
		}
	}
	if said == "" {
		return last
	}
	return said
}

// split cuts a text into lines: wrapped ones are joined, items, headings and rows
// stand alone, and long code is cut short.
func split(text string) (lines []string) {
	var para strings.Builder
	lastLen, item := 0, false // item: the paragraph is one of a list, whose lines hang below it
	flush := func() {
		lines = append(lines, sentences(para.String())...)
		para.Reset()
		lastLen = 0
	}
	var code []string
	var fence markdown.Fence
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		body := strings.TrimSpace(line)
		inside := fence.Open()
		isCode := fence.Read(line)
		if inside && !isCode { // it ended with its item
			lines, code = append(lines, shortCode(code)...), nil
		}
		if isCode {
			switch {
			case !inside:
				flush()
			case !fence.Open():
				lines, code = append(lines, shortCode(code)...), nil
			case body != "":
				code = append(code, line)
			}
			continue
		}
		switch {
		case body == "":
			flush()
		case body[0] == '|' || body[0] == '>' || body[0] == '#':
			flush()
			if strings.Trim(body, "|>#-: ") != "" {
				lines = append(lines, sentences(markdown.Title(strings.Trim(body, " ")))...)
			}
		default:
			hangs := item && (line[0] == ' ' || line[0] == '\t')
			if isItem(body) || lastLen > 0 && lastLen < unwrapped && !hangs {
				flush()
			}
			item = isItem(body) || item && para.Len() > 0
			if para.Len() > 0 {
				para.WriteByte(' ')
			}
			para.WriteString(body)
			lastLen = len(body)
		}
	}
	flush()
	return append(lines, shortCode(code)...)
}

// shortCode returns a block of code, or the beginning of a long one.
func shortCode(code []string) []string {
	if len(code) <= shownCode {
		return code
	}
	return append(code[:headOfCode:headOfCode], fmt.Sprintf("(%d more lines)", len(code)-headOfCode))
}

// isItem reports whether a line begins an item of a list.
func isItem(s string) bool {
	if len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 && s[1] == ' ' || strings.HasPrefix(s, "• ") {
		return true
	}
	n := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n > 0 && n+1 < len(s) && (s[n] == '.' || s[n] == ')') && s[n+1] == ' '
}

// sentences cuts a paragraph into lines at the ends of sentences, so that one line says
// one thing; short ones stay with what follows.
func sentences(s string) (lines []string) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		at := sentenceEnd(s)
		lines = append(lines, s[:at])
		s = s[at:]
	}
	return lines
}

// sentenceEnd returns where the next line of a paragraph ends, in bytes: behind the first sentence that
// makes it long enough, or at a space if no sentence ends in time.
func sentenceEnd(s string) int {
	for i := fullLine; i+2 < len(s) && i < maxLine; i++ {
		if strings.IndexByte(".!?", s[i]) >= 0 && s[i+1] == ' ' && beginsSentence(s[i+2:]) {
			return i + 1
		}
	}
	if len(s) <= maxLine {
		return len(s)
	}
	if i := strings.LastIndexByte(s[:maxLine], ' '); i > maxLine/2 {
		return i
	}
	return len(text.CutBytes(s, maxLine))
}

// beginsSentence reports whether a text begins a new sentence, as it has no small letter at its start. So
// the full stop of an abbreviation ends none.
func beginsSentence(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(r)
}

// oneLine returns a text on one line, without invisible characters.
func oneLine(s string) string { return text.OneLine(text.Clean(s)) }

// wordsOf returns the letters and digits of a text, in lower case.
func wordsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// letters returns how many letters and digits a text has.
func letters(s string) int { return utf8.RuneCountInString(wordsOf(s)) }
