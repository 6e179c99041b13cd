package alike

import (
	"cmp"
	"slices"
)

// A signature is what tells quickly that two choices can't be opposed: sorted hashes of their roots, in the
// parts that opposed looks at. Most of many records have hardly a word in common where it counts.
type signature struct {
	roots, names    []uint64 // of all words, and of those that are names
	lost, lostNames []uint64 // of what was turned down
	denied          []uint64 // of what is denied in the main text
	main            stems
	opposites       []uint64 // of the opposites of words
	kinds           []uint64 // of what it chooses
	sentences       []sentenceSignature
	subject         bag
}

// A sentenceSignature is a signature of one sentence.
type sentenceSignature struct {
	roots   []uint64 // of all pieces, each as often as it stands there
	content []uint64 // of those with content
	kinds   []uint64
}

// sign gives a choice its signature.
func (c *choice) sign() {
	s := &signature{subject: c.subject()}
	for root, w := range c.all {
		h := hashOf(root)
		s.roots = append(s.roots, h)
		if w.name {
			s.names = append(s.names, h)
		}
		if o := antonymOf(root); o != "" {
			s.opposites = append(s.opposites, hashOf(o))
		}
		if kind := kindOf(root); kind != "" && isChosen(w) {
			s.kinds = append(s.kinds, hashOf(kind))
		}
	}
	for root, w := range c.lost {
		s.lost = append(s.lost, hashOf(root))
		if w.name {
			s.lostNames = append(s.lostNames, hashOf(root))
		}
	}
	s.main = stemsOf(c.main)
	for root, w := range c.main {
		if w.denied {
			s.denied = append(s.denied, hashOf(stemOf(root)))
		}
	}
	for _, said := range c.says {
		var one sentenceSignature
		for _, p := range said[:min(len(said), maxPieces)] {
			one.roots = append(one.roots, hashOf(p.root))
			if hasContent(sentence{p}) {
				one.content = append(one.content, hashOf(p.root))
			}
			if kind := kindOf(p.root); kind != "" {
				one.kinds = append(one.kinds, hashOf(kind))
			}
		}
		for _, list := range [...][]uint64{one.roots, one.content, one.kinds} {
			slices.Sort(list)
		}
		s.sentences = append(s.sentences, one)
	}
	for _, list := range [...][]uint64{s.roots, s.names, s.lost, s.lostNames, s.denied, s.opposites,
		s.kinds} {
		slices.Sort(list)
	}
	c.signature = s
}

// hashOf is FNV-1a.
func hashOf(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// inBoth returns how many elements of a sorted list are in another one, each as often as in both, but not
// more than enough.
func inBoth(a, b []uint64, enough int) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b) && n < enough; {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}

func meet(a, b []uint64) bool { return inBoth(a, b, 1) > 0 }

// mayOppose reports whether two choices with signatures can be opposed. Where it reports false, opposed does.
func mayOppose(a, b *choice) bool {
	return a.exchanged || b.exchanged || mayDeny(a, b) || mayDeny(b, a) || mayHaveOtherValue(a, b) ||
		maySayOtherwise(a, b)
}

// mayDeny reports whether deniesChoice may be true.
func mayDeny(a, b *choice) bool {
	x, y := a.signature, b.signature
	return meet(x.names, y.lost) || meet(x.roots, y.lostNames) || meet(x.main.hashes, y.denied) &&
		min(x.main.most(y.main), y.main.most(x.main)) >= sameWords && isDenial(a.main, b.main)
}

// stems are the stems of the words of a bag, sorted, with the weights of the words if nothing is denied.
type stems struct {
	hashes  []uint64
	weights []float64
	total   float64
}

// stemOf returns the beginning that a root shares with all that are akin to it.
func stemOf(root string) string { return root[:min(len(root), akinPrefix)] }

func stemsOf(b bag) (s stems) {
	list := b.list()
	slices.SortFunc(list, func(x, y word) int {
		return cmp.Compare(hashOf(stemOf(x.root)), hashOf(stemOf(y.root)))
	})
	for _, w := range list {
		w.denied = false
		s.hashes, s.weights = append(s.hashes, hashOf(stemOf(w.root))), append(s.weights, w.weight())
		s.total += w.weight()
	}
	return s
}

// most returns at most how much of the words of another bag, by weight, this one has.
func (s stems) most(other stems) float64 {
	has := 0.0
	for i, j := 0, 0; i < len(s.hashes) && j < len(other.hashes); {
		switch {
		case s.hashes[i] < other.hashes[j]:
			i++
		case s.hashes[i] > other.hashes[j]:
			j++
		default: // several may have this stem
			has += other.weights[j]
			j++
		}
	}
	return (has + 1e-9) / max(other.total, 1e-9) // sums differ by their order
}

// mayHaveOtherValue reports whether hasOtherValue may be true.
func mayHaveOtherValue(a, b *choice) bool {
	x, y := a.signature, b.signature
	return meet(x.kinds, y.kinds) || meet(x.opposites, y.roots)
}

// maySayOtherwise reports whether compare may find another value: two sentences that differ in at most two
// words each, in a tool of one kind, or in a quantity.
func maySayOtherwise(a, b *choice) bool {
	const apart = 2 // swap.judge
	for i, x := range a.signature.sentences {
		for j, y := range b.signature.sentences {
			p, q := &a.counts[i], &b.counts[j]
			n, m := len(x.content)-apart, len(y.content)-apart
			if p.quantities == 1 && q.quantities == 1 && p.quantity.class == q.quantity.class ||
				meet(x.kinds, y.kinds) || inBoth(x.content, y.roots, n) >= n && inBoth(y.content, x.roots,
				m) >= m {
				return true
			}
		}
	}
	return false
}
