// Package stance says how a sentence stands to what it says. Its speaker may assert it,
// ask it, suppose it, deny it, or tell what somebody else said:
//
//	We never force push to main.            asserts, as long as "never" goes with it
//	Is it our policy to force push to main? asks: none of its words are a claim
//	If we move to GraphQL, we drop REST.    supposes: "we drop REST" is no claim without "if"
//	Peter suggested we should use Mongo.    reports: "we should use Mongo" is Peter's
//
// What turns the words of a sentence is a guard: some words, and the stretch that means
// something else without them. The package knows English and German, and is pure.
package stance

import (
	"slices"

	"keepsake/pkg/text"
)

// A Word is one of a sentence, in lower case and without apostrophes.
type Word struct {
	Text  string
	Pause bool // a clause ends behind it: a comma, a colon, a dash
}

// A Kind is what a guard does to the words in its scope.
type Kind uint8

// The kinds of guards.
const (
	Asks     Kind = iota + 1 // the sentence is a question: nothing in it is claimed
	Supposes                 // a condition, a possibility, what was once
	Reports                  // somebody else said it
	Denies                   // the opposite is said
)

// A Guard is a stretch of a sentence, in words, that its speaker does not claim without
// the guard's own words. Of a question they claim nothing at all.
type Guard struct {
	Kind     Kind
	From, To int // the stretch
	At, End  int // the words that say so
}

// Claims reports whether a speaker claims the words [from, to) of a sentence as far as
// a guard goes.
func (g Guard) Claims(from, to int) bool {
	if to <= g.From || g.To <= from {
		return true
	}
	return g.Kind != Asks && from <= g.At && g.End <= to
}

// Of returns the guards of a sentence. asked reports whether it ends with a question mark.
func Of(words []Word, asked bool) []Guard {
	s := sentence(words)
	if s.asks(asked) {
		return []Guard{{Asks, 0, len(s), 0, 0}}
	}
	var all []Guard
	for i := range s {
		all = append(all, s.guardsAt(i)...)
	}
	return all
}

// Supposed reports whether a sentence is a question, or decides nothing since it only
// supposes, doubts or reports something.
func Supposed(words []Word, asked bool) bool {
	return slices.ContainsFunc(Of(words, asked), func(g Guard) bool { return g.Kind != Denies })
}

type sentence []Word

// word returns the word at a place, "" where there is none.
func (s sentence) word(i int) string {
	if i < 0 || i >= len(s) {
		return ""
	}
	return s[i].Text
}

// starts returns where the sentence begins behind what leads into it.
func (s sentence) starts() int {
	i := 0
	for i < len(s)-1 && leadsIn(s[i].Text) {
		i++
	}
	return i
}

// clause returns where the clause of a word begins and ends.
func (s sentence) clause(i int) (from, to int) {
	for from = i; from > 0 && !s[from-1].Pause; from-- {
	}
	for to = i + 1; to < len(s) && !s[to-1].Pause; to++ {
	}
	return from, to
}

// reach returns where what begins at a word ends: with the sentence, or where it turns to
// something else ("but", "sondern").
func (s sentence) reach(i int) int {
	for i++; i < len(s); i++ {
		if contrasts(s[i].Text) && !(s[i].Text == "instead" && s.word(i+1) == "of") {
			return i
		}
	}
	return len(s)
}

// guardsAt returns the guards that the words at a place are.
func (s sentence) guardsAt(i int) (all []Guard) {
	add := func(k Kind, from, to, words int) {
		all = append(all, Guard{k, from, to, i, min(i+words, len(s))})
	}
	w, next := s[i].Text, s.word(i+1)
	first, last := s.clause(i)
	switch {
	case supposes(w), w == "in" && next == "case", w == "im" && next == "falle":
		add(Supposes, 0, len(s), 1)
	case i == s.starts() && times(w):
		add(Supposes, 0, len(s), 1)
	case doubts(w):
		add(Supposes, first, len(s), 1)
	case weighs(w) && next != "you" && next != "du" && !slices.ContainsFunc(s[i:last], wishes):
		add(Supposes, i, last, 1)
	case considers(w) && i != s.starts():
		add(Supposes, i, s.reach(i), 1)
	case w == "used" && next == "to" && !isForm(s.word(i-1)):
		add(Supposes, i, last, 2)
	case formerly(w):
		add(Supposes, first, s.reach(i), 1)
	}
	if from, words := s.reports(i); words > 0 {
		add(Reports, from, s.reach(i), words)
	}
	if from, to := s.denies(i); to > from {
		add(Denies, from, to, 1)
	}
	return all
}

// isForm reports whether a word makes "used to" the passive: "it is used to store".
func isForm(w string) bool {
	return text.OneOf(w, "is are was were be been being get got am im isnt arent wasnt werent")
}

