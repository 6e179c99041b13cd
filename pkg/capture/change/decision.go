package change

import (
	"slices"
	"strings"
)

// saidAbout returns what the words "what I said about X" are about.
func saidAbout(s sentence, i int) (about string, ok bool) {
	if !s.is(i, "what", "i we", "said decided wrote agreed", "about on of regarding") {
		return "", false
	}
	about, _ = s.phrase(i + 4)
	return about, about != ""
}

// judged reads "X was a mistake", "X turned out to be the wrong choice".
func judged(s sentence, i int) (turn, bool) {
	n := s.past(i+1, "really clearly just definitely probably simply")
	n = s.pastOne(n, "a an the our")
	switch {
	case s.is(n, "mistake dead-end"):
	case s.is(n, "bad wrong poor terrible", "idea choice call decision pick fit tool move"):
		n++
	case s.is(n, "dead", "end"):
		n++
	default:
		return turn{}, false
	}
	end := i
	for end > 0 && (s.is(end-1, "out to turned has been") || s.is(end-1, "be")) {
		end--
	}
	from := before(s, end)
	return turn{cue: "was a " + s.tokens[n].word, from: from, decided: true},
		from != "" && len(tokensOf(from)) <= 4 && ends(s, n+1) && !isArtefact(from)
}

// changedMind reads what follows "changed my mind".
func changedMind(s sentence, i int) turn {
	out := turn{cue: "changed my mind", points: true, decided: true}
	if s.is(i, "about on regarding") {
		phrase, n := s.phrase(i + 1)
		if !slices.Contains([]string{"that", "this", "it"}, strings.ToLower(phrase)) {
			out.from, out.points = phrase, false
		}
		i = n
	}
	for n := i; n < len(s.tokens); n++ {
		if s.is(n, "back", "to") {
			out.to, _ = s.phrase(n + 2)
			return out
		}
	}
	if out.from == "" {
		out.to = after(s, i)
	}
	return out
}

// dropped reads "scrap X", "drop the idea of X", "scrap that".
func dropped(s sentence, i int) (turn, bool) {
	w := s.tokens[i].word
	switch {
	case s.is(i+1, "that this it") && ends(s, i+2) && w != "drop" && w != "dropped" && w != "dropping" &&
		w != "abandoned":
		return turn{cue: w + " that", points: true, to: after(s, i+2)}, true
	case s.is(i+1, "that this", nouns) && !isAbout(s, i+3):
		return turn{cue: w + " that", points: true, to: after(s, i+3)}, true
	}
	if t, ok := decision(s, i, w); ok {
		return t, true
	}
	from, n := s.phrase(i+1, "for", "in", "from")
	cue := w
	if s.is(n, "in", "favor favour", "of") {
		to, _ := s.phrase(n + 3)
		return turn{cue: cue, from: from, to: to}, from != ""
	}
	if s.is(n, "from") && !isTime(s, n) ||
		has(tokensOf(from), "that which who is are was would will isn't won't") {
		return turn{}, false // out of something: a part of it is dropped; or a certain one of them
	}
	if to, end := s.phrase(n + 1); s.is(n, "for") && isName(to) && !isDeterminer(s.tokens[n+1].word) &&
		ends(s, end) {
		return turn{cue: cue, from: from, to: to}, from != ""
	}
	if n < len(s.tokens) && !s.tokens[n].breaks && s.is(n, "for in") && !s.is(n, "for", "now good yarn") {
		rest, _ := s.phrase(n)
		from += " " + rest
	}
	return turn{cue: cue, from: from}, from != ""
}

// isAbout reports whether what a decision is about stands at a token.
func isAbout(s sentence, i int) bool {
	return s.is(i, "on about to of for regarding with against") && !s.is(i, "for", "now good today")
}

// decision reads "revert the decision on X", "cancel our rule about X", "undo that
// decision".
func decision(s sentence, i int, w string) (turn, bool) {
	n := s.pastOne(i+1, "the our my that this")
	phrase, end := s.phrase(n, strings.Fields(nouns)...)
	if phrase != "" && s.is(end, nouns) && end-n <= 4 {
		return turn{cue: w + " the decision", from: phrase, decided: true}, true // the Redis decision
	}
	if s.is(n, "switch move change", "to") && s.is(n-1, "the our") {
		from, _ := s.phrase(n + 2)
		return turn{cue: w + " the switch", from: from}, isName(from)
	}
	if !s.is(n, nouns) {
		return turn{}, false
	}
	if s.is(n+1, "on about to of for regarding with against that") {
		from, _ := s.phrase(n + 2)
		if s.is(n+2, "we i") {
			from = after(s, n+2)
		}
		return turn{cue: w + " the decision", from: from, decided: true}, from != ""
	}
	return turn{cue: w + " that decision", points: true}, s.is(n-1, "that this") && ends(s, n+1)
}

// isOut reads "X is dead", "that decision is off".
func isOut(s sentence, i int) (turn, bool) {
	n := s.past(i+1, "now officially completely definitely just finally also")
	if !s.is(n, "dead out gone off history banned retired cancelled canceled scrapped dropped obsolete void "+
		"outdated") && !s.is(n, "a", "mistake") && !s.is(n, "wrong") {
		return turn{}, false
	}
	last := n
	switch {
	case s.is(n, "off", "the", "table"):
		last = n + 2
	case s.is(n, "a", "mistake"):
		last = n + 1
	}
	if s.is(last+1, "again") || !ends(s, last+1) && !s.is(last+1, "because since now too so as") {
		return turn{}, false // out of memory, gone from the list, off by one
	}
	if i > 0 && s.is(i-2, "that this", nouns) && i-2 <= 2 || i > 0 && s.is(i-1, "decision") && i <= 3 &&
		s.is(i-2, "that this the") {
		return turn{cue: "that decision is " + s.tokens[n].word, points: true, to: after(s, last+1)}, true
	}
	if s.is(n, "wrong") || s.is(n, "a", "mistake") || s.is(n, "outdated") || s.is(n, "off") &&
		!s.is(n, "off", "the", "table") {
		from := before(s, i)
		for noun := range strings.FieldsSeq(nouns) {
			if strings.HasSuffix(strings.ToLower(from), " "+noun) ||
				strings.Contains(strings.ToLower(from), noun+" ") {
				return turn{cue: "is " + s.tokens[n].word, from: from, decided: true}, true
			}
		}
		return turn{}, false
	}
	from := before(s, i)
	return turn{cue: "is " + s.tokens[n].word, from: from}, from != ""
}
