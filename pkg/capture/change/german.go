package change

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// germanTurnAt does the work of turnAt for German, where the verb comes second and the rejecting word
// behind it: "Redis nehmen wir nicht mehr".
func germanTurnAt(s sentence, i int) (turn, bool) {
	switch w := s.tokens[i].word; w {
	case "nicht":
		switch {
		case s.is(i+1, "mehr länger"):
			return nichtMehr(s, i)
		case i > 0 && s.is(i-1, "doch"):
			return dochNicht(s, i)
		case i+1 < len(s.tokens):
			if t, ok := sondern(s, i); ok {
				return t, true
			}
			return commaNot(s, i)
		case s.is(i-2, "brauchen brauche wollen will") && germanOwn(s) && !s.is(i-1, "noch jetzt auch"):
			from, _ := germanPhrase(s, i-1, "nicht")
			return turn{cue: "brauchen … nicht", from: from}, isName(from)
		}
	case "kein", "keine", "keinen", "keinem", "keiner":
		return kein(s, i)
	case "doch", "lieber":
		return dochLieber(s, i)
	case "anders":
		if s.is(i+1, "überlegt entschieden") && !germanDenied(s, i) && germanOwn(s) {
			return germanChangedMind(s, i)
		}
	case "meinung":
		if s.is(i-1, "meine unsere") && s.is(i+1, "geändert") && !germanDenied(s, i) {
			return turn{cue: "Meinung geändert", points: true, decided: true, to: after(s, i+2)}, true
		}
	case "zurück":
		if t, ok := kehrenZurück(s, i); ok {
			return t, true
		}
		if has(s.tokens[:i], "nehme nehmen nimm nehmt ziehe ziehen") {
			if t, ok := takenBack(s, i); ok {
				return t, true
			}
			return dasMit(s, i)
		}
		if s.is(i+1, "zu zum zur auf") && !germanDenied(s, i) && (i == 0 || s.tokens[i].breaks ||
			germanOwn(s) || s.is(i-1, "wieder doch also dann bitte")) {
			to, _ := germanPhrase(s, i+2)
			return turn{cue: "zurück zu", to: to}, to != "" && !isArtefact(to)
		}
	case "rückgängig":
		if has(s.tokens[:i], "mach mache machen macht") {
			return takenBack(s, i)
		}
	case "vergiss", "vergesst":
		if from, ok := germanSaidAbout(s, i+1); ok {
			return turn{cue: w + ", was ich … gesagt habe", from: from, decided: true}, !germanDenied(s, i)
		}
		if from, n := germanPhrase(s, i+1); isName(from) && germanLeads(s, i) && !germanDenied(s, i) &&
			(n >= len(s.tokens) || s.tokens[n].breaks || s.is(n, "wir und jetzt")) {
			return turn{cue: w, from: from}, true
		}
		return dasMit(s, i)
	case "vergessen", "lass", "lasst", "lassen":
		return dasMit(s, i)
	case "steigen", "steige", "stellen", "stelle", "wechseln", "wechsle", "ziehen", "migrieren":
		return umsteigen(s, i)
	case "gegen":
		from, n := germanPhrase(s, i+1, "entschieden")
		return turn{cue: "gegen … entschieden", from: from}, isName(from) && s.is(n, "entschieden") &&
			germanOwn(s) && !germanDenied(s, i)
	case "fliegt", "fliegen", "kommt", "kommen", "muss", "müssen", "kann", "soll", "sollen", "darf", "fällt",
		"fallen":
		return mussWeg(s, i)
	case "entfällt":
		from := germanBefore(s, i)
		return turn{cue: w, from: from}, isName(from) && germanEnd(s, i+1)
	case "können", "kannst":
		from := germanBefore(s, i)
		return turn{cue: w + " … vergessen", from: from}, isName(from) && s.is(i+1, "wir du") &&
			s.is(i+2, "vergessen streichen knicken") && germanEnd(s, i+3)
	case "hat", "haben":
		return erledigt(s, i)
	case "mach", "macht":
		return daraus(s, i)
	case "schmeißen", "schmeiße", "werfen", "werfe":
		return werfenRaus(s, i)
	case "wird", "werden":
		return wirdErsetzt(s, i)
	case "statt", "anstatt", "anstelle":
		return statt(s, i)
	case "von", "vom":
		return vonNach(s, i)
	case "durch":
		return durch(s, i)
	case "schluss", "raus", "weg", "abschied", "genug":
		if s.is(i+1, "mit") || (w == "weg" || w == "abschied" || w == "genug") && s.is(i+1, "von vom") {
			from, _ := germanPhrase(s, i+2)
			return turn{cue: w + " " + s.tokens[i+1].word, from: from}, from != "" && !germanDenied(s, i) &&
				(i == 0 || s.tokens[i].breaks || germanOwn(s) || germanLeads(s, i))
		}
	case "verzichten", "verzichte":
		if n := i + 1; (germanOwn(s) || i == 0) && !germanDenied(s, i) {
			n = s.past(n, "ab jetzt künftig in zukunft wir nun lieber doch")
			if s.is(n, "auf") {
				from, _ := germanPhrase(s, n+1)
				return turn{cue: "verzichten auf", from: from}, from != ""
			}
		}
	case "verwerfen", "verwerfe", "streichen", "streiche", "kippen", "kippe", "zurücknehmen", "aufheben":
		return verwerfen(s, i)
	case "war", "waren":
		return warFalsch(s, i)
	case "ist", "sind":
		if t, ok := warFalsch(s, i); ok {
			return t, true
		}
		if n := i + 1; s.is(n, "jetzt nun damit endgültig also") && n+1 < len(s.tokens) {
			return ausDemSpiel(s, i, n+1)
		}
		return ausDemSpiel(s, i, i+1)
	}
	return turn{}, false
}

