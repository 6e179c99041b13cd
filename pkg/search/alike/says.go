package alike

import (
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// A Saying is a text, parsed once, with which statements are compared.
type Saying struct {
	clauses []clause
	turns   string // the words that modify others, in order
}

// SayingOf returns the Saying of a text.
func SayingOf(said string) Saying {
	said = text.WithoutLeadIn(said)
	return Saying{clausesOf(said), modifiers(said)}
}

// RecordSaying returns the Saying of a record: its title and all its fields.
func RecordSaying(r memory.Record) Saying {
	s := SayingOf(r.Title + "\n" + r.MainText())
	s.clauses = append(s.clauses, clausesOf(r.Body())...)
	return s
}

// WithoutReasons returns what a text says apart from its reasons.
func (s Saying) WithoutReasons() Saying {
	var kept []clause
	for _, c := range s.clauses {
		kept = append(kept, c.reasons(false))
	}
	s.clauses = kept
	return s
}

// HasPurpose reports whether a text names what it applies to. Choosing a thing for one more purpose does
// not change a general choice.
func HasPurpose(text string) bool {
	return slices.ContainsFunc(sentencesOf(text), func(s sentence) bool {
		return slices.ContainsFunc(s, func(p piece) bool { return p.role == purpose })
	})
}

const (
	// leastSaid is how much a statement must say for another to say it too.
	leastSaid = 1.5
	// leastBack is how much of a clause must be in the statement for the clause to say it. A long clause with
	// one or two common words says something else.
	leastBack = 0.6
)

// Says reports whether a text says all that a statement does, and perhaps more: each clause with its names,
// numbers, denials and reason. Callers drop statements that are already said, so in doubt it reports false.
func (s Saying) Says(statement Saying) bool {
	if s.turns != statement.turns || s.lacksWord(statement) {
		return false
	}
	said := 0.0
	for _, c := range statement.clauses {
		for _, part := range [...][]word{c.reasons(false), c.reasons(true)} {
			weight := bagOfWords(part).weight()
			if weight == 0 {
				continue
			}
			if !slices.ContainsFunc(s.clauses, func(k clause) bool { return k.says(part) }) {
				return false
			}
			said += weight
		}
	}
	return said >= leastSaid
}

// lacksWord reports whether a statement has a word that nothing in a text can be. It is much faster to see
// than what the clauses of both say.
func (s Saying) lacksWord(statement Saying) bool {
	for _, c := range statement.clauses {
		for _, w := range c {
			if !isFiller(w.root) && !slices.ContainsFunc(s.clauses, func(k clause) bool {
				return slices.ContainsFunc(k, w.mayBe)
			}) {
				return true
			}
		}
	}
	return false
}

// mayBe reports whether bag.find may take a word for w.
func (w word) mayBe(found word) bool {
	return found.root == w.root || !w.dense && !w.number && len(w.root) >= minPrefix &&
		len(found.root) >= minPrefix && akin(found.root, w.root)
}

// Same reports whether two statements say the same.
func Same(a, b Saying) bool { return a.Says(b) && b.Says(a) }

// reasons returns the words of a clause that give its reason, or the others.
func (c clause) reasons(wanted bool) (part []word) {
	for _, w := range c {
		if w.reason == wanted {
			part = append(part, w)
		}
	}
	return part
}

// says reports whether a clause has each of some words, with names in the same order, and is mostly about
// them.
func (c clause) says(part []word) bool {
	mine := bagOfWords(c)
	var names []string
	for _, w := range part {
		if isFiller(w.root) {
			continue
		}
		found, ok := mine.find(w)
		if !ok || found.denied != w.denied {
			return false
		}
		// What is turned down may be named before or behind what is chosen.
		if w.name && !w.denied && !slices.Contains(names, found.root) {
			names = append(names, found.root)
		}
	}
	at := -1
	for _, n := range names {
		i := slices.IndexFunc(c, func(w word) bool { return w.root == n })
		if i < at {
			return false // "A calls B" and "B calls A"
		}
		at = i
	}
	main := c.reasons(false)
	if len(part) > 0 && part[0].reason || len(main) == 0 {
		main = c
	}
	return bagOfWords(part).share(main, nil) >= leastBack
}

// isFiller reports whether a root only states that something is so.
func isFiller(root string) bool {
	return text.OneOf(root, "keep kept stor store live liv lived lie us")
}

// modifiers returns the words of a text, in order, that modify its meaning and that clauses leave out:
// "before" and "after", "may" and "only".
func modifiers(said string) string {
	var all []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(said), func(r rune) bool { return !isTermRune(r) }) {
		switch w {
		case "before", "after", "until", "more", "less", "most", "least", "fewer", "only", "may", "might",
			"maybe", "perhaps", "think", "guess", "believe", "probably", "glaube", "denke", "wohl",
			"could", "would", "sometimes", "except", "unless", "if", "off", "out", "above",
			"below", "under", "vor", "nach", "bis", "mehr", "weniger", "mindestens", "höchstens", "nur",
			"vielleicht", "könnte", "könnten", "manchmal", "außer", "wenn", "falls":
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	for w := range strings.FieldsSeq(strings.ToLower(said)) {
		w = strings.Trim(w, ".,;:!?()\"'`“”„")
		if at := strings.IndexAny(w, "+#"); at > 0 && !slices.Contains(all, w) {
			all = append(all, w) // "C#" and "C++"
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
