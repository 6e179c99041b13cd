package change

import "strings"

// turnsOf returns what a sentence rejects, one turn for each way to read it.
func turnsOf(s sentence) (out []turn) {
	if s.asks || !hasCue(s.text) || isTalk(s) || onlyHere(s) {
		return nil
	}
	places, own := placesOf(s), has(s.tokens, "wir ich uns mir du wird werden")
	below := false // in a clause that only says when, how or whether something is so
	for i := askedUntil(s); i < len(s.tokens); i++ {
		if s.tokens[i].breaks {
			below = false
		}
		if below {
			continue
		}
		below = subordinates(s, i)
		t, ok := turnAt(s, i)
		if !ok {
			t, ok = leftAt(s, i)
		}
		if !ok {
			t, ok = germanTurnAt(s, i)
		}
		if !ok {
			t, ok = separable(s, i, own)
		}
		t.occurs = t.to == "" && !t.decided && (t.once || !t.rule && !strings.Contains(t.cue, "more") &&
			!strings.Contains(t.cue, "longer") && isOccurrence(t.from))
		t.places, t.opens = places, strings.HasPrefix(strings.TrimLeft(s.text, " "), t.from)
		if ok && !isCode(t.from) && (t.decided || !handles(s.tokens[i].word) || !isArtefact(t.from)) {
			out = append(out, t)
		}
	}
	return out
}

