package alike

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// A piece is one word of a sentence in its place. Unlike clauses, sentences of pieces keep their verbs and
// prepositions, which show the roles of other words.
type piece struct {
	root  string
	role  role
	class string  // of a value: the unit of a quantity, "weekday", a kind of tool; or ""
	name  bool    // written like a name
	stop  bool    // a stop word
	unit  float64 // of a quantity with a known unit: its size
}

// role is the role of a piece in its sentence.
type role uint8

const (
	plainWord  role = iota
	quantity        // a number with its unit, in the smallest unit of its kind
	bareNumber      // a number without a unit: a port, a version, or the name of a thing
	verb
	copula      // precedes what something is: "is", "called", a colon
	preposition //
	purpose     // precedes what something is chosen for: "for"
)

// A sentence is the list of its pieces, without articles, pronouns and words such as "please".
type sentence []piece

// maxPieces is the length of the longest sentence that is compared; a longer one is more than a choice.
const maxPieces = 24

// sentencesOf returns the sentences of a text, except long ones and questions.
func sentencesOf(text string) (all []sentence) {
	var now sentence
	asks, long := false, false
	cut := func() {
		if len(now) > 0 && !asks && !long {
			all = append(all, now)
		}
		now, asks, long = nil, false, false
	}
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsDigit(c):
			n := numberLength(text[i:])
			now = append(now, piece{root: text[i : i+n], role: bareNumber})
			i += n
			continue
		case isTermRune(c):
			n := termLength(text[i:])
			now.add(text[i:i+n], inAddress(text[:i], text[i+n:]))
			i += n
			continue
		case c == '\n' || strings.ContainsRune(".!?;", c) && endsSentence(text[i+size:]):
			asks = c == '?'
			cut()
		case c == ':':
			now = append(now, piece{root: ":", role: copula})
		case c == '%':
			now = append(now, piece{root: "percent"})
		}
		if len(now) > maxPieces {
			now, long = now[:maxPieces], true
		}
		i += size
	}
	cut()
	for i := range all {
		all[i] = all[i].withoutDeciding().joined().nouns().measured()
	}
	return all
}

// staying is the class of "stays", which is "is" except for durations.
const staying = "staying"

// joined returns a sentence with "times out" as the timeout that it is.
func (s sentence) joined() sentence {
	for i := 0; i+1 < len(s); i++ {
		if (s[i].root == "time" || s[i].root == "timed") && s[i+1].root == "out" {
			s[i].root = "timeout"
			s = slices.Delete(s, i+1, i+2)
		}
	}
	return s
}

// withoutDeciding returns a sentence without the words at its beginning that say that it was decided: "we
// decided to", "we agreed that", "wir haben beschlossen,".
func (s sentence) withoutDeciding() sentence {
	rest := s
	if len(rest) > 1 && (rest[0].root == "haben" || rest[0].root == "hab" || rest[0].root == "have") {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return s
	}
	switch rest[0].root {
	case "decid", "decided", "agre", "agree", "agreed", "want", "plan", "settl", "settled", "entschieden",
		"beschlossen", "vereinbart", "entschlossen":
	default:
		return s
	}
	rest = rest[1:]
	if rest[0].role == preposition {
		if rest[0].root != "to" && rest[0].root != "on" {
			return s
		}
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return s
	}
	return rest
}

// numberLength returns the length in bytes of the number with which a text begins: "30", "1.21", "8:30", and
// the "v" of "17v".
func numberLength(text string) int {
	for i, c := range text {
		if unicode.IsDigit(c) || unicode.IsLetter(c) {
			continue
		}
		if strings.ContainsRune(".,:", c) && i+1 < len(text) && '0' <= text[i+1] && text[i+1] <= '9' {
			continue
		}
		return i
	}
	return len(text)
}