// asks reports whether a sentence is a question, by its mark or by how it begins. A sentence that only ends
// in "ok?", and a request in the form of a question, are not.
func (s sentence) asks(marked bool) bool {
	if len(s) == 0 {
		return false
	}
	if s.requests() {
		return false
	}
	return s.opensQuestion(s.starts()) || marked && !s.tagged()
}

// requests reports whether a sentence asks this assistant to do something from now on:
// "could you please use pnpm?".
func (s sentence) requests() bool {
	i := s.starts()
	for s.word(i) == "please" || s.word(i) == "bitte" {
		i++
	}
	switch s.word(i) {
	case "can", "could", "would", "will":
		if s.word(i+1) != "you" {
			return false
		}
	case "kannst", "könntest", "würdest":
		if s.word(i+1) != "du" {
			return false
		}
	default:
		return false
	}
	return slices.ContainsFunc(s, func(w Word) bool {
		return text.OneOf(w.Text, "please always never henceforth bitte immer nie künftig zukünftig")
	})
}

// tagged reports whether a sentence ends in a tag that asks for nothing but a yes.
func (s sentence) tagged() bool {
	from := len(s) - 1
	for from > 0 && !s[from-1].Pause {
		from--
	}
	switch s[len(s)-1].Text {
	case "ok", "okay", "please", "bitte", "understood", "alright", "verstanden", "einverstanden":
		return true
	case "clear", "klar", "ja", "yes", "cool", "deal", "agreed", "gut", "passt", "ordnung", "it", "das":
		return from > 0 && len(s)-from <= 3 && !slices.ContainsFunc(s[from:], func(w Word) bool {
			return text.OneOf(w.Text, "do does should isnt or oder not nicht dont doesnt shall")
		})
	}
	return false
}

// opensQuestion reports whether a question begins at a word.
func (s sentence) opensQuestion(i int) bool {
	next := s.word(i + 1)
	const german = "ist sind war wäre wären soll sollen sollte sollten kann können könnte könnten hält " +
		"hältst haltet machen spricht sagst meinst denkst sieht passiert wenn würde würden hat haben geht " +
		"gehts viel viele lange oft wärs nehmen nutzen verwenden"
	switch s.word(i) {
	case "were": // also "we're"
		return isPronoun(next)
	case "should", "shall", "could", "can", "would", "will", "is", "are", "am", "was", "has", "does",
		"did", "may", "might", "isnt", "arent", "wouldnt", "shouldnt", "couldnt", "cant", "wont", "hasnt",
		"didnt", "doesnt", "wasnt":
		return isPronoun(next) || isDeterminer(next) || s.word(i) == "was" && text.OneOf(next, german)
	case "do", "dont", "have", "havent", "had":
		return text.OneOf(next, "we i you they he she")
	case "whats", "hows", "whos":
		return true
	case "what", "why", "how", "who", "which", "where", "when", "whose":
		return isAuxiliary(next) || text.OneOf(next, "if about not come many much else one")
	case "any":
		return text.OneOf(next, "reason chance thoughts objections")
	case "want":
		return next == "me"
	case "soll", "sollen", "sollte", "sollten", "kann", "können", "könnte", "könnten", "darf", "dürfen",
		"ist", "sind", "war", "hat", "haben", "habt", "hast", "wird", "würde", "würden", "muss", "müssen",
		"wollen", "gibt", "kannst", "könntest", "würdest", "willst", "meinst", "findest", "glaubst", "weißt":
		return text.OneOf(next, "wir ich du ihr es das der die man sie unser unsere dies dieser diese nicht")
	case "warum", "wieso", "weshalb", "wozu":
		return true
	case "wie", "wer", "wo", "wann", "welche", "welcher", "welches", "welchen":
		return text.OneOf(next, german)
	}
	return false
}

func isPronoun(w string) bool {
	return text.OneOf(w,
		"we i you it they he she there this that these those anyone anybody somebody everyone")
}

func isDeterminer(w string) bool { return text.OneOf(w, "the our your my a an") }

func isAuxiliary(w string) bool {
	return text.OneOf(w, "is are was were do does did should shall can could would will has have had am may "+
		"might dont doesnt didnt isnt arent wouldnt shouldnt cant")
}

