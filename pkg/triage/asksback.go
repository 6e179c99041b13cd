package triage

// A part is what a word does in a request that points back: "don't forget that", "please make
// a note of this", "merk dir das bitte". Sets of them say what a sentence has.
type part uint32

const (
	courtesy  part = 1 << iota // may stand there and says nothing
	negates                    // don't, nicht
	forgets                    // forget, vergiss
	remembers                  // remember, merk: by itself
	bears                      // keep or bear: in mind
	inMind                     // mind, Kopf
	notes                      // note: of or down
	below                      // of, down
	writes                     // schreib: dir … auf
	up                         // auf
	holds                      // halt: fest
	fast                       // fest
	thinks                     // denk: dran
	dear                       // dir, euch
	thatThing                  // what points back: that, the decision
	thereof                    // dran, daran: points back as well
	whatWas                    // what we decided
	me                         // I, ich
	us                         // we, wir
	thou                       // you, du
	mayYou                     // can, könntest: asks politely
	wants                      // want, möchte
	german                     // the verb may be at the end, and what is to be remembered understood
)

// partOf says what a lower case word does; 0 where a request that only points has no such word.
func partOf(w []byte) part {
	switch string(w) {
	case "please", "ok", "okay", "also", "so", "and", "just", "the", "our", "your", "my", "a", "an", "to", "for",
		"later", "now", "too", "then", "should", "must", "need", "make", "take", "do", "in", "important",
		"always", "thanks", "well", "yes", "good", "great", "one", "thing", "point", "there", "all", "about",
		"on", "have", "decided", "agreed", "discussed", "said", "learned", "chose", "settled", "memory",
		"future", "reference", "mental", "let", "let's", "hey", "perfect", "next", "time",
		"bitte", "und", "ja", "im", "die", "der", "den", "unsere", "für", "später", "künftig", "zukunft", "mal",
		"unbedingt", "auch", "haben", "entschieden", "besprochen", "gelernt", "dass", "gut", "gleich", "immer":
		return courtesy
	case "don't", "dont", "not", "never":
		return negates
	case "nicht", "nie":
		return negates | german
	case "forget":
		return forgets
	case "vergiss", "vergesst", "vergessen":
		return forgets | german
	case "remember", "memorize", "memorise":
		return remembers
	case "merk", "merke", "merken", "merkt", "merkst", "notier", "notiere", "notieren":
		return remembers | german
	case "keep", "bear":
		return bears
	case "behalt", "behalte", "behalten":
		return bears | german
	case "mind", "kopf", "gedächtnis", "hinterkopf":
		return inMind
	case "note", "jot":
		return notes
	case "of", "down":
		return below
	case "schreib", "schreibe":
		return writes | german
	case "auf":
		return up
	case "halt", "halte":
		return holds | german
	case "fest":
		return fast
	case "denk", "denke":
		return thinks | german
	case "dir", "euch", "sich":
		return dear
	case "this", "that", "it", "these", "those", "decision", "decisions", "rule", "rules", "fix", "workaround",
		"convention", "preference", "constraint", "lesson", "limit", "limitation",
		"das", "dies", "dieses", "diese", "diesen", "es", "entscheidung", "entscheidungen", "regel", "regeln",
		"konvention", "vorgabe", "einschränkung", "lösung", "erkenntnis":
		return thatThing
	case "dran", "daran":
		return thereof
	case "what", "was":
		return whatWas
	case "i", "ich":
		return me
	case "we", "wir":
		return us
	case "you", "du":
		return thou
	case "can", "could", "would", "will", "kannst", "könntest", "würdest":
		return mayYou
	case "want", "möchte":
		return wants
	}
	return 0
}

// asksBack reports whether a sentence asks for what was said before it to be remembered, in
// whichever words: it has nothing but a verb of remembering, what points back, and courtesies.
// "I'll keep that in mind" and "you forgot that" ask for nothing, and "don't forget that Go is
// compiled" points at nothing.
func (l *listener) asksBack(st statement) bool {
	if len(l.tokens) == 0 || len(l.tokens) > longestPointer {
		return false
	}
	var has, before part
	bare := false // "you remember": tells, where nothing asks
	for i, t := range l.tokens {
		var word [maxWord]byte
		n := 0
		for _, c := range st.mask[t.from:t.to] {
			if c == filler {
				continue
			}
			if n == len(word) {
				return false
			}
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			word[n] = c
			n++
		}
		p := partOf(word[:n])
		if t.id == idColon && i == len(l.tokens)-1 {
			continue // what follows is said in the next line
		}
		if p == 0 {
			return false
		}
		bare = bare || p&(remembers|forgets|bears) != 0 && before&thou != 0 &&
			has&(mayYou|wants|negates) == 0
		before = p
		has |= p
	}
	all := func(parts part) bool { return has&parts == parts }
	keeps := has&remembers != 0 || all(bears|inMind) || all(notes|below) || all(writes|up|dear) ||
		all(holds|fast) || all(thinks|thereof)
	negated := has&negates != 0
	switch {
	case has&forgets != 0 && !negated, has&forgets == 0 && (negated || !keeps):
		return false
	case has&(thatThing|thereof|whatWas|german) == 0:
		return false
	case has&me != 0 && has&thou == 0, has&us != 0 && has&whatWas == 0, bare, st.question && has&mayYou == 0:
		return false
	}
	return true
}