// germanUses reports whether a word is a verb of those who use, want or keep something.
func germanUses(w string) bool {
	for _, stem := range [...]string{
		"nehm", "nimm", "nutz", "benutz", "verwend", "brauch", "woll", "will", "möcht", "setz", "einsetz",
		"deploy", "unterstütz", "speicher", "schreib", "betreib", "behalt", "folg", "werd", "soll", "mach",
		"arbeit", "bau", "halt", "bleib",
	} {
		if strings.HasPrefix(w, stem) && len(w) <= len(stem)+4 {
			return true
		}
	}
	return false
}

// germanOwn reports whether a sentence speaks of what its speaker does.
func germanOwn(s sentence) bool {
	return has(s.tokens, "wir ich uns mir")
}

// germanLeads reports whether nothing but words that lead in stand before a token.
func germanLeads(s sentence, i int) bool {
	return !slices.ContainsFunc(s.tokens[:i], func(t token) bool {
		return !leadsIn(t.word)
	})
}

const germanLeadIns = "bitte nein ja nee ach also gut dann moment halt stopp eigentlich ab jetzt künftig " +
	"sofort nun doch übrigens und aber"

// germanDenied reports whether something in the clause of a token is turned down: what is
// "nicht zurück zu Redis" is no turn.
func germanDenied(s sentence, i int) bool {
	to := i + 1
	for to < len(s.tokens) && !s.tokens[to].breaks {
		to++
	}
	return slices.ContainsFunc(s.tokens[s.clauseStart(i):to], func(t token) bool {
		return t.word == "nicht" || t.word == "nie" || t.word == "niemals" ||
			strings.HasPrefix(t.word, "kein")
	})
}

// small reports whether a German word names nothing by itself.
func small(w string) bool {
	return text.OneOf(w,
		"der die das den dem des ein eine einen einem einer unser unsere unseren unserem für fürs von vom "+
			"im in ins bei beim am an als auf mit zum zur zu auch mehr nur so also eben halt wohl mal ja "+
			"bitte "+
			"ab sofort mir uns es hier überall künftig zukunft gar komplett ganz vollständig endgültig "+
			"einfach")
}