// turnAt reads the turn that begins at a token.
func turnAt(s sentence, i int) (turn, bool) {
	t := s.tokens
	switch w := t[i].word; w {
	case "changed", "change", "changing":
		if s.is(i+1, "my our", "mind minds") && !denied(s, i) {
			return changedMind(s, i+3), true
		}
		if from, to, ok := fromTo(s, i+1); ok && w != "changed" && !denied(s, i) && !told(s, i) {
			return turn{cue: w + " from … to", from: from, to: to, of: beforeFrom(s, i+1)}, true
		}
	case "scrap", "scratch", "drop", "ditch", "abandon", "scrapping", "dropping", "ditching", "abandoning",
		"dropped", "ditched", "abandoned", "scrapped":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		return dropped(s, i)
	case "kill", "killing", "nix", "nixing", "lose", "losing", "retire", "retiring", "toss", "tossing",
		"sunset", "sunsetting", "axe", "axing", "shelve", "shelving", "decommission":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		t, ok := dropped(s, i)
		_, n := s.phrase(i+1, "for", "in")
		if s.is(n, "for in") {
			_, n = s.phrase(n)
		}
		return t, ok && (t.decided || n >= len(s.tokens) || chooses(s, n)) // a process is killed, too
	case "remove", "removing":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		from, n := s.phrase(i+1, "from", "for", "in")
		return turn{cue: w, from: from},
			isName(from) && (ends(s, n) || s.is(n, "completely entirely altogether again"))
	case "forget", "ignore", "disregard":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		if from, ok := saidAbout(s, i+1); ok {
			return turn{cue: w + " what I said", from: from, decided: true}, true
		}
		if s.is(i+1, "what", "i we", "said decided agreed") && ends(s, i+4) {
			return turn{cue: w + " what I said", points: true}, true
		}
		if w == "forget" && s.is(i+1, "about") && i+2 < len(t) && !s.is(i+2, "it that this") {
			from, _ := s.phrase(i + 2)
			return turn{cue: "forget about", from: from}, from != ""
		}
		if from, n := s.phrase(i+1, "for", "in"); w == "forget" && isName(from) && ends(s, n) {
			return turn{cue: "forget", from: from}, true
		}
		if s.is(i+1, "that this", nouns) && isAbout(s, i+3) {
			return decision(s, i, w)
		}
		if w == "forget" && s.is(i+1, "that this") && (ends(s, i+2) || s.is(i+2, nouns)) {
			return turn{cue: "forget that", points: true, to: after(s, i+2)}, true
		}
	case "get", "getting":
		if s.is(i+1, "rid", "of") && !denied(s, i) && !told(s, i) {
			from, _ := s.phrase(i + 3)
			return turn{cue: "get rid of", from: from}, from != ""
		}
	case "against":
		if s.is(i-1, "decided decide") && !denied(s, i) {
			from, _ := s.phrase(i + 1)
			return turn{cue: "decided against", from: from}, from != ""
		}
	case "strike":
		return turn{cue: "strike that", points: true, to: after(s, i+2)},
			s.is(i+1, "that") && ends(s, i+2) && !told(s, i)
	case "never", "nevermind":
		n := i + 1
		if w == "never" {
			if !s.is(i+1, "mind") {
				return turn{}, false
			}
			n++
		}
		if s.is(n, "that this", nouns) && !isAbout(s, n+2) || s.is(n, "that this") && ends(s, n+1) {
			return turn{cue: "never mind that", points: true, to: after(s, n+1)}, true
		}
		if from, end := s.phrase(n); isName(from) && (end >= len(s.tokens) || s.tokens[end].breaks) &&
			!s.is(n, "the") {
			return turn{cue: "never mind", from: from}, true
		}
		if t, ok := decision(s, n-1, "never mind"); ok && t.from != "" {
			return t, true
		}
		if s.is(n, "the", "decision rule plan idea preference", "on about to of with") {
			from, _ := s.phrase(n + 3)
			return turn{cue: "never mind", from: from, decided: true}, from != ""
		}
	case "revert", "reverse", "undo", "cancel", "withdraw", "revoke", "retract", "overrule", "override",
		"reversed", "lift", "lifting", "repeal", "waive", "rescind", "abolish":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		if w == "revert" && s.is(i+1, "back to") {
			n := i + 2
			if s.is(i+1, "back", "to") {
				n++
			}
			to, _ := s.phrase(n, "from")
			return turn{cue: "revert to", to: to}, to != "" && !isArtefact(to)
		}
		return decision(s, i, w)
	case "take":
		if from, ok := saidAbout(s, i+2); ok && s.is(i+1, "back") && !told(s, i) && !denied(s, i) {
			return turn{cue: "take back what I said", from: from, decided: true}, true
		}
		if s.is(i+1, "that it", "back", "about on with") {
			from, _ := s.phrase(i + 4)
			return turn{cue: "take that back", from: from}, isName(from) && !told(s, i)
		}
		return turn{cue: "take that back", points: true, to: after(s, i+3)},
			i > 0 && (s.tokens[i-1].word == "i" || s.tokens[i-1].word == "we") &&
				s.is(i+1, "that it", "back") && ends(s, i+3)
	case "on":
		return turn{cue: "on second thought", points: true, to: after(s, i+3)},
			s.is(i+1, "second", "thought thoughts") && i+3 < len(t) && hasTurn(s, i+3)
	case "no":
		if s.is(i+1, "longer more") {
			return noLonger(s, i)
		}
		if from, n := s.phrase(i+1, "any"); isName(from) &&
			(s.is(n, "anymore") || s.is(n, "any", "more longer")) {
			return turn{cue: "no … any more", from: from}, commands(s, i)
		}
	case "not", "don't", "dont", "won't", "isn't", "aren't", "needn't", "never,":
		if s.is(i+1, "working", "out") || s.is(i+1, "working", "for", "us") || s.is(i+1, "cutting", "it") {
			from := before(s, i)
			return turn{cue: w + " " + s.tokens[i+1].word + " " + s.tokens[i+2].word, from: from},
				isName(from)
		}
		if t, ok := willNot(s, i); ok {
			return t, true
		}
		if t, ok := commaNot(s, i); ok {
			return t, true
		}
		return notAfterAll(s, i)
	case "stop", "quit", "stopped":
		if s.is(i+1, "using doing deploying relying supporting writing storing keeping running") &&
			!denied(s, i) && !told(s, i) {
			n := s.pastOne(i+2, "with on to in")
			from, _ := s.phrase(n)
			return turn{cue: w + " " + t[i+1].word, from: from}, from != ""
		}
	case "switch", "switching", "move", "moving", "migrate", "migrating", "switched", "moved":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		if from, to, ok := fromTo(s, i+1); ok {
			return turn{cue: w + " from … to", from: from, to: to, of: beforeFrom(s, i+1)}, true
		}
		if n := i + 1; s.is(n, "away off") && s.is(n+1, "from of") || s.is(n, "off") {
			n++
			n = s.pastOne(n, "from of")
			from, _ := s.phrase(n, "to")
			return turn{cue: w + " away from", from: from}, from != ""
		}
		if s.is(i+1, "back", "to") {
			to, _ := s.phrase(i+3, "from")
			return turn{cue: w + " back to", to: to}, to != "" && !isArtefact(to)
		}
		if s.is(i+1, "to") && (w == "switch" || w == "switching" || w == "switched" && ownWords(s, i)) {
			to, _ := s.phrase(i+2, "from", "for", "instead")
			return turn{cue: w + " to", to: to}, to != "" && !isArtefact(to)
		}
	case "replace", "replacing", "swap", "swapping", "swapped", "trade", "trading", "exchange", "exchanging",
		"substitute", "substituting":
		if !denied(s, i) && !told(s, i) {
			return exchanged(s, i)
		}
	case "back":
		if s.is(i+1, "to") && (i == 0 || t[i].breaks || s.is(i-1, "go going let's actually changed")) &&
			!denied(s, i) {
			to, _ := s.phrase(i+2, "from")
			return turn{cue: "back to", to: to}, to != "" && !isArtefact(to)
		}
	case "instead":
		if t, ok := insteadBehind(s, i); ok {
			return t, true
		}
		if t, ok := insteadFirst(s, i); ok {
			return t, true
		}
		if s.is(i+1, "of") && (choosesBefore(s, i) || bareBefore(s, i)) {
			from, _ := s.phrase(i + 2)
			return turn{cue: "instead of", from: from, to: s.text[:t[i].start]},
				isName(from) || from != "" && choosesBefore(s, i)
		}
		if from, _ := s.phrase(i + 2); s.is(i+1, "of") && isHabit(from) && isHabit(s.text[:t[i].start]) {
			return turn{cue: "instead of", from: from, to: s.text[:t[i].start]}, ownWords(s, i)
		}
		if from, _ := s.phrase(i + 2); s.is(i+1, "of") && isName(from) && retells(s, i) {
			return turn{cue: "instead of", from: from, to: s.text[:t[i].start], retells: true}, true
		}
	case "rather":
		if n := thanBehind(s, i); n > 0 &&
			s.is(i+1, "have use go take run keep see want deploy pick choose host write build store send") &&
			!denied(s, i) {
			if n++; !s.is(n, "on in with via through at") {
				n--
			}
			from, _ := s.phrase(n + 1)
			return turn{cue: "rather … than", from: from, to: s.text[s.tokens[i+2].start:s.tokens[n].start]},
				from != ""
		}
		if n := thanBehind(s, i-1); n > 0 && commands(s, i) {
			from, _ := s.phrase(n + 1)
			to := s.text[s.tokens[i+1].start:s.tokens[n-1].end]
			return turn{cue: "rather … than", from: from, to: to}, isName(from) && isName(to)
		}
		if s.is(i+1, "than") && choosesBefore(s, i) {
			from, _ := s.phrase(i + 2)
			return turn{cue: "rather than", from: from, to: s.text[:t[i].start]}, from != ""
		}
	case "is", "are", "was", "were":
		if t, ok := judged(s, i); ok {
			return t, true
		}
		return isOut(s, i)
	case "turned":
		if s.is(i+1, "out", "to", "be") {
			return judged(s, i+3)
		}
	case "has", "must", "needs", "gotta":
		n := s.pastOne(i+1, "to")
		if s.is(n, "go") && ends(s, n+1) {
			from := before(s, i)
			return turn{cue: w + " to go", from: from}, isName(from)
		}
	case "done", "finished", "through":
		if s.is(i+1, "with") && s.is(i-1, "we're i'm are am were") && ownWords(s, i) && !denied(s, i) {
			from, n := s.phrase(i + 2)
			return turn{cue: w + " with", from: from}, isName(from) && ends(s, n)
		}
	case "didn't", "doesn't", "did":
		n := i + 1
		if w == "did" && s.is(n, "not") {
			n++
		}
		if s.is(n, "work", "out") || s.is(n, "cut", "it") || s.is(n, "work", "for", "us") && ends(s, n+3) {
			from := before(s, i)
			return turn{cue: "didn't work out", from: from}, from != ""
		}
		if w == "doesn't" {
			return notAfterAll(s, i)
		}
	case "replaces", "replaced":
		if w == "replaced" && s.is(i+1, "by with") {
			if !s.is(i-1, "be is are get gets been was being") || denied(s, i) {
				return turn{}, false
			}
			to, _ := s.phrase(i + 2)
			from := before(s, i)
			return turn{cue: "replaced by", from: from, to: to}, isName(from) && to != ""
		}
		from, n := s.phrase(i + 1)
		to := before(s, i)
		return turn{cue: w, from: from, to: to}, isName(from) && isName(to) && (ends(s, n) || s.is(n, "as"))
	case "roll":
		if s.is(i+1, "back") && !denied(s, i) && !told(s, i) {
			return decision(s, i+1, "roll back")
		}
	case "return", "returning":
		if s.is(i+1, "to") && !denied(s, i) && !told(s, i) {
			to, n := s.phrase(i+2, "for", "in", "from")
			return turn{cue: w + " to", to: to}, isName(to) && (ends(s, n) || s.is(n, "for in from"))
		}
	}
	return turn{}, false
}

