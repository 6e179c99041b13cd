package resolve

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A piece is one word of a sentence, in the place where it stands: unlike a clause a
// sentence of pieces keeps its verbs and prepositions, which say what a word is there for.
type piece struct {
	root  string
	role  role
	class string // of a value: the unit of a quantity, "weekday", a kind of tool; "" for none
	name  bool   // written like a name
}

// role is what a piece does in its sentence.
type role uint8

const (
	plainWord  role = iota
	quantity        // a number with its unit, in the smallest unit where it has several
	bareNumber      // a number without one: of a port, of a version, or the name of a thing
	verb
	copula      // what stands behind it is what something is: "is", "called", a colon
	preposition //
	purpose     // what stands behind it is what something is chosen for: "for"
)

// A sentence is its pieces, without articles, pronouns and words that only say that it
// is meant.
type sentence []piece

// maxPieces bounds a sentence that is held against another: a longer one is more than a
// choice.
const maxPieces = 24

// sentencesOf cuts a text into sentences, longer ones and questions left out.
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
		case strings.ContainsRune(".!?;\n", c) && endsSentence(text[i+size:]):
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
		all[i] = all[i].nouns().measured()
	}
	return all
}

// numberLength returns how many bytes of a text belong to the number that it begins
// with: "30", "1.21", "8:30", and "v" of "17v".
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
	low := strings.Trim(strings.ReplaceAll(strings.ToLower(said), "’", "'"), "'_")
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
	case "is", "are", "be", "called", "named", "was", "ist", "sind", "heißt", "heißen", "stays", "remains",
		"stay", "remain", "bleiben",
		"bleibt", "means":
		p = piece{root: "is", role: copula}
	case "for", "für", "when", "wenn", "if", "falls":
		p = piece{root: "for", role: purpose}
	case "in", "on", "at", "with", "from", "by", "via", "through", "into", "within", "every", "auf",
		"mit", "aus", "von", "bei", "im", "am", "zum", "zur", "per", "über", "nach", "after", "before", "vor",
		"as", "als", "of", "until", "bis", "jeden", "jede":
		p.role = preposition
	default:
		if n, ok := numberWord(low); ok {
			p = piece{root: n, role: bareNumber}
			break
		}
		_, size := utf8.DecodeRuneInString(said)
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

// verbForm maps the forms of a verb that share no stem.
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

// isVerb reports whether a word is a verb that says what is done with what: one of those
// that choices are told with, or one that looks like it.
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
	if adds(root) {
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

// numberWord returns the digits of a number that is written out.
func numberWord(low string) (string, bool) {
	for i, w := range [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight",
		"nine", "ten",
		"eleven", "twelve"} {
		if w == low {
			return strconv.Itoa(i + 1), true
		}
	}
	for i, w := range [...]string{"eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht",
		"neun", "zehn",
		"elf", "zwölf"} {
		if w == low {
			return strconv.Itoa(i + 1), true
		}
	}
	for i, w := range [...]string{"ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy",
		"eighty", "ninety"} {
		if w == low {
			return strconv.Itoa(10 * (i + 1)), true
		}
	}
	for i, w := range [...]string{"zehn", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig",
		"siebzig", "achtzig",
		"neunzig"} {
		if w == low {
			return strconv.Itoa(10 * (i + 1)), true
		}
	}
	return "", false
}

// classOf returns what set of alternatives a word is one of, "" for none that is known.
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
		return "platform" // what runs on one runs on another as well
	}
	switch kind := kindOf(root); kind {
	case "database", "cache", "search engine":
		return "store"
	default:
		return kind
	}
}

// unit returns the kind of a unit and how many of the smallest one of its kind it is; a
// size of 0 is no unit.
func unit(root string) (kind string, size float64) {
	switch root {
	case "ms":
		return "time", 0.001
	case "sec", "sekund", "sekunden", "sekunde":
		return "time", 1
	case "min", "minut", "minuten", "minute":
		return "time", 60
	case "hour", "h", "stund", "stunden", "stunde":
		return "time", 3600
	case "day", "tag", "tage", "tagen":
		return "time", 86400
	case "week", "woch", "wochen", "woche":
		return "time", 7 * 86400
	case "month", "monat", "monate", "monaten":
		return "time", 30 * 86400
	case "year", "jahr", "jahre", "jahren":
		return "time", 365 * 86400
	case "kb", "kib":
		return "size", 1 << 10
	case "mb", "mib":
		return "size", 1 << 20
	case "gb", "gib":
		return "size", 1 << 30
	case "tb", "tib":
		return "size", 1 << 40
	}
	return "", 0
}

