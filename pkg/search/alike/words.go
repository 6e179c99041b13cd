package alike

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// A word is a word of a text that carries meaning, prepared for comparison.
type word struct {
	root   string // without its ending, in its short form if there is one
	name   bool   // a proper name, an abbreviation, an address, or a known tool
	number bool   // has a digit
	denied bool   // turned down: behind "not", "instead of", "over"
	left   bool   // turned down for something else, or given up: "instead of", "from … to", "drop"
	taken  bool   // a name that is taken in the place of what is left
	both   bool   // in a bag: chosen in one place and turned down in another one
	reason bool   // in a reason
	moved  bool   // behind a word such as "move"
	german bool   // in a German text, where a thing has a capital
	dense  bool   // a pair of characters of a script without blanks
	scope  bool   // behind "for", "in", "as": what something is chosen for
	thing  bool   // behind an article: a certain thing
	at     int    // how many words of the text are before it
	clause int    // how many clauses of the text are before it
}

// A clause is a part of a text that can be true by itself.
type clause []word

// clausesOf returns the clauses of a text with their words. It leaves out function words and the words that
// only say that something was decided or is to be kept.
func clausesOf(text string) []clause {
	r := wordReader{begins: true, german: isGerman(text)}
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isTermRune(c):
			n := termLength(text[i:])
			r.take(text[i:i+n], text[:i], text[i+n:])
			i += n
			continue
		case strings.ContainsRune(".!?。！？", c) && endsSentence(text[i+size:]):
			r.cut(true)
		case c == '\n' || c == ';' || c == '—' || c == '–' || c == '；':
			r.cut(true)
		case c == ':' || c == '：':
			r.begins = true
			r.scope = false
			r.denies, r.loses = false, false
		case c == ',' || c == '，' || c == '、':
			r.comma = true
			r.reason = r.reason || isRemark(text[i+size:], r.lost)
		case c == '(' || c == ')':
			r.scope = false
			r.denies, r.loses = false, false
		}
		i += size
	}
	r.cut(true)
	return r.out
}

// endsSentence reports whether a full stop before rest ends a sentence, unlike in "Node.js" and "1.5".
func endsSentence(rest string) bool {
	c, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !isTermRune(c) || c > unicode.MaxLatin1
}

// isGerman reports whether a text has words that only German has.
func isGerman(s string) bool {
	for w := range strings.FieldsSeq(s) {
		if text.OneOf(strings.ToLower(strings.Trim(w, ".,;:!?")),
			"wir ich nicht kein keine keinen für mit zu auf von und ist sind statt haben hat wird werden "+
				"der das dem im ein eine einen unser unsere beim zum zur bei über ab jetzt immer nach") {
			return true
		}
	}
	return false
}

func isTermRune(r rune) bool {
	if r < unicode.MaxASCII {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '\'' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'' || r == '’' || r == '_'
}

// termLength returns the length in bytes of the word with which a text begins.
func termLength(text string) int {
	dense := false
	for i, r := range text {
		if !isTermRune(r) {
			return i
		}
		if d := isDense(r); i == 0 {
			dense = d
		} else if d != dense {
			return i
		}
	}
	return len(text)
}

func isDense(r rune) bool {
	return r >= '\u0e00' && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai)
}

// wordReader holds what clausesOf knows of the words so far.
type wordReader struct {
	out    []clause
	now    clause
	at     int  // how many words were read
	german bool // the text is in German
	begins bool // the next word begins a sentence, so its capital says nothing
	comma  bool // a comma precedes the next word
	reason bool
	scope  bool
	stops  bool   // denies after "stop", until a word such as "use"
	denies bool   // after "not", "never", until the clause ends
	loses  bool   // after "instead of", "over", until a function word that begins something else
	lost   bool   // a word was lost since
	moves  bool   // after "switch", "move": what is behind "from" is left
	until  string // words that end what is lost, besides those that always do
	thing  bool   // behind an article, until the words that it goes with end
	takes  bool   // the next names are taken in the place of what is lost
	before string
}