// germanEnds reports whether a word ends what is named.
func germanEnds(w string) bool {
	switch w {
	case "weil", "denn", "da", "aber", "und", "sondern", "dann", "damit", "jetzt", "nun", "wieder", "nicht",
		"doch", "lieber", "wir", "ich", "stattdessen", "wenn", "falls", "bis", "sein", "bleiben", "um", "ein",
		"raus", "weg", "fallen", "ist", "sind", "war", "waren", "hat", "haben", "kannst", "können", "müssen",
		"sollten", "fliegt", "fliegen", "kommt", "kommen", "muss", "wird", "bitte", "künftig", "umsteigen",
		"wechseln", "ersetzen":
		return true
	}
	return germanUses(w)
}

// germanPhrase returns what is named from a token on, without small words.
func germanPhrase(s sentence, i int, until ...string) (string, int) {
	var words []string
	n := i
	for ; n < len(s.tokens) && (n == i || !s.tokens[n].breaks); n++ {
		w := s.tokens[n].word
		if slices.Contains(until, w) || len(words) > 0 && germanEnds(w) {
			break
		}
		if !small(w) {
			words = append(words, s.text[s.tokens[n].start:s.tokens[n].end])
		}
	}
	if len(words) == 0 || len(words) > 6 || germanEnds(strings.ToLower(words[0])) {
		return "", n
	}
	return strings.Join(words, " "), n
}

// germanBefore returns what is named before a token, since the last punctuation.
func germanBefore(s sentence, end int) string {
	start := end
	for start > 0 && (start == end || !s.tokens[start].breaks) {
		start--
	}
	for start < end && leadsIn(s.tokens[start].word) {
		start++
	}
	if start >= end || end-start > 8 {
		return ""
	}
	from, n := germanPhrase(sentence{text: s.text, tokens: s.tokens[:end]}, start)
	if n != end {
		return ""
	}
	return from
}

// nichtMehr reads "wir nehmen Redis nicht mehr", "Redis nehmen wir nicht mehr", "Redis wird
// nicht mehr benutzt", "bitte nicht mehr Redis verwenden".
func nichtMehr(s sentence, i int) (turn, bool) {
	out := turn{cue: "nicht mehr"}
	if t, ok := habitEnds(s, i); ok {
		return t, true
	}
	verb := -1
	for n := range s.tokens[:i] {
		if w := s.tokens[n].word; germanUses(w) || s.is(n, "gilt gelten ist sind wird antworte") {
			verb = n
			break
		}
	}
	ends := i + 2
	switch {
	case verb < 0: // "bitte nicht mehr Redis nehmen"
		last := len(s.tokens) - 1
		if !germanLeads(s, i) || last <= ends || !germanUses(s.tokens[last].word) {
			return out, false
		}
		out.from, _ = germanPhrase(s, ends)
	case s.is(verb, "gilt gelten"):
		if t, ok := germanDecision(s, verb); ok {
			t.cue = out.cue
			return t, true
		}
		if from, ok := germanSaidAbout(s, 0); ok {
			return turn{cue: out.cue, from: from, decided: true}, true
		}
		out.from, out.decided = germanBefore(s, verb), true
	case s.is(verb, "antworte"):
		out.from, _ = germanPhrase(s, ends)
		return out, verb == 0 && out.from != ""
	case s.is(verb, "wird werden ist sind") && !germanOwn(s):
		if !s.is(ends,
			"benutzt genutzt verwendet gebraucht eingesetzt unterstützt gewünscht gewollt aktuell gültig") {
			return out, false
		}
		out.from = germanBefore(s, verb)
	case !germanDone(s, ends):
		return out, false
	case s.is(verb+1, "wir ich"): // "Redis nehmen wir nicht mehr"
		out.from = germanBefore(s, verb)
		if out.from == "" && verb+2 < i {
			out.from, _ = germanPhrase(s, verb+2)
		}
	case germanOwn(sentence{tokens: s.tokens[:i]}) || germanLeads(s, verb):
		out.from, _ = germanPhrase(s, verb+1)
		if out.from == "" { // "wir nehmen nicht mehr Redis"
			out.from, _ = germanPhrase(s, ends)
		}
	}
	return out, out.from != ""
}

