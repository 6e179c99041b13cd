package records

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"
)

// TestCountTheSlowWay: what a search adds up in its own loop is what reading the
// postings one by one adds up, in stores where they are near and far apart, with
// records that are dead, and for words nobody has but in another form.
func TestCountTheSlowWay(t *testing.T) {
	var vocabulary []string
	for _, r := range notes(t) {
		vocabulary = append(vocabulary, strings.Fields(r.Title+" "+r.Body())...)
	}
	all := many(t, 700)
	ix := open(t, all...)
	c := ix.Change()
	for _, r := range all[100:130] {
		c.Remove(r.Path)
	}
	for _, r := range all[:10] {
		r.Title, r.Status = "Rewritten "+r.Title, memory.Retired
		c.Put(r)
	}
	_, delta, err := c.Done()
	if err != nil {
		t.Fatal(err)
	}
	base := build(all)
	if ix, err = Open(bytes.NewReader(base), int64(len(base)), delta); err != nil || len(ix.at.Dead) != 40 {
		t.Fatal(err, len(ix.at.Dead))
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 20).Draw(t, "words")
		q := terms{limit: maxTerms}
		q.add(strings.Join(words, " "))
		fast, slow := newSearch(ix, rapid.Bool().Draw(t, "retired")), newSearch(ix, false)
		slow.retired, slow.docs = fast.retired, fast.docs
		for i := range q.n {
			if err := fast.ask(q.term(i)); err != nil {
				t.Fatal(err)
			}
			slowly(t, ix, slow, q.term(i))
		}
		for i := range fast.sides {
			if !reflect.DeepEqual(fast.sides[i].tallies, slow.sides[i].tallies) {
				t.Fatalf("%q: side %d differs", words, i)
			}
		}
	})
}

// slowly is ask for a term that some document has; what nobody has it leaves to
// ask.
func slowly(t *rapid.T, ix *Index, s *searching, term []byte) {
	n := 0
	var lists [2][]segment.Posting
	for i := range s.sides {
		side := &s.sides[i]
		at, ok, err := side.Find(term)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		r, err := side.Term(at)
		if err != nil {
			t.Fatal(err)
		}
		marks, err := side.Marks()
		if err != nil {
			t.Fatal(err)
		}
		list, err := side.Postings(r)
		if err != nil {
			t.Fatal(err)
		}
		for p, ok := list.Next(); ok; p, ok = list.Next() {
			lists[i] = append(lists[i], p)
			if (s.retired || marks[p.Doc] < segment.Inactive) && !(i == 0 &&
				slices.ContainsFunc(ix.at.Dead, func(d segment.Dead) bool { return d.Doc == p.Doc })) {
				n++
			}
		}
	}
	if n == 0 {
		if err := s.kin(term); err != nil {
			t.Fatal(err)
		}
		return
	}
	idf := worth(term, n, s.docs)
	for i, list := range lists {
		for _, p := range list {
			tally := &s.sides[i].tallies[p.Doc]
			tally.Evidence += float32(idf / 255 * float32(p.Weight))
			if p.Head {
				tally.Head += idf
			}
		}
	}
}