// reports returns where the words of somebody else begin that a word at a place brings,
// and of how many words that is made; 0 for none.
func (s sentence) reports(i int) (from, words int) {
	w, before, next := s.word(i), s.word(i-1), s.word(i+1)
	first, _ := s.clause(i)
	subject := i - 1
	for subject >= first && passes(s[subject].Text) {
		subject--
	}
	own := subject < first || isOwn(s[subject].Text) ||
		slices.ContainsFunc(s[first:i],
			func(w Word) bool { return text.OneOf(w.Text, "our unsere unser unserer") })
	as := slices.ContainsFunc(s[first:i], func(w Word) bool { return text.OneOf(w.Text, "as like wie") })
	switch {
	case w == "according" && next == "to":
		return 0, 2
	case text.OneOf(w, "opinion view opinions") && text.OneOf(next, "is was"), w == "es" && next == "heißt":
		return i, 2
	case text.OneOf(w, "laut zufolge angeblich supposedly allegedly apparently anscheinend"):
		return 0, 1
	case as:
		return 0, 0
	case text.OneOf(w, "read heard saw") && text.OneOf(before, "i ive we weve just"),
		text.OneOf(w, "told advised asked recommended suggested") && text.OneOf(before, "was were been got"):
		return i, 1
	case text.OneOf(w, "gelesen gehört") && !s.denied(i):
		return first, 1
	case w == "thought" && (next == "" || s[i].Pause), isForm(before),
		isForm(s.word(i-2)) && text.OneOf(before, "not never no nicht"): // "it is not wanted"
		return 0, 0
	case isReport(w):
		if i > 0 && subject < i-1 &&
			text.OneOf(before, "should must to can dont please never always not will") {
			return 0, 0
		}
		if subject < first { // "…, said Peter"
			if i == 0 || text.OneOf(w, "told asked thought wanted preferred steht möchte") || next == "" ||
				isPronoun(next) && !text.OneOf(next, "he she they") {
				return 0, 0
			}
			return 0, 1
		}
		if own {
			return 0, 0
		}
		return i, 1
	case text.OneOf(w, "say suggest recommend think propose claim argue want prefer advise sagen meinen "+
		"empfehlen schlagen behaupten wollen"):
		if i > first && text.OneOf(before,
			"they people you docs some most others folks colleagues guidelines guides "+
				"articles manuals leute viele manche kollegen andere sie docs") {
			return i, 1
		}
	case text.OneOf(w, "vorgeschlagen empfohlen gesagt behauptet gemeint geschrieben"):
		if !slices.ContainsFunc(s[first:i], func(w Word) bool { return text.OneOf(w.Text, "ich wir") }) &&
			i > first && !s.denied(i) {
			return first, 1
		}
	}
	return 0, 0
}

// denied reports whether something before a word in its clause is denied.
func (s sentence) denied(i int) bool {
	first, _ := s.clause(i)
	return slices.ContainsFunc(s[first:i], func(w Word) bool { return isDenier(w.Text) })
}

// denies returns the stretch that a denying word at a place turns into its opposite, an
// empty one for none.
func (s sentence) denies(i int) (from, to int) {
	w, next := s.word(i), s.word(i+1)
	first, last := s.clause(i)
	switch {
	case text.OneOf(w, "forbidden banned prohibited disallowed verboten untersagt tabu"):
		return first, s.reach(i)
	case judges(w) && text.OneOf(next, "that to if dass zu ob") || text.OneOf(w, "doubt bezweifle"):
		return i, s.reach(i)
	case !isDenier(w):
		return 0, 0
	case w == "no" && s[i].Pause && i == s.starts(), w == "no" && i+1 < len(s) && i == 0 && leadsIn(next),
		text.OneOf(w, "not nicht no") && text.OneOf(next, "only just nur bloß matter"),
		text.OneOf(w, "instead") && next != "of", text.OneOf(w, "rather") && next != "than":
		return 0, 0
	case text.OneOf(w, "without against ohne statt anstatt instead rather sans sin senza"):
		return i, last
	case i == len(s)-1 && i > 0:
		return 0, len(s) // "force push to main: never"
	case text.OneOf(w, "isnt arent wasnt werent"), text.OneOf(s.word(i-1), "is are was were ist sind war"):
		return first, s.deniedUntil(i)
	case text.OneOf(w, "nicht nie niemals") && !text.OneOf(s.word(i-1), "und aber oder"):
		return first, s.deniedUntil(i)
	}
	return i, s.deniedUntil(i)
}

// deniedUntil returns where the scope of a denying word ends: where the sentence turns, or where a
// statement of the opposite begins. "I do not think, we should" goes on.
func (s sentence) deniedUntil(i int) int {
	end := s.reach(i)
	for n := i + 1; n < min(i+3, len(s)); n++ {
		if text.OneOf(s[n].Text,
			"think believe want say mean know agree like mind care glaube denke finde will "+
				"möchte meine sure sicher dass that") {
			return end
		}
	}
	for n := i + 1; n < end; n++ {
		if !s[n-1].Pause {
			continue
		}
		if text.OneOf(s[n].Text,
			"we i lets use always only wir ich nimm nehmt nutze nutzt immer nur its well") {
			return n
		}
	}
	return end
}
