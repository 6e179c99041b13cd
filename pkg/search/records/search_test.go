package records

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"keepsake/pkg/memory"
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
	if ix, err = Open(ix.base.r, int64(ix.base.size), delta); err != nil || len(ix.dead) != 40 {
		t.Fatal(err, len(ix.dead))
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
			slowly(t, slow, q.term(i))
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
func slowly(t *rapid.T, s *searching, term []byte) {
	n := 0
	var lists [2][]posting
	for i := range s.sides {
		side := &s.sides[i]
		at, ok, err := side.find(term)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		r, err := side.row(at)
		if err != nil {
			t.Fatal(err)
		}
		marks, err := side.readMarks()
		if err != nil {
			t.Fatal(err)
		}
		list, err := side.readPostings(r)
		if err != nil {
			t.Fatal(err)
		}
		for p, ok := list.next(); ok; p, ok = list.next() {
			lists[i] = append(lists[i], p)
			if (s.retired || mark(marks[p.doc]).active()) && !(i == 0 && s.ix.isDead(int(p.doc))) {
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
			tally := &s.sides[i].tallies[p.doc]
			tally.evidence += float32(idf / 255 * float32(p.weight))
			if p.head {
				tally.head += idf
			}
		}
	}
}