// lose has the next words be lost, up to a word that begins something else or is one of until.
func (r *wordReader) lose(until string) {
	r.loses, r.lost, r.until, r.scope, r.denies = true, false, until, false, false
}

// endTaken ends the names that are taken, if there were any.
func (r *wordReader) endTaken() {
	if n := len(r.now); n > 0 && r.now[n-1].taken {
		r.takes = false
	}
}

// takeNearest marks the names right before the next word as what is taken: "Postgres instead of". Of "20
// instead of 18" it is the number.
func (r *wordReader) takeNearest(after string) (ok bool) {
	next := followingWord(after)
	if next == "of" || next == "than" || next == "von" {
		next = followingWord(strings.TrimLeft(after, " ")[len(next):])
	}
	number := next != "" && '0' <= next[0] && next[0] <= '9'
	for i := len(r.now) - 1; i >= 0; i-- {
		w := &r.now[i]
		fits := w.name && !number || w.number && number
		if !fits || w.denied || w.reason || ok && w.at+1 != r.now[i+1].at {
			break
		}
		w.taken, ok = true, true
	}
	return ok
}

// keepLastLeft leaves only the last names that were left, and takes the words before them for what is done
// with these: "we stopped caching pages in Varnish".
func (r *wordReader) keepLastLeft() {
	i := len(r.now) - 1
	for i > 0 && r.now[i-1].left && r.now[i-1].name && r.now[i-1].at+1 == r.now[i].at {
		i--
	}
	for i--; i >= 0 && r.now[i].left; i-- {
		r.now[i].left, r.now[i].denied = false, false
	}
}

// loseNearest marks the name nearest before the next word as left, or the nearest word if there is no name:
// "Redis is out".
func (r *wordReader) loseNearest() {
	at := -1
	for i := len(r.now) - 1; i >= 0; i-- {
		if text.OneOf(r.now[i].root, "wird wurde wurd werden get got") {
			continue
		}
		if at = max(at, i); r.now[i].name {
			at = i
			break
		}
	}
	if at >= 0 && !r.now[at].denied {
		r.now[at].denied, r.now[at].left, r.lost, r.takes = true, true, true, true
	}
}

// cut ends the clause, and also the sentence if ends is set.
func (r *wordReader) cut(ends bool) {
	if len(r.now) > 0 {
		r.out = append(r.out, r.now)
		r.now = nil
	}
	r.scope, r.denies, r.loses, r.lost, r.moves = false, false, false, false, false
	r.comma, r.before = false, ""
	r.stops = false
	r.takes = r.takes && !ends
	if ends {
		r.begins, r.reason = true, false
	}
}

