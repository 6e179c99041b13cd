package triage

import (
	"strings"
	"unicode/utf8"

	"keepsake/pkg/capture/stance"
	"keepsake/pkg/capture/wording"
	"keepsake/pkg/memory"
)

// A part is the role of a word in a request that points back, such as "don't forget that", "please make a
// note of this" or "merk dir das bitte". A set of parts describes a sentence.
type part uint64

const (
	courtesy     part = 1 << iota // may be there and says nothing
	negates                       // don't, nicht
	forgets                       // forget, vergiss
	remembers                     // remember, merk: alone is enough
	bears                         // keep or bear: in mind
	inMind                        // mind, Kopf
	notes                         // note: of or down
	below                         // of, down
	writes                        // schreib: dir … auf
	saves                         // save, speicher: something named, a kind, or "to memory"
	commits                       // commit, put, add: to memory
	toward                        // to, in: memory
	memories                      // memory, Gedächtnis
	worth                         // worth: remembering
	remembering                   //
	up                            // auf
	holds                         // halt: fest
	fast                          // fest
	thinks                        // denk: dran
	dear                          // dir, euch
	thatThing                     // points back: that
	demonstrates                  // points back, or at something named: this decision
	named                         // decision, fix: a word of kindOf
	lastOne                       // last: thing
	aThing                        // thing, Punkt
	thereof                       // dran, daran: points back too
	whatWas                       // what we decided
	me                            // I, ich
	us                            // we, wir
	thou                          // you, du
	mayYou                        // can, könntest: asks politely
	wants                         // want, möchte
	forThat                       // for, as: before what it is remembered as
	binds                         // in a clause: it, we, is
	german                        // German: the verb may come last, and the object may be left out
)

