package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Sizes of an explanation, in bytes and exchanges.
const (
	maxContext   = 3 << 10
	briefContext = 240 // of a candidate that only the model heard: most are never read
	maxLine      = 400
	maxQuestion  = 1000 // with its options
	maxExchanges = 3
)

// Exchanges returns what explains a statement that was heard elsewhere in one of the new
// entries, as Listen gives it to its own: the exchanges before the entry, the question that
// it answers or the plan that it approves, the rest of what was said with it. before may be
// nil.
func Exchanges(before Earlier, entries []transcript.Entry, at int,
	said string) []finding.Line {
	l := listening{entries: entries, before: before}
	h := Heard{Entry: at, Text: text.OneLine(said), By: speakerOfEntry(entries[at])}
	return explanation(l.whole(), l.shift, h, maxContext)
}

// explain returns the lines that explain what was heard. Of what nobody may ever ask for, only what was said
// with it is kept.
func (l *listening) explain(h Heard) []finding.Line {
	if h.likely {
		return explanation(l.entries, 0, h, briefContext)
	}
	return explanation(l.whole(), l.shift, h, maxContext)
}

// explanation returns the lines that explain what was said in an entry: the exchanges
// before it, the question that it answers, the plan that it approves. The lines are cut
// around what they have in common with the statement.
func explanation(all []transcript.Entry, shift int, h Heard, room int) []finding.Line {
	if h.Context != nil {
		return h.Context
	}
	at := shift + h.Entry
	e := all[at]
	var special []finding.Line
	show := func(by finding.Speaker, role finding.Role, text string) {
		special = append(special, finding.Line{By: by, Role: role, Text: text})
	}
	asked := -1 // the entry of the agent that is shown as a question
	var offer finding.Line
	if h.refers != "" {
		asked = h.offer
		offer = finding.Line{By: finding.Agent, Role: finding.Question,
			Text: cutAround(offerOf(all[asked]), h.refers, maxQuestion)}
	}
	switch {
	case e.Refused && e.Call != nil:
		show(finding.Agent, finding.Question, refusedCall(e.Call))
	case e.Asked != nil:
		show(finding.Agent, finding.Question,
			text.ShortenBytes(text.OneLine(questionText(*e.Asked)), maxQuestion))
		show(answerBy(e), finding.Answer, cutAround(e.Text, "", maxLine))
	case e.Plan != "" && h.By == finding.Chosen:
		show(finding.Agent, finding.Plan, text.ShortenBytes(text.OneLine(e.Plan), 2*maxLine))
	case asked >= 0:
		show(finding.Typed, finding.Answer, cutAround(e.Text, "", maxLine))
	case len(text.OneLine(e.Own())) > len(h.Text)+20: // the rest of what was said with it
		show(speakerOfEntry(e), finding.Said, cutAround(e.Own(), h.Text, maxLine))
	}
	if h.Statement.Category == memory.Runbook {
		special = append(special, failure(all, at)...)
	}
	left := room - len(offer.Text)
	for _, l := range special {
		left -= len(l.Text)
	}
	for i := 0; left < 0 && i < len(special); i++ { // only a candidate has so little room
		size := len(special[i].Text)
		special[i].Text = text.ShortenBytes(special[i].Text, room/len(special))
		left += size - len(special[i].Text)
	}
	var said []finding.Line
	prompts, spoke := 0, false
	for i := at - 1; i >= 0 && prompts < maxExchanges && !all[i].Boundary; i-- {
		if i == asked {
			said, offer.Text = append(said, offer), ""
			continue
		}
		l := finding.Line{By: speakerOfEntry(all[i]), Text: all[i].Text}
		switch x := all[i]; {
		case x.Who == transcript.Person:
			prompts, spoke = prompts+1, false
			l.Text = x.Own() // a plan that they handed over is the agent's
			if x.Asked != nil {
				l.Text, prompts = x.Asked.Question+joint+x.Text, prompts-1
			}
		case x.Who == transcript.Assistant && x.Tool == "" && !spoke:
			spoke = true // only its last words in a turn
		default:
			continue
		}
		if l.Text = cutAround(l.Text, h.Text, maxLine); l.Text == "" {
			continue
		}
		if left -= len(l.Text); left < 0 {
			break
		}
		said = append(said, l)
	}
	if offer.Text != "" { // before all that there is room for
		said = append(said, offer)
	}
	slices.Reverse(said)
	return append(said, special...)
}

func speakerOfEntry(e transcript.Entry) finding.Speaker {
	switch {
	case e.Who != transcript.Person:
		return finding.Agent
	case e.Asked != nil:
		return answerBy(e)
	}
	return finding.Typed
}

func answerBy(e transcript.Entry) finding.Speaker {
	if e.Asked.Chose(e.Text) {
		return finding.Chosen
	}
	return finding.Typed
}

func questionText(a transcript.Asked) string {
	var b strings.Builder
	b.WriteString(a.Question)
	for i, o := range a.Options {
		b.WriteString([]string{" (options: ", "; "}[min(i, 1)])
		b.WriteString(o.Label)
		if o.Description != "" {
			b.WriteString(": " + o.Description)
		}
	}
	if len(a.Options) > 0 {
		b.WriteByte(')')
	}
	return b.String()
}

