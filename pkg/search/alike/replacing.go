package alike

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/text"
)

// A clue is something that tells whether a statement takes the place of an earlier one.
type clue uint8

const (
	always        clue = iota
	ownSubjects        // things that only one of the two names, in both: 0 to 2
	otherHead          // each begins with a thing that the other does not name
	leavesOther        // the new one leaves a name that the old one does not have
	takes              // it says which name it takes
	denies             // it turns down a word of the old one
	closes             // it says that something of the old one has ended: "Confluence is closed"
	antonym            // a word of the new one is the opposite of one of the old one
	exchanged          // it puts something in the place of what the old one chose
	updated            // it gives another value to what the old one gives one
	fromNow            // "now", "from now on"
	moving             // "moved", "raised", "replaced"
	fromNowOfSame      // fromNow, and at least half of both subjects is one
	newOfSame          // fromNow, moving or an end, and both begin with one thing
	valueChanges       // both have a value of one kind, and the new one says that it changed
	clues
)

// weights are what the clues count, fitted by logistic regression (L2 of 0.5) on 566 pairs of sentences, 235
// of which replace: those in testdata of package change. By five-fold cross-validation 63 % of these are
// found, and 2.7 % of the others are taken for one.
var weights = [clues]float64{-1.58, -0.74, -2.05, -1.76, -1.58, 1.93, 1.22,
	0.73, 2.79, 2.03, -0.39, 0.31, 1.00, 0.72, 0.89}

// leastReplacing is the likelihood from which on a person is asked whether a statement replaces another one.
const leastReplacing = 0.7

// A Latest is a statement that is held against earlier ones.
type Latest struct {
	text    string
	words   []word
	bag     bag
	marks   marks
	things  []string // the beginnings of the words that say what it is about
	change  exchange
	changes bool // it has an exchange
	update  update
	updates bool // it has an update
}

// LatestOf returns a statement to be held against earlier ones.
func LatestOf(said string) Latest {
	l := Latest{text: said, words: wordsOf(clausesOf(said)), marks: marksOf(said)}
	l.bag = bagOfWords(l.words)
	l.change, l.changes = exchangeOf(l.bag)
	l.update, l.updates = updateOf(said)
	for _, w := range l.bag {
		if isContent(w) {
			l.things = append(l.things, w.root[:min(len(w.root), minPrefix)])
		}
	}
	return l
}

// MayReplace reports whether a statement has words with which people say that something is otherwise now.
// Most have none, and replace nothing.
func (l Latest) MayReplace() bool {
	return l.changes || l.updates || l.marks.fromNow || l.marks.ended
}

// Replaces reports whether a statement surely takes the place of an earlier one: it says so in words, and
// names what it leaves, or gives the same thing another value.
func (l Latest) Replaces(earlier string) bool {
	if !l.mayBeAbout(earlier) {
		return false
	}
	words := wordsOf(clausesOf(earlier))
	return (l.changes && l.change.replaces(words) || l.updates && l.update.replaces(earlier)) &&
		!modifiersDiffer(bagOfWords(words), l.bag, words, l.words)
}

// Resembles returns how likely it is, from 0 to 1, that a statement takes the place of an earlier one: that
// this no longer holds now. It reports whether that is likely enough to ask. It is not enough to retire a
// memory: "the queue has 8 workers now" is also new, and of the queue.
func (l Latest) Resembles(earlier string) (likely float64, ask bool) {
	if !l.mayBeAbout(earlier) {
		return 0, false
	}
	sum := 0.0
	for i, v := range l.clues(earlier) {
		sum += weights[i] * v
	}
	likely = 1 / (1 + math.Exp(-sum))
	return likely, likely >= leastReplacing
}

// mayBeAbout reports, at little cost, whether an earlier statement can have a word of this one.
func (l Latest) mayBeAbout(earlier string) bool {
	low := strings.ToLower(earlier)
	return slices.ContainsFunc(l.things, func(begins string) bool { return strings.Contains(low, begins) })
}

// clues returns what tells whether a statement takes the place of an earlier one, by clue.
func (l Latest) clues(earlier string) (c [clues]float64) {
	oldWords := wordsOf(clausesOf(earlier))
	before := bagOfWords(oldWords)
	c[always] = 1
	c[exchanged] = truth(l.changes && l.change.replaces(oldWords))
	c[updated] = truth(l.updates && l.update.replaces(earlier))
	c[otherHead] = truth(headsDiffer(before, l.bag, oldWords, l.words))
	c[antonym] = truth(antonyms(before, l.bag))
	ofOld, ofNew := compareSubjects(&c, before, l.bag)
	c[closes] = truth(saysEnded(l.text, before))
	c[fromNow], c[moving] = truth(l.marks.fromNow), truth(l.marks.moving)
	changed := l.marks.fromNow || l.marks.moving || l.marks.ended
	c[fromNowOfSame] = truth(l.marks.fromNow && min(ofOld, ofNew) >= 0.5)
	head := headOf(l.words)
	c[newOfSame] = truth(changed && head != "" && before.hasForm(word{root: head}))
	c[valueChanges] = truth((changed || l.marks.contrasts) && valuesDiffer(l.text, earlier))
	return c
}

