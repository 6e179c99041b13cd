package alike

import (
	"maps"
	"math"
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// exchanges reads a word with which one thing is put in the place of another: what is behind it, or the name
// before it, is left. It reports whether the word says nothing else.
func (r *wordReader) exchanges(low, last, after string) bool {
	next := followingWord(after)
	switch low {
	case "instead", "rather", "over", "against", "than", "statt", "anstatt", "anstelle", "away":
		if next == "" || '0' <= next[0] && next[0] <= '9' {
			return true // over 10 MB
		}
		if r.lose(""); low != "away" {
			r.takes = !r.takeNearest(after) && len(r.now) == 0 // instead of Redis, use Postgres
		}
		r.moves = r.moves || low == "away"
		return true
	case "place", "lieu":
		if (next == "of" || next == "von") && (last == "in" || last == "the") {
			r.lose("")
			r.takeNearest(after)
			return true
		}
	case "favor", "favour":
		if last == "in" {
			r.loses, r.denies, r.takes = false, false, true
			return true
		}
	case "rid", "phase", "phased", "phasing":
		if low == "rid" && next == "of" || low != "rid" && next == "out" {
			r.lose("")
			r.takes = true
			return true
		}
	case "off":
		if isMoving(last) {
			r.lose("to onto")
			r.takes = true
			return true
		}
	case "out":
		if isMoving(last) && next == "of" {
			r.lose("to onto into")
			r.takes = true
			return true
		}
		if isToBe(last) && (next == "" || isConjunction(next)) {
			r.loseNearest()
		}
		return true
	case "gone", "dead", "dropped", "abandoned", "scrapped", "retired", "deprecated", "obsolete",
		"discontinued", "abgeschafft", "ersetzt", "abgelöst", "replaced", "superseded":
		if !isToBe(last) && last != "been" && last != "gets" && last != "wird" && last != "werden" {
			break
		}
		r.loseNearest()
		return true
	}
	switch {
	case isMoving(low):
		r.moves = true
		return isCueWord(low, last)
	case isReplacing(low):
		r.lose("with by for durch gegen")
		r.takes = true
		return true
	case isLeaving(low):
		if !r.denies {
			r.lose("")
			r.takes = true
		}
		return true
	case low == "supersedes" || low == "replaces" || low == "ersetzt" || low == "löst":
		r.lose("durch")
		r.takeNearest(after)
		return true
	}
	return false
}

// IsMove reports whether a word in lower case says that one thing is left for another, or replaced by it:
// "switch", "umgestellt".
func IsMove(w string) bool {
	return isMoving(w) || isReplacing(w) || text.OneOf(w, "umgestellt gewechselt umgezogen ersetzt replaces")
}

// isMoving reports whether a word is about leaving one thing for another, which stand behind "from" and "to".
func isMoving(w string) bool {
	return text.OneOf(w,
		"move moved moves moving switch switched switches switching migrate migrated migrates migrating "+
			"change changed changes changing shift shifted shifting transition transitioned transitioning "+
			"port ported porting convert converted converting back return returning away weg stelle stellen "+
			"stellt umstellen wechsle wechseln wechselt ziehe ziehen zieht umziehen migriere migrieren "+
			"migriert")
}

// movesLater reports whether the words behind "von" say that something is left: "von A auf B umgestellt".
func movesLater(after string) bool {
	clause, _, _ := strings.Cut(after, ",")
	for w := range strings.FieldsSeq(clause) {
		if text.OneOf(strings.Trim(w, ".;:!"), "umgestellt umstellen gewechselt wechseln umgezogen umziehen "+
			"migriert migrieren") {
			return true
		}
	}
	return false
}

// isRemark reports whether the words behind a comma are a sentence of their own that says why: ", it was
// slow", ", deliverability was bad". lost says that something was left before it.
func isRemark(after string, lost bool) bool {
	if end := strings.IndexAny(after, ",;.\n"); end >= 0 {
		after = after[:end]
	}
	words := strings.Fields(strings.ToLower(after))
	if len(words) < 3 || slices.Contains(words, "now") {
		return false
	}
	if lost && (words[0] == "it" || words[0] == "they") {
		return true
	}
	return slices.ContainsFunc(words, func(w string) bool {
		return text.OneOf(w, "was were had became lost failed crashed broke took cost war waren hatte wurde")
	})
}

// isUnused reports whether the words behind "not" or "no" say that a thing is not used any more.
func isUnused(after string) bool {
	words := strings.Fields(strings.TrimLeft(after, " "))
	if len(words) > 0 && words[0] == "longer" {
		words = words[1:]
	}
	return len(words) > 0 &&
		text.OneOf(strings.Trim(words[0], ".,;:!"), "used needed wanted supported required")
}

// isReplacedLater reports whether the words behind "durch" say that something is replaced by what follows.
func isReplacedLater(after string) bool {
	clause, _, _ := strings.Cut(after, ",")
	return slices.ContainsFunc(strings.Fields(clause), func(w string) bool {
		return text.OneOf(strings.Trim(w, ".;:!"), "ersetzt abgelöst ausgetauscht getauscht")
	})
}

// isReplacing reports whether a word says that what stands behind it is replaced by what comes then.
func isReplacing(w string) bool {
	return text.OneOf(w,
		"replace replaced replacing swap swapped swapping trade traded trading exchange exchanged "+
			"exchanging ersetze ersetzen tausche tauschen")
}

// isLeaving reports whether a word says that what stands behind it is given up.
func isLeaving(w string) bool {
	return text.OneOf(w,
		"drop drops dropped dropping ditch ditched ditching abandon abandoned abandoning scrap scrapped "+
			"scrapping leaving retire retired retiring deprecate deprecating")
}

// An exchange is what a statement puts in the place of something else.
type exchange struct {
	left   bag  // what it leaves: the names and numbers, or all words if there are none
	takes  bag  // the names and numbers that it chooses
	about  bag  // what it says beside what it leaves
	marked bool // what it takes is known to be that, and not just a new name
	named  bool // it leaves names or numbers
	times  bool // it leaves a weekday, on which many things may be done
}

// exchangeOf returns the exchange that a statement makes, and whether it makes one. "Lint with Biome, not
// ESLint" makes one as well: it turns down a name and chooses another one.
func exchangeOf(said bag) (x exchange, ok bool) {
	x = exchange{left: bag{}, takes: bag{}, about: bag{}}
	denied := bag{}
	for root, w := range said {
		switch {
		case w.reason || !isContent(w):
		case w.left:
			x.left[root] = w
			x.named = x.named || w.name || w.number
			x.times = x.times || classOf(root, root) == "weekday"
		case w.denied && w.name:
			denied[root] = w
		case !w.denied:
			x.about[root] = w
			x.marked = x.marked || w.taken && !w.both
			if isChosen(w) {
				x.takes[root] = w
			}
		}
	}
	if len(x.left) == 0 && x.marked {
		x.left, x.named = denied, true
	}
	if x.named {
		maps.DeleteFunc(x.left, func(_ string, w word) bool { return !w.name && !w.number })
	}
	return x, len(x.left) > 0
}

// isTaken reports whether an exchange takes a word: it is marked as that, or may be if nothing is.
func (x exchange) isTaken(w word) bool {
	found, ok := x.takes.find(w)
	return ok && !found.both && (found.taken || !x.marked && x.named && !found.scope && !found.thing)
}

// A standing is how a text stands to an exchange.
type standing uint8

const (
	apart  standing = iota // it chooses neither
	before                 // it chooses what is left
	behind                 // it chooses what is taken
)

// standingOf returns how a text stands to an exchange, and the words up to the end of the clause that says
// so. What it chooses first counts: more of the text may say what it did not choose.
func (x exchange) standingOf(said []word) (standing, []word) {
	for i, w := range said {
		if w.denied || w.reason {
			continue
		}
		end := i + 1
		for end < len(said) && said[end].clause == w.clause && said[end].at > said[end-1].at {
			end++
		}
		if _, ok := x.left.find(w); ok {
			return before, said[:end]
		}
		if x.isTaken(w) {
			return behind, said[:end]
		}
	}
	return apart, said
}

// sameSubject is how much of what one of two texts is about must be in the other for both to be about one
// thing.
const sameSubject = 0.6

// replaces reports whether an exchange puts something in the place of what a text chooses. Both must be about
// one thing, unless the exchange is for all things.
func (x exchange) replaces(said []word) bool {
	stands, until := x.standingOf(said)
	if stands != before {
		return false
	}
	words, plain := bagOfWords(said), true
	for _, w := range x.left {
		found, ok := words.find(w)
		if !ok || found.denied || found.reason {
			return false
		}
		plain = plain && !w.name && !w.number && !found.name
	}
	if x.marked && x.isElsewhere(words) ||
		(x.marked || x.onlyNumbers()) && x.isOther(bagOfWords(until), false) {
		return false
	}
	about := bag{}
	for root, w := range x.about {
		found, there := words.find(w)
		switch {
		case x.marked && w.taken && !w.both, isChosen(w) && there && found.denied,
			isChosen(w) && !there && !x.marked: // it is taken
		default:
			about[root] = w
		}
	}
	if len(about) == 0 {
		return !plain
	}
	return x.isAbout(about, until, !plain)
}

// isElsewhere reports whether an exchange and a text each name something that the other does not: "in Japan"
// and "in Germany". What the exchange leaves and takes is no such name.
func (x exchange) isElsewhere(said bag) bool {
	other := false
	for _, w := range said {
		if w.name && !w.denied && !w.reason && isContent(w) {
			_, left := x.left.find(w)
			_, about := x.about.find(w)
			other = other || !left && !about
		}
	}
	if !other {
		return false
	}
	for _, w := range x.about {
		if w.name && !w.taken && !w.both && isContent(w) {
			if _, there := said.find(w); !there {
				return true
			}
		}
	}
	return false
}

// onlyNumbers reports whether an exchange leaves nothing but numbers.
func (x exchange) onlyNumbers() bool {
	for _, w := range x.left {
		if !w.number {
			return false
		}
	}
	return true
}

// isOther reports whether an exchange and a choice each are about something that the other does not name:
// "the night shift" and "the day shift". moved says that only what is behind a word such as "switch" counts,
// where nothing else is said: a conversation has words that say nothing of the thing.
func (x exchange) isOther(choice bag, moved bool) bool {
	first := math.MaxInt
	for _, w := range x.left {
		first = min(first, w.at)
	}
	says := func(w word) bool {
		return !w.denied && !w.reason && !w.taken && !w.both && isContent(w) && !isWeakWord(w.root) &&
			(w.name || !w.german) && !text.IsStopWord([]byte(w.root))
	}
	for _, w := range choice {
		_, left := x.left.find(w)
		_, about := x.about.find(w)
		if left || about || !says(w) {
			continue
		}
		for _, w := range x.about {
			if _, there := choice.find(w); !there && !w.number && says(w) && (w.moved || !moved) &&
				(w.at < first || w.thing || w.scope) {
				return true
			}
		}
	}
	return false
}

// isAbout reports whether the subject of an exchange is that of a text, as far as that does not say what the
// exchange leaves: of all its words, or of the things that it names as such. other is the answer for a text
// without a subject.
func (x exchange) isAbout(subject bag, said []word, other bool) bool {
	all, things := bag{}, bag{}
	for root, w := range bagOfWords(said) {
		if _, ok := x.left.find(w); ok || w.denied || w.reason || !isContent(w) {
			continue
		}
		all[root] = w
		if w.thing || w.scope && !w.name && !w.number {
			things[root] = w
		}
	}
	if len(all) == 0 {
		return other
	}
	return max(all.share(subject.list(), nil), subject.share(all.list(), nil)) >= sameSubject ||
		len(things) > 0 && subject.share(things.list(), nil) >= sameSubject
}

// An Exchange is a statement that puts one thing in the place of another: "use Postgres instead of Redis".
type Exchange struct{ exchange }

// ExchangeOf returns the exchange that a statement makes, and whether it makes one.
func ExchangeOf(statement string) (Exchange, bool) {
	x, ok := exchangeOf(bagOf(statement))
	return Exchange{x}, ok
}

// Replaces reports whether an exchange puts something in the place of what a text chooses, and both are about
// one thing.
func (x Exchange) Replaces(text string) bool { return x.replaces(wordsOf(clausesOf(text))) }

// Spares reports whether an exchange says nothing against what a text chooses, though that mentions what it
// leaves: the text chose the new thing already, or the old one for something else.
func (x Exchange) Spares(text string) bool { return x.spares(wordsOf(clausesOf(text))) }

func (x exchange) spares(said []word) bool {
	stands, said := x.standingOf(said)
	switch {
	case stands == behind:
		return true
	case stands == apart:
		return false
	case (x.marked || x.onlyNumbers()) && x.isOther(bagOfWords(said), true):
		return true
	case !x.marked:
		return false
	}
	about := bag{}
	for root, w := range x.about {
		if (w.thing || w.scope || x.times) && !w.taken {
			about[root] = w
		}
	}
	return len(about) > 0 && !x.isAbout(about, said, true)
}

// isContent reports whether a word says what a choice is about, and not only that something is chosen.
func isContent(w word) bool {
	return (!isWeakWord(w.root) || w.thing) && !text.OneOf(w.root,
		"good wird today turn replac swap trad exchang migr back drop take send sent writ written built "+
			"build liv live "+
			"show shown nutz nutzen nehmen verwenden stellen stell zieh zieht um")
}
