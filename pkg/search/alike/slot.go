package alike

import (
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// A swap is the one place in which two sentences differ.
type swap struct {
	before sentence // what both have before it
	after  sentence
	a, b   sentence // what each has in that place
}

// howSentences is how two sentences relate.
type howSentences uint8

const (
	unlike     howSentences = iota // they differ in more than one place, or cannot be compared
	equalSaid                      // they say the same
	otherValue                     // they say different things of one thing
	sideBySide                     // they say it of two things
)

// compareSentences returns how two sentences relate. "Host the app in Dublin" is compared as "the app is
// hosted in Dublin" if the other has that form.
func compareSentences(a, b sentence) howSentences { return compareCounted(a, b, nil, nil) }

// compareCounted is compareSentences for sentences that were counted before; x and y may be nil.
func compareCounted(a, b sentence, x, y *counted) howSentences {
	if turned := a.passive(b); turned != nil {
		a = turned
	} else if turned := b.passive(a); turned != nil {
		b = turned
	}
	if how := compareUses(a, b); how != unlike {
		return how
	}
	return compareInOrder(a, b, x, y)
}

// compareUses compares a sentence about what is used for a thing with one about where the thing is kept or
// how it is made: "use X for Y" and "store Y in Z". Two tools do the same only if they are of one kind.
func compareUses(a, b sentence) howSentences {
	x, thing, uses, ok := a.toolFor()
	y, other, also, same := b.toolFor()
	kind := kindOf(x.root)
	switch {
	case !ok || !same || uses == also || kind == "" || kind != kindOf(y.root) || !slices.EqualFunc(thing,
		other, equalPieces):
		return unlike
	case x.root == y.root:
		return equalSaid
	}
	return otherValue
}

// toolFor returns which tool a sentence uses for which thing: "use X for Y", or in other forms "store Y in
// X", "Y is stored in X", "Y lives in X". The sentence must say nothing else.
func (s sentence) toolFor() (tool piece, thing sentence, uses, ok bool) {
	plain := func(list sentence) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, func(p piece) bool { return p.role != plainWord })
	}
	if len(s) >= 4 && s[0].role == verb && s[2].role == purpose {
		switch s[0].root {
		case "us", "use", "nutzen", "nutzt", "verwenden", "verwendet":
			return s[1], s[3:], true, s[1].name && plain(s[3:])
		}
		return piece{}, nil, false, false
	}
	if len(s) < 4 || s[len(s)-2].role != preposition || !isExclusive(s[len(s)-2].root) {
		return piece{}, nil, false, false
	}
	tool, thing = s[len(s)-1], s[:len(s)-2]
	at := slices.IndexFunc(thing, func(p piece) bool { return p.role == verb && keepsIn(p.root) })
	switch {
	case at == 0:
		thing = thing[1:]
	case at == len(thing)-1:
		if thing = thing[:at]; thing[at-1].role == copula {
			thing = thing[:at-1]
		}
	default:
		return piece{}, nil, false, false
	}
	return tool, thing, false, tool.name && plain(thing)
}

// keepsIn reports whether a verb is about where a thing is kept, or with what it is made.
func keepsIn(root string) bool {
	return text.OneOf(root,
		"stor store keep live liv host run build writ deploy speichern speichert gespeichert liegt liegen "+
			"läuft laufen hosten deployen schreiben")
}

// passive returns an imperative sentence in the passive, if the other sentence has the same verb behind the
// same thing; otherwise nil.
func (s sentence) passive(other sentence) sentence {
	if len(s) < 3 || s[0].role != verb || s[1].role != plainWord {
		return nil
	}
	end := 1
	for end < len(s) && s[end].role == plainWord {
		end++
	}
	at := slices.IndexFunc(other, func(p piece) bool { return p.root == s[0].root })
	if at < 1 || !slices.ContainsFunc(other[:at], func(p piece) bool { return equalPieces(p, s[1]) }) {
		return nil
	}
	return slices.Concat(s[1:end], sentence{{root: "is", role: copula}, s[0]}, s[end:])
}

