package change

// noLonger reads "we no longer use X" and "X is no longer wanted".
func noLonger(s sentence, i int) (turn, bool) {
	if s.is(i+1, "more") { // "no more X"
		from, _ := s.phrase(i + 2)
		return turn{cue: "no more", from: from}, from != "" &&
			(i == 0 || s.tokens[i].breaks || s.is(i-1, "ok okay so actually please"))
	}
	if t, ok := ruleEnds(s, i, i+2); ok {
		return t, true
	}
	n := i + 2
	if s.is(n, uses) && ownWords(s, i) {
		n++
		n = s.pastOne(n, "on with to in")
		from, _ := s.phrase(n)
		return turn{cue: "no longer", from: from}, from != ""
	}
	if s.is(n, "used wanted our the an valid applies apply holds hold in true supported allowed required") &&
		i > 0 {
		from := before(s, i)
		if s.is(n, "our the an in") &&
			!s.is(n+1, "choice way option rule plan database cache use policy standard default") {
			return turn{}, false
		}
		return turn{cue: "no longer", from: from}, from != ""
	}
	return turn{}, false
}

// notAnymore reads "X is not used anymore".
func notAnymore(s sentence, i, n int) (turn, bool) {
	if (n != i+3 || !s.is(i+1, "an the our", "option choice way plan tool default standard idea")) &&
		(n != i+2 || !s.is(i+1, "used wanted needed supported allowed required valid deployed in our true")) {
		return turn{}, false
	}
	from := before(s, i)
	return turn{cue: "not … any more", from: from}, from != "" &&
		(s.is(i, "isn't aren't") || s.is(i-1, "is are was be"))
}

// willNot reads "we will not be using X", "we won't use X", "we're not going to use X",
// "we decided not to use X" and "we are not going with X".
func willNot(s sentence, i int) (turn, bool) {
	n := i + 1
	switch {
	case s.is(i, "won't"), s.is(i, "not") && s.is(i-1, "will"):
		n = s.pastOne(n, "be")
	case s.is(i, "not") && s.is(n, "going", "to"):
		n += 2
	case s.is(i, "not") && s.is(n, "gonna"), s.is(i-1, "decided agreed chose opted", "not") && s.is(n, "to"):
		n++
	case s.is(i, "not aren't") && s.is(n, "going sticking staying continuing", "with"),
		s.is(i, "not aren't") &&
			s.is(n, "keeping"):
	default:
		return turn{}, false
	}
	if !ownWords(s, i) || !s.is(n, uses) {
		return turn{}, false
	}
	n++
	n = s.pastOne(n, "with on to")
	from, end := s.phrase(n, "after", "for", "any")
	ok := isName(from) && (ends(s, end) || s.is(end, "after for any anymore"))
	if s.is(end, "for") {
		rest, _ := s.phrase(end, "any", "after")
		from += " " + rest
	}
	return turn{cue: "will not", from: from}, ok
}

// commaNot reads "Redis, not Memcached" and "it's Kubernetes now, not Nomad", where nothing
// else is said.
func commaNot(s sentence, i int) (turn, bool) {
	if !s.is(i, "not nicht") || !s.tokens[i].breaks || i == 0 {
		return turn{}, false
	}
	if n := admits(s); n > 0 && n < i { // what was wrong says nothing of what holds
		rest := sentence{text: s.text, tokens: s.tokens[n:], asks: s.asks}
		return commaNot(rest, i-n)
	}
	first := 0
	for first < i && leadsIn(s.tokens[first].word) {
		first++
	}
	retold := i-first > 4 && !choosesBefore(s, i)
	if first == i || retold && !retells(s, i) || has(s.tokens[:i], "in a was im ist war ein eine") {
		return turn{}, false
	}
	for n := range s.tokens[:i] {
		if s.is(n, "is") && !s.is(n-1, "it") {
			return turn{}, false
		}
	}
	n := i + 1
	if s.is(n, "on with in via through at auf mit bei") || retold && s.is(n, "to from into by") {
		n++
	}
	from, n := s.phrase(n, "for")
	to := s.text[s.tokens[first].start:s.tokens[i-1].end]
	return turn{cue: "…, not", from: from, to: to, retells: retold}, isName(from) && names(to) &&
		!s.is(n, "that who which der die das") && (ends(s, n) || s.is(n, "for"))
}

// notAfterAll reads "not X after all", "we don't use X any more".
func notAfterAll(s sentence, i int) (turn, bool) {
	if t, ok := ruleEnds(s, i, i+1); ok && has(s.tokens[i:], "anymore any") {
		return t, true
	}
	for n := i + 1; n < len(s.tokens) && n < i+10; n++ {
		switch {
		case s.is(n, "after", "all"):
			if n == i+1 {
				return turn{}, false
			}
			return turn{cue: "not … after all", from: s.text[s.tokens[i+1].start:s.tokens[n-1].end]}, true
		case s.is(n, "anymore") || s.is(n, "any", "more longer"):
			if t, ok := notAnymore(s, i, n); ok {
				return t, true
			}
			if !ownWords(s, i) && !commands(s, i) || !s.is(i+1, uses+" answer speak") {
				return turn{}, false
			}
			at := s.pastOne(i+2, "with on to")
			if at >= n {
				return turn{}, false
			}
			return turn{cue: "not … any more", from: s.text[s.tokens[at].start:s.tokens[n-1].end]}, true
		}
	}
	return turn{}, false
}
