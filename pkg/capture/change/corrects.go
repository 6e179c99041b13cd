package change

import "keepsake/pkg/capture/cues"

// Corrects reports whether a person who says this after the agent did something corrects it: says that it
// was wrong, or turns against it. A "no" that only goes with its noun ("no worries", "no need to wait") and a
// word that is denied ("nothing is wrong") correct nothing.
func Corrects(said string) bool {
	for _, s := range sentencesOf(readable(said)) {
		if (cues.Find(s.text).Has(cues.Correction) || len(turnsOf(s)) > 0) && !s.reassures() {
			return true
		}
	}
	return false
}

// Words of reassurance.
const (
	// answered are the words before which "no" is an answer, although no comma stands there.
	answered = "that thats that's this it its it's you your youre you're i im i'm we lets let's they there " +
		"do dont don't did didnt didn't use never not just please revert undo stop nope wait actually the " +
		"das du ich wir bitte nicht nimm lass"
	// harmless is what somebody denies who is content.
	harmless = "problem problems worry worries issue issues concern concerns mistake mistakes error errors " +
		"rush hurry thanks danke problem"
)

// reassures reports whether the cue of a correction in a sentence means none there.
func (s sentence) reassures() bool {
	t := s.tokens
	i := 0
	for i < len(t)-1 && has(t[i:i+1], "ok okay well oh ah hm hmm") {
		i++
	}
	next := i+1 < len(t) && !t[i+1].breaks // a word that goes with this one
	switch {
	case s.is(i, "no nein"):
		if next && !has(t[i+1:i+2], answered) || i+1 < len(t) && has(t[i+1:i+2], harmless) {
			return !s.corrects(i + 2)
		}
	case s.is(i, "wait stop"):
		return next && has(t[i+1:i+2], "for here until till there at") ||
			s.is(i+1, "one a", "more second moment sec")
	case s.is(i, "nothing none"):
		return true
	case s.is(i, "i", "already"):
		return !has(t[i+2:min(len(t), i+3)], "told said asked mentioned explained")
	case s.is(i, "i", "said asked meant"):
		return has(t[i+2:], "thanks thank sorry yes hello")
	case s.is(i, "why", "did are", "you"):
		return has(t[i+3:min(len(t), i+5)], "choose chose pick prefer decide")
	}
	for k, x := range t {
		if has(t[k:k+1], harmless) && k > 0 && has(t[max(0, k-3):k], "not no isn't isnt my") {
			return true
		}
		if x.word == "still" && s.is(k+1, "not") && !has(t[:k], "it that this you") {
			return !s.corrects(k + 2)
		}
	}
	return false
}

// corrects reports whether a sentence has a cue of a correction behind its first words.
func (s sentence) corrects(from int) bool {
	if from >= len(s.tokens) {
		return false
	}
	rest := s.tokens[from]
	before := ""
	if !rest.breaks { // else a clause begins, and what opens it counts
		before = "x "
	}
	return cues.Find(before + s.text[rest.start:]).Has(cues.Correction)
}