// germanDone reports whether a statement ends at a token. A verb that belongs to it, a reason or its
// subject may still follow. In "nicht mehr ernst" it doesn't end.
func germanDone(s sentence, i int) bool {
	return i >= len(s.tokens) || s.tokens[i].breaks || germanUses(s.tokens[i].word) || s.is(i,
		"für weil denn ab in im bei als und sondern haben ein bitte da so mit")
}

// dochNicht reads "wir nehmen Redis doch nicht" and "doch nicht Redis".
func dochNicht(s sentence, i int) (turn, bool) {
	out := turn{cue: "doch nicht"}
	if i+1 < len(s.tokens) && germanLeads(s, i) {
		out.from, _ = germanPhrase(s, i+1)
		return out, out.from != ""
	}
	uses := func(t token) bool { return germanUses(t.word) }
	if i+1 == len(s.tokens) && !slices.ContainsFunc(s.tokens, uses) {
		out.from = germanBefore(s, i-1) // "Nomad doch nicht"
		return out, out.from != ""
	}
	if i+1 < len(s.tokens) && s.tokens[i+1].breaks && germanBare(s, i-1) {
		out.from = germanBefore(s, i-1) // "Nomad doch nicht, das ist zu langsam"
		return out, isName(out.from)
	}
	for n := range s.tokens[:i] {
		if !germanUses(s.tokens[n].word) || !germanOwn(s) {
			continue
		}
		if s.is(n+1, "wir ich") {
			if out.from = germanBefore(s, n); out.from != "" {
				return out, true
			}
			n++
		}
		out.from, _ = germanPhrase(s, n+1)
		if out.from == "" {
			out.from, _ = germanPhrase(s, i+1)
		}
		return out, out.from != ""
	}
	return out, false
}

// germanBare reports whether a clause has only nouns before a token, and no verb that would be the denied
// one.
func germanBare(s sentence, end int) bool {
	start := s.clauseStart(end - 1)
	for n := max(start, 0); n < end; n++ {
		w := s.tokens[n]
		r, _ := utf8.DecodeRuneInString(s.text[w.start:])
		if !unicode.IsUpper(r) && end-start > 1 && !small(w.word) &&
			!leadsIn(w.word) {
			return false
		}
	}
	return true
}

// kein reads "kein Redis mehr" and "wir nehmen doch kein Redis".
func kein(s sentence, i int) (turn, bool) {
	from, n := germanPhrase(s, i+1, "mehr")
	uses := slices.ContainsFunc(s.tokens[:i], func(t token) bool { return germanUses(t.word) })
	own := germanLeads(s, i) || s.is(i-1, "doch") && s.tokens[i-1].breaks || germanOwn(s) && uses ||
		germanUses(s.tokens[0].word)
	switch {
	case from == "" || !own:
		return turn{}, false
	case s.is(n, "mehr"):
		return turn{cue: "kein … mehr", from: from}, true
	case s.is(i-1, "doch"):
		return turn{cue: "doch kein", from: from}, true
	}
	return turn{}, false
}

