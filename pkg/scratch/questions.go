package scratch

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/markdown"
)

// maxQuestions is how many questions are read of one text.
const maxQuestions = 50

// Questions returns the open questions of a Markdown file, in the form that people and the skill
// planning-with-files use. They are the items below a heading such as "Key Questions" or "Open questions",
// and lines that begin with "Open question:". A question is answered, and left out, if its box is ticked,
// if it is struck through, or if an answer follows behind its question mark, in its row or below it. Each
// question is returned once, without marks, in order, and only the first 50.
func Questions(file []byte) []string {
	var r asked
	for line := range strings.SplitSeq(markdown.Visible(string(file)), "\n") {
		r.read(strings.TrimSpace(line))
	}
	return r.all
}

// Questions returns the open questions of a note: those that the function Questions finds in a file, and the
// lines that end with a question mark.
func (e Entry) Questions() []string {
	r := asked{note: true}
	for line := range strings.SplitSeq(markdown.Visible(e.Text), "\n") {
		r.read(strings.TrimSpace(line))
	}
	return r.all
}

// asked is what has been read of a file's questions.
type asked struct {
	all  []string
	note bool

	in    bool // below a heading of questions
	level int  // of that heading; 7 for a label
	phase bool // and below the heading of a phase in it, whose steps are no questions
	last  bool // the line before was a question, the last of all
}

func (r *asked) read(text string) {
	if text == "" {
		return
	}
	if level, title := markdown.ParseHeading(text); level > 0 {
		title = plain(title)
		r.phase = phaseNumber(strip(title)) != ""
		if r.in && level > r.level && strings.HasSuffix(title, "?") {
			r.add(title)
			return
		}
		if !r.in || level <= r.level {
			r.in, r.level = heads(title), level
		}
		r.last = false
		return
	}
	if strings.HasPrefix(text, "|") {
		r.row(text)
		return
	}
	item := cmp.Or(markdown.ItemText(text), text)
	listed := item != text
	ticked := false
	if mark, rest, ok := strings.Cut(strings.TrimPrefix(item, "["), "]"); ok &&
		strings.HasPrefix(item, "[") && len([]rune(mark)) <= 2 {
		ticked = strings.TrimSpace(mark) != ""
		item = strings.TrimSpace(rest)
	}
	bare := plain(item)
	answer, answers := answered(bare)
	switch {
	case answers:
		if r.last && !still(answer) {
			r.all = r.all[:len(r.all)-1]
			r.last = false
		}
	case strings.HasSuffix(bare, ":") && heads(bare):
		if !r.in || r.level == 7 {
			r.in, r.level = true, 7
		}
	case ticked || strings.HasPrefix(item, "~~"):
		r.last = false
	default:
		if q, ok := labelled(bare); ok {
			r.add(q)
			return
		}
		whole := strings.HasSuffix(bare, "?")
		if r.level == 7 && r.in && !listed {
			r.in = false
		}
		if r.in && (listed && !r.phase || strings.Contains(bare, "?")) || r.note && whole {
			r.add(bare)
		}
	}
}

// row reads a row of a table of questions: the first cell that is no number asks,
// what stands behind it answers.
func (r *asked) row(text string) {
	if !r.in {
		return
	}
	r.last = false
	cells := markdown.CellTexts(text)
	for i, c := range cells {
		c = plain(c)
		if c == "" || strings.Trim(c, "0123456789.#Qq ") == "" {
			continue
		}
		for _, other := range cells[i+1:] {
			if o := plain(other); o != "" && !still(o) && strings.Trim(o, "-–—?: ") != "" {
				return
			}
		}
		if strings.Contains(c, "?") {
			r.add(c)
		}
		return
	}
}

// add adds a question unless it is answered, only a placeholder, or known.
func (r *asked) add(q string) {
	r.last = false
	q = strings.TrimSpace(q)
	answer := ""
	if i := strings.LastIndexByte(q, '?'); i >= 0 {
		answer = strings.Trim(q[i+1:], ` *_"”'’)]`)
	}
	switch lower := strings.ToLower(strings.TrimRight(q, ".")); {
	case len(r.all) == maxQuestions:
		return
	case strings.HasPrefix(q, "[") && strings.HasSuffix(q, "]"), strings.HasPrefix(q, "{"),
		strings.HasPrefix(q, "<"):
		return
	case lower == "none" || strings.HasPrefix(lower, "none ") || lower == "n/a" || lower == "tbd" ||
		lower == "no" || lower == "nothing" || !strings.ContainsFunc(q, unicode.IsLetter):
		return
	case pictured(q) == done:
		return
	case strings.ContainsFunc(answer, unicode.IsLetter) && !still(answer):
		return
	case slices.ContainsFunc(r.all, func(have string) bool { return strings.EqualFold(have, q) }):
		return
	}
	r.all = append(r.all, q)
	r.last = true
}

// heads reports whether a title stands above open questions.
func heads(title string) bool {
	words := split(title)
	if slices.Contains(words, "answered") || slices.Contains(words, "resolved") ||
		slices.Contains(words, "closed") {
		return false
	}
	return len(words) <= 6 && (slices.Contains(words, "questions") || slices.Contains(words, "unresolved") ||
		slices.Contains(words, "unanswered"))
}

// labelled returns the text behind "Open question:" in a line.
func labelled(line string) (string, bool) {
	lower := strings.ToLower(line)
	for _, lead := range [...]string{"open question:", "question:", "unresolved:"} {
		if strings.HasPrefix(lower, lead) && len(lower) == len(line) {
			return strings.TrimSpace(line[len(lead):]), true
		}
	}
	return "", false
}

// answered returns the answer in a line that answers the question above it.
func answered(line string) (answer string, ok bool) {
	line = strings.ToLower(strings.TrimLeft(line, "→-> "))
	for _, lead := range [...]string{"answer:", "a:", "resolved:", "resolution:", "decision:", "decided:",
		"answered:"} {
		if rest, ok := strings.CutPrefix(line, lead); ok && strings.TrimSpace(rest) != "" {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// still reports whether an answer only means that the question is open.
func still(answer string) bool {
	words := split(answer)
	return len(words) > 0 && slices.Contains([]string{"open", "tbd", "todo", "unresolved", "unanswered",
		"pending", "unknown", "unclear"}, words[0])
}
