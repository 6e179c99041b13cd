package scratch

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memory"
)

// Topic returns the slug of the active phase of a plan, such as "phase-2-data-model", or General if no
// phase is active. The plan is task_plan.md, as people and the skill planning-with-files write it. The
// active phase is the first of these:
//
//   - a phase whose status is in progress, in a line of its own, in its heading, in its row of a table or
//     by its mark in a list. If there are several, it is the one that the plan calls the current one,
//     else the first
//   - the phase that the plan calls the current one, unless its status is done
//   - in a plan that only ticks boxes, the first phase with an open one
//
// If no phase is numbered, the parts of the plan that have a status are its phases.
func Topic(plan []byte) string {
	title, _ := outlined(plan).active()
	if slug := memory.Slug(title); slug != "" {
		return slug
	}
	return General
}

func outlined(plan []byte) *outline {
	var o outline
	for line := range strings.SplitSeq(markdown.Visible(strings.TrimPrefix(string(plan), "\uFEFF")), "\n") {
		o.read(strings.TrimRight(line, " \t\r"))
	}
	if len(o.phases) == 0 && (len(o.parts) > 1 || len(o.parts) == 1 && isPhase(o.parts[0].title)) {
		o.phases = o.parts
	}
	return &o
}

// A state is the state of a phase in its plan.
type state int

const (
	unsaid state = iota
	doing
	done
	waiting
)

type phase struct {
	title string
	state state
	open  bool // it has a box that isn't ticked

	steps, ticked int    // boxes below it
	next          string // the first that isn't ticked
}

// An outline is what has been read of a plan.
type outline struct {
	phases  []phase
	current string // what the plan calls the current phase
	before  string // the line before this one

	in      bool // inside the last phase
	level   int  // of that phase's heading
	below   bool // in a part of it with a heading of its own
	list    int  // level of the heading below which all are phases, or 0
	pointer bool // the next text names the current phase
	column  int  // of the table that is being read: that of the phases, from 1; 0 is none

	part  string  // the heading above that is no phase; "" when its status was read
	parts []phase // parts of the plan with a status of their own
}

// bold is the level of a phase whose heading is a line in bold, below all others.
const bold = 7

func (o *outline) read(line string) {
	text := strings.TrimSpace(line)
	if !strings.HasPrefix(text, "|") {
		o.column = 0
	}
	before := o.before
	o.before = text
	switch {
	case text == "":
	case underlines(text) && phaseNumber(before) != "":
		o.heading("## " + before)
	case strings.HasPrefix(text, "#"):
		o.heading(text)
	case o.named(text):
	case o.pointer:
		o.pointer = false
		o.call(text)
	case o.status(text):
	case o.bold(text):
	case strings.HasPrefix(text, "|"):
		o.row(text)
	default:
		o.item(text, line == text)
	}
}

// underlines reports whether a line makes a heading of the one above it.
func underlines(text string) bool {
	return len(text) > 2 && (strings.Trim(text, "=") == "" || strings.Trim(text, "-") == "")
}

// heading reads a line that begins with a hash.
func (o *outline) heading(text string) {
	level, title := markdown.ParseHeading(text)
	if level == 0 { // "#12" is no heading, and "###Phase 2" was meant as one
		title = strings.TrimLeft(text, "#")
		if level = len(text) - len(title); level > 6 || phaseNumber(title) == "" {
			return
		}
	}
	if title == "" {
		return
	}
	o.pointer, o.part = false, ""
	if o.list >= level {
		o.list = 0
	}
	name, said := titled(title)
	lower := strings.ToLower(plain(name))
	switch {
	case phaseNumber(name) != "" || o.list > 0 && level > o.list && !(o.in && level > o.level):
		o.phases = append(o.phases, phase{title: name, state: said})
		o.in, o.level, o.below = true, level, false
	case o.named(title) || o.status(plain(title)):
	case o.in && level > o.level:
		o.below = true
	default:
		o.in = false
		if level > 1 { // the first level is the plan's own
			o.part = name
		}
		switch lower {
		case "current phase", "active phase", "current status", "status", "当前阶段":
			o.pointer = true
		case "phases", "plan phases", "implementation phases", "阶段":
			o.list = level
		}
	}
}