// compareInOrder compares two sentences as they are.
func compareInOrder(a, b sentence, x, y *counted) howSentences {
	if slices.ContainsFunc(a, negates) || slices.ContainsFunc(b, negates) {
		return unlike // deniesChoice compares these
	}
	if slices.CompareFunc(a, b, func(x, y piece) int { return strings.Compare(x.root, y.root) }) > 0 {
		a, b, x, y = b, a, y, x // of several alignments always choose the same
	}
	places, same := differingPlaces(a, b)
	switch {
	case len(places) == 0 && same > 0:
		return equalSaid
	case len(places) == 1:
		if how := places[0].judge(); how != unlike {
			return how
		}
		return sameBut(a, b, x, y)
	}
	for _, p := range places {
		if p.judge() == sideBySide || p.narrows() || p.isObject() {
			return sideBySide
		}
	}
	return sameBut(a, b, x, y)
}

// negates reports whether a piece turns something down.
func negates(p piece) bool {
	switch p.root {
	case "no", "not", "never", "without", "nicht", "kein", "keine", "keinen", "nie", "niemals", "ohne",
		"instead", "statt", "rather", "cannot":
		return true
	}
	return strings.HasSuffix(p.root, "n't")
}

// differingPlaces returns the places in which two sentences differ, and how many of their words are the same.
// A preposition in only one of them is no difference.
func differingPlaces(a, b sentence) (places []swap, same int) {
	// The length of the longest common subsequence behind each pair of places.
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
		if hasContent(now.a) || hasContent(now.b) {
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

// hasContent reports whether pieces have any word with content.
func hasContent(s sentence) bool {
	return slices.ContainsFunc(s, func(p piece) bool {
		return p.role != preposition && p.role != purpose && p.role != copula
	})
}

// judge returns how two sentences relate that differ in one place.
func (p swap) judge() howSentences {
	if !hasContent(p.a) || !hasContent(p.b) {
		return unlike // one says more
	}
	alike := sameSet(p.a, p.b)
	if alike == "platform" {
		return sideBySide
	}
	says := -1 // index where the statement about the thing begins
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
	if allowsMany(does) {
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
		if hasVerb(p.after) || isNamed(p.a) && isNamed(p.b) || last.root == "of" || last.root == "von" ||
			isNumbered(p.a) && isNumbered(p.b) && !takesNumber(last) {
			return sideBySide
		}
		return unlike
	case says < 0:
		return unlike
	case len(p.a) > 2 || len(p.b) > 2:
		return unlike
	}
	whole := isDoneOneWay(does) && last.role == preposition && isExclusive(last.root) &&
		(alike != "" || isNamed(p.a) && isNamed(p.b) && !isPassage(last.root) && !capitalizesNouns(does))
	if frame == 0 && !(alike == "weekday" || alike == "frequency" || whole) {
		return unlike // as in "we use Sentry" and "we use Grafana"
	}
	switch {
	case isNumbered(p.a) && isNumbered(p.b):
		if x, y := p.a[0].root, p.b[0].root; strings.HasPrefix(x, y+".") || strings.HasPrefix(y, x+".") {
			return unlike // 15.4 is a version of 15
		}
		if takesNumber(last) {
			return otherValue
		}
		return sideBySide
	case alike == "weekday" && does != "is" && !whole && last.root != "every" && last.root != "jeden":
		return unlike // what runs on Monday may also run on Thursday
	case alike != "":
		return otherValue
	case sameSet(p.a, p.a) != "" || sameSet(p.b, p.b) != "":
		return unlike // two kinds of things
	case last.role == copula:
		if isNamed(p.a) && isNamed(p.b) || content > 0 && len(p.after) == 0 && len(p.a) == 1 &&
			len(p.b) == 1 &&
			last.root == "is" && isNaming(p.before) {
			return otherValue
		}
		if len(p.after) == 0 && last.root == "is" && isDefault(p.before, p.a) && isDefault(p.before, p.b) {
			return otherValue
		}
	case last.role == preposition && isExclusive(last.root):
		if isNamed(p.a) && isNamed(p.b) || len(p.a) == 1 && len(p.b) == 1 && !isNamed(p.a) && !isNamed(p.b) &&
			isPlacing(p.before) {
			return otherValue
		}
	case len(p.after) > 0 && p.after[0].role == preposition &&
		(p.after[0].root == "as" || p.after[0].root == "als"):
		if isNamed(p.a) && isNamed(p.b) {
			return otherValue
		}
	}
	return unlike
}

// narrows reports whether only one of two sentences narrows down its subject: "the mobile app is" beside "the
// app is".
func (p swap) narrows() bool {
	return hasContent(p.a) != hasContent(p.b) && !hasVerb(p.before) && !hasVerb(p.a) && !hasVerb(p.b) &&
		hasVerb(p.after)
}

// isObject reports whether the sentences differ in the object of one action: "host the API with X" beside
// "host the docs with Y".
func (p swap) isObject() bool {
	plain := func(list sentence) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, func(w piece) bool {
			return w.role != plainWord || w.class != ""
		})
	}
	n := len(p.before)
	return n > 0 && p.before[n-1].role == verb && len(p.after) > 0 && p.after[0].role == preposition &&
		plain(p.a) && plain(p.b)
}