// nouns makes verbs that stand before a verb, or behind a number, the nouns that they are
// there: "builds run", "needs two reviews".
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
		kind, size := unit(next)
		label := len(out) > 0 && out[len(out)-1].role == plainWord && !isMeasure(out[len(out)-1].root)
		switch {
		case size > 0:
			p = piece{root: strconv.FormatFloat(value*size, 'g', -1, 64) + kind, role: quantity, class: kind}
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

// isMeasure reports whether a word stands before a number that measures something, rather
// than being what the number is the name of.
func isMeasure(root string) bool {
	switch root {
	case "most", "least", "max", "maximum", "minimum", "min", "exactly", "exact", "than", "over", "under",
		"about", "up", "höchstens", "mindestens", "maximal", "minimal", "genau", "etwa", "not", "no":
		return true
	}
	return false
}

// A swap is the one place in which two sentences differ.
type swap struct {
	before sentence // what they have before it in common
	after  sentence
	a, b   sentence // what stands there in each
}

// howSentences says what two sentences are to each other.
type howSentences uint8

const (
	unlike     howSentences = iota // they differ in more than one place, or in nothing that can be compared
	equalSaid                      // they say the same
	otherValue                     // of one thing they say something else
	sideBySide                     // they say it of two things
)

// compareSentences says what two sentences are to each other.
func compareSentences(a, b sentence) howSentences {
	if slices.ContainsFunc(a, negates) || slices.ContainsFunc(b, negates) {
		return unlike // see denies
	}
	if slices.CompareFunc(a, b, func(x, y piece) int { return strings.Compare(x.root, y.root) }) > 0 {
		a, b = b, a // of several ways to lay them side by side always the same
	}
	places, same := differences(a, b)
	switch {
	case len(places) == 0 && same > 0:
		return equalSaid
	case len(places) == 1:
		return places[0].judge()
	}
	for _, p := range places {
		if p.judge() == sideBySide || p.narrows() {
			return sideBySide
		}
	}
	return sameBut(a, b)
}

// negates reports whether a piece turns something down.
func negates(p piece) bool {
	switch p.root {
	case "no", "not", "never", "without", "nicht", "kein", "keine", "keinen", "nie", "niemals", "ohne",
		"instead", "statt",
		"rather", "cannot":
		return true
	}
	return strings.HasSuffix(p.root, "n't")
}

// differences returns the places in which two sentences differ and how many words of
// theirs are the same. A preposition that only one of them has makes no difference.
func differences(a, b sentence) (places []swap, same int) {
	// How long the longest common subsequence is behind each place.
	var lengths [maxPieces + 1][maxPieces + 1]uint8
	a, b = a[:min(len(a), maxPieces)], b[:min(len(b), maxPieces)]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if equalPieces(a[i], b[j]) {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	var now swap
	common := make(sentence, 0, min(len(a), len(b)))
	flush := func() {
		if holds(now.a) || holds(now.b) {
			now.before = common[:len(common):len(common)]
			places = append(places, now)
		}
		now = swap{}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case equalPieces(a[i], b[j]):
			flush()
			w := a[i]
			if w.role != b[j].role {
				w.role = plainWord
			}
			common = append(common, w)
			i, j, same = i+1, j+1, same+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			now.a = a[i-len(now.a) : i+1]
			i++
		default:
			now.b = b[j-len(now.b) : j+1]
			j++
		}
	}
	now.a, now.b = a[i-len(now.a):], b[j-len(now.b):]
	flush()
	for k := range places {
		places[k].after = common[len(places[k].before):]
	}
	return places, same
}

func equalPieces(a, b piece) bool {
	return a.root == b.root && (a.role == quantity) == (b.role == quantity)
}

// holds reports whether pieces say anything.
func holds(s sentence) bool {
	for _, p := range s {
		if p.role != preposition && p.role != purpose && p.role != copula {
			return true
		}
	}
	return false
}

// judge says what it makes of two sentences that they differ in a place.
func (p swap) judge() howSentences {
	if !holds(p.a) || !holds(p.b) {
		return unlike // one says more
	}
	alike := sameSet(p.a, p.b)
	if alike == "platform" {
		return sideBySide
	}
	says := -1 // where what is said of the thing begins
	content := 0
	does := ""
	for i, w := range p.before {
		switch w.role {
		case verb, copula:
			does = w.root
			if says < 0 {
				says = i
			}
		case plainWord:
			content++
		}
	}
	if adds(does) {
		return sideBySide
	}
	frame := content
	for _, w := range p.after {
		if w.role == plainWord {
			frame++
		}
	}
	var last piece
	if len(p.before) > 0 {
		last = p.before[len(p.before)-1]
	}
	switch {
	case len(p.a) == 1 && len(p.b) == 1 && p.a[0].role == quantity && p.b[0].role == quantity:
		if p.a[0].class == p.b[0].class && frame > 0 {
			return otherValue
		}
		return unlike
	case last.role == purpose:
		return sideBySide
	case says < 0 && alike == "":
		if hasVerb(p.after) || named(p.a) && named(p.b) ||
			numbered(p.a) && numbered(p.b) && !takesNumber(last) {
			return sideBySide
		}
		return unlike
	case says < 0:
		return unlike
	case len(p.a) > 2 || len(p.b) > 2:
		return unlike
	}
	if frame == 0 && !(alike == "weekday" || alike == "frequency") {
		return unlike // "we use Sentry" and "we use Grafana"
	}
	switch {
	case numbered(p.a) && numbered(p.b):
		if x, y := p.a[0].root, p.b[0].root; strings.HasPrefix(x, y+".") || strings.HasPrefix(y, x+".") {
			return unlike // 15.4 is a 15
		}
		if takesNumber(last) {
			return otherValue
		}
		return sideBySide
	case alike == "weekday" && does != "is" && last.root != "every" && last.root != "jeden":
		return unlike // what runs on Monday may run on Thursday as well
	case alike != "":
		return otherValue
	case sameSet(p.a, p.a) != "" || sameSet(p.b, p.b) != "":
		return unlike // things of two kinds
	case last.role == copula:
		if named(p.a) && named(p.b) || content > 0 && len(p.after) == 0 && len(p.a) == 1 && len(p.b) == 1 &&
			last.root == "is" && isNaming(p.before) {
			return otherValue
		}
	case last.role == preposition && exclusive(last.root):
		if named(p.a) && named(p.b) || len(p.a) == 1 && len(p.b) == 1 && placing(p.before) {
			return otherValue
		}
	case len(p.after) > 0 && p.after[0].role == preposition &&
		(p.after[0].root == "as" || p.after[0].root == "als"):
		if named(p.a) && named(p.b) {
			return otherValue
		}
	}
	return unlike
}

// narrows reports whether only one of two sentences says more of the thing that it is about:
// "the mobile app is" beside "the app is".
func (p swap) narrows() bool {
	return holds(p.a) != holds(p.b) && !hasVerb(p.before) && !hasVerb(p.a) && !hasVerb(p.b) &&
		hasVerb(p.after)
}

// adds reports whether a verb is one of things that one can do with many: who supports
// German may support English as well.
func adds(root string) bool {
	switch root {
	case "support", "transl", "translat", "add", "includ", "accept", "import", "export", "integr", "integrat",
		"install", "invit", "doc", "docu", "unterstützt", "unterstützen", "übersetzt", "meet", "ask", "fix",
		"clos", "review", "read", "see", "learn", "try", "check", "know", "call", "own", "get", "visit",
		"help", "speak":
		return true
	}
	return false
}

// isNaming reports whether a sentence is about to say what something is called: "is
// called" is two copulas.
func isNaming(before sentence) bool {
	n := len(before)
	return n > 1 && before[n-2].role == copula
}

// placing reports whether a sentence says where or in what something is kept, so that a
// word behind it needs no capital to be its value.
func placing(before sentence) bool {
	for _, p := range before {
		switch p.root {
		case "host", "stor", "store", "liv", "live", "keep", "deploy", "writ", "bill":
			return true
		}
	}
	return false
}

// exclusive reports whether what stands behind a preposition is mostly one thing only. What
// goes to one place often goes to another as well.
func exclusive(root string) bool {
	switch root {
	case "in", "on", "with", "from", "through", "via", "at", "into", "every", "auf", "mit", "aus",
		"über", "im",
		"am", "bei", "per":
		return true
	}
	return false
}

// takesNumber reports whether a number behind a piece is a value, as in "port 80" and "Node
// 18", and not the name of a thing, as in "ticket 80".
func takesNumber(p piece) bool {
	switch p.root {
	case "version", "vers", "port", "level", "node", "at", "um":
		return true
	}
	return p.role == copula || kindOf(p.root) != ""
}

// sameSet returns the set of alternatives that both of two places are from, "" for none.
func sameSet(a, b sentence) string {
	if len(a) != 1 || len(b) != 1 || a[0].class != b[0].class {
		return ""
	}
	return a[0].class
}

func named(s sentence) bool {
	for _, p := range s {
		if !p.name || p.role != plainWord {
			return false
		}
	}
	return len(s) > 0
}

func numbered(s sentence) bool { return len(s) == 1 && s[0].role == bareNumber }

func hasVerb(s sentence) bool {
	for _, p := range s {
		if p.role == verb || p.role == copula {
			return true
		}
	}
	return false
}

// sameBut reports of two sentences in whatever order that they have the same words but
// for one quantity of one kind.
func sameBut(a, b sentence) howSentences {
	read := func(s sentence) (words map[string]bool, q piece, n int) {
		words = map[string]bool{}
		for _, p := range s {
			switch p.role {
			case quantity:
				q = p
				n++
			case plainWord, verb, bareNumber:
				words[p.root] = true
			}
		}
		return words, q, n
	}
	x, p, n := read(a)
	y, q, m := read(b)
	if n != 1 || m != 1 || len(x) == 0 || len(x) != len(y) || p.class != q.class {
		return unlike
	}
	for w := range x {
		if !y[w] {
			return unlike
		}
	}
	if p.root == q.root {
		return equalSaid
	}
	return otherValue
}