// failure returns the last command that failed before a statement, and the next one
// like it that passed.
func failure(all []transcript.Entry, at int) (lines []finding.Line) {
	runs := func(e transcript.Entry) bool {
		return e.Who == transcript.Tool && e.Call != nil && e.Call.Command != ""
	}
	failed, prompts := -1, 0
	for i := min(at, len(all)-1); i >= 0 && failed < 0 && prompts <= maxExchanges && !all[i].Boundary; i-- {
		if runs(all[i]) && all[i].Failed {
			failed = i
		}
		if all[i].Who == transcript.Person {
			prompts++
		}
	}
	if failed < 0 {
		return nil
	}
	names := programs(all[failed].Call.Command, false)
	lines = append(lines, finding.Line{By: finding.Program, Role: finding.Failed, Text: ran(all[failed])})
	for _, e := range all[failed+1:] {
		if len(names) > 0 && runs(e) && !e.Failed &&
			slices.Contains(programs(e.Call.Command, true), names[len(names)-1]) {
			return append(lines, finding.Line{By: finding.Program, Role: finding.Passed, Text: ran(e)})
		}
	}
	return lines
}

// ran returns a command and the end of its output, where programs print their result.
func ran(e transcript.Entry) string {
	command := text.ShortenBytes(text.OneLine(e.Call.Command), maxLine/2)
	out := text.OneLine(e.Text)
	if room := maxLine - len(command); len(out) > room {
		out = cutTail(out, room)
	}
	return strings.TrimSpace("$ " + command + " → " + out)
}

// programs returns the programs that a command runs, in order, each with what it is to do. It leaves out
// settings, prefixes such as sudo, and the directory that the command goes to first. It also leaves
// out the programs behind a pipe. If passed is true, it returns only those that must have succeeded if the
// whole did. Those before ";" or "||" need not have.
func programs(command string, passed bool) (names []string) {
	rest, piped := command, false
	for rest != "" {
		part, sign, after := cutPart(rest)
		rest = after
		if name := programOf(part); name != "" && !piped {
			names = append(names, name)
		}
		if piped = sign == "|"; passed && (sign == "||" || sign == ";" && strings.TrimSpace(rest) != "") {
			names = nil
		}
		if sign == "||" && passed {
			return nil // whatever runs then says nothing of what failed
		}
	}
	return names
}

// cutPart returns the first part of a command, the sign that joins the next part to it, and the rest. Signs
// within quotes don't count.
func cutPart(command string) (part, sign, rest string) {
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		c, two := command[i], ""
		if i+1 < len(command) {
			two = command[i : i+2]
		}
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\\':
			i++
		case c == '\'' || c == '"':
			quote = c
		case two == "&&" || two == "||":
			return command[:i], two, command[i+2:]
		case c == '|':
			return command[:i], "|", command[i+1:]
		case c == ';' || c == '\n':
			return command[:i], ";", command[i+1:]
		case c == '&' && two != "&>" && (i == 0 || command[i-1] != '>'):
			return command[:i], ";", command[i+1:]
		}
	}
	return command, "", ""
}

// preparing are programs that only lead up to what a command is for.
const preparing = "cd export set unset source . echo printf sleep true pwd mkdir pushd popd"

// programOf names what one part of a command runs: its first two words that are no settings,
// a third one where those two only start something: "npm run build".
func programOf(part string) string {
	var name []string
	words := 2
	for _, w := range strings.Fields(strings.TrimLeft(part, " ({")) {
		switch {
		case len(name) == 0 &&
			(strings.Contains(w, "=") || text.OneOf(w, "sudo time nice env nohup exec then do")),
			strings.HasPrefix(w, "-"), strings.ContainsAny(w, "<>"):
			continue
		}
		if name = append(name, w); len(name) == 2 && text.OneOf(w, "run exec compose tool") {
			words = 3
		}
		if len(name) == words {
			break
		}
	}
	if len(name) == 0 || text.OneOf(name[0], preparing) {
		return ""
	}
	return strings.Join(name, " ")
}

// cutAround returns a text on one line in at most limit bytes: around the hint where it
// is in the text, else around what has most words in common with it, else its end.
func cutAround(said, hint string, limit int) string {
	said, hint = text.OneLine(said), text.OneLine(hint)
	if len(said) <= limit {
		return said
	}
	at, size := strings.Index(said, hint), len(hint)
	if hint == "" || at < 0 {
		if at, size = densest(said, hint, limit); at < 0 {
			return cutTail(said, limit)
		}
	}
	from := max(0, at-(limit-min(size, limit))/2)
	if from+limit > len(said) {
		return cutTail(said, limit)
	}
	if from == 0 {
		return text.ShortenBytes(said, limit)
	}
	if space := strings.IndexByte(said[from:], ' '); space >= 0 && space < limit/4 {
		from += space + 1
	}
	return text.ShortenBytes("…"+text.LastBytes(said, len(said)-from), limit)
}

// densest returns where the stretch begins that has the most of the hint's longer
// words, -1 when there is none.
func densest(text, hint string, limit int) (at, size int) {
	var words []string
	for _, w := range splitWords(hint) {
		if len(w.text) > 4 && !slices.Contains(words, w.text) {
			words = append(words, w.text)
		}
	}
	low := strings.ToLower(text)
	if len(low) != len(text) || len(words) == 0 {
		return -1, 0
	}
	best, most := -1, 0
	for from := 0; from < len(low); from += limit / 4 {
		part, n := low[from:min(len(low), from+limit)], 0
		for _, w := range words {
			if strings.Contains(part, w) {
				n++
			}
		}
		if n > most {
			best, most = from, n
		}
	}
	return best, min(limit, len(text)-max(best, 0))
}

// cutTail returns the end of a text in at most limit bytes.
func cutTail(said string, limit int) string {
	if len(said) <= limit {
		return said
	}
	from := len(said) - limit + len("…")
	if space := strings.IndexByte(said[from:], ' '); space >= 0 && space < limit/4 {
		from += space + 1
	}
	return "…" + text.LastBytes(said, len(said)-from)
}
