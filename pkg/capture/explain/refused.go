package explain

import (
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/text"
)

// refusal hears what a person said when they refused a call: what is to be done instead. A question that
// asks for facts, and what only concerns this call, is none.
func (l *listening) refusal(i int, e transcript.Entry) {
	for _, s := range triage.Sentences(headOf(e.Text)) {
		words := splitWords(s.Text)
		if len(words) < leastWords || s.Question && !wantsDone(s.Text) || isErrand(s.Text) {
			continue
		}
		if !l.heardIn(i, s.Text) {
			l.add(i, finding.Typed, s.Text, Refused, doubtScore)
		}
		return
	}
}

// wantsDone reports whether a sentence asks to have something done, or done in another way: "can you use a
// switch?", "why don't we read it?", "any way to pass it in?", "let's call it jobs".
func wantsDone(sentence string) bool {
	words := splitWords(sentence)
	for i, w := range words[:min(len(words), 8)] {
		next := textAt(words, i+1)
		switch {
		case w.in("can could should would can't couldn't shouldn't kannst könntest könnten können sollten") &&
			text.OneOf(next, "you we i it this that the du wir"),
			w.text == "why" && text.OneOf(next, "not don't"), w.text == "any" && next == "way",
			w.in("let's lets"), w.text == "what" && next == "about", w.text == "how" && next == "about":
			return true
		}
	}
	return false
}

// refusedCall says in one line what a person refused.
func refusedCall(c *transcript.Call) string {
	what := c.Tool
	for _, said := range [...]string{c.Command, c.File, c.URL, c.Plan, c.Prompt} {
		if said = text.OneLine(said); said != "" {
			what += ": " + said
			break
		}
	}
	if len(c.Asks) > 0 {
		what += ": " + text.OneLine(questionText(c.Asks[0]))
	}
	return text.ShortenBytes(strings.TrimSpace(what), maxLine)
}
