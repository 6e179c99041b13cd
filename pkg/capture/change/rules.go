package change

import (
	"slices"
	"strings"

	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// ruleEnds reads the end of a rule: "passwords no longer need 12 characters", "X don't have to be Y any
// more", "we no longer release on Thursdays", "releases are not on Thursdays any more". The denial is at
// the token i, and the verb behind it at n. The turn rejects the rule's own words with its subject, as many
// other things need nothing any more.
func ruleEnds(s sentence, i, n int) (turn, bool) {
	cue := "no longer"
	if !s.is(i, "no", "longer") {
		cue = "not … any more"
	}
	subject := before(s, i)
	switch {
	case s.is(n, "need needs require requires", "to", "be have"), s.is(n, "have has", "to", "be have"):
		n += 3
	case s.is(n, "need needs have has", "to"):
		n += 2
	case s.is(n, "must need needs require requires"), s.is(i, "needn't"):
		if n++; strings.HasPrefix(strings.ToLower(subject), "the ") && !numbers(s, n) {
			return turn{}, false // a thing that needs another: no rule
		}
	case s.is(n, "on in at with through via") && (s.is(i-1, "is are") || s.is(i, "isn't aren't")):
		n++
	case (s.is(i-1, "is are") || s.is(i, "isn't aren't")) && isHabit(s.tokens[min(n, len(s.tokens)-1)].word):
	case (s.is(i-1, "is are") || s.is(i, "isn't aren't")) && s.is(n+1, "on in at with through via to") &&
		strings.HasSuffix(s.tokens[n].word, "ed"):
		subject += " " + s.tokens[n].word
		n += 2
	case ownWords(s, i) && n+1 < len(s.tokens) && !s.tokens[n+1].breaks && !s.is(n, uses):
		subject = s.text[s.tokens[n].start:s.tokens[n].end]
		if n++; s.is(n, "on in at with through via to") {
			n++
		}
	default:
		return turn{}, false
	}
	phrase, _ := s.phrase(n, "any")
	t := turn{cue: cue, from: subject + " " + phrase, rule: true, counts: numbers(s, n),
		once: isOnce(s, subject, phrase)}
	return t, subject != "" && phrase != "" && !isCertain(subject) && (names(phrase) || numbers(s, n) ||
		isHabit(phrase) || alike.PhraseOf(t.from).Weight() >= ownRule)
}

// isOnce reports whether a sentence is about a single exception: "the Thursday release is not on Thursday
// any more", or something that is moved to tonight. A plural, as in "on Thursdays", means all times.
func isOnce(s sentence, subject, phrase string) bool {
	for i := range s.tokens {
		if s.is(i, "to till until", "tonight tomorrow today") ||
			s.is(i, "to till until", "this next", "week month monday tuesday wednesday thursday friday") {
			return true
		}
	}
	low := strings.ToLower(phrase)
	return isOccurrence(subject) && isDated(subject) && !strings.HasSuffix(low, "days") &&
		!isOften(low)
}

// isDated reports whether a phrase has a weekday, or points out one of many times.
func isDated(phrase string) bool {
	for _, t := range tokensOf(phrase) {
		if strings.HasSuffix(t.word, "'s") || text.OneOf(t.word, "last next this") ||
			isHabitual(t.word) && !isOften(t.word) {
			return true
		}
	}
	return false
}

// isOften reports whether a phrase has a word for how often something is done.
func isOften(phrase string) bool {
	return slices.ContainsFunc(tokensOf(phrase), func(t token) bool { return text.OneOf(t.word, often) })
}

// often are the words for how often something is done.
const often = "every each daily weekly nightly hourly monthly biweekly jeden jede jedes täglich " +
	"wöchentlich stündlich monatlich nachts"

// ownRule is how much of a rule's own words, none of them a name, must be there to be sure that
// it is meant.
const ownRule = 3

// habitEnds reads "wir mergen nicht mehr mittwochs" and "wir mergen mittwochs nicht mehr".
func habitEnds(s sentence, i int) (turn, bool) {
	end := i
	switch {
	case i+2 < len(s.tokens) && germanEnd(s, i+3) && isHabitual(s.tokens[i+2].word):
	case germanEnd(s, i+2) && i > 0 && isHabitual(s.tokens[i-1].word):
		end--
	default:
		return turn{}, false
	}
	start := 0
	for start < end && !s.is(start, "wir ich") {
		start++
	}
	day := s.tokens[min(i+2, len(s.tokens)-1)].word
	if end < i {
		day = s.tokens[end].word
	}
	from := germanBefore(s, start) // "Releases machen wir nicht mehr montags"
	for n := start + 1; n < end; n++ {
		from += " " + s.text[s.tokens[n].start:s.tokens[n].end]
	}
	return turn{cue: "nicht mehr", from: strings.TrimSpace(from + " " + day), rule: true},
		start < end && strings.TrimSpace(from) != ""
}

// numbers reports whether a number stands at a token, or behind what bounds it.
func numbers(s sentence, i int) bool {
	i = s.past(i, "at least most more less than up to exactly a")
	return i < len(s.tokens) && (s.tokens[i].word[0] >= '0' && s.tokens[i].word[0] <= '9' ||
		alike.IsNumber(s.tokens[i].word))
}

// isCertain reports whether a phrase is of one thing that is pointed to, and of nothing that a
// rule holds for.
func isCertain(phrase string) bool {
	t := tokensOf(phrase)
	if len(t) == 0 {
		return false
	}
	return text.OneOf(t[0].word, "this that these those my it he she they you")
}

// isOccurrence reports whether a phrase is of one time out of many: "the Thursday release", not
// "the Thursday releases".
func isOccurrence(phrase string) bool {
	tokens := tokensOf(headOf(phrase))
	if len(tokens) == 0 {
		return false
	}
	certain := false
	for i, t := range tokens {
		switch {
		case strings.HasSuffix(t.word, "'s"),
			i < len(tokens)-1 && text.OneOf(t.word, "last next this today's yesterday's"):
			return true
		case isHabitual(t.word), text.OneOf(t.word, "the our that"):
			certain = true
		case text.OneOf(t.word, nouns):
			return false
		}
	}
	return certain && !strings.HasSuffix(tokens[len(tokens)-1].word, "s")
}

// isHabit reports whether a text is about something that is done again and again.
func isHabit(text string) bool {
	for _, t := range tokensOf(text) {
		if isHabitual(t.word) {
			return true
		}
	}
	return false
}

// isHabitual reports whether a word stands for how often or on which day something is done.
func isHabitual(w string) bool {
	if text.OneOf(w, often) {
		return true
	}
	for day := range strings.FieldsSeq("monday tuesday wednesday thursday friday saturday sunday " +
		"montag dienstag mittwoch donnerstag freitag samstag sonntag") {
		if rest, ok := strings.CutPrefix(w, day); ok && (rest == "" || rest == "s" || rest[0] == '-' ||
			strings.HasPrefix(rest, "s-")) {
			return true
		}
	}
	return false
}
