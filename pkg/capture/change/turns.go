package change

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/capture/stance"
	"keepsake/pkg/resolve"
)

// A token is a word of a sentence in lower case, with what stands before it.
type token struct {
	word       string
	start, end int  // in the sentence's text
	breaks     bool // punctuation stands before it
}

// A sentence is one that a person said, in words.
type sentence struct {
	text   string
	tokens []token
	asks   bool // it ends with a question mark
}

// hasCue reports whether a statement has a word that every turn has one of. It is all
// that most statements cost.
func hasCue(statement string) bool {
	begins := -1
	for i := 0; i <= len(statement); i++ {
		if i < len(statement) && (statement[i]|0x20 >= 'a' && statement[i]|0x20 <= 'z' ||
			statement[i] >= 0x80) {
			if begins < 0 {
				begins = i
			}
			continue
		}
		if begins >= 0 && i-begins <= longestCue && isCue(statement[begins:i]) {
			return true
		}
		begins = -1
	}
	return false
}

const longestCue = 14

// isCue reports whether a word is one of those that turns are made of.
func isCue(word string) bool {
	var low [longestCue]byte
	for i := range len(word) {
		if low[i] = word[i]; word[i] < 0x80 {
			low[i] |= 0x20
		}
	}
	switch string(low[:len(word)]) {
	case "mind", "minds", "scrap", "scrapped", "scrapping", "drop", "dropped", "dropping", "ditch",
		"ditched", "ditching", "abandon", "abandoned", "abandoning", "forget", "revert", "reverse",
		"reversed", "undo", "cancel", "withdraw", "revoke", "retract", "longer", "anymore", "more", "all",
		"instead", "rather", "switch", "switching", "switched", "move", "moving", "moved", "migrate",
		"migrating", "replace", "replacing", "replaced", "back", "dead", "out", "gone", "off", "obsolete",
		"history", "cancelled", "canceled", "void", "outdated", "nevermind", "strike", "thought", "thoughts",
		"stop", "stopped", "quit", "overrule", "override", "ignore", "disregard", "changed", "change",
		"changing", "invalid", "mistake", "rid", "against", "wrong", "bad", "go", "done", "work", "replaces",
		"roll", "scratch", "return", "returning", "not", "won", "remove", "removing", "mehr", "länger",
		"doch", "lieber", "anders", "meinung", "zurück", "vergiss", "vergesst", "vergessen", "lass", "lasst",
		"lassen", "statt", "anstatt", "anstelle", "wechsel", "wechseln", "wechsle", "umsteigen", "steigen",
		"stellen", "umstellen", "migrieren", "ziehen", "ersetzen", "ersetze", "ersetz", "schluss", "raus",
		"weg", "verzichten", "verzichte", "verwerfen", "verwerfe", "streichen", "streiche", "kippen", "kippe",
		"aufheben", "gestorben", "passé", "hinfällig", "geschichte", "gestrichen", "obsolet", "überholt",
		"tisch", "fehler", "falsche", "schlechte", "umgestiegen", "umgestellt", "gewechselt", "migriert",
		"umgezogen", "um", "auf", "gegen", "ersetzt", "nicht",
		// of forms.go
		"ab", "abgehen", "abgelöst", "abgerückt", "abgeschafft", "abkommen", "ablassen", "ablösen",
		"abolish", "abrücken", "abschaffen", "abschied", "absehen", "actually", "aren", "aufgeben",
		"aufgegeben", "aufgehört", "aufhören", "ausgetauscht", "austauschen", "away", "axe", "axing",
		"backs", "bail", "bailed", "bailing", "banned", "behind", "bleibenlassen", "bye", "company",
		"correction", "cut", "daraus", "decommission", "door", "eingestampft", "einstampfen", "enough",
		"entfern", "entferne", "entfernen", "entfernt", "entfällt", "erledigt", "exchange", "exchanging",
		"farewell", "fällt", "gave", "genug", "getauscht", "getrennt", "give", "given", "giving", "goodbye",
		"isn", "jetzt", "kill", "killing", "korrektur", "künftig", "leaving", "left", "lift", "lifting",
		"los", "lose", "losing", "loswerden", "loszuwerden", "löst", "migrated", "nein", "never", "nix",
		"nixing", "no", "nope", "now", "outgrew", "outgrown", "over", "pivot", "pivoting", "plug",
		"rausgeschmissen", "rausgeworfen", "raushauen", "rausnehmen", "rausschmeißen", "rauswerfen",
		"regret", "rein", "repeal", "rescind", "retire", "retired", "retiring", "revidiere", "revidieren",
		"seinlassen", "shelve", "shelving", "shift", "shifting", "sofort", "stampfe", "stampfen", "streich",
		"strip", "substitute", "substituting", "sunset", "sunsetting", "swap", "swapped", "swapping",
		"tausch", "tausche", "tauschen", "today", "toss", "tossing", "trade", "trading", "transition",
		"transitioning", "trenne", "trennen", "verabschiede", "verabschieden", "verabschiedet", "verworfen",
		"wait", "waive", "rückgängig", "needn", "ways", "weggehen", "wegkommen", "weglassen", "wegmigrieren",
		"wegziehen", "working":
		return true
	}
	return false
}