// dochLieber reads "doch lieber Postgres", "wir nehmen doch wieder Postgres".
func dochLieber(s sentence, i int) (turn, bool) {
	n := i + 1
	if s.is(i, "lieber") && s.is(i+2, "als") && germanLeads(s, i) {
		from, end := germanPhrase(s, i+3)
		return turn{cue: "lieber … als", from: from, to: s.text[s.tokens[i+1].start:s.tokens[i+1].end]},
			isName(from) && germanEnd(s, end)
	}
	plain := true
	for s.is(n, "lieber wieder besser doch eher") {
		n, plain = n+1, false
	}
	if s.tokens[i].word == "lieber" && plain && !s.is(i-1, "doch") || germanDenied(s, i) {
		return turn{}, false
	}
	uses := slices.ContainsFunc(s.tokens[:i], func(t token) bool { return germanUses(t.word) })
	if !germanLeads(s, i) && !s.tokens[i].breaks && !(uses && germanOwn(s)) {
		return turn{}, false
	}
	to, _ := germanPhrase(s, n)
	return turn{cue: "doch lieber", to: to}, to != "" && !isArtefact(to)
}

// germanChangedMind reads "ich habe es mir anders überlegt", with what it is about and what
// comes instead.
func germanChangedMind(s sentence, i int) (turn, bool) {
	out := turn{cue: "anders überlegt", points: true, decided: true, to: after(s, i+2)}
	for n := range s.tokens[:i] {
		if s.is(n, "bei beim mit wegen zu zum") {
			if from, _ := germanPhrase(s, n+1, "anders"); from != "" {
				out.from, out.points = from, false
			}
		}
	}
	for n := i + 2; n < len(s.tokens); n++ {
		if s.is(n, "zurück", "zu zum auf") {
			out.to, _ = germanPhrase(s, n+2)
		}
	}
	return out, true
}

// dasMit reads "das mit Redis lassen wir", "vergiss das mit Redis", "lassen wir das".
func dasMit(s sentence, i int) (turn, bool) {
	if germanDenied(s, i) {
		return turn{}, false
	}
	cue := s.tokens[i].word
	for n := range s.tokens {
		if s.is(n, "das die", "mit mitm") || s.is(n, "die den", "sache idee plan entscheidung regel",
			"mit zu über von für") {
			at := n + 2
			if !s.is(n, "das die", "mit mitm") {
				at++
			}
			from, end := germanPhrase(s, at, cue)
			return turn{cue: cue + " das mit", from: from, decided: true},
				from != "" && (n < i && end == i || n > i && n <= i+2)
		}
	}
	points := s.is(i+1, "das") && germanLeads(s, i) && len(s.tokens) <= i+3 ||
		s.is(i+1, "wir", "das") && germanLeads(s, i) && len(s.tokens) <= i+4 ||
		s.is(i-1, "das") && s.is(i+1, "wir") && germanLeads(s, i-1) && len(s.tokens) <= i+4
	return turn{cue: cue + " das", points: true}, points
}

// statt reads "statt Redis jetzt Postgres" and "nimm Postgres statt Redis".
func statt(s sentence, i int) (turn, bool) {
	n := s.pastOne(i+1, "von")
	from, end := germanPhrase(s, n)
	now := func(t token) bool {
		return t.word == "jetzt" || t.word == "nun" || t.word == "lieber" || t.word == "künftig" ||
			t.word == "doch" || germanUses(t.word)
	}
	switch {
	case from == "" || germanDenied(s, i):
		return turn{}, false
	case bareBefore(s, i):
		return turn{cue: "statt", from: from, to: s.text[:s.tokens[i].start]}, isName(from)
	case germanLeads(s, i) && end < len(s.tokens) && slices.ContainsFunc(s.tokens[end:], now):
		return turn{cue: "statt", from: from, to: after(s, end)}, true
	case slices.ContainsFunc(s.tokens[:i], now) && (germanOwn(s) || germanLeads(s, 0) &&
		germanUses(s.tokens[0].word) || has(s.tokens[:i], "jetzt künftig lieber")):
		return turn{cue: "statt", from: from, to: s.text[:s.tokens[i].start]}, true
	}
	return turn{}, false
}