// bold reads "**Phase 2: Data model**", in a plan whose phases have no headings.
func (o *outline) bold(text string) bool {
	head, after, ok := strings.Cut(strings.TrimPrefix(text, "**"), "**")
	if !ok || !strings.HasPrefix(text, "**") || len(o.phases) > 0 && o.level != bold {
		return false
	}
	name, said := titled(head)
	if also := whole(after); also != unsaid {
		said = also
	} else if strip(after) != "" {
		return false
	}
	if phaseNumber(name) == "" {
		return false
	}
	o.phases = append(o.phases, phase{title: name, state: said})
	o.in, o.level, o.below = true, bold, false
	return true
}

// named reads "Current Phase: Phase 2" and "Currently in Phase 2", also in the
// middle of decoration.
func (o *outline) named(text string) bool {
	bare := plain(unstruck(strings.TrimLeft(text, "#-+>* ")))
	lower := strings.ToLower(bare)
	for _, lead := range [...]string{"current phase", "active phase", "currently in", "currently on",
		"currently working on", "now in", "当前阶段"} {
		if !strings.HasPrefix(lower, lead) || len(lower) != len(bare) {
			continue
		}
		rest := strings.TrimLeft(bare[len(lead):], " :：-–—=")
		if rest == "" {
			continue
		}
		if lead[len(lead)-1] == 'e' || phaseNumber(rest) != "" { // "Current phase: 2" needs no word
			o.call(rest)
			o.pointer = false
			return true
		}
	}
	return false
}

// call keeps the name that the plan gives the current phase. The first name counts.
func (o *outline) call(text string) {
	if o.current == "" {
		name, said := titled(strings.TrimLeft(text, "-*+> "))
		if said != done {
			o.current = name
		}
	}
}

// status reads "- **Status:** in_progress" of the phase it stands in.
func (o *outline) status(text string) bool {
	bare := plain(unstruck(strings.TrimLeft(text, "-+>* ")))
	key, value, ok := strings.Cut(strings.Replace(bare, "：", ":", 1), ":")
	for _, sep := range [...]string{" - ", " – ", " — ", "="} {
		if !ok {
			key, value, ok = strings.Cut(bare, sep)
		}
	}
	if !ok {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(strip(key))) {
	case "status", "state", "phase status", "状态":
	default:
		return false
	}
	if o.in {
		p := &o.phases[len(o.phases)-1]
		if said := stateOf(value); p.state == unsaid && (!o.below || said == doing) {
			p.state = said
		}
	} else if o.part != "" {
		o.parts = append(o.parts, phase{title: o.part, state: stateOf(value)})
		o.part = ""
	}
	return true
}

// row reads a row of a table that has a phase in it.
func (o *outline) row(text string) {
	cells := markdown.CellTexts(text)
	if o.column == 0 {
		phases, states := 0, false
		for i, c := range cells {
			switch strings.ToLower(plain(c)) {
			case "phase":
				phases = i + 1
			case "status", "state", "progress":
				states = true
			}
		}
		if phases > 0 && states { // a table of phases, and not one of what happened in them
			o.column = phases
			return
		}
	}
	for i, c := range cells {
		name, said := titled(c)
		if n := plain(c); i < o.column && isNumber(n) { // in that column, or counted before it
			name = "Phase " + n
		} else if phaseNumber(name) == "" && (i+1 != o.column || name == "") {
			continue
		}
		for _, other := range cells[i+1:] {
			s := whole(other)
			switch {
			case s != unsaid && said == unsaid:
				said = s
			case s == unsaid && phaseNumber(name) == name:
				name += ": " + strings.TrimSpace(other)
			}
		}
		o.phases = append(o.phases, phase{title: name, state: said})
		o.in = false
		return
	}
}