// add adds a word.
func (s *sentence) add(said string, address bool) {
	low := strings.Trim(text.Lower(said), "'_")
	p := piece{root: low}
	switch low {
	case "", "a", "an", "the", "we", "i", "you", "our", "my", "your", "us", "please", "always", "now",
		"will", "shall", "should", "must", "to", "der", "die", "das", "den", "dem", "des", "ein", "eine",
		"einen", "einem", "wir", "ich", "ihr", "unser", "unsere", "unseren", "bitte", "immer", "jetzt",
		"soll", "sollen", "muss", "müssen", "remember", "that", "and", "then", "so", "dass", "und":
		if low != "to" || len(*s) == 0 {
			return
		}
		p.role = preposition
	case "is", "are", "be", "called", "named", "was", "ist", "sind", "heißt", "heißen", "means", "happen",
		"happens": // "deploys happen on Tuesdays" says when they are
		p = piece{root: "is", role: copula}
	case "stays", "remains", "stay", "remain", "bleiben", "bleibt":
		p = piece{root: "is", role: copula, class: staying}
	case "for", "für", "when", "wenn", "if", "falls":
		p = piece{root: "for", role: purpose}
	case "in", "on", "at", "with", "from", "by", "via", "through", "into", "within", "every", "auf",
		"mit", "aus", "von", "bei", "im", "am", "zum", "zur", "zu", "per", "über", "nach", "after", "before",
		"vor", "as", "als", "of", "until", "bis", "jeden", "jede":
		p.role = preposition
	default:
		if n, ok := numberWords()[low]; ok {
			p = piece{root: n, role: bareNumber}
			break
		}
		_, size := utf8.DecodeRuneInString(said)
		p.stop = text.IsStopWord([]byte(low))
		p.root, p.name = verbForm(termRoot(low)), address || strings.Contains(low, "_") ||
			strings.ContainsFunc(said[size:], unicode.IsUpper) ||
			len(*s) > 0 && strings.ContainsFunc(said, unicode.IsUpper)
		if p.root == "" {
			return
		}
		if plain := isPlainWord(p.root); !plain || p.name {
			p.class = classOf(p.root, low)
			p.name = p.name || kindOf(p.root) != ""
		}
		switch {
		case strings.ContainsFunc(said, unicode.IsDigit):
			p.name = true
		case p.class == "" && isVerb(low, p.root) && (len(*s) == 0 || !p.name):
			p.role = verb
		}
	}
	*s = append(*s, p)
}

// verbForm returns one form for verb forms that do not share a stem.
func verbForm(root string) string {
	switch root {
	case "kept", "keep":
		return "keep"
	case "sent", "send":
		return "send"
	case "written", "writ", "writt", "write", "wrote":
		return "writ"
	case "built", "build":
		return "build"
	case "ran", "run", "runn":
		return "run"
	}
	return root
}

// isVerb reports whether a word is a verb of an action: one that choices are stated with, or one that looks
// like a verb.
func isVerb(low, root string) bool {
	switch root {
	case "keep", "send", "writ", "build", "run", "us", "use", "store", "stor", "host", "live", "liv", "go",
		"goe", "come", "com", "need", "have", "has", "had", "deploy", "ship", "merg", "merge", "expire",
		"expir", "allow", "limit", "return", "take", "put", "read", "log", "report", "bill", "charg", "sign",
		"retry", "retri", "own", "answer", "end", "begin", "stay", "lie", "get", "set", "ask", "format",
		"lint", "test", "wird", "werden", "läuft", "laufen", "liegt", "liegen", "nutzt", "nutzen",
		"verwendet", "verwenden", "speichert", "speichern", "kommt", "kommen", "geht", "gehen", "schreibt",
		"schreiben", "hat", "haben", "braucht", "brauchen", "deployen", "hosten", "hostet", "steht", "stehen",
		"zahlt", "zahlen":
		return true
	}
	if allowsMany(root) {
		return true
	}
	switch low {
	case "uses", "using", "lives", "gets", "wird", "werden", "läuft", "liegt", "nutzt", "nutzen", "verwenden",
		"verwendet", "speichern", "speichert", "schreiben", "kommen", "geht", "gehen", "haben", "hat",
		"laufen", "liegen", "schreibt", "kommt", "braucht", "brauchen", "hosten", "deployen", "zahlt",
		"zahlen", "stehen":
		return true
	}
	return len(low) > 5 && strings.HasSuffix(low, "ed")
}

// numberWords are written-out numbers with their digits. Above twenty there are only the tens.
var numberWords = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	list := func(step int, all string) {
		for i, w := range strings.Fields(all) {
			words[w] = strconv.Itoa(step * (i + 1))
		}
	}
	list(1, "one two three four five six seven eight nine ten eleven twelve "+
		"thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	list(1, "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf "+
		"dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn")
	list(10, "ten twenty thirty forty fifty sixty seventy eighty ninety")
	list(10, "zehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
	return words
})

