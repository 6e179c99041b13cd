package records

import (
	"math"
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// nothing is a segment without documents.
func nothing() []byte { return newPacker(0).pack(nil) }

// A Change collects what happened to records since an index was made.
type Change struct {
	ix    *Index
	paths map[string]bool // every path that was put or removed
	parts []part          // in the order in which they were put
	chunk chunk
}

// A part is a segment with what became of its documents since.
type part struct {
	*segment
	gone map[int]bool
}

// Change begins a change of the index. The index itself stays as it is.
func (ix *Index) Change() *Change {
	return &Change{ix: ix, paths: map[string]bool{}}
}

// Check reads the whole index. Errors wrap ErrCorrupt.
func (ix *Index) Check() error {
	_, err := ix.Change().merge()
	for _, s := range []*segment{ix.base, ix.delta} {
		if err == nil {
			_, err = s.readMarks()
		}
	}
	return err
}

// Put adds a record, or takes it in the place of the one at its path.
func (c *Change) Put(r memory.Stored) {
	c.Remove(r.Path)
	m, ok := markOf(r.Category, r.Status)
	if !ok {
		return
	}
	c.chunk.add(document{path: r.Path, title: r.Title, tags: r.Tags, mark: m, file: r.File},
		r.Body()+"\n"+strings.Join(r.RelatedFiles, "\n"))
	if len(c.chunk.docs) >= chunkDocs {
		c.flush()
	}
}

// Remove takes the record at path out of the index; one that is not in it is no
// error.
func (c *Change) Remove(path string) {
	if c.paths[path] {
		// Rare enough to search for it.
		c.flush()
		for i := range c.parts {
			if at, ok, err := c.parts[i].place(path); ok && err == nil {
				c.parts[i].gone[at] = true
			}
		}
	}
	c.paths[path] = true
}

// chunkDocs is how many documents are held as words before they are packed.
const chunkDocs = 4096

func (c *Change) flush() {
	if len(c.chunk.docs) == 0 {
		return
	}
	s, err := openMemory(c.chunk.pack())
	if err != nil {
		panic(err) // we have just packed it
	}
	c.parts = append(c.parts, part{s, map[int]bool{}})
	c.chunk = chunk{}
}

// A delta is read whole by every query, so it is kept small; a base is read
// whole whenever a delta is merged into it, so that happens seldom.
const (
	minDelta   = 64  // documents, new and dead, below which a delta is small
	maxDelta   = 256 // above which it is large
	deltaShare = 16  // between them it is large above this part of the base
)

// Done returns the delta of the changed index, and its base if that has to be
// replaced too, else nil; an index of nothing has no base yet. Errors wrap
// ErrCorrupt.
func (c *Change) Done() (base, delta []byte, err error) {
	limit := min(maxDelta, max(minDelta, c.ix.base.docs/deltaShare))
	if len(c.paths) <= limit && !c.ix.baseless {
		ix := &Index{base: c.ix.base, delta: c.ix.delta}
		if err := c.bury(ix); err != nil {
			return nil, nil, err
		}
		segment, err := c.mergeParts(part{c.ix.delta, nil})
		if err != nil {
			return nil, nil, err
		}
		changed, err := openMemory(segment)
		if err != nil {
			return nil, nil, err
		}
		if changed.docs+len(ix.dead) <= limit {
			return nil, ix.encode(segment), nil
		}
	}
	if base, err = c.merge(); err != nil {
		return nil, nil, err
	}
	s, err := openMemory(base)
	if err != nil {
		return nil, nil, err
	}
	return base, (&Index{base: s}).encode(nothing()), nil
}

// bury gives ix the dead documents of the index and those that the change makes.
func (c *Change) bury(ix *Index) error {
	all := slices.Clone(c.ix.dead)
	for path := range c.paths {
		i, ok, err := c.ix.base.place(path)
		if err != nil {
			return err
		}
		if !ok || c.ix.isDead(i) {
			continue
		}
		d, err := c.ix.base.document(i)
		if err != nil {
			return err
		}
		all = append(all, dead{uint32(i), d.mark})
	}
	slices.SortFunc(all, func(a, b dead) int { return int(int64(a.doc) - int64(b.doc)) })
	for _, d := range all {
		ix.bury(d)
	}
	return nil
}

// merge makes one segment of the index and its changes.
func (c *Change) merge() ([]byte, error) {
	base := part{c.ix.base, make(map[int]bool, len(c.ix.dead))}
	for _, d := range c.ix.dead {
		base.gone[int(d.doc)] = true
	}
	return c.mergeParts(base, part{c.ix.delta, nil})
}

// mergeParts makes one segment of old ones, less what was changed, and the
// changes.
func (c *Change) mergeParts(old ...part) ([]byte, error) {
	c.flush()
	return merge(append(slices.Clip(old), c.parts...), len(old), c.paths)
}

// chunk is documents whose words were counted but not yet packed.
type chunk struct {
	docs    []document
	lengths [][fields]int
	terms   map[string][]counts
}

// counts is how often one term is in the fields of one document.
type counts struct {
	doc   uint32
	field [fields]uint16
}

const (
	inTitle = iota
	inTags
	inBody
	fields
)

func (c *chunk) add(d document, body string) {
	if c.terms == nil {
		c.terms = map[string][]counts{}
	}
	doc := uint32(len(c.docs))
	var length [fields]int
	for f, part := range [fields]string{d.title, strings.Join(d.tags, " "), body} {
		w := text.Tokenizer{}
		w.Emit = func(term []byte) bool {
			if !w.SmallTalk {
				length[f]++
			}
			list := c.terms[string(term)]
			if n := len(list); n == 0 || list[n-1].doc != doc {
				list = append(list, counts{doc: doc})
				c.terms[string(term)] = list
			}
			if n := &list[len(list)-1].field[f]; *n < math.MaxUint16 {
				*n++
			}
			return true
		}
		w.Cut(part)
	}
	c.docs = append(c.docs, d)
	c.lengths = append(c.lengths, length)
}

// pack makes a segment of the chunk.
func (c *chunk) pack() []byte {
	order := make([]int, len(c.docs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(c.docs[a].path, c.docs[b].path) })
	docs := make([]document, len(order))
	place := make([]uint32, len(order)) // the place of each document in docs
	marks := make([]byte, len(order))
	for i, at := range order {
		docs[i], place[at], marks[i] = c.docs[at], uint32(i), byte(c.docs[at].mark)
	}
	terms := make([]string, 0, len(c.terms))
	for t := range c.terms {
		terms = append(terms, t)
	}
	slices.Sort(terms)
	p := newPacker(64 * len(docs))
	var list []posting
	for _, t := range terms {
		list = list[:0]
		for _, n := range c.terms[t] {
			list = append(list, posting{place[n.doc], n.field[inTitle] > 0 || n.field[inTags] > 0,
				weigh(n, &c.lengths[n.doc])})
		}
		sortPostings(list)
		p.term([]byte(t), list, marks)
	}
	return p.pack(docs)
}

func sortPostings(list []posting) {
	less := func(a, b posting) int { return int(int64(a.doc) - int64(b.doc)) }
	if !slices.IsSortedFunc(list, less) {
		slices.SortFunc(list, less)
	}
}

// Field weights and length normalisation of BM25F: a title says what a record is
// about, tags were chosen, a body mentions. Lengths are held against fixed ones
// and not against the average of the store, so that a record weighs the same
// whatever stands beside it and need not be read again when others change.
// Measured on development data, where averages and neighbouring values do as well.
const (
	titleWeight, tagsWeight, bodyWeight = 3, 2, 1
	titleLength, tagsLength             = 0.3, 0.3   // how much of a weight depends on length
	usualTitle, usualTags, usualBody    = 10, 3, 180 // terms in a field of which nothing is taken

	// A mention weighs the less the longer the body is; but two lines are not
	// more about their words than a paragraph, so none counts as shorter than
	// this share of usualBody.
	shortBody = 0.45

	// saturation is BM25's k1: how much mention makes half of the full weight.
	saturation = 1.2
)

// weigh is the saturated frequency of a term in a document, 1 to 255.
func weigh(c counts, length *[fields]int) byte {
	tf := float64(c.field[inTitle]) * titleWeight / (1 - titleLength +
		titleLength*float64(length[inTitle])/usualTitle)
	tf += float64(c.field[inTags]) * tagsWeight / (1 - tagsLength +
		tagsLength*float64(length[inTags])/usualTags)
	tf += float64(c.field[inBody]) * bodyWeight / max(shortBody, float64(length[inBody])/usualBody)
	return byte(max(1, math.Round(255*tf/(saturation+tf))))
}
