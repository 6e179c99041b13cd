package change

import (
	"strings"

	"keepsake/pkg/text"
)

// A form is a verb for leaving a thing.
type form struct {
	verbs string // in all their forms
	then  string // what stands before what is left, or in "…" behind it; with commas between
}

// leavings are the verbs that need other words to say that something is left, and those
// that need none.
var leavings = [...]form{
	{"move moving moved switch switching switched migrate migrating migrated shift shifting transition " +
		"transitioning pivot pivoting", "away from,off of,off,on from"},
	{"get getting got come coming", "off of,off,away from,out of"},
	{"walk walking walked step stepping stepped turn turning turned steer steering stay staying shy shying " +
		"break breaking run running", "away from"},
	{"back backing backed pull pulling pulled opt opting opted", "out of"},
	{"phase phasing phased rip ripping ripped throw throwing threw thrown tear tearing toss tossing tossed " +
		"kick kicking kicked chuck chucking chucked strip stripping stripped take taking", "out,… out"},
	{"part parting parted", "ways with,company with"},
	{"pull pulling pulled", "the plug on"},
	{"turn turning turned", "our back on,our backs on,my back on"},
	{"do doing did", "away with"},
	{"give giving gave given", "up on"},
	{"take taking took", "back"},
	{"bail bailing bailed", "on,out of"},
	{"let letting", "go of,… go"},
	{"leave leaving left", "… behind"},
	{"leaving outgrew outgrown", ""},
	{"show showing showed", "… the door"},
	{"say saying said wave", "goodbye to,farewell to,bye to"},
	{"goodbye farewell bye", "to,"},
	{"enough", "of,with"},
	{"out", "with"},
}

// leftAt reads the verbs of leaving at the token i: "we're moving off X", "let's phase X out". It also
// reads a rejection if the replacement stands behind it.
func leftAt(s sentence, i int) (turn, bool) {
	w := s.tokens[i].word
	if denied(s, i) {
		return turn{}, false
	}
	switch w {
	case "now", "today", "actually", "jetzt", "sofort", "künftig", "heute", "no", "nope", "nein", "wait":
		return renewed(s, i)
	case "never":
		from, n := s.phrase(i + 2)
		return turn{cue: "never … again", from: from}, s.is(i+1, uses) && isName(from) && s.is(n, "again") &&
			(ownWords(s, i) || commands(s, i))
	case "over":
		from, n := s.phrase(i+1, "for", "in")
		return turn{cue: "over", from: from, to: s.text[:s.tokens[i].start]}, i > 1 && isName(from) &&
			(ends(s, n) || s.is(n, "in")) && has(s.tokens[:i], "prefer choose take pick go") &&
			names(s.text[s.tokens[i-1].start:s.tokens[i-1].end])
	case "out", "raus":
		if from := before(s, i); isName(from) && s.is(len(s.tokens)-1, "in rein") && i < len(s.tokens)-2 &&
			(s.tokens[i+1].breaks || s.is(i+1, "and und")) {
			return turn{cue: w, from: from}, true
		}
	case "correction", "korrektur":
		return turn{cue: w, to: after(s, i+1), mends: true}, i+2 < len(s.tokens) && s.tokens[i+1].breaks &&
			(i == 0 || commands(s, i))
	case "thoughts", "thought", "wrong", "regret":
		return regretted(s, i)
	}
	for n, f := range leavings {
		if !text.OneOf(w, f.verbs) || told(s, i) {
			continue
		}
		if n == 0 {
			if t, ok := toAnother(s, i); ok {
				return t, true
			}
		}
		for then := range strings.SplitSeq(f.then, ",") {
			words := strings.Fields(then)
			n := i + 1
			from := ""
			if len(words) > 0 && words[0] == "…" {
				words = words[1:]
				from, n = s.phrase(n, words[0])
			}
			if !s.is(n, words...) {
				continue
			}
			n += len(words)
			behind := from == ""
			if behind {
				from, n = s.phrase(n, "to", "for", "in", "on")
			}
			out := turn{cue: strings.TrimSpace(w + " " + then), from: from}
			if s.is(n, "to") {
				out.to, _ = s.phrase(n + 1)
			}
			if isName(from) && (ends(s, n) || behind && s.is(n, "to in")) {
				return out, true
			}
		}
	}
	return turn{}, false
}

// toAnother reads "switch from X to Y", "move to Y from X" and "migrate X to Y", where X may be
// what Y is for. Of two names the second may be a place for the first, so that it has to be
// of its kind.
func toAnother(s sentence, i int) (turn, bool) {
	cue := s.tokens[i].word
	if from, to, ok := fromTo(s, i+1); ok {
		return turn{cue: cue + " from … to", from: from, to: to}, true
	}
	if s.is(i+1, "to") || s.is(i+1, "over", "to") {
		to, n := s.phrase(i+2, "from")
		from, end := s.phrase(n + 1)
		return turn{cue: cue + " to … from", from: from, to: to}, s.is(n, "from") && isName(to) &&
			isName(from) &&
			ends(s, end)
	}
	from, n := s.phrase(i+1, "to", "over")
	n = s.pastOne(n, "over")
	to, end := s.phrase(n + 1)
	t := turn{cue: cue + " … to", from: from, to: to, rivals: true}
	if !isName(from) {
		t.from, t.to, t.mends = "", from+" "+to, true
	}
	return t, from != "" && s.is(n, "to") && isName(to) && !isArtefact(from) &&
		(ends(s, end) || s.is(end, "for"))
}

