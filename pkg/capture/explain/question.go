package explain

import (
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/text"
)

// A questionKind is what a question of the client is about.
type questionKind uint8

const (
	aboutChoice questionKind = iota // what is to be
	aboutWork                       // how to go on
	aboutFacts                      // what is
	aboutEither                     // what is to be, or what becomes of this work
)

// Words of the client's questions, as text.OneOf takes them.
const (
	asksWay   = "how where who whom wie wo womit wer worauf wodurch"
	asksWhich = "which what when whose welche welcher welches welchen was wann"
	nowWords  = "next first now today proceed continue remaining tackle " +
		"nächstes zuerst jetzt heute fortfahren weitermachen weiter anfangen beginnen loslegen"
	theseWords = "this these those diese dieser diesen dieses"
	// policy makes of version control something that lasts.
	policy = "strategy policy convention conventions workflow model default always releases naming " +
		"format style scheme every each strategie konvention vorgabe standard immer jeder jedem jeden jedes"
	haveBeen = "did have has had were does is are hast habt hat ist sind war wurde läuft gibt"
	subjects = "we i you to should shall can will me wir ich du they it"
	// allowed make of "is", "does" and "are" a question of what is to be.
	allowed = "ok okay fine acceptable allowed needed required enough worth need needs must should support " +
		"supports erlaubt nötig ordnung braucht brauchen muss müssen soll sollen"
	seeing = "see seeing know remember get getting happens happened happening siehst weißt passiert"
)

// kindOf returns what a question of the client that was answered is about.
func kindOf(a transcript.Asked, answer string) questionKind {
	words := splitWords(lastQuestion(a.Question))
	if len(words) == 0 {
		return aboutChoice
	}
	lasts := false // a rule, and not this once
	agent := false // what the agent is to do
	facts := false // what somebody sees or knows
	fine := false  // whether it is allowed or needed
	these := false // what lies before them
	verb := false  // going on with the work
	for i, w := range words {
		before := textAt(words, i-1)
		switch {
		case w.in(policy):
			lasts = true
		case w.in(nowWords):
			return aboutWork
		case w.in("i me ich"), w.text == "you" && before == "would", w.text == "mir":
			agent = true
		case w.in(seeing) && text.OneOf(before, "you we it du ihr") && i > 1:
			facts = true
		}
		fine = fine || w.in(allowed)
		these = these || w.in(theseWords)
		does := isVerb(w.text, errands) && (i == 0 || text.OneOf(before, subjects))
		verb = verb || does || w.in(germanErrands)
	}
	first := words[0].text
	kind := aboutChoice
	if hasWord(words, versioning) && !lasts {
		if agent || these || !text.OneOf(first, asksWay) && !text.OneOf(first, asksWhich) &&
			isErrand(a.Question) {
			return aboutWork
		}
		kind = aboutEither // "which checks block a merge?"
	}
	switch {
	// "Should I update the tests?" is work, and yes to it nothing that lasts.
	case agent && !lasts && (isWork(words) || words[len(words)-1].in(germanWorking)) &&
		!contrasts(words) && !makesSo(words) && saysYesOrNo(answer):
		return aboutWork
	// "Was" begins a question for facts in English only.
	case facts, first == "do" && len(words) > 2 && words[1].text == "you" && words[2].text == "have",
		text.OneOf(first, haveBeen) && !fine && !lasts,
		first == "was" && len(words) > 1 && words[1].in("the it this that there your our any"):
		return aboutFacts
	case lasts, !verb && !isErrand(a.Question):
		return kind
	// "How do we deploy?" asks for a way, "how should I deploy it?" for the next step.
	case agent, these && !text.OneOf(first, asksWay),
		!text.OneOf(first, asksWay) && !text.OneOf(first, asksWhich):
		return aboutWork
	case isErrand(answer) && strings.Count(answer, " ") < 2:
		return aboutWork
	}
	return kind
}

// saysYesOrNo reports whether an answer is a yes or a no, and names nothing else.
func saysYesOrNo(answer string) bool {
	words := splitWords(answer)
	return affirms(answer) || len(words) > 0 && words[0].in("yes no nope not ja nein nee nicht")
}

// lastQuestion returns the last sentence of a question that asks: what stands before it only
// explains.
func lastQuestion(text string) string {
	all := triage.Sentences(text)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Question {
			return all[i].Text
		}
	}
	return text
}

// leavesOpen reports whether an answer of the person takes nothing: a question of their own, or
// words that leave it to the agent. "Skip them" to "should it skip or fail?" does not.
func leavesOpen(question, answer string) bool {
	if all := triage.Sentences(answer); len(all) > 0 && all[len(all)-1].Question || asks(answer) {
		return true
	}
	words := splitWords(answer)
	for i, w := range words {
		next := textAt(words, i+1)
		switch {
		case i > 3:
			return false
		case w.in("not don't") && text.OneOf(next, "sure know care"), w.text == "no" && next == "idea",
			w.text == "you" && text.OneOf(next, "decide choose pick"), w.text == "up" && next == "to" &&
				textAt(words, i+2) == "you",
			w.text == "let" && next == "me", w.text == "let's" && text.OneOf(next, "talk discuss"),
			w.text == "your" && text.OneOf(next, "call choice"),
			w.in("weiß keine") && text.OneOf(next, "nicht ahnung"), w.text == "entscheide" && next == "du",
			i == 0 && w.in("whatever skip wait cancel unsure explain egal warte unsicher erklär "+
				"erkläre") && !w.in(strings.ToLower(question)):
			return true
		}
	}
	return false
}