// item reads a line of a list, or of text. Where phases are listed without that
// word, those at the margin are phases.
func (o *outline) item(text string, margin bool) {
	rest := markdown.ItemText(text)
	if rest == "" {
		return
	}
	said, box := unsaid, false
	if mark, after, found := strings.Cut(strings.TrimPrefix(rest, "["), "]"); found &&
		strings.HasPrefix(rest, "[") && !strings.HasPrefix(after, "(") {
		box = true
		switch strings.TrimSpace(mark) {
		case "x", "X", "✓", "✔", "✅":
			said = done
		case "":
		case "~", "/", "-", ">", ".", "🔄", "🚧":
			said = doing
		default:
			said, box = whole(mark), whole(mark) != unsaid
		}
		if box {
			rest = after
		}
	}
	name, also := titled(rest)
	if phaseNumber(name) != "" || o.list > 0 && margin && !o.in {
		if also != unsaid {
			said = also
		}
		o.phases = append(o.phases, phase{title: name, state: said, open: box && said == unsaid})
		return
	}
	if !o.in || !box {
		return
	}
	p := &o.phases[len(o.phases)-1]
	p.steps++
	switch {
	case said == done:
		p.ticked++
	case p.next == "":
		p.next = plain(rest)
		fallthrough
	default:
		p.open = true
	}
}

// active returns the title of the active phase, "" if there is none, and the phase itself. The phase is nil
// if the plan names a current phase that it doesn't list.
func (o *outline) active() (string, *phase) {
	number := phaseNumber(o.current)
	if number == "" && isNumber(o.current) {
		number = "phase " + strings.ToLower(o.current)
	}
	var first, called, ticked *phase
	for i := range o.phases {
		p := &o.phases[i]
		same := o.current != "" && (number != "" && strings.EqualFold(phaseNumber(p.title), number) ||
			strings.EqualFold(p.title, o.current))
		if p.state == doing && (first == nil || same && called == nil) {
			first = p
		}
		if same && called == nil {
			called = p
		}
		if p.state == unsaid && p.open && ticked == nil {
			ticked = p
		}
	}
	switch {
	case first != nil:
		return first.title, first
	case called != nil && called.state != done:
		return called.title, called
	case called == nil && phaseNumber(o.current) != "":
		return o.current, nil
	case ticked != nil:
		return ticked.title, ticked
	}
	return "", nil
}

// unstruck returns a text without the parts that are struck through, as they no longer hold.
func unstruck(s string) string {
	for {
		before, rest, begins := strings.Cut(s, "~~")
		_, after, ends := strings.Cut(rest, "~~")
		if !begins || !ends {
			return s
		}
		s = before + after
	}
}

// plain returns a text without the marks of emphasis.
func plain(s string) string { return strings.TrimSpace(emphasis.Replace(s)) }

// emphasis is one for all lines: building it takes longer than a line.
var emphasis = strings.NewReplacer("**", "", "__", "", "`", "", "~~", "")

// strip returns a text without pictures and marks at its ends. "C#" and "C++" stay.
func strip(s string) string {
	mark := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("()[]{}", r)
	}
	s = strings.TrimLeftFunc(s, mark)
	bare := strings.TrimRightFunc(s, mark)
	for _, end := range [...]string{"#", "++"} {
		if last, _ := utf8.DecodeLastRuneInString(bare); unicode.IsLetter(last) &&
			strings.HasPrefix(s[len(bare):], end) {
			return bare + end
		}
	}
	return bare
}

// titled splits a title into its name and its state: "Data model (in progress)", "🔄 Data model", "Data
// model — done".
func titled(text string) (name string, said state) {
	name = plain(marked(text))
	said = pictured(name)
	name = strip(name)
	for {
		cut := -1
		if n := len(name); n > 0 && (name[n-1] == ')' || name[n-1] == ']') {
			cut = strings.LastIndexAny(name, "([")
		}
		if cut < 0 {
			for _, sep := range [...]string{" - ", " – ", " — ", ": ", " | ", " → ", " ← ", " <- ", " <-- "} {
				cut = max(cut, strings.LastIndex(name, sep))
			}
		}
		if cut <= 0 {
			break
		}
		s := whole(name[cut:])
		if s == unsaid {
			break
		}
		said, name = s, strip(name[:cut])
	}
	// In a list the title is what is bold: "**Foundation (complete)** — the app".
	if head, _, ok := strings.Cut(strings.TrimSpace(text), "** "); ok &&
		strings.HasPrefix(strings.TrimSpace(text), "**") {
		if bold, s := titled(strings.TrimPrefix(head, "**")); bold != "" &&
			(s != unsaid || phaseNumber(bold) != "" && phaseNumber(bold) != bold) {
			if s != unsaid {
				said = s
			}
			name = bold
		}
	}
	return name, said
}

