package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/text"
)

// Words of a person who takes the agent's advice, as text.OneOf takes them.
const (
	adviceNouns = "recommendation suggestion proposal advice preference empfehlung vorschlag"
	advisedOnes = "recommended suggested proposed preferred empfohlene empfohlenen vorgeschlagene " +
		"vorgeschlagenen"
	youAdvise = "recommend recommended suggest suggested propose proposed prefer empfiehlst empfohlen " +
		"vorschlägst vorgeschlagen"
)

// takesAdvice reports whether a sentence of the person takes what the agent would choose,
// whichever that is: "go with your recommendation", "the recommended one", "wie du empfiehlst".
func takesAdvice(sentence string) bool { return takesAdviceIn(splitWords(sentence)) }

// takesAdviceIn is takesAdvice of the words of a sentence.
func takesAdviceIn(words []word) bool {
	i := 0
	for i < len(words) && (words[i].in(pickOpeners) || isPickVerb(words, i) ||
		i > 0 && words[i].in(leansOn)) {
		i++
	}
	at := func(i int) string { return textAt(words, i) }
	next := 0
	switch {
	case text.OneOf(at(i), "your dein deine deinen deiner deinem") && text.OneOf(at(i+1), adviceNouns):
		next = i + 2
	case text.OneOf(at(i), articles) && text.OneOf(at(i+1), advisedOnes):
		if next = i + 2; text.OneOf(at(next), pickNouns) {
			next++
		}
	case text.OneOf(at(i), "as what wie was") && text.OneOf(at(i+1), "you du"):
		for next = i + 2; next < i+4 && !text.OneOf(at(next), youAdvise); {
			next++
		}
		if !text.OneOf(at(next), youAdvise) {
			return false
		}
		if next++; at(next) == "hast" {
			next++
		}
	default:
		return false
	}
	if next >= len(words) {
		return true
	}
	if words[next-1].ends {
		return !text.OneOf(at(next), "but aber") &&
			(text.OneOf(at(next), pickGoesOn) || text.OneOf(at(next), yesPads) || len(words) > next+1)
	}
	switch w := at(next); {
	case text.OneOf(w, "is looks sounds seems ist klingt finde"):
		return hasWord(words[next+1:min(len(words), next+3)], praise)
	case w == "makes":
		return at(next+1) == "sense"
	}
	return text.OneOf(at(next), yesWords) ||
		text.OneOf(at(next), pickPads+" passt gefällt works because since weil für for")
}

// advised returns what the agent would choose: the option that it recommends, else the words of its advice.
func advised(agent string) (Resolved, bool) {
	if isMenu(agent) {
		return Resolved{}, false
	}
	lists := findLists(agent)
	var said proposal
	for _, s := range slices.Backward(triage.Sentences(agent)) {
		words := splitWords(s.Text)
		from := slices.IndexFunc(words, func(w word) bool {
			return w.in(advising + " vorschlagen empfehlen " + advisedOnes)
		})
		if from < 0 {
			continue
		}
		p := proposal{text: s.Text, reason: contrasts(words), points: true}
		if text, sure, ok := p.option(agent); ok {
			return Resolved{Text: text, Cue: Picked, Sure: sure}, true
		}
		for i := range words { // "I'd go with B", "ich würde B vorschlagen"
			keys, letter, next := readKeys(words, i)
			if len(keys) != 1 || letter && words[i].raw != strings.ToUpper(words[i].raw) ||
				!words[i].ends && next < len(words) &&
					!words[next].in(pickGoesOn+" vorschlagen empfehlen") {
				continue
			}
			if text, sure, ok := (pick{keys: keys, letter: letter, worded: true}).find(agent); ok {
				return Resolved{Text: text, Cue: Picked, Sure: sure}, true
			}
		}
		if text := optionIn(lists, words); text != "" {
			return Resolved{Text: text, Cue: Picked, Sure: !isErrand(text)}, true
		}
		if said.text == "" && !s.Question && from < 4 && !isWork(words) && !isErrand(s.Text) {
			said = p
		}
	}
	for _, l := range slices.Backward(lists) {
		marked := func(o option) bool {
			i := strings.IndexAny(o.text, "(（")
			if i < 0 {
				return false
			}
			words := splitWords(o.text[i:])
			return hasWord(words[:min(len(words), 3)], "recommended empfohlen recommend recommendation")
		}
		if n := slices.IndexFunc(l.options, marked); n >= 0 && !isErrand(l.options[n].text) {
			return Resolved{Text: l.options[n].text, Cue: Picked, Sure: true}, true
		}
	}
	return Resolved{Text: said.text, Cue: Agreed, Sure: said.isChoice()}, said.text != ""
}

// optionIn returns the one option that is named in a sentence, and "" where several are or none.
func optionIn(lists []list, words []word) (found string) {
	for _, l := range slices.Backward(lists) {
		n := 0
		for _, o := range l.options {
			if label := splitWords(o.label()); len(label) > 0 && containsWords(words, label) {
				found = o.text
				n++
			}
		}
		if n == 1 {
			return found
		}
	}
	return ""
}

// containsWords reports whether words stand one behind the other among others.
func containsWords(words, of []word) bool {
	for i := range words {
		if len(words)-i < len(of) {
			return false
		}
		if slices.EqualFunc(words[i:i+len(of)], of, sameText) {
			return true
		}
	}
	return false
}