// allowsMany reports whether one can do what a verb says with many things: those who support German may
// support English too.
func allowsMany(root string) bool {
	return text.OneOf(root,
		"support transl translat add includ accept import export integr integrat install invit doc docu "+
			"unterstützt unterstützen übersetzt meet ask fix clos review read see learn try check know "+
			"call own "+
			"get visit help speak")
}

// isNaming reports whether a sentence is about to say what something is called: "is called" is two copulas.
func isNaming(before sentence) bool {
	n := len(before)
	return n > 1 && before[n-2].role == copula
}

// isDefault reports whether a sentence names the only default of a thing by one of its usual names: "the
// default branch is main". Other lower-case words, such as "green", may only describe the default.
func isDefault(before, value sentence) bool {
	n := len(before)
	if n < 3 || before[n-3].root != "default" && before[n-3].root != "standard" || len(value) != 1 ||
		value[0].role != plainWord {
		return false
	}
	switch before[n-2].root {
	case "branch":
		return slices.Contains([]string{"main", termRoot("master"), "trunk", "develop"}, value[0].root)
	case "theme":
		return value[0].root == "dark" || value[0].root == "light"
	case "shell":
		return slices.Contains([]string{"bash", "zsh", "fish"}, value[0].root)
	}
	return false
}

// isPassage reports whether a preposition names a point on a way, which may have others.
func isPassage(root string) bool {
	return text.OneOf(root, "through via per über")
}

// capitalizesNouns reports whether a verb is of a language where a capital does not make a name: "mit
// Vorsicht".
func capitalizesNouns(root string) bool {
	return text.OneOf(root, "deployen deployt hosten hostet")
}

// isDoneOneWay reports whether a verb is of something that a project does as a whole, mostly in one way or at
// one time. Running or testing may be done in several.
func isDoneOneWay(root string) bool {
	return text.OneOf(root, "deploy deployen deployt host hosten hostet ship bill")
}

// isPlacing reports whether a sentence is about where something is kept, so that the next word is its value
// even without a capital.
func isPlacing(before sentence) bool {
	return slices.ContainsFunc(before, func(p piece) bool {
		return text.OneOf(p.root, "host stor store liv live keep deploy writ bill")
	})
}