// take adds the word said, between the texts before and after it.
func (r *wordReader) take(said, before, after string) {
	low := strings.Trim(text.Lower(said), "'_")
	begins, comma, last := r.begins, r.comma, r.before
	r.begins, r.comma = false, false
	r.at++
	if low == "" {
		return
	}
	r.before = low
	first, _ := utf8.DecodeRuneInString(said)
	if isDense(first) {
		r.dense(said)
		return
	}
	next := followingWord(after)
	r.thing = isArticle(last) || r.thing && !comma
	switch low {
	case "weil", "denn", "damit", "sodass":
		if r.german {
			r.reason, r.scope, r.denies, r.loses = true, false, false, false
			return
		}
	case "and":
		if comma {
			r.cut(false)
		}
		return
	case "but", "whereas", "while", "however", "then", "sondern":
		reason := r.reason
		r.cut(false)
		r.reason = reason
		return
	case "because", "since", "due", "as", "so":
		if low == "as" {
			r.scope, r.loses = true, r.loses && !r.lost
			r.endTaken()
			return
		}
		if low == "so" && next != "that" || low == "due" && next != "to" || low == "since" && begins {
			return
		}
		r.reason, r.scope, r.denies, r.loses = true, false, false, false
		return
	case "allowed", "permitted", "forbidden", "banned", "prohibited", "erlaubt", "verboten":
		if isToBe(last) || last == "not" || last == "nicht" { // it denies everything before it
			r.rule(low != "allowed" && low != "permitted" && low != "erlaubt")
			return
		}
	}
	verb := low
	if said == "Go" && isBeforeName(last) {
		verb = ""
	}
	switch verb {
	case "not", "no", "never", "without", "cannot", "avoid", "ban", "banned", "forbid", "forbidden", "stop",
		"stopped", "stopping", "quit", "nicht", "kein", "keine", "nie", "ne", "pas", "jamais", "nunca":
		if isToBe(last) && (low == "not" || low == "no" && next == "longer") && isUnused(after) {
			r.loseNearest()
			return
		}
		r.stops = strings.HasPrefix(low, "stop") || low == "quit"
		if low == "no" && (next == "longer" || next == "more") || low == "not" && next == "only" {
			if r.denies = low == "no"; r.denies {
				r.takes = !r.takeNearest(after)
			}
			return
		}
		if r.denies = !r.denies; r.denies {
			r.takes = !r.takeNearest(after)
		}
		return
	case "use", "using", "take", "prefer", "keep", "adopt", "choose", "pick", "run", "go", "switch", "move",
		"nehmen", "nehme", "nimm", "nutzen", "verwenden":
		if r.loses || comma {
			r.loses = false
		}
		r.takes = r.takes || r.lost
		if n := len(r.now); r.stops && n > 0 && r.now[n-1].left { // we stopped using Redis and use Postgres
			r.denies, r.stops, r.takes = false, false, true
			r.keepLastLeft()
		}
	case "for", "in", "on", "at", "when", "within", "during", "inside":
		if r.loses && text.OneOf(low, r.until) { // swap Redis for Postgres
			r.loses = false
			return
		}
		r.endTaken()
		r.thing, r.loses = false, r.loses && !r.lost
		r.scope = !(low == "at" && (next == "most" || next == "least"))
		if low == "for" || low == "when" {
			r.loses, r.denies, r.takes = false, false, false
		}
		if next != "place" && next != "lieu" && next != "favor" && next != "favour" {
			return
		}
		r.scope = false
		return
	case "to", "with", "from", "by", "von", "onto", "nach", "auf", "zu", "durch", "gegen", "into":
		if low == "durch" && !r.loses && isReplacedLater(after) {
			r.loseNearest()
		}
		if r.loses && (r.lost || text.OneOf(low, r.until)) {
			r.loses = false
		}
		r.endTaken()
		r.scope, r.thing = false, false
		if (low == "from" || low == "von") && r.moves || low == "von" && movesLater(after) {
			r.lose("to onto nach auf zu")
			r.takes = true
		}
		return
	}
	if r.exchanges(low, last, after) {
		return
	}
	if strings.HasSuffix(low, "n't") || low == "dont" {
		r.denies = !r.denies
		return
	}
	if comma && (r.loses || r.denies) && !isConjunction(next) {
		r.denies, r.loses = false, false
	}
	w := word{denied: r.denies || r.loses, left: (r.loses || r.denies && r.stops) && !r.reason,
		reason: r.reason, scope: r.scope, at: r.at, clause: len(r.out), german: r.german, moved: r.moves}
	w.number = strings.ContainsFunc(said, unicode.IsDigit)
	_, size := utf8.DecodeRuneInString(said)
	capital := strings.ContainsFunc(said, unicode.IsUpper)
	w.name = strings.ContainsFunc(said[size:], unicode.IsUpper) || !begins && capital ||
		inAddress(before, after)
	if low == "go" && capital && goIsVerb(next) && !isBeforeName(last) {
		w.name = false
	}
	if n, ok := numberWords()[low]; ok && !w.name && (low != "one" || isCount(last, next)) {
		w.root, w.number = n, true
		r.now, r.lost = append(r.now, w), r.lost || r.loses
		return
	}
	if isFunctionWord(low, w.name) || isCueWord(low, last) && !w.name {
		r.thing = false
		return
	}
	r.thing = r.thing && (capital || !isGermanArticle(last)) // "das machen wir" has no noun
	w.thing = r.thing
	w.root = termRoot(low)
	if w.root == "" {
		return
	}
	w.name = w.name || kindOf(w.root) != "" && !isPlainWord(w.root) || w.number &&
		strings.ContainsFunc(said, unicode.IsLetter)
	if n := len(r.now); n > 0 && r.now[n-1].taken && r.now[n-1].at+1 != w.at {
		r.takes = false // the names are over
	}
	w.taken = r.takes && w.name && !w.denied && !w.reason && !w.thing
	r.now, r.lost = append(r.now, w), r.lost || r.loses
}