// vonNach reads "wir wechseln von Nomad zu Kubernetes", "wir steigen von X auf Y um".
func vonNach(s sentence, i int) (turn, bool) {
	changes := slices.ContainsFunc(s.tokens, func(t token) bool {
		for _, stem := range [...]string{"gewechselt", "umgestiegen", "umgestellt", "umgezogen", "migriert",
			"wechsel", "umsteig", "steig", "umstell", "stell", "migrier", "zieh", "umzieh"} {
			if strings.HasPrefix(t.word, stem) {
				return true
			}
		}
		return false
	})
	if !changes || !germanOwn(s) || germanDenied(s, i) {
		return turn{}, false
	}
	from, n := germanPhrase(s, i+1, "auf", "zu", "zum", "zur", "nach")
	if from == "" || !s.is(n, "auf zu zum zur nach") {
		return turn{cue: "wechseln weg von", from: from}, from != "" && s.is(i-1, "weg")
	}
	to, _ := germanPhrase(s, n+1)
	return turn{cue: "wechseln von … zu", from: from, to: to}, to != "" && !isArtefact(to)
}

// durch reads "wir ersetzen Jest durch Vitest".
func durch(s sentence, i int) (turn, bool) {
	for n := range s.tokens[:i] {
		if strings.HasPrefix(s.tokens[n].word, "ersetz") && !germanDenied(s, i) &&
			(germanOwn(s) || germanLeads(s, n)) {
			if s.is(n+1, "wir ich") {
				n++
			}
			from, end := germanPhrase(s, n+1, "durch")
			to, _ := germanPhrase(s, i+1)
			if n+1 == i { // "Kafka ersetzen wir durch NATS"
				from, end = germanBefore(s, n-1), i
				if !s.is(n, "wir ich") {
					from = ""
				}
			}
			return turn{cue: "ersetzen durch", from: from, to: to}, from != "" && to != "" && end == i
		}
	}
	return turn{}, false
}

// germanNouns are the words for what people decide.
const germanNouns = "entscheidung regel idee vorgabe plan festlegung beschluss vereinbarung"

// germanDecision returns the subject of a decision that a sentence names before a token, or behind it if a
// verb orders something to be done with it: "die Entscheidung für X", "die X-Entscheidung". "diese
// Entscheidung" names no subject, and only points.
func germanDecision(s sentence, verb int) (turn, bool) {
	from, to := 0, verb
	if germanLeads(s, verb) || s.is(verb-1, "wir ich") || s.is(verb+1, "wir ich") && verb == 0 ||
		verb > 0 && s.is(verb+1, "die diese unsere den diesen") {
		to = len(s.tokens)
	}
	for n := from; n < to; n++ {
		word := s.tokens[n].word
		about, joined := "", false
		if i := strings.LastIndexByte(word, '-'); i > 0 {
			about, joined = s.text[s.tokens[n].start:s.tokens[n].start+i], text.OneOf(word[i+1:], germanNouns)
		}
		switch {
		case joined:
			return turn{from: about, decided: true}, true
		case !s.is(n, germanNouns) ||
			!s.is(n-1, "die diese der dieser den diesen unsere unseren meine meinen"):
		case s.is(n+1, "für zu zum zur mit über gegen von wegen bei beim"):
			about, _ = germanPhrase(s, n+2, s.tokens[verb].word, "zurück", "rückgängig", "gilt", "gelten")
			return turn{from: about, decided: true}, about != ""
		default:
			return turn{points: true}, n+1 == verb || n+1 >= len(s.tokens) ||
				s.is(n+1, "zurück rückgängig nicht bitte jetzt wieder") ||
				s.tokens[n+1].breaks
		}
	}
	return turn{}, false
}