// isExclusive reports whether a preposition is mostly followed by one thing only. What goes "to" one place
// often goes to another too.
func isExclusive(root string) bool {
	return text.OneOf(root, "in on with from through via at into every auf mit aus über im am bei per")
}

// takesNumber reports whether a number behind a piece is a value, as in "port 80" and "Node 18", rather than
// the name of a thing, as in "ticket 80".
func takesNumber(p piece) bool {
	switch p.root {
	case "version", "vers", "port", "level", "node", "at", "um":
		return true
	}
	return p.role == copula || kindOf(p.root) != ""
}

// sameSet returns the set of alternatives to which both places belong, or "".
func sameSet(a, b sentence) string {
	if len(a) != 1 || len(b) != 1 || a[0].class != b[0].class {
		return ""
	}
	return a[0].class
}

func isNamed(s sentence) bool {
	return len(s) > 0 && !slices.ContainsFunc(s, func(p piece) bool { return !p.name || p.role != plainWord })
}

func isNumbered(s sentence) bool { return len(s) == 1 && s[0].role == bareNumber }

func hasVerb(s sentence) bool {
	return slices.ContainsFunc(s, func(p piece) bool { return p.role == verb || p.role == copula })
}

// sameBut compares two sentences in any word order that differ only in one quantity of one kind. Many verbs
// can say how long something is kept.
func sameBut(a, b sentence, x, y *counted) howSentences {
	if x == nil || y == nil {
		mine, other := countOf(a), countOf(b)
		x, y = &mine, &other
	}
	if x.quantities != 1 || y.quantities != 1 || x.quantity.class != y.quantity.class {
		return unlike
	}
	if !equalWords(x.words, y.words) && !(x.lasts && y.lasts && equalWords(x.things, y.things)) {
		return unlike
	}
	if x.quantity.root == y.quantity.root {
		return equalSaid
	}
	return otherValue
}

func equalWords(a, b map[string]bool) bool { return len(a) > 0 && maps.Equal(a, b) }

// A counted sentence is its words, unordered, and its quantity.
type counted struct {
	words      map[string]bool
	quantity   piece
	quantities int
	lasts      bool            // it says how long something is kept
	things     map[string]bool // its words without those that say so
}

func countOf(s sentence) (c counted) {
	c.words, c.things = map[string]bool{}, map[string]bool{}
	gone, from, limit := "", "", false
	for i, p := range s {
		switch p.role {
		case quantity:
			c.quantity = p
			c.quantities++
			if i > 0 && s[i-1].role == preposition {
				from = s[i-1].root
			}
		case copula:
			c.lasts = c.lasts || p.class == staying
		case plainWord, verb, bareNumber:
			c.words[p.root] = true
			switch {
			case keepsFor(p.root):
				c.lasts = true
			case endsAfter(p.root):
				gone = p.root
			default:
				c.things[p.root] = true
			}
		}
	}
	switch from {
	case "every", "jeden", "jede", "within", "before", "vor", "until", "bis":
		limit, c.words[from] = true, true // how often, or until when
	case "in", "on", "from":
		limit = true
	}
	if gone != "" && (from == "after" || from == "nach") {
		c.lasts = true
	} else if gone != "" || from == "after" || from == "nach" {
		limit = true
	}
	c.lasts = c.lasts && c.quantity.class == "time" && !limit
	return c
}

// keepsFor reports whether a word says, with a time, how long a thing is kept.
func keepsFor(root string) bool {
	return text.OneOf(root,
		"keep kept retain retention retent hold held stor store last liv live preserv aufbewahrt "+
			"aufbewahren aufzubewahren aufbewahrung behalten gehalten vorgehalten speichern gespeichert "+
			"werden "+
			"wird")
}

// endsAfter reports whether a word says, with "after" and a time, how long a thing is kept.
func endsAfter(root string) bool {
	return text.OneOf(root,
		"delet delete purg purge expir expire remov remove drop dropp gelöscht löschen lösch")
}