// rule marks what was said so far in a clause as allowed or forbidden.
func (r *wordReader) rule(forbids bool) {
	if forbids != r.denies {
		for i := range r.now {
			r.now[i].denied = !r.now[i].denied
		}
	}
	r.denies = false
}

// isArticle reports whether a word stands before a certain thing.
func isArticle(w string) bool {
	return text.OneOf(w, "the our this my der die das den dem unser unsere unseren unserem unserer")
}

func isGermanArticle(w string) bool { return isArticle(w) && !text.OneOf(w, "the our this my") }

// isToBe reports whether a word is a form of "to be".
func isToBe(w string) bool {
	return text.OneOf(w, "is are be was were ist sind isn't aren't")
}

// dense adds the pairs of characters of a run in a script without blanks, or its only character.
func (r *wordReader) dense(said string) {
	run := []rune(said)
	w := word{dense: true, denied: r.denies || r.loses, left: r.loses, reason: r.reason, scope: r.scope}
	if len(run) == 1 {
		w.root = said
		r.now = append(r.now, w)
		return
	}
	for i := range len(run) - 1 {
		w.root = string(run[i : i+2])
		r.now = append(r.now, w)
	}
}

// followingWord returns the next word of a text in lower case.
func followingWord(text string) string {
	text = strings.TrimLeft(text, " ")
	return strings.ToLower(text[:termLength(text)])
}

// isConjunction reports whether a word joins the entries of a list.
func isConjunction(w string) bool { return w == "or" || w == "and" || w == "nor" }

// inAddress reports whether a word is in a path, an address or a name with joints.
func inAddress(before, after string) bool {
	return before != "" && strings.ContainsRune("/@`.", rune(before[len(before)-1])) &&
		!strings.HasSuffix(before, "..") ||
		len(after) > 1 && strings.ContainsRune("/@`", rune(after[0]))
}

// goIsVerb reports whether "Go" before a word is the verb and not the language.
func goIsVerb(next string) bool {
	return text.OneOf(next, "with for ahead back to and on")
}

// isBeforeName reports whether "Go" behind a word is the language: "from Go to Rust".
func isBeforeName(last string) bool {
	return text.OneOf(last, "from in of with using on use von mit auf bei")
}

// isCount reports whether "one" between two words is a number: "need one approval", not "the one that" or
// "use this one".
func isCount(last, next string) bool {
	switch last {
	case "the", "this", "that", "each", "every", "which", "another", "no", "any", "some", "other", "new",
		"old":
		return false
	}
	switch next {
	case "", "thing", "day", "after", "by", "more", "another", "should", "must", "can", "has", "needs":
		return false
	}
	return !isFunctionWord(next, false)
}

// isFunctionWord reports whether a word is a function word. A name may look like one: "Go", "R", "IT".
func isFunctionWord(w string, name bool) bool {
	switch w {
	case "a", "i":
		return true
	case "an", "the", "of", "is", "are", "was", "were", "be", "been", "being", "it", "its", "it's", "this",
		"that", "that's", "these", "those", "there", "here", "i'm", "i'd", "i'll", "i've", "me", "my", "we",
		"we'll", "we're", "we've", "us", "our", "you", "your", "he", "she", "his", "her", "they", "them",
		"their", "or", "if", "also", "too", "very", "just", "only", "now", "still", "yet", "again", "will",
		"would", "shall", "can", "could", "may", "might", "do", "does", "did", "done", "has", "have", "had",
		"having", "all", "any", "some", "each", "every", "both", "what", "which", "who", "whom", "how", "why",
		"where", "whether", "such", "same", "other", "another", "so", "after", "before", "until", "into",
		"onto", "out", "up", "off", "about", "through", "per", "via", "between", "more", "most", "much",
		"many", "than", "one", "thing", "things", "der", "die", "das", "und", "oder", "ist", "sind", "wir",
		"ich", "ein", "eine", "einen", "den", "dem", "des", "für", "mit", "zu", "auf", "im", "von", "le",
		"la", "les", "et", "est", "nous", "un", "une", "du", "pour", "avec", "el", "los", "las", "y", "es",
		"una", "para", "con", "que", "de":
		return !name || len(w) > 2
	case "go", "goes", "went", "going", "gone":
		return !name
	}
	return false
}