// takenBack reads "die Entscheidung für X nehmen wir zurück", "mach die X-Entscheidung
// rückgängig" and "das nehme ich zurück".
func takenBack(s sentence, i int) (turn, bool) {
	if germanDenied(s, i) || !germanEnd(s, i+1) {
		return turn{}, false
	}
	start := s.clauseStart(i)
	for n := start; n < i; n++ {
		if !s.is(n, "nehme nehmen nimm nehmt ziehe ziehen mach mache machen macht") {
			continue
		}
		t, ok := germanDecision(s, n)
		if !ok && i == n+2 && s.is(n-1, "das") && s.is(n, "nehme nehmen ziehe ziehen", "ich wir") &&
			(n-1 == start || germanLeads(s, n-1)) {
			t, ok = turn{points: true}, true
		}
		t.cue = s.tokens[n].word + " … " + s.tokens[i].word
		if t.points {
			t.to = after(s, i+1)
		}
		return t, ok
	}
	return turn{}, false
}

// germanSaidAbout returns what the words "was ich zu X gesagt habe" are about, which stand from a
// token on.
func germanSaidAbout(s sentence, i int) (about string, ok bool) {
	i = s.past(i, "das alles bitte einfach")
	if i >= len(s.tokens) || s.tokens[i].word != "was" ||
		!s.is(i+1, "ich wir", "zu zum zur über von bei mit wegen") {
		return "", false
	}
	const saying = "gesagt entschieden beschlossen geschrieben vereinbart festgelegt"
	about, n := germanPhrase(s, i+3, strings.Fields(saying)...)
	return about, about != "" && s.is(n, saying, "habe haben hab hatte hatten")
}

// verwerfen reads "die Entscheidung für Redis verwerfen wir".
func verwerfen(s sentence, i int) (turn, bool) {
	if germanDenied(s, i) {
		return turn{}, false
	}
	for n := range s.tokens {
		if !s.is(n, germanNouns) {
			continue
		}
		if s.is(n+1, "für zu zum zur mit über gegen von wegen") {
			from, _ := germanPhrase(s, n+2, s.tokens[i].word)
			return turn{cue: "Entscheidung " + s.tokens[i].word, from: from, decided: true}, from != ""
		}
		return turn{cue: "Entscheidung " + s.tokens[i].word, points: true}, s.is(n-1, "diese die das den")
	}
	return turn{}, false
}

// ausDemSpiel reads "Redis ist raus", "die Entscheidung für Redis ist hinfällig".
func ausDemSpiel(s sentence, i, n int) (turn, bool) {
	last := n
	switch {
	case s.is(n, "vom", "tisch"):
		last++
	case !s.is(n, "raus gestorben passé hinfällig geschichte gestrichen obsolet überholt"):
		return turn{}, false
	}
	if last+1 < len(s.tokens) && !s.tokens[last+1].breaks && !s.is(last+1, "weil denn und damit jetzt") {
		return turn{}, false
	}
	from := germanBefore(s, i)
	decided := strings.Contains(strings.ToLower(from), "entscheidung") || strings.Contains(
		strings.ToLower(from), "regel")
	for _, noun := range [...]string{"Entscheidung", "Regel", "Idee"} {
		from = strings.TrimSpace(strings.Replace(from, noun, "", 1))
	}
	return turn{cue: "ist " + s.tokens[n].word, from: from, decided: decided}, from != ""
}

// bareBefore reports whether nothing but a name and what leads in stands before a token:
// "ab heute Redis statt …".
func bareBefore(s sentence, i int) bool {
	first := i
	for first > 0 && (first == i || !s.tokens[first].breaks) {
		first--
	}
	for first < i && (leadsIn(s.tokens[first].word) || s.is(first, "heute morgen")) {
		first++
	}
	return first < i && i-first <= 3 && isName(s.text[s.tokens[first].start:s.tokens[i-1].end])
}

// umsteigen reads "wir steigen auf Redis um" and "wir wechseln zu Redis", which name only
// what comes.
func umsteigen(s sentence, i int) (turn, bool) {
	n := s.past(i+1, "wir ich jetzt nun bei dem der den cache doch wieder")
	if !germanOwn(s) || germanDenied(s, i) || !s.is(n, "auf zu zum zur") {
		return turn{}, false
	}
	to, end := germanPhrase(s, n+1, "um")
	ends := end >= len(s.tokens) || s.tokens[end].breaks
	if s.is(i, "wechseln wechsle migrieren") {
		return turn{cue: "wechseln zu", to: to}, isName(to) && ends
	}
	return turn{cue: "umsteigen auf", to: to}, isName(to) && s.is(end, "um")
}

