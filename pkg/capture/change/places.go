package change

import (
	"slices"
	"strings"

	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// placesOf returns the places and purposes that a sentence limits itself to: "in the demo", "on my laptop",
// "für die Tests". A phrase for the whole project, or for a time, is no such place.
func placesOf(s sentence) (all []string) {
	for i := range s.tokens {
		if !placing(s, i) {
			continue
		}
		var words []string
		for n := i + 1; n < len(s.tokens) && n <= i+6; n++ {
			w := s.tokens[n].word
			word := s.text[s.tokens[n].start:s.tokens[n].end]
			if n > i+1 && s.tokens[n].breaks || endsPlace(w) || len(words) > 0 &&
				alike.PhraseOf(word).Names() {
				break
			}
			if !isDeterminer(w) {
				words = append(words, word)
			}
		}
		if len(words) > 0 && !slices.ContainsFunc(words, isEverywhere) {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}

// placing reports whether a place is named behind a word. Behind "for" it must be a certain thing: "for
// speed" is a reason.
func placing(s sentence, i int) bool {
	next := ""
	if i+1 < len(s.tokens) && !s.tokens[i+1].breaks {
		next = s.tokens[i+1].word
	}
	switch s.tokens[i].word {
	case "in", "on", "within", "inside", "im", "beim", "am", "bei":
		return next != "" && !s.is(i-1, "put bring swap trade log sign check") && !(s.is(i, "in") &&
			s.is(i+1, "favor favour place case order"))
	case "auf", "at":
		return isDeterminer(next)
	case "for", "für":
		for n := i + 1; n < len(s.tokens) && n <= i+3; n++ {
			if isTrial(s.tokens[n].word) {
				return true
			}
		}
		// In German it may be what a memory in English is about.
		return s.is(i, "for") && isDeterminer(next)
	}
	return false
}

// isTrial reports whether a word names what is no part of the work itself.
func isTrial(w string) bool {
	return text.OneOf(w,
		"demo demos test tests testing benchmark benchmarks experiment experiments prototype prototypes "+
			"development debugging local dev example examples beispiel prototyp prototypen entwicklung "+
			"versuch "+
			"vorführung")
}

func isDeterminer(w string) bool {
	return text.OneOf(w,
		"the this that these those a an my your our his her their one some every new der die das den dem "+
			"dieser diese diesen diesem dieses mein meine meinem meinen meiner unser unsere unserem "+
			"unseren ein "+
			"eine einen einem einer")
}

// endsPlace reports whether a word begins something else than a place.
func endsPlace(w string) bool {
	return text.OneOf(w,
		"use using take we i we'll instead rather is are was to from of for in on with than not let's has "+
			"have nehmen nimm nutzen wir ich statt nicht mehr raus weg um zurück ist sind war anymore any "+
			"no "+
			"after but and because weil jetzt now it")
}

// isEverywhere reports whether a word of a place stands for the whole project, or for a time.
func isEverywhere(word string) bool {
	w := strings.ToLower(word)
	switch w {
	case "project", "projects", "repo", "repository", "codebase", "code", "production", "prod", "general",
		"future", "whole", "company", "everything", "everywhere", "team", "end", "fact", "principle", "mind",
		"long", "moment", "beginning", "week", "month", "year", "quarter", "sprint", "table", "way",
		"projekt", "zukunft", "allgemeinen", "produktion", "ganzen", "alles", "prinzip", "ende", "woche",
		"monat", "jahr", "tisch", "frage", "others", "all", "good", "now", "favor":
		return true
	}
	return w[0] >= '0' && w[0] <= '9' || isHabitual(w)
}

// narrows reports whether a turn holds for less than a subject does, since it names a place that the
// subject doesn't. Places within the rejected phrase count, too.
func (t turn) narrows(s Subject) bool {
	return slices.ContainsFunc(t.places, func(place string) bool {
		if strings.Contains(t.from, place) || strings.HasPrefix(t.to, place) {
			return false
		}
		p := alike.PhraseOf(place)
		return p.Weight() > 0 && !p.Names() && alike.GistOf("", s.Title+"\n"+s.Text).Mentions(p) == 0
	})
}

// onlyHere reports whether a sentence limits itself to a part, or to a while.
func onlyHere(s sentence) bool {
	for i := range s.tokens {
		switch {
		case s.is(i, "only just nur bloß") && i+1 < len(s.tokens) && (placing(s, i+1) ||
			s.is(i+1, "local locally lokal here hier the today heute")),
			s.is(i, "locally lokal temporarily today heute vorübergehend") &&
				!s.is(i-1, "ab from as since seit"):
			return true
		}
	}
	return false
}