// isCueWord reports whether a word only marks a decision, a wish or a note.
func isCueWord(w, last string) bool {
	switch w {
	case "agreed", "agree", "decide", "decided", "decides", "deciding", "decision", "chose", "chosen",
		"choose", "choosing", "pick", "picked", "picking", "settled", "settle", "let", "let's", "lets",
		"please", "remember", "note", "noted", "want", "wants", "wanted", "ok", "okay", "yes", "yeah",
		"right", "sure", "always", "must", "should", "need", "needs", "like", "make", "use", "used", "uses",
		"using", "usage", "take", "took", "better", "actually", "really", "simply", "maybe", "instead",
		"anymore", "longer", "rule", "policy", "choice", "option", "preference", "prefer", "prefers",
		"preferred", "stick", "stay", "switch", "switched", "switching", "adopt", "adopted", "move", "moved",
		"moving":
		return true
	case "on":
		return last == "now"
	}
	return false
}

// isPlainWord reports whether a root that names a tool is also an everyday word, so that only a capital makes
// it a name.
func isPlainWord(root string) bool {
	return text.OneOf(root,
		"rest express spring swift parcel remix astro fly rust snake swarm flask cookie make go ava nose "+
			"bun prisma")
}

// isWeakWord reports whether a root has little to do with a sentence's subject.
func isWeakWord(root string) bool {
	return text.OneOf(root,
		"save sav store stor updat memory memor keep everyth new project code team work get set run add way "+
			"chang file tool default first last time say said know look everyon start stop")
}

// termRoot returns a word without its ending, in one form if it has several.
func termRoot(w string) string {
	w = strings.Trim(w, "'_")
	w = strings.TrimSuffix(w, "'s")
	if r := shortForm(w); r != w || kindOf(w) != "" {
		return r
	}
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") &&
		!strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is") {
		w = w[:len(w)-1]
	}
	if kindOf(w) != "" {
		return shortForm(w)
	}
	for _, end := range [...]string{"ization", "ation", "izing", "ating", "ated", "ized", "ment", "ing",
		"ied", "ies", "ion", "ive", "ate", "ize", "ed", "es", "er", "ly", "y", "e"} {
		if end == "y" && len(w) > 1 && strings.IndexByte("aeou", w[len(w)-2]) >= 0 {
			continue // deploy, Friday
		}
		if cut, ok := strings.CutSuffix(w, end); ok && utf8.RuneCountInString(cut) >= 4 {
			w = cut
			break
		}
	}
	if n := len(w); n > 4 && w[n-1] == w[n-2] && w[n-1] > '9' && w[n-1] != 's' && w[n-1] != 'l' {
		// committed, planning; not shard11
		w = w[:n-1]
	}
	return shortForm(w)
}