// sentencesOf cuts a statement. What stands in quotes as code is left out: it is no
// word of the person's.
func sentencesOf(statement string) (out []sentence) {
	statement = withoutCode(statement)
	start := 0
	add := func(end int, asks bool) {
		s := sentence{text: statement[start:end], asks: asks}
		s.tokens = tokensOf(s.text)
		if len(s.tokens) > 0 {
			out = append(out, s)
		}
		start = end
	}
	for i, r := range statement {
		rest := statement[i+utf8.RuneLen(max(r, 0)):]
		switch {
		case r == '\n', r == ';':
			add(i, false)
		case strings.ContainsRune(".!?", r) && (rest == "" ||
			strings.ContainsRune(" \n\t\"')", rune(rest[0]))):
			add(i, r == '?')
		}
	}
	add(len(statement), false)
	return out
}

// withoutCode returns a text with blanks in the place of what stands in backquotes.
func withoutCode(text string) string {
	if strings.Count(text, "`") < 2 {
		return text
	}
	inside := false
	return strings.Map(func(r rune) rune {
		if r == '`' {
			inside = !inside
			return r
		}
		if inside && isWord(r) {
			return ' '
		}
		return r
	}, text)
}

func tokensOf(text string) (out []token) {
	breaks := false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isWord(r) {
			breaks = breaks || strings.ContainsRune(",:()—–", r) || r == '-' && i > 0 && text[i-1] == ' '
			i += size
			continue
		}
		from := i
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			joint := (r == '.' || r == '/' || r == '-' || r == '\'' || r == '’' || r == '_' || r == '@') &&
				i+size < len(text) && isWordAt(text[i+size:])
			if !isWord(r) && !joint {
				break
			}
			i += size
		}
		out = append(out, token{strings.ReplaceAll(strings.ToLower(text[from:i]), "’", "'"), from, i, breaks})
		breaks = false
	}
	return out
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func isWordAt(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isWord(r)
}

// is reports whether the tokens from i on are these words. A word may be several, with
// bars between them.
func (s sentence) is(i int, words ...string) bool {
	if i < 0 || i+len(words) > len(s.tokens) {
		return false
	}
	for n, w := range words {
		if n > 0 && s.tokens[i+n].breaks || !isOneOf(s.tokens[i+n].word, w) {
			return false
		}
	}
	return true
}

// isOneOf reports whether a word is one of those that bars divide.
func isOneOf(w, list string) bool {
	for from := 0; from < len(list); {
		i := strings.Index(list[from:], w)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(w)
		if (i == 0 || list[i-1] == '|') && (from == len(list) || list[from] == '|') {
			return true
		}
	}
	return false
}

// phrase returns the text from a token on, up to punctuation, to one of the words that
// end it, or to the end; and the index of the token behind it.
func (s sentence) phrase(i int, until ...string) (string, int) {
	if i >= len(s.tokens) {
		return "", i
	}
	end := i
	for end < len(s.tokens) && (end == i || !s.tokens[end].breaks) &&
		!slices.Contains(until, s.tokens[end].word) && !endsPhrase(s.tokens[end].word) && !isTime(s, end) {
		end++
	}
	if end == i {
		return "", i
	}
	return s.text[s.tokens[i].start:s.tokens[end-1].end], end
}

// isTime reports whether words at a token say when something is done.
func isTime(s sentence, i int) bool {
	return s.is(i, "soon|immediately|asap|finally") ||
		s.is(i, "this|next", "week|month|quarter|sprint|year|release") || s.is(i, "from", "now|today|here")
}

// endsPhrase reports whether a word begins something else than what is turned down.
func endsPhrase(word string) bool {
	switch word {
	case "because", "since", "as", "so", "but", "and", "then", "if", "when", "until", "which", "while",
		"please", "altogether", "completely", "entirely", "again", "now", "again,", "anymore", "too",
		"it's", "we", "we're", "i", "i'd", "let's":
		return true
	}
	return false
}