// germanEnd reports whether a clause ends before a token.
func germanEnd(s sentence, i int) bool {
	return i >= len(s.tokens) || s.tokens[i].breaks || s.is(i, "weil denn und aber bitte damit")
}

// mussWeg reads "Redis fliegt raus", "Redis kommt weg", "Redis muss raus": where it is
// thrown out of may stand between.
func mussWeg(s sentence, i int) (turn, bool) {
	n := s.past(i+1, "jetzt nun endgültig auch hier dann also damit")
	if s.is(n, "nicht", "mehr", "in", "frage") {
		from := germanBefore(s, i)
		return turn{cue: "kommt nicht mehr in Frage", from: from}, from != "" && s.is(i, "kommt kommen")
	}
	if s.is(n, "aus") {
		for n++; n < len(s.tokens) && !s.tokens[n].breaks && !s.is(n, "raus weg"); n++ {
		}
	}
	if !s.is(n, "raus weg") || !germanEnd(s, n+1) {
		return turn{}, false
	}
	from := germanBefore(s, i)
	return turn{cue: s.tokens[i].word + " " + s.tokens[n].word, from: from},
		isName(from) && !germanDenied(s, i)
}

// werfenRaus reads "wir werfen Redis raus" and "Redis werfen wir weg".
func werfenRaus(s sentence, i int) (turn, bool) {
	if !germanOwn(s) || germanDenied(s, i) {
		return turn{}, false
	}
	from, n := "", i+1
	if s.is(n, "wir ich") {
		from, n = germanBefore(s, i), n+1
	}
	if from == "" {
		from, n = germanPhrase(s, n, "raus", "weg")
	}
	return turn{cue: s.tokens[i].word + " raus", from: from},
		isName(from) && s.is(n, "raus weg") && germanEnd(s, n+1)
}

// wirdErsetzt reads "Memcached wird durch Redis ersetzt".
func wirdErsetzt(s sentence, i int) (turn, bool) {
	if !s.is(i+1, "durch") {
		return turn{}, false
	}
	to, n := germanPhrase(s, i+2, "ersetzt", "abgelöst")
	from := germanBefore(s, i)
	return turn{cue: "wird ersetzt", from: from, to: to}, isName(from) && to != "" &&
		s.is(n, "ersetzt abgelöst")
}

// warFalsch reads "Redis war ein Fehler", "Redis war die falsche Wahl".
func warFalsch(s sentence, i int) (turn, bool) {
	n := s.past(i+1, "ein eine die der das wohl doch leider einfach")
	switch {
	case s.is(n, "fehler fehlgriff fehlentscheidung sackgasse"):
	case s.is(n, "falsche schlechte dumme", "wahl idee entscheidung"):
		n++
	default:
		return turn{}, false
	}
	from := germanBefore(s, i)
	return turn{cue: "war " + s.tokens[n].word, from: from, decided: true},
		from != "" && len(tokensOf(from)) <= 3 && germanEnd(s, n+1) && !isArtefact(from) &&
			!germanDenied(s, i)
}

// kehrenZurück reads "wir kehren zu MySQL zurück", where what comes stands before.
func kehrenZurück(s sentence, i int) (turn, bool) {
	if !germanEnd(s, i+1) || !germanOwn(s) || germanDenied(s, i) {
		return turn{}, false
	}
	for n := i - 1; n > 0 && n >= i-4; n-- {
		if s.is(n, "zu zum zur auf") && has(s.tokens[:n], "gehen kehren wechseln gehe") {
			to, end := germanPhrase(s, n+1, "zurück")
			return turn{cue: "zurück zu", to: to}, isName(to) && end == i
		}
	}
	return turn{}, false
}
