package files

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"keepsake/pkg/search/records"
	"keepsake/pkg/search/segment"
)

// Found is a file that may answer.
type Found struct {
	Path  string
	Rank  float64 // more is better; comparable only within one search
	Score float64 // how surely it answers, from 0 to 1: as recall scores what it has of the words
}

// What a term is worth by where it stands, beside at most 1 for the text.
const (
	worthName    = 3.0
	worthFolder  = 1.4
	worthSymbol  = 2.2
	worthHeading = 1.3
)

// prefixFactor is the worth of a word that only begins with the wanted one, and maxPrefixed how many such
// words are looked at.
const (
	prefixFactor = 0.5
	maxPrefixed  = 24
)

// enough is how much of what was asked for, by weight, a file has to have.
const enough = 0.3

// Search finds the n files that most likely answer, best first; hidden ones are left
// out. It weighs the words of the query by how rare they are, for Best.
func (q *Query) Search(n int, ix *segment.Index, hidden map[string]bool) ([]Found, error) {
	sides, docs, err := sidesOf(ix, hidden)
	if err != nil {
		return nil, err
	}
	total := ix.Docs(true)
	scores, covered := make([]float64, len(docs)), make([]float64, len(docs))
	best := make([]float64, len(docs))
	found, rarities := make([]float64, len(docs)), 0.0 // the evidence of files, and the question's worth
	var asked float64
	for gi := range q.groups {
		g := &q.groups[gi]
		touched, err := g.weigh(best, sides, docs)
		if err != nil {
			return nil, err
		}
		rare := math.Log1p(float64(total) / float64(max(len(touched), 1)))
		g.known = len(touched) > 0
		g.weight *= rare
		rarity := 0.0
		if !g.whole {
			asked += g.weight
			rarity = records.Rarity(len(touched), total)
			rarities += rarity
		}
		for _, i := range touched {
			scores[i] += g.weight * best[i]
			if !g.whole {
				covered[i] += g.weight * min(1, best[i]*2)
				found[i] += rarity * min(1, best[i]*2)
			}
			best[i] = 0
		}
	}
	// A prior mostly lowers, and what is called by its name has that word: the best by
	// words alone are enough of a choice.
	var likely []scored
	for i, score := range scores {
		if score > 0 && covered[i] >= enough*asked {
			c := covered[i] / asked
			likely = append(likely, scored{score * c * c, i})
		}
	}
	slices.SortFunc(likely, func(a, b scored) int { return cmp.Compare(b.rank, a.rank) })
	var all []Found
	for _, l := range likely[:min(8*n, len(likely))] {
		path := docs[l.doc].path
		all = append(all, Found{path, l.rank * q.prior(path), records.Score(found[l.doc], rarities, total)})
	}
	slices.SortFunc(all, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(len(a.Path), len(b.Path)),
			strings.Compare(a.Path, b.Path))
	})
	return all[:min(n, len(all))], nil
}

type scored struct {
	rank float64
	doc  int
}

// A doc is a file of the index, as Search asks for it.
type doc struct {
	path   string
	length int
	out    bool // hidden, gone, or newer in the other side
}

// A side is a segment of the index.
type side struct {
	*segment.Segment
	first int // the place of its first file among those of both
}

// sidesOf returns the segments of an index, and the files of all of them.
func sidesOf(ix *segment.Index, hidden map[string]bool) (sides [2]side, docs []doc, err error) {
	docs = make([]doc, 0, ix.Base.Docs+ix.Delta.Docs)
	for i, part := range []*segment.Segment{ix.Base, ix.Delta} {
		sides[i] = side{part, len(docs)}
		all, err := part.Documents()
		if err != nil {
			return sides, nil, err
		}
		for k := range all {
			d := &all[k]
			docs = append(docs, doc{d.Path, lengthOf(d), len(hidden) > 0 && hidden[d.Path]})
		}
	}
	for _, d := range ix.Dead {
		docs[d.Doc].out = true
	}
	return sides, docs, nil
}