// turnsOf returns what a sentence turns down, in each way in which it can be read.
func turnsOf(s sentence) (out []turn) {
	if s.asks || !hasCue(s.text) || isTalk(s) || onlyHere(s) {
		return nil
	}
	places, own := placesOf(s), has(s.tokens, "wir|ich|uns|mir|du|wird|werden")
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

// isTalk reports whether a sentence asks, supposes, reports, or tells what went wrong, and
// so decides nothing.
func isTalk(s sentence) bool {
	words := make([]stance.Word, len(s.tokens))
	for i, t := range s.tokens {
		words[i] = stance.Word{Text: strings.ReplaceAll(t.word, "'", ""),
			Pause: i+1 < len(s.tokens) && s.tokens[i+1].breaks}
	}
	if stance.Supposed(words, s.asks) {
		return true
	}
	first := 0
	for first < len(s.tokens)-1 && slices.Contains(leadIns[:], s.tokens[first].word) {
		first++
	}
	if s.is(first, "do", "not") {
		first++
	}
	if _, ok := saidAbout(s, first); ok || s.is(first, "was", "ich|wir") {
		return false // it is no question
	}
	switch s.tokens[first].word {
	case "what", "why", "how", "who", "where", "which", "should", "could", "can", "would", "is", "are", "do",
		"does", "did", "after", "before", "has", "have", "was", "were", "while", "wer", "wie", "wo", "wann",
		"welche", "sollen", "sollten", "sollte", "können", "könnten", "könnte", "kann", "haben", "hast",
		"würde", "würden", "wollen", "ist", "sind", "nachdem", "bevor":
		return true
	}
	for i := range s.tokens {
		switch s.tokens[i].word {
		case "restart", "restarted", "crash", "crashed", "crashes", "error", "errors", "failing", "consider",
			"yesterday", "gestern", "abgestürzt", "neustart":
			return true
		case "fehler":
			if !s.is(i-1, "ein") { // "Redis war ein Fehler" judges
				return true
			}
		}
	}
	return false
}

// leadIns come before what is said.
var leadIns = [...]string{"ok", "okay", "so", "well", "no", "nope", "actually", "hmm", "hm", "wait", "sorry",
	"please", "oh", "and", "but", "right", "alright", "also", "yes", "yeah", "nah", "then", "argh",
	"look", "listen"}

// denied reports whether what begins at a token is denied: "don't drop", "no need to".
func denied(s sentence, i int) bool {
	for n := i - 1; n >= 0 && n >= i-4; n-- {
		w := s.tokens[n].word
		if w == "not" || w == "never" || w == "without" || strings.HasSuffix(w, "n't") || w == "dont" ||
			w == "cannot" || w == "need" && n > 0 && s.tokens[n-1].word == "no" {
			return true
		}
		if s.tokens[n].breaks {
			break
		}
	}
	return false
}

// told reports whether what begins at a token is told of somebody else, of a program or
// of the past: "the migration drops the table".
func told(s sentence, i int) bool {
	if i == 0 || s.tokens[i].breaks {
		return false
	}
	n := i - 1
	for n >= 0 && slices.Contains([]string{"to", "just", "now", "finally", "simply", "also", "please", "then",
		"and", "rather", "completely", "are", "am"}, s.tokens[n].word) {
		n--
	}
	if n < 0 {
		return false
	}
	if s.is(n, "can") && n > 0 {
		return !s.is(n-1, "we|i|you|team")
	}
	switch w := s.tokens[n].word; w {
	case "we", "i", "we'll", "i'll", "we're", "i'm", "we've", "i've", "let's", "lets", "want", "wants",
		"decided", "should", "will", "going", "gonna", "must", "can", "like", "have", "need", "had", "us",
		"team", "time":
		return false
	default:
		return !slices.Contains(leadIns[:], w)
	}
}

// turnAt reads the turn that begins at a token.
func turnAt(s sentence, i int) (turn, bool) {
	t := s.tokens
	switch w := t[i].word; w {
	case "changed", "change", "changing":
		if s.is(i+1, "my|our", "mind|minds") && !denied(s, i) {
			return changedMind(s, i+3), true
		}
		if from, to, ok := fromTo(s, i+1); ok && w != "changed" && !denied(s, i) && !told(s, i) {
			return turn{cue: w + " from … to", from: from, to: to, of: beforeFrom(s, i+1)}, true
		}
	case "scrap", "scratch", "drop", "ditch", "abandon", "scrapping", "dropping", "ditching",
		"abandoning", "dropped",
		"ditched", "abandoned", "scrapped":
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
		if s.is(n, "for|in") {
			_, n = s.phrase(n)
		}
		return t, ok && (t.decided || n >= len(s.tokens) || chooses(s, n)) // a process is killed, too
	case "remove", "removing":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		from, n := s.phrase(i+1, "from", "for", "in")
		return turn{cue: w, from: from},
			isName(from) && (ends(s, n) || s.is(n, "completely|entirely|altogether|again"))
	case "forget", "ignore", "disregard":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		if from, ok := saidAbout(s, i+1); ok {
			return turn{cue: w + " what I said", from: from, decided: true}, true
		}
		if s.is(i+1, "what", "i|we", "said|decided|agreed") && ends(s, i+4) {
			return turn{cue: w + " what I said", points: true}, true
		}
		if w == "forget" && s.is(i+1, "about") && i+2 < len(t) && !s.is(i+2, "it|that|this") {
			from, _ := s.phrase(i + 2)
			return turn{cue: "forget about", from: from}, from != ""
		}
		if from, n := s.phrase(i+1, "for", "in"); w == "forget" && isName(from) && ends(s, n) {
			return turn{cue: "forget", from: from}, true
		}
		if s.is(i+1, "that|this", nouns) && isAbout(s, i+3) {
			return decision(s, i, w)
		}
		if w == "forget" && s.is(i+1, "that|this") && (ends(s, i+2) || s.is(i+2, nouns)) {
			return turn{cue: "forget that", points: true, to: after(s, i+2)}, true
		}
	case "get", "getting":
		if s.is(i+1, "rid", "of") && !denied(s, i) && !told(s, i) {
			from, _ := s.phrase(i + 3)
			return turn{cue: "get rid of", from: from}, from != ""
		}
	case "against":
		if s.is(i-1, "decided|decide") && !denied(s, i) {
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
		if s.is(n, "that|this", nouns) && !isAbout(s, n+2) || s.is(n, "that|this") && ends(s, n+1) {
			return turn{cue: "never mind that", points: true, to: after(s, n+1)}, true
		}
		if from, end := s.phrase(n); isName(from) && (end >= len(s.tokens) || s.tokens[end].breaks) &&
			!s.is(n, "the") {
			return turn{cue: "never mind", from: from}, true
		}
		if t, ok := decision(s, n-1, "never mind"); ok && t.from != "" {
			return t, true
		}
		if s.is(n, "the", "decision|rule|plan|idea|preference", "on|about|to|of|with") {
			from, _ := s.phrase(n + 3)
			return turn{cue: "never mind", from: from, decided: true}, from != ""
		}
	case "revert", "reverse", "undo", "cancel", "withdraw", "revoke", "retract", "overrule", "override",
		"reversed", "lift", "lifting", "repeal", "waive", "rescind", "abolish":
		if denied(s, i) || told(s, i) {
			return turn{}, false
		}
		if w == "revert" && s.is(i+1, "back|to") {
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
		if s.is(i+1, "that|it", "back", "about|on|with") {
			from, _ := s.phrase(i + 4)
			return turn{cue: "take that back", from: from}, isName(from) && !told(s, i)
		}
		return turn{cue: "take that back", points: true, to: after(s, i+3)},
			i > 0 && (s.tokens[i-1].word == "i" || s.tokens[i-1].word == "we") &&
				s.is(i+1, "that|it", "back") && ends(s, i+3)
	case "on":
		return turn{cue: "on second thought", points: true, to: after(s, i+3)},
			s.is(i+1, "second", "thought|thoughts") && i+3 < len(t) && hasTurn(s, i+3)
	case "no":
		if s.is(i+1, "longer|more") {
			return noLonger(s, i)
		}
		if from, n := s.phrase(i+1, "any"); isName(from) && (s.is(n, "anymore") || s.is(n, "any", "more|longer")) {
			return turn{cue: "no … any more", from: from}, commands(s, i)
		}
	case "not", "don't", "dont", "won't", "isn't", "aren't", "needn't", "never,":
		if s.is(i+1, "working", "out") || s.is(i+1, "working", "for", "us") || s.is(i+1, "cutting", "it") {
			from := before(s, i)
			return turn{cue: w + " " + s.tokens[i+1].word + " " + s.tokens[i+2].word, from: from}, isName(from)
		}
		if t, ok := willNot(s, i); ok {
			return t, true
		}
		if t, ok := commaNot(s, i); ok {
			return t, true
		}
		return notAfterAll(s, i)
	case "stop", "quit", "stopped":
		if s.is(i+1, "using|doing|deploying|relying|supporting|writing|storing|keeping|running") &&
			!denied(s, i) && !told(s, i) {
			n := i + 2
			if s.is(n, "with|on|to|in") {
				n++
			}
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
		if n := i + 1; s.is(n, "away|off") && s.is(n+1, "from|of") || s.is(n, "off") {
			n++
			if s.is(n, "from|of") {
				n++
			}
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
		if s.is(i+1, "to") && (i == 0 || t[i].breaks || s.is(i-1, "go|going|let's|actually|changed")) &&
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
			s.is(i+1, "have|use|go|take|run|keep|see|want|deploy|pick|choose|host|write|build|store|send") &&
			!denied(s, i) {
			if n++; !s.is(n, "on|in|with|via|through|at") {
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
		n := i + 1
		if s.is(n, "to") {
			n++
		}
		if s.is(n, "go") && ends(s, n+1) {
			from := before(s, i)
			return turn{cue: w + " to go", from: from}, isName(from)
		}
	case "done", "finished", "through":
		if s.is(i+1, "with") && s.is(i-1, "we're|i'm|are|am|were") && ownWords(s, i) && !denied(s, i) {
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
		if w == "replaced" && s.is(i+1, "by|with") {
			if !s.is(i-1, "be|is|are|get|gets|been|was|being") || denied(s, i) {
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
			return turn{cue: w + " to", to: to}, isName(to) && (ends(s, n) || s.is(n, "for|in|from"))
		}
	}
	return turn{}, false
}

// isName reports whether a phrase is a name of at most three words: nothing that is done
// with what it names, and no part of it.
func isName(phrase string) bool {
	tokens := tokensOf(phrase)
	return len(tokens) > 0 && len(tokens) <= 3 && !isArtefact(phrase) && names(phrase) &&
		!slices.ContainsFunc(tokens, func(t token) bool {
			switch t.word {
			case "a", "an", "this", "that", "my", "you", "me", "us", "him", "her", "them",
				"error", "errors", "tests", "client", "consumer", "schema", "logs",
				"config", "settings":
				return true
			}
			return false
		})
}

// names reports whether a phrase out of a sentence has a name: its first word's capital
// says as much as that of another.
func names(phrase string) bool { return resolve.PhraseOf("the " + phrase).Names() }

// thanBehind returns where "than" stands behind "rather", 0 for nowhere.
func thanBehind(s sentence, i int) int {
	for n := i + 3; n < len(s.tokens) && n <= i+8 && !s.tokens[n].breaks; n++ {
		if s.is(n, "than") {
			return n
		}
	}
	return 0
}

// saidAbout returns what the words "what I said about X" are about.
func saidAbout(s sentence, i int) (about string, ok bool) {
	if !s.is(i, "what", "i|we", "said|decided|wrote|agreed", "about|on|of|regarding") {
		return "", false
	}
	about, _ = s.phrase(i + 4)
	return about, about != ""
}

// judged reads "X was a mistake", "X turned out to be the wrong choice".
func judged(s sentence, i int) (turn, bool) {
	n := i + 1
	for s.is(n, "really|clearly|just|definitely|probably|simply") {
		n++
	}
	if s.is(n, "a|an|the|our") {
		n++
	}
	switch {
	case s.is(n, "mistake|dead-end"):
	case s.is(n, "bad|wrong|poor|terrible", "idea|choice|call|decision|pick|fit|tool|move"):
		n++
	case s.is(n, "dead", "end"):
		n++
	default:
		return turn{}, false
	}
	end := i
	for end > 0 && (s.is(end-1, "out|to|turned|has|been") || s.is(end-1, "be")) {
		end--
	}
	from := before(s, end)
	return turn{cue: "was a " + s.tokens[n].word, from: from, decided: true},
		from != "" && len(tokensOf(from)) <= 4 && ends(s, n+1) && !isArtefact(from)
}

// nouns are the words for what people decide.
const nouns = "decision|decisions|idea|plan|rule|choice|preference|agreement|convention|policy|constraint|" +
	"requirement|thing"

// ends reports whether a part of the sentence ends before a token.
func ends(s sentence, i int) bool {
	return i >= len(s.tokens) || s.tokens[i].breaks || isTime(s, i) || s.is(i,
		"please|then|again|and|for|let's|we|we'll|i|use|go|instead")
}

// after returns what a sentence says from a token on.
func after(s sentence, i int) string {
	if i >= len(s.tokens) {
		return ""
	}
	return s.text[s.tokens[i].start:]
}

// hasTurn reports whether what follows "on second thought" says no to something.
func hasTurn(s sentence, i int) bool {
	return s.is(i, "no|not|don't|scrap|drop|forget|let's", "not|that|this|it|do|don't") || s.is(i, "no") &&
		ends(s, i+1)
}

// changedMind reads what follows "changed my mind".
func changedMind(s sentence, i int) turn {
	out := turn{cue: "changed my mind", points: true, decided: true}
	if s.is(i, "about|on|regarding") {
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

// dropped reads "scrap X", "drop the idea of X", "scrap that".
func dropped(s sentence, i int) (turn, bool) {
	w := s.tokens[i].word
	switch {
	case s.is(i+1, "that|this|it") && ends(s, i+2) && w != "drop" && w != "dropped" && w != "dropping" &&
		w != "abandoned":
		return turn{cue: w + " that", points: true, to: after(s, i+2)}, true
	case s.is(i+1, "that|this", nouns) && !isAbout(s, i+3):
		return turn{cue: w + " that", points: true, to: after(s, i+3)}, true
	}
	if t, ok := decision(s, i, w); ok {
		return t, true
	}
	from, n := s.phrase(i+1, "for", "in", "from")
	cue := w
	if s.is(n, "in", "favor|favour", "of") {
		to, _ := s.phrase(n + 3)
		return turn{cue: cue, from: from, to: to}, from != ""
	}
	if s.is(n, "from") && !isTime(s, n) ||
		has(tokensOf(from), "that|which|who|is|are|was|would|will|isn't|won't") {
		return turn{}, false // out of something: a part of it is dropped; or a certain one of them
	}
	if to, end := s.phrase(n + 1); s.is(n, "for") && isName(to) && !isDeterminer(s.tokens[n+1].word) &&
		ends(s, end) {
		return turn{cue: cue, from: from, to: to}, from != ""
	}
	if n < len(s.tokens) && !s.tokens[n].breaks && s.is(n, "for|in") && !s.is(n, "for", "now|good|yarn") {
		rest, _ := s.phrase(n)
		from += " " + rest
	}
	return turn{cue: cue, from: from}, from != ""
}

// isAbout reports whether what a decision is about stands at a token.
func isAbout(s sentence, i int) bool {
	return s.is(i, "on|about|to|of|for|regarding|with|against") && !s.is(i, "for", "now|good|today")
}

// decision reads "revert the decision on X", "cancel our rule about X", "undo that
// decision".
func decision(s sentence, i int, w string) (turn, bool) {
	n := i + 1
	if s.is(n, "the|our|my|that|this") {
		n++
	}
	phrase, end := s.phrase(n, strings.Split(nouns, "|")...)
	if phrase != "" && s.is(end, nouns) && end-n <= 4 {
		return turn{cue: w + " the decision", from: phrase, decided: true}, true // the Redis decision
	}
	if s.is(n, "switch|move|change", "to") && s.is(n-1, "the|our") {
		from, _ := s.phrase(n + 2)
		return turn{cue: w + " the switch", from: from}, isName(from)
	}
	if !s.is(n, nouns) {
		return turn{}, false
	}
	if s.is(n+1, "on|about|to|of|for|regarding|with|against|that") {
		from, _ := s.phrase(n + 2)
		if s.is(n+2, "we|i") {
			from = after(s, n+2)
		}
		return turn{cue: w + " the decision", from: from, decided: true}, from != ""
	}
	return turn{cue: w + " that decision", points: true}, s.is(n-1, "that|this") && ends(s, n+1)
}

// uses are verbs of those who use, want or keep something.
const uses = "use|using|want|need|support|deploy|deploying|store|keep|keeping|allow|write|rely|relying|go|" +
	"going|run|running|prefer|do|doing|require|follow|accept|host|adopt|adopting|have|having|stick|sticking|" +
	"stay|staying|continue|continuing|build|building"

// noLonger reads "we no longer use X" and "X is no longer wanted".
func noLonger(s sentence, i int) (turn, bool) {
	if s.is(i+1, "more") { // "no more X"
		from, _ := s.phrase(i + 2)
		return turn{cue: "no more", from: from}, from != "" &&
			(i == 0 || s.tokens[i].breaks || s.is(i-1, "ok|okay|so|actually|please"))
	}
	if t, ok := ruleEnds(s, i, i+2); ok {
		return t, true
	}
	n := i + 2
	if s.is(n, uses) && ownWords(s, i) {
		n++
		if s.is(n, "on|with|to|in") {
			n++
		}
		from, _ := s.phrase(n)
		return turn{cue: "no longer", from: from}, from != ""
	}
	if s.is(n, "used|wanted|our|the|an|valid|applies|apply|holds|hold|in|true|supported|allowed|required") &&
		i > 0 {
		from := before(s, i)
		if s.is(n, "our|the|an|in") &&
			!s.is(n+1, "choice|way|option|rule|plan|database|cache|use|policy|standard|default") {
			return turn{}, false
		}
		return turn{cue: "no longer", from: from}, from != ""
	}
	return turn{}, false
}

// ownWords reports whether a sentence speaks of what its speaker does, before a token.
func ownWords(s sentence, i int) bool {
	return i == 0 || slices.ContainsFunc(s.tokens[:i], func(t token) bool {
		switch t.word {
		case "we", "i", "let's", "we'll", "we're", "we've", "i'll", "i'm", "i've", "i'd", "team":
			return true
		}
		return false
	})
}

// before returns what stands before a token, without the verb "is", since the last
// punctuation.
func before(s sentence, i int) string {
	end := i
	for end > 0 && s.is(end-1, "is|are|was|has|been|being|will|be|am|now|just") {
		end--
	}
	start := end
	for start > 0 && (start == end || !s.tokens[start].breaks) {
		start--
	}
	for start < end && slices.Contains(leadIns[:], s.tokens[start].word) {
		start++
	}
	if start >= end || end-start > 6 {
		return ""
	}
	return s.text[s.tokens[start].start:s.tokens[end-1].end]
}

// commands reports whether a sentence tells somebody to do something, before a token:
// "do not use X", "please don't use X".
func commands(s sentence, i int) bool {
	return !slices.ContainsFunc(s.tokens[:i], func(t token) bool {
		return t.word != "do" && t.word != "just" && t.word != "from" && t.word != "now" && t.word != "on" &&
			!slices.Contains(leadIns[:], t.word)
	})
}

// notAnymore reads "X is not used anymore".
func notAnymore(s sentence, i, n int) (turn, bool) {
	if (n != i+3 || !s.is(i+1, "an|the|our", "option|choice|way|plan|tool|default|standard|idea")) &&
		(n != i+2 || !s.is(i+1, "used|wanted|needed|supported|allowed|required|valid|deployed|in|our|true")) {
		return turn{}, false
	}
	from := before(s, i)
	return turn{cue: "not … any more", from: from}, from != "" &&
		(s.is(i, "isn't|aren't") || s.is(i-1, "is|are|was|be"))
}

// willNot reads "we will not be using X", "we won't use X", "we're not going to use X",
// "we decided not to use X" and "we are not going with X".
func willNot(s sentence, i int) (turn, bool) {
	n := i + 1
	switch {
	case s.is(i, "won't"), s.is(i, "not") && s.is(i-1, "will"):
		if s.is(n, "be") {
			n++
		}
	case s.is(i, "not") && s.is(n, "going", "to"):
		n += 2
	case s.is(i, "not") && s.is(n, "gonna"), s.is(i-1, "decided|agreed|chose|opted", "not") && s.is(n, "to"):
		n++
	case s.is(i, "not|aren't") && s.is(n, "going|sticking|staying|continuing", "with"), s.is(i, "not|aren't") &&
		s.is(n, "keeping"):
	default:
		return turn{}, false
	}
	if !ownWords(s, i) || !s.is(n, uses) {
		return turn{}, false
	}
	n++
	if s.is(n, "with|on|to") {
		n++
	}
	from, end := s.phrase(n, "after", "for", "any")
	ok := isName(from) && (ends(s, end) || s.is(end, "after|for|any|anymore"))
	if s.is(end, "for") {
		rest, _ := s.phrase(end, "any", "after")
		from += " " + rest
	}
	return turn{cue: "will not", from: from}, ok
}

// commaNot reads "Redis, not Memcached" and "it's Kubernetes now, not Nomad", where nothing
// else is said.
func commaNot(s sentence, i int) (turn, bool) {
	if !s.is(i, "not|nicht") || !s.tokens[i].breaks || i == 0 {
		return turn{}, false
	}
	if n := admits(s); n > 0 && n < i { // what was wrong says nothing of what holds
		rest := sentence{text: s.text, tokens: s.tokens[n:], asks: s.asks}
		return commaNot(rest, i-n)
	}
	first := 0
	for first < i && (slices.Contains(leadIns[:], s.tokens[first].word) ||
		slices.Contains(germanLeadIns[:], s.tokens[first].word)) {
		first++
	}
	retold := i-first > 4 && !choosesBefore(s, i)
	if first == i || retold && !retells(s, i) || slices.ContainsFunc(s.tokens[:i],
		func(t token) bool {
			return isOneOf(t.word, "in|a|was|im|ist|war|ein|eine")
		}) {
		return turn{}, false
	}
	for n := range s.tokens[:i] {
		if s.is(n, "is") && !s.is(n-1, "it") {
			return turn{}, false
		}
	}
	n := i + 1
	if s.is(n, "on|with|in|via|through|at|auf|mit|bei") || retold && s.is(n, "to|from|into|by") {
		n++
	}
	from, n := s.phrase(n, "for")
	to := s.text[s.tokens[first].start:s.tokens[i-1].end]
	return turn{cue: "…, not", from: from, to: to, retells: retold}, isName(from) && names(to) &&
		!s.is(n, "that|who|which|der|die|das") && (ends(s, n) || s.is(n, "for"))
}

// notAfterAll reads "not X after all", "we don't use X any more".
func notAfterAll(s sentence, i int) (turn, bool) {
	if t, ok := ruleEnds(s, i, i+1); ok && has(s.tokens[i:], "anymore|any") {
		return t, true
	}
	for n := i + 1; n < len(s.tokens) && n < i+10; n++ {
		switch {
		case s.is(n, "after", "all"):
			if n == i+1 {
				return turn{}, false
			}
			return turn{cue: "not … after all", from: s.text[s.tokens[i+1].start:s.tokens[n-1].end]}, true
		case s.is(n, "anymore") || s.is(n, "any", "more|longer"):
			if t, ok := notAnymore(s, i, n); ok {
				return t, true
			}
			if !ownWords(s, i) && !commands(s, i) || !s.is(i+1, uses+"|answer|speak") {
				return turn{}, false
			}
			at := i + 2
			if s.is(at, "with|on|to") {
				at++
			}
			if at >= n {
				return turn{}, false
			}
			return turn{cue: "not … any more", from: s.text[s.tokens[at].start:s.tokens[n-1].end]}, true
		}
	}
	return turn{}, false
}

// choosesBefore reports whether a sentence chooses something before a token, in the
// words of one who decides.
func choosesBefore(s sentence, i int) bool {
	return slices.ContainsFunc(s.tokens[:i], func(t token) bool {
		switch t.word {
		case "use", "using", "take", "go", "going", "pick", "choose", "prefer", "want", "switch", "deploy",
			"let's", "we'll", "adopt", "run", "host", "stick", "write", "store", "keep", "need", "answer", "speak":
			return true
		}
		return false
	}) && !slices.ContainsFunc(s.tokens[:i], func(t token) bool {
		return t.word == "it" || t.word == "here" || t.word == "this" || t.word == "does" ||
			t.word == "line" || t.word == "shows"
	})
}

// retells reports whether a sentence says before a token what is to be done, with whatever verb:
// its speaker's own plan, or an order. What was done is told.
func retells(s sentence, i int) bool {
	for n, t := range s.tokens[:i] {
		if isOneOf(t.word, "is|are|was|were|been|it|this|that|here|does|did|had|gets|got|shows|should|"+
			"accidentally|they|he|she|you") || denied(s, n) ||
			strings.HasSuffix(t.word, "ed") && !isOneOf(t.word, "decided|agreed|need") {
			return false
		}
	}
	return ownWords(s, i) || i > 2 && !isDeterminer(s.tokens[0].word) && isDeterminer(s.tokens[1].word)
}

// isOut reads "X is dead", "that decision is off".
func isOut(s sentence, i int) (turn, bool) {
	n := i + 1
	for s.is(n, "now|officially|completely|definitely|just|finally|also") {
		n++
	}
	if !s.is(n, "dead|out|gone|off|history|banned|retired|cancelled|canceled|scrapped|dropped|obsolete|void|"+
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
	if s.is(last+1, "again") || !ends(s, last+1) && !s.is(last+1, "because|since|now|too|so|as") {
		return turn{}, false // out of memory, gone from the list, off by one
	}
	if i > 0 && s.is(i-2, "that|this", nouns) && i-2 <= 2 || i > 0 && s.is(i-1, "decision") && i <= 3 &&
		s.is(i-2, "that|this|the") {
		return turn{cue: "that decision is " + s.tokens[n].word, points: true, to: after(s, last+1)}, true
	}
	if s.is(n, "wrong") || s.is(n, "a", "mistake") || s.is(n, "outdated") || s.is(n, "off") &&
		!s.is(n, "off", "the", "table") {
		from := before(s, i)
		for _, noun := range strings.Split(nouns, "|") {
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

// handles reports whether a cue is also the word for work on things: a table is dropped,
// a branch switched.
func handles(cue string) bool {
	switch cue {
	case "no", "not", "don't", "dont", "won't", "isn't", "aren't", "doesn't", "changed", "instead",
		"rather", "stop", "quit", "stopped", "forget", "never", "nevermind":
		return false
	}
	return true
}

// isCode reports whether a phrase has code or a path in it.
func isCode(phrase string) bool {
	if strings.ContainsAny(phrase, "`/\\=(){}[]<>$") {
		return true
	}
	return slices.ContainsFunc(tokensOf(phrase), func(t token) bool {
		base, ending, ok := strings.Cut(t.word, ".")
		return ok && !slices.Contains([]string{"node", "next", "vue", "nuxt"}, base) &&
			!strings.ContainsAny(ending, "0123456789")
	})
}

// headOf returns a phrase up to what it is for or where it is: "Redis" of "Redis for the
// session cache".
func headOf(phrase string) string {
	for i, t := range tokensOf(phrase) {
		switch t.word {
		case "for", "in", "on", "at", "within", "für", "im", "bei", "beim":
			if i > 0 {
				return phrase[:t.start]
			}
		}
	}
	return phrase
}

// isArtefact reports whether a phrase is about a thing that work is done on, which is
// dropped, reverted or switched without any change of mind.
func isArtefact(phrase string) bool {
	if isCode(phrase) {
		return true
	}
	for _, t := range tokensOf(headOf(phrase)) {
		switch t.word {
		case "branch", "branches", "commit", "commits", "change", "changes", "edit", "edits", "table",
			"tables", "column", "columns", "index", "row", "rows", "file", "files", "folder", "directory",
			"function", "method", "class", "variable", "argument", "parameter", "field", "line", "lines",
			"import", "imports", "test", "case", "pr", "migration", "migrations", "container", "containers",
			"pod", "process", "server", "connection",
			"connections", "session", "window", "screen", "page", "view", "task", "todo", "step", "steps",
			"key", "keys", "value", "values", "message", "log", "logs", "print", "comment", "section",
			"paragraph", "sentence", "word", "header", "button", "link",
			"stash", "merge", "pull", "request", "rebase", "build", "job", "run", "instance", "cluster",
			"volume", "image", "packet", "packets", "frame", "frames", "download", "upload", "part", "bit",
			"prefix", "suffix", "draft", "version", "patch", "diff", "flag", "warning", "topic",
			"subject", "previous", "last", "password", "account", "user", "users", "event", "events",
			"database", "dependency", "directory,", "loop", "mutex", "lock", "thread", "queue", "main",
			"master", "develop", "root", "editor", "terminal", "mode", "repo", "repository", "question",
			"work", "original", "beginning", "start":
			return true
		}
	}
	return false
}
