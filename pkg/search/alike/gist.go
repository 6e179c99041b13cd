package alike

import (
	"maps"
	"slices"
)

// A Gist is the words of a text, from which its choices can be found.
type Gist struct {
	words bag
	head  bag // of what names the text
}

// GistOf returns the gist of a text. head is what names it, such as a title.
func GistOf(head, text string) Gist { return Gist{bagOf(head + "\n" + text), bagOf(head)} }

// A Phrase is a few words to look for in gists.
type Phrase struct{ words bag }

// PhraseOf returns the phrase of a text.
func PhraseOf(text string) Phrase {
	p := Phrase{bag{}}
	for root, w := range bagOf(text) {
		if !w.reason {
			w.denied = false
			p.words[root] = w
		}
	}
	return p
}

// Weight returns how much a phrase says: two for a name or number, one for another word.
func (p Phrase) Weight() float64 { return p.words.weight() }

// Names reports whether a phrase has a name or a number.
func (p Phrase) Names() bool {
	for _, w := range p.words {
		if isChosen(w) {
			return true
		}
	}
	return false
}

// Counted returns a phrase without its numbers, and reports whether it had numbers but no name: "two" and "12
// characters", not "Node 18 on AWS".
func (p Phrase) Counted() (of Phrase, ok bool) {
	of = Phrase{bag{}}
	for root, w := range p.words {
		switch {
		case w.name:
			return Phrase{}, false
		case w.number:
			ok = true
		default:
			of.words[root] = w
		}
	}
	return of, ok
}

// Roots returns the roots of a phrase's words. A text that has the word also has its root, in lower case,
// unless the root stands for another form.
func (p Phrase) Roots() []string { return slices.Sorted(maps.Keys(p.words)) }

// Chooses returns how much of a phrase a text speaks for; 0 if it turns down or leaves out one of its names.
func (g Gist) Chooses(p Phrase) float64 {
	var has, total float64
	for _, w := range p.words {
		total += w.weight()
		found, ok := g.words.find(w)
		ok = ok && !found.denied && !found.reason
		if ok {
			has += w.weight()
		} else if isChosen(w) {
			return 0
		}
	}
	if total == 0 {
		return 0
	}
	return has / total
}

// Head returns how much of what names a text is in a phrase.
func (g Gist) Head(p Phrase) float64 {
	var all []word
	for _, w := range g.head {
		all = append(all, w)
	}
	return p.words.share(all, nil)
}

// Rivals reports whether a text chooses something that replaces a name of a phrase: something of the same
// kind, or something for which it turned that name down.
func (g Gist) Rivals(p Phrase) bool {
	for _, w := range p.words {
		if !isChosen(w) {
			continue
		}
		if found, ok := g.words.find(w); ok && found.denied && !found.reason {
			return true
		}
		if _, ok := g.head.find(w); ok {
			continue // the text is about it
		}
		in := g.head
		if len(in) == 0 {
			in = g.words
			if found, ok := in.find(w); ok && isChosen(found) {
				continue
			}
		}
		kind := kindOf(w.root)
		for _, other := range in {
			if kind != "" && isChosen(other) && kindOf(other.root) == kind {
				return true
			}
		}
	}
	return false
}

// Mentions returns how much of a phrase a text has, whether it speaks for it or not; 0 if what names the text
// has none of it.
func (g Gist) Mentions(p Phrase) float64 {
	if len(g.head) > 0 && g.Head(p) == 0 {
		return 0
	}
	var all []word
	for _, w := range p.words {
		all = append(all, w)
	}
	return g.words.share(all, nil)
}
