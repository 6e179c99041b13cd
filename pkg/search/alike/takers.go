package alike

import "slices"

// A Text is a text with its most telling part, such as a title.
type Text struct{ Head, All string }

// Takers returns for each statement the indexes of the texts that say it too. If a statement has several
// clauses, each choice in it must be in a text; otherwise no text takes it up.
func Takers(statements []string, texts []Text) [][]int {
	in := map[string]int{} // how many statements have a word
	said := make([][]clause, len(statements))
	for i, s := range statements {
		said[i] = clausesOf(s)
		for root := range bagOfWords(wordsOf(said[i])) {
			in[root]++
		}
	}
	against := make([]textWords, len(texts))
	for i, t := range texts {
		head := wordsOf(clausesOf(t.Head))
		against[i] = textWords{bagOf(t.All), head, bagOfWords(head)}
	}
	out := make([][]int, len(statements))
	for i, s := range said {
		out[i] = takersOf(s, against, in)
	}
	return out
}

const (
	// takenScore is how well a text must match a clause to take it up. The paraphrases of capture/draft
	// determine it.
	takenScore = 0.5
	// nearBest is how near a draft must come to the best match to take up a clause too.
	nearBest = 0.85
	// leastWeight is how much a statement must say to be compared with anything.
	leastWeight = 0.6
)

// takersOf returns the indexes of the texts that take up a statement; none if a choice in it is in no text.
func takersOf(said []clause, texts []textWords, in map[string]int) []int {
	whole := bagOfWords(wordsOf(said))
	if whole.weight() < leastWeight {
		return []int{0} // it says nothing that could be lost, and goes to the first text
	}
	var takers []int
	for _, c := range said {
		scores := make([]float64, len(texts))
		best := 0.0
		for i, d := range texts {
			scores[i] = d.takes(c, whole, in)
			best = max(best, scores[i])
		}
		if best < takenScore {
			if namesNone(c, texts) {
				return nil
			}
			continue
		}
		for i, s := range scores {
			if s >= takenScore && s >= nearBest*best && !slices.Contains(takers, i) {
				takers = append(takers, i)
			}
		}
	}
	return takers
}

// namesNone reports whether a clause chooses something that no text names.
func namesNone(c clause, texts []textWords) bool {
	return slices.ContainsFunc(c, func(w word) bool {
		return isChosen(w) &&
			!slices.ContainsFunc(texts, func(d textWords) bool { _, ok := d.all.find(w); return ok })
	})
}

// isChosen reports whether a word is a name or number that a text speaks for.
func isChosen(w word) bool { return (w.name || w.number) && !w.denied && !w.reason }

// textWords are the words of a text: of all of it, and of its main field.
type textWords struct {
	all  bag
	head []word
	main bag // of head
}

// takes returns how much a text is about a clause of a statement, from how much of the clause the text says
// and how much of the text's main text the statement says. It is 0 if the text chooses something else, has
// another number or says the opposite.
func (d textWords) takes(c clause, whole bag, in map[string]int) float64 {
	var named, found, agreed int
	said, against := false, false
	for _, w := range c {
		if w.reason {
			continue
		}
		said = said || !w.denied
		if isChosen(w) {
			named++
			if _, ok := d.all.find(w); ok {
				found++
			} else if w.number {
				return 0
			}
		}
		if !w.name {
			continue
		}
		if other, ok := d.main.find(w); ok && !other.reason {
			if other.denied != w.denied {
				against = true
			} else if !w.denied {
				agreed++
			}
		}
	}
	if against && agreed == 0 {
		return 0
	}
	if named > 0 && found == 0 {
		return 0
	}
	allDenied := func(list []word) bool {
		return !slices.ContainsFunc(list, func(w word) bool { return !w.denied && !w.reason })
	}
	if len(d.head) > 0 && (!said && allDenied(c)) != allDenied(d.head) &&
		!slices.ContainsFunc(d.head, func(w word) bool { return w.denied == !said }) {
		return 0
	}
	own := 0
	for _, w := range d.main {
		if _, ok := whole.find(w); !ok && isChosen(w) && w.number {
			return 0
		} else if !ok && isChosen(w) {
			own++
		}
	}
	forth := d.all.share(withoutReasons(c), in)
	back := whole.share(d.head, nil)
	score := 0.65*forth + 0.35*back
	if named > 0 && own > 0 && found < named {
		score /= 2 // each names something that the other does not
	}
	return score
}