// weigh puts what each file has of the group's word into best, and returns the places
// of those that have any.
func (g *group) weigh(best []float64, sides [2]side, docs []doc) (touched []int, err error) {
	for _, s := range sides {
		for _, f := range g.forms {
			err := s.eachForm(f, func(t *segment.Term, factor float64) error {
				postings, err := s.Postings(t)
				if err != nil {
					return err
				}
				for post, ok := postings.Next(); ok; post, ok = postings.Next() {
					at := s.first + int(post.Doc)
					if docs[at].out {
						continue
					}
					if best[at] == 0 {
						touched = append(touched, at)
					}
					best[at] = max(best[at], factor*worthOf(mark(post.Weight), docs[at].length))
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return touched, nil
}

// eachForm calls see with the terms that count as a form of a word, and what each is
// worth.
func (s side) eachForm(f form, see func(t *segment.Term, factor float64) error) error {
	at, exact, err := s.Find([]byte(f.term))
	if err != nil || !exact && !f.prefix {
		return err
	}
	for prefixed := 0; at < s.Terms; at++ {
		t, err := s.Term(at)
		if err != nil {
			return err
		}
		factor := f.factor
		if !exact {
			if prefixed++; prefixed > maxPrefixed || !bytes.HasPrefix(t.Name, []byte(f.term)) {
				return nil
			}
			factor *= prefixFactor
		}
		if err := see(t, factor); err != nil || !f.prefix {
			return err
		}
		exact = false
	}
	return nil
}

// worthOf returns the weight of a term in a file, by its places and its number. The longer the text, the
// less the term counts in it.
func worthOf(m mark, length int) (w float64) {
	if m&inName != 0 {
		w += worthName
	}
	if m&inFolder != 0 {
		w += worthFolder
	}
	if m&inSymbol != 0 {
		w += worthSymbol
	}
	if m&inHeading != 0 {
		w += worthHeading
	}
	if bits := m >> 4; bits > 0 {
		count := float64(uint(1)<<bits) * 0.75
		w += count / (count + 1 + float64(length)/400)
	}
	return w
}

// What is rarely where something is, though it speaks of it.
var priors = []struct {
	part   string // of the path with a slash before it
	factor float64
}{
	{"/vendor/", 0.3}, {"/third_party/", 0.3}, {"/node_modules/", 0.2}, {"/dist/", 0.4}, {".min.", 0.2},
	{".lock", 0.3}, {"-lock.", 0.3}, {"/go.sum", 0.2}, {".pb.go", 0.5}, {"_generated", 0.5},
	{"/testdata/", 0.4}, {"/fixtures/", 0.5}, {"/__snapshots__/", 0.4}, {"changelog", 0.5}, {".svg", 0.4},
}

// tests are the marks of tests in paths.
var tests = []string{"_test.", "/test/", "/tests/", ".test.", ".spec.", "/spec/", "/__tests__/", "/test_",
	"/e2e/", "_spec."}

// What a file is worth that the question calls by its name, such as "go.mod" or
// "tiers/qmd.go", and one whose name without its ending is all that is asked for.
const (
	byName = 8.0
	byStem = 2.0
)

// called returns the factor of a path for its name, 1 for most.
func (q *Query) called(path string) float64 {
	for _, name := range q.names {
		if strings.ContainsAny(name, "./") && strings.HasSuffix(path, "/"+name) {
			return byName
		}
	}
	base := path[strings.LastIndexByte(path, '/')+1:]
	stem, _, _ := strings.Cut(base, ".")
	switch {
	case len(q.names) != 1:
	case base == q.names[0]:
		return byName
	case stem == q.names[0]:
		return byStem
	}
	return 1
}

func (q *Query) prior(path string) float64 {
	path = "/" + strings.ToLower(path)
	f := q.called(path)
	for _, p := range priors {
		if strings.Contains(path, p.part) {
			f *= p.factor
		}
	}
	if !q.tests {
		for _, t := range tests {
			if strings.Contains(path, t) {
				return f * 0.55
			}
		}
	}
	return f
}