// thanBehind returns where "than" stands behind "rather", 0 for nowhere.
func thanBehind(s sentence, i int) int {
	for n := i + 3; n < len(s.tokens) && n <= i+8 && !s.tokens[n].breaks; n++ {
		if s.is(n, "than") {
			return n
		}
	}
	return 0
}

// hasTurn reports whether the text behind "on second thought" rejects something.
func hasTurn(s sentence, i int) bool {
	return s.is(i, "no not don't scrap drop forget let's", "not that this it do don't") || s.is(i, "no") &&
		ends(s, i+1)
}

// fromTo reads "from X to Y".
func fromTo(s sentence, i int) (from, to string, ok bool) {
	for n := i; n < len(s.tokens) && n <= i+4; n++ {
		if s.tokens[n].breaks {
			return "", "", false
		}
		if s.tokens[n].word != "from" {
			continue
		}
		from, n = s.phrase(n+1, "to", "over")
		if s.is(n, "over", "to") {
			n++
		}
		if from == "" || !s.is(n, "to") {
			return "", "", false
		}
		to, _ = s.phrase(n + 1)
		return from, to, to != "" && !isArtefact(to)
	}
	return "", "", false
}

// beforeFrom returns what stands from a token on before "from".
func beforeFrom(s sentence, i int) string {
	for n := i + 1; n < len(s.tokens) && !s.is(i, "from"); n++ {
		if s.is(n, "from") {
			return s.text[s.tokens[i].start:s.tokens[n-1].end]
		}
	}
	return ""
}