// IsNumber reports whether a word in lower case is a written-out number.
func IsNumber(word string) bool {
	_, ok := numberWords()[word]
	return ok
}

// classOf returns the set of alternatives to which a word belongs, or "" if none is known.
func classOf(root, low string) string {
	switch low {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mondays", "tuesdays",
		"wednesdays", "thursdays", "fridays", "saturdays", "sundays", "montag", "dienstag", "mittwoch",
		"donnerstag", "freitag", "samstag", "sonntag", "montags", "dienstags", "mittwochs", "donnerstags",
		"freitags":
		return "weekday"
	case "hourly", "daily", "nightly", "weekly", "monthly", "yearly", "stündlich", "täglich", "nächtlich",
		"wöchentlich", "monatlich", "jährlich":
		return "frequency"
	case "linux", "windows", "macos", "ios", "android", "chrome", "firefox", "safari":
		return "platform" // what runs on one may run on another too
	}
	switch kind := kindOf(root); kind {
	case "database", "cache", "search engine":
		return "store"
	case "infrastructure", "configuration":
		return "provisioning"
	default:
		return kind
	}
}

// unitOf returns the kind of a unit, and its size in the smallest unit of that kind; 0 if it is no unit.
func unitOf(root string) (kind string, size float64) {
	for _, u := range units {
		if text.OneOf(root, u.roots) {
			return u.kind, u.size
		}
	}
	return "", 0
}

var units = [...]struct {
	kind  string
	size  float64
	roots string
}{
	{"time", 0.001, "ms"},
	{"time", 1, "sec sekund sekunden sekunde"},
	{"time", 60, "min minut minuten minute"},
	{"time", 3600, "hour h stund stunden stunde"},
	{"time", 86400, "day tag tage tagen"},
	{"time", 7 * 86400, "week woch wochen woche"},
	{"time", 30 * 86400, "month monat monate monaten"},
	{"time", 365 * 86400, "year jahr jahre jahren"},
	{"size", 1 << 10, "kb kib"},
	{"size", 1 << 20, "mb mib"},
	{"size", 1 << 30, "gb gib"},
	{"size", 1 << 40, "tb tib"},
}

// nouns turns verbs before a verb or behind a number into the nouns that they are there: "builds run", "needs
// two reviews".
func (s sentence) nouns() sentence {
	does := false
	for i := range s {
		switch {
		case s[i].role == copula:
			does = true
		case s[i].role != verb:
		case i+1 < len(s) && (s[i+1].role == verb || s[i+1].role == copula),
			i > 0 && s[i-1].role == bareNumber && (does || i == len(s)-1):
			s[i].role = plainWord
		default:
			does = true
		}
	}
	return s
}

// measured joins numbers with their units.
func (s sentence) measured() (out sentence) {
	for i := 0; i < len(s); i++ {
		p := s[i]
		if p.role != bareNumber {
			out = append(out, p)
			continue
		}
		n, suffix := p.root, ""
		if cut := strings.IndexFunc(n, unicode.IsLetter); cut > 0 { // 30s
			n, suffix = n[:cut], termRoot(strings.ToLower(n[cut:]))
		}
		value, err := strconv.ParseFloat(strings.ReplaceAll(n, ",", ""), 64)
		if err != nil {
			p.name = true // 1.2.3: a version
			out = append(out, p)
			continue
		}
		next := suffix
		if next == "" && i+1 < len(s) && s[i+1].role == plainWord {
			next = s[i+1].root
		}
		kind, size := unitOf(next)
		label := len(out) > 0 && out[len(out)-1].role == plainWord && !isMeasure(out[len(out)-1].root)
		switch {
		case size > 0:
			p = piece{root: strconv.FormatFloat(value*size, 'g', -1, 64) + kind, role: quantity, class: kind,
				unit: size}
		case next != "" && suffix == "" && !label && !s[i+1].name:
			p = piece{root: strconv.FormatFloat(value, 'g', -1, 64) + " " + next, role: quantity, class: next}
		default:
			out = append(out, p)
			continue
		}
		out = append(out, p)
		if suffix == "" {
			i++
		}
	}
	return out
}

// isMeasure reports whether a word makes the number behind it a measure, and not a part of a name.
func isMeasure(root string) bool {
	return text.OneOf(root,
		"most least max maximum minimum min exactly exact than over under about up höchstens mindestens "+
			"maximal minimal genau etwa not no")
}