// shortForm returns one form for words that programmers shorten.
func shortForm(w string) string {
	switch w {
	case "postgresql", "psql", "pg":
		return "postgres"
	case "kubernetes", "kube", "kubernete":
		return "k8s"
	case "javascript":
		return "js"
	case "typescript":
		return "ts"
	case "golang":
		return "go"
	case "databas", "database", "databases":
		return "db"
	case "configur", "configuration", "configurat":
		return "config"
	case "environ", "environment":
		return "env"
	case "authentic", "authentication", "authenticat":
		return "auth"
	case "repositori", "repository", "repositor":
		return "repo"
	case "documentat", "documentation", "document":
		return "doc"
	case "depend", "dependenc", "dependency", "dependencies":
		return "dep"
	case "mongodb":
		return "mongo"
	case "mariadb":
		return "maria"
	case "rabbit":
		return "rabbitmq"
	case "production":
		return "prod"
	case "cach", "cache", "caching":
		return "cach"
	case "timeout", "timeouts":
		return "timeout"
	case "second", "seconds", "sec", "secs", "s":
		return "sec"
	case "minute", "minutes", "mins":
		return "min"
	case "milliseconds", "millisecond":
		return "ms"
	case "nodejs":
		return "node"
	case "leerzeichen":
		return "space"
	case "snake_case":
		return "snake"
	case "tabs", "spaces", "cookies":
		return w[:len(w)-1]
	}
	return w
}

// weight returns how much a word says about the subject of a text.
func (w word) weight() float64 {
	switch {
	case w.denied && !w.reason:
		return 0.5
	case w.reason:
		return 0.4
	case w.dense:
		return 0.5
	case w.name || w.number:
		return 2
	case isWeakWord(w.root):
		return 0.25
	}
	return 1
}

// wordsOf returns the words of all clauses.
func wordsOf(clauses []clause) []word {
	return slices.Concat(clauses...)
}

// A bag is the words of a text by root.
type bag map[string]word

// list returns the words of a bag in no order.
func (b bag) list() []word { return slices.Collect(maps.Values(b)) }

// bagOf returns the words of a text. A word that is both chosen and turned down counts as chosen.
func bagOf(text string) bag { return bagOfWords(wordsOf(clausesOf(text))) }

func bagOfWords(all []word) bag {
	b := bag{}
	for _, w := range all {
		old, ok := b[w.root]
		if !ok {
			b[w.root] = w
			continue
		}
		old.thing = old.thing || w.thing
		old.both = old.both || old.denied != w.denied
		old.denied, old.reason, old.scope = old.denied && w.denied, old.reason && w.reason,
			old.scope && w.scope
		old.left, old.taken = old.denied && (old.left || w.left), !old.denied && (old.taken || w.taken)
		old.name, old.number = old.name || w.name, old.number || w.number
		b[w.root] = old
	}
	return b
}

// find returns the word of a bag that is w, or a longer or shorter form of it.
func (b bag) find(w word) (word, bool) {
	if found, ok := b[w.root]; ok {
		return found, true
	}
	if w.dense || w.number || len(w.root) < minPrefix {
		return word{}, false
	}
	for root, found := range b {
		if !found.dense && !found.number && len(root) >= minPrefix && akin(root, w.root) {
			return found, true
		}
	}
	return word{}, false
}

const (
	minPrefix   = 4   // bytes of the shorter one of two forms of a word
	akinPrefix  = 5   // the same, of two that are not equal
	prefixShare = 0.6 // share of the longer one that it must be
)

// akin reports whether one of two roots begins the other and is most of it: deploy and deployer, not test and
// testament.
func akin(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a) && float64(len(a)) >= prefixShare*float64(len(b)) &&
		len(a) >= akinPrefix || a == b
}

// share returns how much of the words, by weight, a bag has. A word that many texts have counts less; in has
// the number of texts for each word.
func (b bag) share(all []word, in map[string]int) float64 {
	var has, total float64
	for _, w := range bagOfWords(all) {
		weight := w.weight()
		if n := in[w.root]; n > 1 {
			weight /= math.Sqrt(float64(n))
		}
		total += weight
		if _, ok := b.find(w); ok {
			has += weight
		}
	}
	if total == 0 {
		return 0
	}
	return has / total
}

// ShareNoWord reports whether two texts both say something, but have no name, number or meaningful word in
// common.
func ShareNoWord(a, b string) bool {
	x, y := bagOf(a), bagOf(b)
	for _, w := range x {
		if _, ok := y.find(w); ok && !isWeakWord(w.root) {
			return false
		}
	}
	return len(x) > 0 && len(y) > 0
}
