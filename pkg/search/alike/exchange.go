package alike

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// exchanges reads a word with which one thing is put in the place of another: what is behind it, or the name
// before it, is left. It reports whether the word says nothing else.
func (r *wordReader) exchanges(low, last, next string) bool {
	switch low {
	case "instead", "rather", "over", "against", "than", "statt", "anstatt", "anstelle", "away":
		if next == "" || '0' <= next[0] && next[0] <= '9' {
			return true // over 10 MB
		}
		if r.lose(""); low != "away" {
			r.takes = !r.takeNearest() && len(r.now) == 0 // instead of Redis, use Postgres
		}
		r.moves = r.moves || low == "away"
		return true
	case "place", "lieu":
		if (next == "of" || next == "von") && (last == "in" || last == "the") {
			r.lose("")
			r.takeNearest()
			return true
		}
	case "favor", "favour":
		if last == "in" {
			r.loses, r.denies, r.takes = false, false, true
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
		r.takeNearest()
		return true
	}
	return false
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

// isRemark reports whether the words behind a comma are a sentence of their own that says why: ", it was slow",
// ", deliverability was bad". lost says that something was left before it.
func isRemark(after string, lost bool) bool {
	part := after[:max(0, cmp.Or(strings.IndexAny(after, ",;.\n")+1, len(after)+1)-1)]
	words := strings.Fields(strings.ToLower(part))
	if len(words) < 3 || slices.Contains(words, "now") {
		return false
	}
	return lost && (words[0] == "it" || words[0] == "they") || slices.ContainsFunc(words, func(w string) bool {
		return text.OneOf(w, "was were had became lost failed crashed broke took cost war waren hatte wurde")
	})
}

// isUnused reports whether the words behind "not" or "no" say that a thing is not used any more.
func isUnused(after string) bool {
	words := strings.Fields(strings.TrimLeft(after, " "))
	if len(words) > 0 && words[0] == "longer" {
		words = words[1:]
	}
	return len(words) > 0 && text.OneOf(strings.Trim(words[0], ".,;:!"), "used needed wanted supported required")
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
		"replace replaced replacing swap swapped swapping trade traded trading exchange exchanged exchanging "+
			"ersetze ersetzen tausche tauschen")
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
}

// exchangeOf returns the exchange that a statement makes, and whether it makes one. "Lint with Biome, not
// ESLint" makes one as well: it turns down a name and chooses another one.
func exchangeOf(said bag) (x exchange, ok bool) {
	x = exchange{left: bag{}, takes: bag{}, about: bag{}}
	denied, named := bag{}, false
	for root, w := range said {
		switch {
		case w.reason || !isContent(root):
		case w.left:
			x.left[root] = w
			named = named || w.name || w.number
		case w.denied && w.name:
			denied[root] = w
		case !w.denied:
			x.about[root] = w
			x.marked = x.marked || w.taken
			if isChosen(w) {
				x.takes[root] = w
			}
		}
	}
	if len(x.left) == 0 && len(x.takes) > 0 {
		x.left, named = denied, true
	}
	if named {
		maps.DeleteFunc(x.left, func(_ string, w word) bool { return !w.name && !w.number })
	}
	return x, len(x.left) > 0
}

// sameSubject is how much of what one of two texts is about must be in the other for one to replace the other.
const sameSubject = 0.6

// replaces reports whether an exchange puts something in the place of what a text chooses. Both must be about
// one thing, unless the exchange is for all things.
func (x exchange) replaces(said bag) bool {
	if x.marked && x.takesOf(said) {
		return false // it chose that already
	}
	plain := true
	for _, w := range x.left {
		found, ok := said.find(w)
		if !ok || found.denied || found.reason {
			return false
		}
		plain = plain && !w.name && !w.number && !found.name
	}
	about, mine := bag{}, bag{}
	for root, w := range x.about {
		_, there := said.find(w)
		if there || !isChosen(w) || x.marked && !w.taken {
			about[root] = w
		}
	}
	for root, w := range said {
		if _, ok := x.left.find(w); !ok && !w.denied && !w.reason && isContent(root) {
			mine[root] = w
		}
	}
	if len(about) == 0 || len(mine) == 0 {
		return !plain
	}
	return max(mine.share(about.list(), nil), about.share(mine.list(), nil)) >= sameSubject
}

// agrees reports whether a text chooses what an exchange takes, and not all of what it leaves.
func (x exchange) agrees(said bag) bool {
	for _, w := range x.left {
		if found, ok := said.find(w); !ok || found.denied || found.reason {
			return x.takesOf(said)
		}
	}
	return false
}

// takesOf reports whether a text chooses something that an exchange takes.
func (x exchange) takesOf(said bag) bool {
	for _, w := range x.takes {
		found, ok := said.find(w)
		if ok && (w.taken || !x.marked) && !w.both && !found.denied && !found.reason {
			return true
		}
	}
	return false
}

// isContent reports whether a root says what a choice is about, and not that something is chosen.
func isContent(root string) bool {
	return !isWeakWord(root) && !text.OneOf(root,
		"replac swap trad exchang migr back drop take send sent writ written built build liv live show shown nutz "+
			"nutzen nehmen verwenden stellen stell zieh zieht um")
}