// marked puts brackets around a state at the end of a title that is set apart by
// its spelling: "Data model `complete`", "Data model in_progress".
func marked(title string) string {
	title = strings.TrimSpace(title)
	last := strings.LastIndexAny(title, " \t") + 1
	for _, mark := range [...]string{"`", "**"} {
		if rest, ok := strings.CutSuffix(title, mark); ok {
			last = strings.LastIndex(rest, mark)
		}
	}
	if last <= 0 || title[last:] == plain(title[last:]) && !strings.Contains(title[last:], "_") ||
		whole(plain(title[last:])) == unsaid {
		return title
	}
	return title[:last] + " (" + plain(title[last:]) + ")"
}

// pictured returns the state that a picture in a text stands for. An hourglass counts as none: to some it
// means in progress, to others pending.
func pictured(s string) state {
	switch {
	case strings.ContainsAny(s, "✅✓✔☑"):
		return done
	case strings.ContainsAny(s, "🔄🚧🏗▶👉🔨🟡"):
		return doing
	}
	return unsaid
}

// whole returns the state that a text consists of, and unsaid if the text has anything else in it.
func whole(s string) state {
	words := split(strings.ReplaceAll(s, "_", " "))
	if len(words) > 3 {
		return unsaid
	}
	said := stateOf(s)
	if said == unsaid || len(words) == 0 {
		return said
	}
	switch words[0] {
	case "in", "inprogress", "not", "current", "currently", "active", "complete", "completed", "done",
		"finished", "pending", "todo", "to", "wip", "ongoing", "underway", "doing", "started", "status",
		"blocked", "skipped", "进行中", "已完成", "完成", "待办", "未开始":
		return said
	}
	return unsaid
}

// stateOf returns the state that a text begins with, or that a picture in it stands for.
func stateOf(s string) state {
	if said := pictured(s); said != unsaid {
		return said
	}
	text := strings.Join(split(strings.ReplaceAll(plain(s), "_", " ")), " ")
	text = strings.TrimPrefix(text, "status ")
	for _, k := range [...]struct {
		lead string
		said state
	}{
		{"not started", waiting}, {"not ", waiting}, {"pending", waiting}, {"todo", waiting},
		{"to do", waiting}, {"blocked", waiting}, {"待办", waiting}, {"未开始", waiting},
		{"in progress", doing}, {"inprogress", doing}, {"current", doing}, {"active", doing}, {"wip", doing},
		{"ongoing", doing}, {"underway", doing}, {"doing", doing}, {"started", doing}, {"进行中", doing},
		{"complete", done}, {"done", done}, {"finished", done}, {"skipped", done}, {"已完成", done},
		{"完成", done},
	} {
		if strings.HasPrefix(text, k.lead) {
			return k.said
		}
	}
	return unsaid
}

// isPhase reports whether a title begins with a word for a phase.
func isPhase(title string) bool {
	word, _, _ := strings.Cut(strings.Join(split(title), " "), " ")
	switch word {
	case "phase", "stage", "milestone", "step", "fase", "sprint", "阶段":
		return true
	}
	return false
}

// phaseNumber returns the word and the number that a phase's title begins with, such as "Phase 2", or "".
func phaseNumber(title string) string {
	for _, word := range [...]string{"phase", "stage", "milestone", "step", "fase", "阶段"} {
		if len(title) <= len(word) || !strings.EqualFold(title[:len(word)], word) {
			continue
		}
		after := title[len(word):]
		rest := strings.TrimLeft(after, " \t#-_")
		if rest == after && !unicode.IsDigit(rune(after[0])) {
			continue // "phases"
		}
		end := strings.IndexFunc(rest, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.'
		})
		if end < 0 {
			end = len(rest)
		}
		if number := strings.TrimRight(rest[:end], "."); isNumber(number) {
			return title[:len(title)-len(rest)] + number
		}
	}
	return ""
}

// isNumber reports whether a word counts phases: 2, 2b, 1.3, A or IV.
func isNumber(s string) bool {
	if s == "" || len(s) > 6 {
		return false
	}
	digits := strings.IndexFunc(s, unicode.IsDigit) == 0
	letter := len(s) == 1 && 'A' <= s[0] && s[0] <= 'Z'
	return digits || letter || strings.Trim(s, "IVX") == ""
}

// split returns the words of a text in lower case: runs of letters, digits and marks.
func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}