// renewed reads what holds from now on in the place of something else: "from now on write
// in X", "the queue runs on X now", "actually, let's take X for the queue".
func renewed(s sentence, i int) (turn, bool) {
	first := i
	for s.is(first-1, "from as of ab") {
		first--
	}
	last := i + 1
	if s.is(last, "on") && first < i {
		last++
	}
	t := turn{cue: s.text[s.tokens[first].start:s.tokens[last-1].end], mends: true, rivals: true}
	t.to = strings.TrimSpace(s.text[:s.tokens[first].start] + after(s, last))
	if s.is(first-1, "for as than until right since") || s.is(first, "as") && !s.is(first+1, "of") ||
		!names(t.to) || has(s.tokens, "also too auch test try not nicht never just") {
		return turn{}, false
	}
	chosen := choosesBefore(s, len(s.tokens))
	switch {
	case s.is(i, "actually no nope nein wait"):
		return t, commands(s, i) && chosen
	case first < i, s.is(i, "künftig"):
		return t, true
	}
	return t, i == len(s.tokens)-1 || chosen && ownWords(s, len(s.tokens)) // "now" alone mostly tells a time
}

// regretted reads "I'm having second thoughts about X: let's take Y", "I was wrong about
// X, use Y" and "I regret X, let's go with Y". Without what is to be instead it is a doubt.
func regretted(s sentence, i int) (turn, bool) {
	n := i + 1
	switch {
	case s.is(i, "regret") && s.is(i-1, "i we"):
		n = s.pastOne(n, "using choosing picking taking")
	case s.is(i, "wrong") && s.is(i-1, "was were am i'm we're") && s.is(n, "about on with") && ownWords(s, i),
		s.is(i-1, "second", "thoughts thought") && s.is(n, "about on regarding"):
		n++
	default:
		return turn{}, false
	}
	from, n := s.phrase(n)
	return turn{cue: s.tokens[i].word, from: from, to: after(s, n)}, isName(from) && chooses(s, n)
}

// chooses reports whether the words of a sentence from a token on choose something.
func chooses(s sentence, i int) bool {
	if i >= len(s.tokens) || !s.tokens[i].breaks && !s.is(i, "and so we we'll let's i'd i") {
		return false
	}
	rest := sentence{text: after(s, i), asks: s.asks}
	rest.tokens = tokensOf(rest.text)
	return !isTalk(rest) && askedUntil(rest) == 0 &&
		(choosesBefore(rest, len(rest.tokens)) || names(rest.text))
}

// exchanged reads "replace X with Y", "swap out X for Y" and "substitute Y for X".
func exchanged(s sentence, i int) (turn, bool) {
	n := s.pastOne(i+1, "out in")
	from, n := s.phrase(n, "with", "by", "for", "out")
	n = s.pastOne(n, "out")
	replaces := s.is(i, "replace replacing")
	if from == "" || !s.is(n, "with by") && (replaces || !s.is(n, "for")) {
		return turn{}, false
	}
	to, _ := s.phrase(n + 1)
	if !replaces && (!isName(from) || !names(to)) {
		return turn{}, false
	}
	if (s.is(i, "substitute substituting") || s.is(i+1, "in")) && s.is(n, "for") {
		from, to = to, from
	}
	return turn{cue: s.tokens[i].word + " … " + s.tokens[n].word, from: from, to: to}, from != "" && to != ""
}

// insteadBehind reads "make that X instead" and "let's do X instead".
func insteadBehind(s sentence, i int) (turn, bool) {
	if !ends(s, i+1) || i < 2 {
		return turn{}, false
	}
	for n := i - 1; n > 0 && n >= i-3 && !s.tokens[n].breaks; n-- {
		to := s.text[s.tokens[n].start:s.tokens[i-1].end]
		switch {
		case !isName(to):
		case n >= 2 && s.is(n-2, "make call", "that it") && (n == 2 || !told(s, n-2)):
			return turn{cue: "make that … instead", to: to, makes: true}, true
		case s.is(n-1, "use do take try pick choose with want adopt have") && choosesBefore(s, n) ||
			s.is(n-2, "let's", "do"):
			return turn{cue: "… instead", to: to}, !denied(s, n-1)
		}
	}
	return turn{}, false
}