// partOf returns the parts of a lower-case word; 0 for a word that no request which only points back has.
func partOf(w []byte) part {
	switch string(w) {
	case "please", "ok", "okay", "also", "so", "and", "just", "the", "our", "your", "my", "a", "an", "later",
		"now", "too", "then", "should", "must", "need", "make", "take", "do", "important", "always", "thanks",
		"well", "yes", "good", "great", "one", "there", "all", "about", "on", "have", "future", "reference",
		"mental", "let", "let's", "hey", "perfect", "next", "time", "me", "us", "very", "above", "earlier",
		"before", "out", "bitte", "und", "ja", "die", "der", "den", "unsere", "später", "künftig", "zukunft",
		"mal", "unbedingt", "auch", "dass", "gut", "gleich", "immer", "gerade", "eben", "vorhin", "oben",
		"haben", "habe", "hast", "ab", "mir", "uns":
		return courtesy
	case "discussed", "said", "found", "noticed", "discovered", "figured", "told", "wrote", "written",
		"explained", "mentioned", "realized", "realised", "saw", "concluded", "besprochen", "gelernt",
		"gesagt", "gefunden", "herausgefunden", "erklärt", "festgestellt", "bemerkt", "entdeckt",
		"geschrieben", "erzählt", "erwähnt", "vereinbart", "ausgemacht":
		return courtesy
	case "to", "in", "into", "im", "ins":
		return toward
	case "for", "as", "für", "als":
		return forThat
	case "is", "are", "it's", "they", "he", "she", "there's", "ist", "sind", "sie", "er":
		return binds
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
	case "mind", "kopf", "hinterkopf":
		return inMind
	case "memory", "gedächtnis":
		return inMind | memories
	case "save", "record":
		return saves
	case "speicher", "speichere", "speichern", "abspeichern", "sichere", "sichern":
		return saves | german
	case "commit", "put", "add", "store":
		return commits
	case "worth", "wert":
		return worth
	case "remembering", "noting", "keeping":
		return remembering
	case "last", "letzte", "letzten":
		return lastOne
	case "thing", "point", "bit", "part", "punkt":
		return aThing
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
	case "this", "that", "these", "those", "that's", "dies", "dieses", "diese", "diesen":
		return thatThing | demonstrates
	case "it", "das", "es":
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
	if kindOf(w) != "" {
		return named
	}
	return 0
}

// kindOf returns the category that people call by this lower-case word, or "".
func kindOf(w []byte) memory.Category {
	switch string(w) {
	case "decision", "decisions", "decided", "choice", "agreed", "chose", "settled",
		"entscheidung", "entscheidungen", "entschieden", "beschluss", "beschlossen":
		return memory.Decision
	case "preference", "preferences", "convention", "conventions", "rule", "rules",
		"regel", "regeln", "konvention", "konventionen", "vorgabe", "vorgaben", "vorliebe":
		return memory.Preference
	case "constraint", "constraints", "limit", "limits", "limitation", "limitations", "restriction",
		"restrictions", "grenze", "grenzen", "einschränkung", "einschränkungen", "beschränkung":
		return memory.Constraint
	case "fix", "fixes", "workaround", "workarounds", "solution", "runbook", "lesson", "lessons", "learning",
		"learnings", "learned", "learnt", "lösung", "lösungen", "erkenntnis", "erkenntnisse", "abhilfe":
		return memory.Runbook
	case "debt", "schulden", "altlast", "altlasten":
		return memory.TechDebt
	}
	return ""
}

// NamedKind returns the category that a request names, as "remember that decision" names a decision, or "".
func NamedKind(request string) memory.Category {
	if language := wording.Of(request); language != wording.None {
		request = wording.English(language, request)
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(request), func(r rune) bool {
		return r < utf8.RuneSelf && !stance.IsWordByte(byte(r))
	}) {
		if kind := kindOf([]byte(w)); kind != "" {
			return kind
		}
	}
	return ""
}

// asksBack reports whether a sentence asks to remember what was said before it. It may hold only a verb of
// remembering, words that point back and courtesies, and then perhaps "as" or "for" something. "I'll keep
// that in mind" and "you forgot that" do not ask, and "don't forget that Go is compiled" points at nothing.
func (l *listener) asksBack(st statement) bool {
	if len(l.tokens) == 0 || len(l.tokens) > longestPointer {
		return false
	}
	var has, before, as part
	bare := false         // "you remember", "what I remember": a statement, unless something asks
	own := false          // "I": also a statement, except in "I want you to remember that"
	tail, others := -1, 0 // the word behind the last "as" or "for", and how many unknown words there are
	for i, t := range l.tokens {
		var into [maxWord]byte
		word := l.lowerWord(st, i, &into)
		if word == nil {
			return false
		}
		p := partOf(word)
		if t.id == idColon && i == len(l.tokens)-1 {
			continue // the next line has what it introduces
		}
		switch {
		case p&forThat != 0 && has&(thatThing|thereof|named|whatWas) != 0:
			tail, as, others = i+1, 0, 0
		case p == 0 && tail >= 0 && t.id != idColon && !t.start:
			others++
		case p == 0:
			return false
		case tail >= 0:
			as |= p
		}
		if p&memories != 0 && has&toward == 0 {
			p &^= memories // "add memory limits"
		}
		own = own || p&me != 0 && has&whatWas == 0
		bare = bare || p&(remembers|forgets|bears|saves) != 0 && before&(thou|us|me) != 0 &&
			has&(mayYou|wants|negates) == 0
		before = p
		has |= p
	}
	if has&binds != 0 || others > maxAs || others > 0 && as&(me|us|thou|whatWas) != 0 {
		return false
	}
	return has.asksBack(as, bare || own && has&thou == 0, st.question)
}

// maxAs is how many words may follow "as": "as a team rule".
const maxAs = 2

// asksBack reports whether a sentence with these parts asks back. as has the parts of the words behind "as"
// or "for".
func (has part) asksBack(as part, bare, question bool) bool {
	all := func(parts part) bool { return has&parts == parts }
	pointed := has&(thatThing|thereof|whatWas|named) != 0 || all(lastOne|aThing)
	// "Save it" is said of files. To count, what is saved must be named or go to memory.
	saved := has&saves != 0 && (all(demonstrates|named) || has&whatWas != 0 || as&named != 0 ||
		has&memories != 0 || all(german|named))
	keeps := has&remembers != 0 || all(bears|inMind) || all(notes|below) || all(writes|up|dear) ||
		all(holds|fast) || all(thinks|thereof) || saved || all(commits|memories) || all(worth|remembering)
	negated := has&negates != 0
	switch {
	case has&forgets != 0 && !negated, has&forgets == 0 && (negated || !keeps):
		return false
	case has&us != 0 && has&whatWas == 0, !pointed && has&german == 0 && !all(worth|remembering):
		return false
	}
	return !bare && (!question || has&mayYou != 0)
}

// asksAbroad reports whether a statement asks to remember something, in a language whose words this package
// does not have, and whether it asks back as in asksBack. It is heard as what it says in English.
func (l *listener) asksAbroad(st statement) (asked, back bool) {
	language := wording.Of(st.text)
	if language == wording.None {
		return false, false
	}
	english := wording.English(language, string(st.text))
	remembers := strings.Contains(english, "remember") || strings.Contains(english, "forget")
	last := strings.HasSuffix(strings.TrimRight(english, " .!。！"), " remember that")
	if !remembers && !strings.Contains(english, "note this down") {
		return false, false
	}
	english = strings.Replace(english, "remember, what ", "remember that ", 1) // Russian has a comma there
	st.text = []byte(english)
	st.mask = mask(nil, st.text)
	l.read(st.mask)
	back = l.asksBack(st)
	verbLast := last && !back && !st.question && (language == wording.Japanese || language == wording.Korean)
	return verbLast || remembers && l.isRequest(st), back
}
