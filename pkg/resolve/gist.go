package resolve

// A Gist is what a text says, for others to ask what it chooses.
type Gist struct {
	words bag
	head  bag // of what names it
}

// GistOf reads a text; head is the part of it that names it, such as a title.
func GistOf(head, text string) Gist { return Gist{bagOf(head + "\n" + text), bagOf(head)} }

// A Phrase is a few words that others are asked about.
type Phrase struct{ words bag }

// PhraseOf reads a phrase.
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

// Weight is how much a phrase says: a name or number counts two, another word one.
func (p Phrase) Weight() float64 { return p.words.weight() }

// Names reports whether a phrase has a name or a number.
func (p Phrase) Names() bool {
	for _, w := range p.words {
		if chosen(w) {
			return true
		}
	}
	return false
}

// Counted returns a phrase without its numbers, and whether it has some and no name: "two" and
// "12 characters", not "Node 18 on AWS".
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

// Roots returns the roots of a phrase's words: each is in the text, in lower case, that
// has the word, unless it stands for another form.
func (p Phrase) Roots() []string { return sortedKeys(p.words) }

// Chooses returns how much of a phrase a text speaks for, 0 where it turns down or leaves
// out one of its names.
func (g Gist) Chooses(p Phrase) float64 {
	var has, total float64
	for _, w := range p.words {
		total += w.weight()
		found, ok := g.words.find(w)
		ok = ok && !found.denied && !found.reason
		if ok {
			has += w.weight()
		} else if chosen(w) {
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

// Rivals reports whether a text chooses something that a name of a phrase would take the
// place of: one of its kind, or one that it says it turned that name down for.
func (g Gist) Rivals(p Phrase) bool {
	for _, w := range p.words {
		if !chosen(w) {
			continue
		}
		if found, ok := g.words.find(w); ok && found.denied && !found.reason {
			return true
		}
		if _, ok := g.head.find(w); ok {
			continue // it is what the text is about
		}
		in := g.head
		if len(in) == 0 {
			in = g.words
			if found, ok := in.find(w); ok && chosen(found) {
				continue
			}
		}
		kind := kindOf(w.root)
		for _, other := range in {
			if kind != "" && chosen(other) && kindOf(other.root) == kind {
				return true
			}
		}
	}
	return false
}

// Mentions returns how much of a phrase a text has, whether it speaks for it or not; 0
// where what names the text has none of it.
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
