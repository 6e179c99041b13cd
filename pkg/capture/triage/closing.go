package triage

import (
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Since the last summary, this much makes a conversation long.
const (
	longTurns = 30
	longTools = 40
)

// Ended reports whether a summary is due although nothing else was noticed. There must be enough activity for
// one, and the person must have closed a topic, or the conversation must have gone on for more than 30 turns
// or 40 tool calls since the last summary. For the few lines of a project's card half the threshold is
// enough.
func Ended(a Activity, closed, card bool, o Options) bool {
	if closed && card {
		half := o.Threshold(memory.SessionSummary) / 2
		o.Thresholds = map[memory.Category]float64{memory.SessionSummary: half}
	}
	_, enough := Summary(a, o)
	return enough && (closed || a.Turns > longTurns || a.Tools > longTools)
}

// closers are clauses that close a topic, in lower case and without padding. After one that ends in "…" a few
// words may follow.
var closers = [...]string{
	"done", "all done", "all done here", "done here", "done with this", "done with that", "done with it",
	"done with …", "done for today", "done for now", "we're done", "we are done", "i'm done", "i am done",
	"we're done here", "we're done with …", "we are done with …", "i'm done with …", "i am done with …",
	"that's done", "that is done", "this is done", "it's done", "it is done", "this one is done",
	"that one's done", "consider it done", "finished", "all finished", "finished with …", "we're finished",
	"we are finished", "we're finished with …", "we are finished with …", "i'm finished with …",
	"i am finished with …", "that's finished", "that is finished", "this is finished", "it's finished",
	"next", "next one", "next topic", "next task", "next thing", "next issue", "next ticket", "next item",
	"next up", "next up is …", "next please", "on to the next", "on to the next …", "onto the next",
	"onto the next …", "on to the other …", "let's do the next …", "let's move on", "let us move on",
	"let's move on to …", "we can move on", "we can move on to …", "move on", "move on to …", "moving on",
	"moving on to …", "let's continue with the next …", "let's go to the next …", "go on with the next …",
	"go to the next …", "go on to the next …", "continue with the next …", "that's it",
	"that's it for this …", "that's it for now", "that's it for today", "that's all", "that's all for now",
	"that's all for today", "that's all for this …", "that's a wrap", "that wraps it up", "let's wrap up",
	"let's wrap this up", "wrap it up", "wrap this up", "let's wrap it up", "let's close this",
	"close this topic", "close the topic", "this topic is closed", "case closed", "let's call it a day",
	"call it a day",
}

// padding are words that may stand before or after a closing clause.
var padding = [...]string{"ok", "okay", "k", "great", "perfect", "thanks", "thank", "you", "thx", "cool",
	"nice", "good", "fine", "alright", "excellent", "awesome", "so", "and", "now", "yes", "yep", "yeah",
	"right", "well", "then", "please", "super", "lovely", "job", "work", "very", "much", "a", "lot"}

// Only clauses at the beginning and the end of a prompt are looked at.
const (
	maxClosing   = 8 // words in such a clause
	firstClauses = 2
	lastClauses  = 2
)

// Closes reports whether the person ends a topic with this prompt: "Great, done.", "That's finished,
// next.", "Let's move on to the exporter". Conditions, denials and questions close nothing: "when you're
// done", "not done yet", "are we done?". awaited reports whether the agent waits for the person to do
// something (see Awaits). In that case "done" is only an answer.
func Closes(prompt string, awaited bool) bool {
	if len(prompt) > pasted { // the middle was not typed
		prompt = prompt[:typed] + "\n" + prompt[len(prompt)-typed:]
	}
	all := clauses(text.Lower(unquoted(prompt)))
	for i, c := range all {
		if i >= firstClauses && i < len(all)-lastClauses || c.asks {
			continue
		}
		if i+1 < len(all) && all[i+1].objects() {
			continue
		}
		if c.closes(awaited) || !awaited && c.isFinished() {
			return true
		}
	}
	return false
}

// unquoted returns a prompt without code blocks and quotations: a button labelled "Done" closes nothing.
func unquoted(prompt string) string {
	for _, mark := range [...]string{"```", `"`} {
		parts := strings.Split(prompt, mark)
		for i := 1; i+1 < len(parts); i += 2 {
			parts[i] = "…"
		}
		prompt = strings.Join(parts, " ")
	}
	return prompt
}

// errands are phrases with which an agent asks the person to do something and waits.
var errands = [...]string{
	"let me know when", "let me know once", "let me know after", "let me know as soon", "tell me when",
	"tell me once", "say when", "ping me when", "report back", "when you're done", "when you are done",
	"once you're done", "once you are done", "when that's done", "once that's done", "when it's done",
	"once it's done", "once you've", "once you have", "when you've", "when you have", "after you've",
	"after you have", "as soon as you", "you need to", "you'll need to", "you will need to", "you have to",
	"you'll have to", "you will have to", "can you run", "could you run", "can you please",
	"could you please", "please run", "please restart", "please set", "please add",
	"please log", "please open", "please check", "please paste", "please install", "please create",
	"please approve", "please enable", "please export", "please start",
}

// Awaits reports whether the agent ends its turn by asking the person to do something: "Please restart the
// server and tell me when it is up."
func Awaits(said string) bool {
	said = said[max(0, len(said)-typed):]
	said = text.Lower(said)
	return slices.ContainsFunc(errands[:], func(words string) bool { return strings.Contains(said, words) })
}

// A clause is a part of a sentence.
type clause struct {
	words []string
	asks  bool // its sentence is a question
}

func clauses(text string) (out []clause) {
	from := 0 // from is where the first clause of this sentence is in out
	start := 0
	cut := func(end int) {
		if words := strings.Fields(text[start:end]); len(words) > 0 {
			out = append(out, clause{words: words})
		}
	}
	for i, r := range text {
		switch r {
		case ',', ';', ':', '.', '!', '?', '\n', '—', '–', '(', ')', '"':
		default:
			continue
		}
		// A point inside a word does not end a clause: "v1.2", "main.go".
		if next := i + 1; r != '\n' && next < len(text) && strings.ContainsRune(".:,", r) &&
			!strings.ContainsRune(" \t\r\n", rune(text[next])) {
			continue
		}
		cut(i)
		start = i + len(string(r))
		if strings.ContainsRune(".!?\n", r) {
			for k := from; k < len(out); k++ {
				out[k].asks = r == '?'
			}
			from = len(out)
		}
	}
	cut(len(text))
	return out
}

// closes reports whether a clause is one of closers. If the person was awaited, it must say more than that
// they have done something.
func (c clause) closes(awaited bool) bool {
	w := c.words
	for len(w) > 1 && slices.Contains(padding[:], w[0]) {
		w = w[1:]
	}
	for len(w) > 1 && slices.Contains(padding[:], w[len(w)-1]) {
		w = w[:len(w)-1]
	}
	if len(w) > maxClosing {
		return false
	}
	text := strings.Join(w, " ")
	for _, want := range closers {
		if awaited && (strings.Contains(want, "done") || strings.Contains(want, "finished")) {
			continue
		}
		if begin, open := strings.CutSuffix(want, "…"); text == want || open &&
			strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// isFinished reports whether a clause calls something finished: "the importer is done".
func (c clause) isFinished() bool {
	w := c.words
	for len(w) > 1 && slices.Contains(padding[:], w[0]) {
		w = w[1:]
	}
	if len(w) < 3 || len(w) > maxClosing {
		return false
	}
	switch w[len(w)-1] {
	case "done", "finished", "complete", "completed":
		w = w[:len(w)-1]
	default:
		return false
	}
	switch w[len(w)-1] {
	case "now", "all", "finally", "fully":
		w = w[:len(w)-1]
	}
	if last := w[len(w)-1]; last != "is" && last != "are" {
		return false
	}
	return !slices.ContainsFunc(w[:len(w)-1], func(word string) bool {
		return slices.Contains(doubts[:], word)
	})
}

// doubts are words that turn "is done" into a condition, a wish or a denial.
var doubts = [...]string{
	"not", "never", "almost", "nearly", "half", "partly", "hardly", "nothing", "none", "is", "are",
	"if", "when", "once", "until", "till", "unless", "after", "before", "while", "soon", "because", "since",
	"whether", "that", "what", "which", "how", "who", "make", "ensure", "check", "verify", "tell", "say",
	"think", "assume", "know", "sure", "should", "must",
}

// objects reports whether a clause takes back the one before it: "but the tests fail".
func (c clause) objects() bool {
	return text.OneOf(c.words[0], "but except however although though yet only not if when once unless")
}