// insteadFirst reads "instead of X, let's use Y" and "instead of X we use Y now".
func insteadFirst(s sentence, i int) (turn, bool) {
	if !s.is(i+1, "of") || !commands(s, i) {
		return turn{}, false
	}
	n := s.pastOne(i+2, "on in with via through")
	from, n := s.phrase(n, "use", "take", "go", "pick", "choose", "run", "deploy")
	if !isName(from) || n >= len(s.tokens) {
		return turn{}, false
	}
	rest := sentence{text: after(s, n), asks: s.asks}
	rest.tokens = tokensOf(rest.text)
	return turn{cue: "instead of", from: from, to: rest.text}, !isTalk(rest) && askedUntil(rest) == 0 &&
		(choosesBefore(rest, len(rest.tokens)) || isName(rest.text) ||
			names(rest.text) && has(rest.tokens, "now") || isHabit(from) && isHabit(rest.text))
}

// admits returns the token behind the words at the beginning of a sentence that only admit a mistake:
// "sorry, I was wrong, …", "da lag ich falsch: …". It is 0 if there are none.
func admits(s sentence) (n int) {
	for start := 0; start < len(s.tokens); {
		end := start + 1
		for end < len(s.tokens) && !s.tokens[end].breaks {
			end++
		}
		clause := s.tokens[start:end]
		if end-start > 5 || end == len(s.tokens) ||
			!has(clause, "wrong mistaken mistake correction falsch geirrt vertan irrtum korrektur") &&
				!(end-start == 1 && leadsIn(clause[0].word)) {
			return n
		}
		start, n = end, end
	}
	return n
}

// subordinators begin a clause that says nothing by itself: "before we drop X".
const subordinators = "how why who whom what whether where when whenever before after once until till " +
	"unless while lest wie warum wieso weshalb ob bevor ehe nachdem sobald solange wer wann wo falls wenn"

// subordinates reports whether the token at i begins such a clause.
func subordinates(s sentence, i int) bool {
	return s.is(i, subordinators) && !s.is(i, "after", "all") && !s.is(i, "once", "and") &&
		!s.is(i-1, "a", "while") && !s.is(i-1, "that's is thats", "why") &&
		!s.is(i, "wie", "besprochen gesagt vereinbart immer")
}

// Requests are for something else than what their clauses say. Those of requestsOf are for
// a thing: "write a test that …".
const (
	requests = "explain compare describe summarize summarise outline discuss evaluate assess weigh " +
		"estimate research investigate explore analyze analyse imagine assume check verify test measure " +
		"benchmark profile show list find remind ask help warn demonstrate simulate review study see count " +
		"confirm erklär erkläre vergleich vergleiche beschreib beschreibe prüf prüfe teste miss zeig zeige " +
		"schätz schätze erinner erinnere frag frage hilf warn warne recherchier recherchiere untersuch " +
		"untersuche bewerte überleg überlege such suche schau liste simuliere bestätige diskutiere erläutere"
	requestsOf = "add write create draft prepare run rerun try build make open file give design sketch " +
		"propose implement schreib schreibe erstell erstelle leg lege bau baue mach mache füg füge starte " +
		"entwirf"
	requested = "test tests benchmark benchmarks suite script ticket issue task comparison plan draft " +
		"proposal adr spike poc prototype demo example experiment estimate list table report overview " +
		"summary guide vergleich skript aufgabe entwurf beispiel liste tabelle bericht überblick übersicht " +
		"anleitung prototyp"
)

// askedUntil returns the token up to which a sentence is only a request: its end, or the token that begins
// a statement. It is 0 if the sentence requests nothing.
func askedUntil(s sentence) int {
	i := 0
	for i < len(s.tokens) && leadsIn(s.tokens[i].word) {
		i++
	}
	if s.is(i, "let's lets", requests) {
		i++
	}
	end := min(i+6, len(s.tokens))
	sure := s.is(i, "ensure") || s.is(i, "make", "sure") || s.is(i, "stell stelle", "sicher")
	switch {
	case s.is(i, requests), s.is(i, "let", "me", "know see"), s.is(i, "think look", "about into at through"),
		s.is(i, "sag sage gib gebt", "bescheid mir"):
	case s.is(i, requestsOf) && has(s.tokens[i:end], requested):
	case sure && has(s.tokens[i:], "can could able kann können könnten"):
	default:
		return 0
	}
	for n := i + 1; n < len(s.tokens); n++ {
		gap := s.text[s.tokens[n-1].end:s.tokens[n].start]
		if s.tokens[n].breaks &&
			s.is(n, "we i let's lets we're we've we'll i'm i've wir ich lass lasst from ab") &&
			(!strings.Contains(gap, ":") || s.is(i, requestsOf)) {
			return n
		}
	}
	return len(s.tokens)
}

// joins reports whether a word is the verb with its particle before it.
func (f separableForm) joins(w string) bool {
	w, ok := strings.CutPrefix(w, f.particle)
	if !ok {
		return false
	}
	if zu, is := strings.CutPrefix(w, "zu"); is {
		w = zu
	}
	ge, past := strings.CutPrefix(w, "ge")
	return past && isStem(ge, f.stems) || isStem(w, f.stems)
}

// isStem reports whether a word is a form of one of the stems.
func isStem(w, stems string) bool {
	for stem := range strings.FieldsSeq(stems) {
		if strings.HasPrefix(w, stem) && len(w) <= len(stem)+3 {
			return true
		}
	}
	return false
}