// compareSubjects sets the clues of what two statements are about, and returns how much of the things that
// each names the other one names, 0 to 1.
func compareSubjects(c *[clues]float64, before, now bag) (ofOld, ofNew float64) {
	var sharedOld, sharedNew, things, ownOld, ownNew float64
	for _, w := range before {
		if !w.isThing() {
			continue
		}
		things++
		switch {
		case now.hasForm(w):
			sharedOld++
		case !w.name || w.german:
			ownOld++
		}
	}
	if things > 0 {
		ofOld = sharedOld / things
	}
	things = 0
	for _, w := range now {
		switch {
		case !w.isThing():
		case w.taken:
			c[takes] = 1
		default:
			things++
			switch {
			case before.hasForm(w):
				sharedNew++
			case w.left:
				c[leavesOther] = 1
			case w.scope || !w.name || w.german:
				ownNew++
			}
		}
	}
	if things > 0 {
		ofNew = sharedNew / things
	}
	c[ownSubjects] = min(ownOld, ownNew, 2)
	for root, w := range now {
		if old, ok := before[root]; ok && w.denied && !old.denied && !w.reason {
			c[denies] = 1
		}
	}
	return ofOld, ofNew
}

// isThing reports whether a word says what a statement is about, or what it chooses. In German these have
// capitals.
func (w word) isThing() bool {
	return !w.reason && !w.number && isContent(w) && !isWeakWord(w.root) &&
		!text.IsStopWord([]byte(w.root)) && !isChanging(w.root) && !isMoving(w.root) &&
		!isMeasuring(w.root) && (w.name || !w.german)
}

// hasForm reports whether a bag has a word, or one that differs in a short ending: "Releases" and "Release".
func (b bag) hasForm(w word) bool {
	if _, ok := b.find(w); ok {
		return true
	}
	const ending = 3
	for root := range b {
		short, long := min(len(root), len(w.root)), max(len(root), len(w.root))
		if short >= minPrefix && long <= short+ending &&
			(strings.HasPrefix(root, w.root) || strings.HasPrefix(w.root, root)) {
			return true
		}
	}
	return false
}

// headOf returns the first word that says what a statement is about, "" if there is none.
func headOf(words []word) string {
	for _, w := range words {
		if !isWeakWord(w.root) && isContent(w) && !w.number {
			return w.root
		}
	}
	return ""
}

// headsDiffer reports whether two statements each begin with a thing that the other does not name.
func headsDiffer(before, now bag, oldWords, newWords []word) bool {
	a, b := headOf(oldWords), headOf(newWords)
	return a != "" && b != "" && !now.hasForm(word{root: a}) && !before.hasForm(word{root: b})
}

// modifiersDiffer reports whether one thing has a word before it in each of two statements that the other
// does not have: "read requests" and "write requests".
func modifiersDiffer(before, now bag, oldWords, newWords []word) bool {
	modifier := func(words []word, i int) (w word, ok bool) {
		if i == 0 {
			return word{}, false
		}
		w = words[i-1]
		return w, w.at+1 == words[i].at && w.clause == words[i].clause && !w.number
	}
	for i, w := range oldWords {
		for j, v := range newWords {
			if w.number || !akin(w.root, v.root) {
				continue
			}
			a, ok := modifier(oldWords, i)
			b, too := modifier(newWords, j)
			if ok && too && !b.taken && !b.left && !isChanging(b.root) && !isMoving(b.root) &&
				!now.hasForm(a) && !before.hasForm(b) {
				return true
			}
		}
	}
	return false
}

// saysEnded reports whether a statement says of a word of an earlier one that it has ended.
func saysEnded(said string, before bag) bool {
	const reach = 4 // words from the thing to its end
	named := -reach - 1
	for i, w := range strings.Fields(strings.ToLower(said)) {
		w = strings.TrimFunc(w, unicode.IsPunct)
		if !text.IsStopWord([]byte(w)) && before.hasForm(word{root: termRoot(w)}) {
			named = i
		}
		if i-named <= reach && text.OneOf(w,
			"closed archived deleted retired ignored off out gone dead lifted over ended finished removed "+
				"deprecated history abgeschaltet archiviert eingestellt weg raus beendet abgekündigt "+
				"gelöscht") {
			return true
		}
	}
	return false
}

// valuesDiffer reports whether two statements have values of one kind that are not the same.
func valuesDiffer(a, b string) bool {
	others := valuesOf(b)
	for _, p := range valuesOf(a) {
		for _, q := range others {
			if kindOfValue(p) == kindOfValue(q) && p.root != q.root {
				return true
			}
		}
	}
	return false
}

func valuesOf(said string) (all []piece) {
	for _, s := range sentencesOf(said) {
		for _, p := range s {
			if isValue(p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// marks are the words of a statement with which people say that something is otherwise.
type marks struct{ fromNow, ended, moving, contrasts bool }

// saysNew reports whether a statement says that something is otherwise from now on, or than it was.
func (m marks) saysNew() bool { return m.fromNow || m.moving || m.contrasts }

func marksOf(said string) (m marks) {
	last := ""
	for w := range strings.FieldsSeq(strings.ToLower(said)) {
		w = strings.TrimFunc(w, unicode.IsPunct)
		two := last + " " + w
		switch {
		case text.OneOf(w, "anymore abgeschafft entfällt gone retired dead obsolete abandoned"),
			two == "no longer", two == "any more", two == "any longer",
			two == "nicht mehr", two == "nicht länger",
			w == "mehr" && strings.Contains(strings.ToLower(said), "kein"):
			m.ended = true
		case text.OneOf(w, "now jetzt nun künftig henceforth nunmehr permanently dauerhaft inzwischen "+
			"mittlerweile"),
			two == "these days", two == "as of", two == "going forward", two == "starting with",
			two == "for good", two == "week on", two == "after all",
			two == "seit heute", two == "ab sofort", two == "wieder erlaubt":
			m.fromNow = true
		case text.OneOf(w, "instead statt anstatt anstelle rather sondern not nicht"):
			m.contrasts = true
		}
		m.moving = m.moving || isChanging(w) || IsMove(w) || isLeaving(w) || text.OneOf(w,
			"verlegt umgezogen übernommen passed pushed took umgestellt ersetzt relicensed renamed umbenannt")
		last = w
	}
	return m
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
