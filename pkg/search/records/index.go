package records

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"
	"keepsake/pkg/text"
	"keepsake/pkg/text/date"
)

// An Index is what a search runs on. It is for one goroutine. It keeps the data that it was opened on,
// which must not change.
type Index struct{ at *segment.Index }

// New returns an index without records.
func New() *Index { return &Index{segment.New()} }

// Open opens a base of size bytes, with delta or, where that is nil, without
// changes. It reads the base's header and the delta. Errors wrap ErrCorrupt: also
// when the delta is of another base.
func Open(base io.ReaderAt, size int64, delta []byte) (*Index, error) {
	at, err := segment.Open(base, size, delta)
	if err != nil {
		return nil, err
	}
	return &Index{at}, nil
}

// With returns the index after a change, by what Done returned.
func (ix *Index) With(base, delta []byte) (*Index, error) {
	at, err := ix.at.With(base, delta)
	if err != nil {
		return nil, err
	}
	return &Index{at}, nil
}

var statuses = [...]memory.Status{memory.Active, memory.Retired, memory.Archived}

// markOf returns the mark of a record, its category and status, and whether it has
// one.
func markOf(c memory.Category, s memory.Status) (mark byte, ok bool) {
	ci, si := slices.Index(memory.Categories(), c), slices.Index(statuses[:], s)
	return byte(ci + si*segment.Inactive), ci >= 0 && si >= 0
}

// entryOf returns the entry of a document. The document's data is the title, the origin and the tags, each
// with its length as a varint before it. The origin is 8 bytes, little-endian: a hash of the session, and the
// day.
func entryOf(d *segment.Document) (Entry, error) {
	category, status := int(d.Mark%segment.Inactive), int(d.Mark/segment.Inactive)
	if category >= len(memory.Categories()) || status >= len(statuses) {
		return Entry{}, fmt.Errorf("%w: the mark of %s", ErrCorrupt, d.Path)
	}
	_, id, _ := strings.Cut(d.Path, "/")
	e := Entry{Path: d.Path, ID: strings.TrimSuffix(id, ".json"), Category: memory.Categories()[category],
		Status: statuses[status], File: d.File}
	title, rest := cutText(d.Data)
	origin, rest := cutText(rest)
	if b := []byte(origin); len(b) == 2*4 {
		e.Session, e.Day = binary.LittleEndian.Uint32(b), int(binary.LittleEndian.Uint32(b[4:]))
	}
	for e.Title = title; rest != ""; {
		var tag string
		tag, rest = cutText(rest)
		e.Tags = append(e.Tags, tag)
	}
	return e, nil
}

// originOf returns the origin of a record as entryOf reads it.
func originOf(r *memory.Record) string {
	session, day := uint32(0), uint32(0)
	if r.Provenance != nil && r.Provenance.Session != "" {
		h := fnv.New32a()
		io.WriteString(h, r.Provenance.Session)
		session = max(1, h.Sum32())
	}
	if at, err := time.Parse(time.RFC3339, r.CreatedAt); err == nil && at.Unix() > 0 {
		day = uint32(date.Day(at))
	}
	return string(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, session), day))
}

func appendText(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

// cutText cuts off what appendText has appended. Garbage is the rest of a text.
func cutText(s string) (first, rest string) {
	n, k := binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
	if s = s[max(0, k):]; k <= 0 || n > uint64(len(s)) {
		return s, ""
	}
	return s[:n], s[n:]
}

// Len returns the number of active records in the index.
func (ix *Index) Len() int { return ix.at.Docs(false) }

// Each calls see with every record in the index, of all statuses, in order of
// path, until see returns false.
func (ix *Index) Each(see func(Entry) bool) error { return entries(ix.at.Each, see) }

// entries calls see with the entry of each document.
func entries(each func(func(*segment.Document) bool) error, see func(Entry) bool) (err error) {
	wrong := each(func(d *segment.Document) bool {
		var e Entry
		e, err = entryOf(d)
		return err == nil && see(e)
	})
	if wrong != nil {
		return wrong
	}
	return err
}

// List returns up to limit active records of one category, all of them if that is
// 0, the first in order of path.
func (ix *Index) List(c memory.Category, limit int) ([]Entry, error) {
	var out []Entry
	folder := c.Folder() + "/"
	from := func(see func(*segment.Document) bool) error { return ix.at.From(folder, see) }
	err := entries(from, func(e Entry) bool {
		if !strings.HasPrefix(e.Path, folder) || limit > 0 && len(out) == limit {
			return false
		}
		if e.Status == memory.Active {
			out = append(out, e)
		}
		return true
	})
	return out, err
}

// Check reads the whole index. Errors wrap ErrCorrupt.
func (ix *Index) Check() error { return ix.at.Check() }

// A Change collects what happened to records since an index was made.
type Change struct {
	ix    *Index
	to    *segment.Change
	words segment.Builder[counted] // of what was put last
	puts  int
}

// counted is how often a term is in each of the fields of one record.
type counted [fields]uint16

const (
	inTitle = iota
	inTags
	inBody
	fields
)

// Change begins a change of the index. The index itself stays as it is.
func (ix *Index) Change() *Change { return &Change{ix: ix, to: ix.at.Change()} }

// Put adds a record, or takes it in the place of the one at its path.
func (c *Change) Put(r memory.Stored) {
	c.Remove(r.Path)
	c.puts++
	mark, ok := markOf(r.Category, r.Status)
	if !ok {
		return
	}
	var length [fields]int
	body := r.Body() + "\n" + strings.Join(r.RelatedFiles, "\n")
	for f, part := range [fields]string{r.Title, strings.Join(r.Tags, " "), body} {
		w := text.Tokenizer{}
		w.Emit = func(term []byte) bool {
			if !w.SmallTalk {
				length[f]++
			}
			if n := &c.words.Count(term)[f]; *n < math.MaxUint16 {
				*n++
			}
			return true
		}
		w.Cut(part)
	}
	data := appendText(appendText(nil, r.Title), originOf(&r.Record))
	for _, tag := range r.Tags {
		data = appendText(data, tag)
	}
	d := segment.Document{Path: r.Path, Data: string(data), Mark: mark, File: r.File}
	c.words.Add(d, func(n counted) (head bool, weight uint8) {
		return n[inTitle] > 0 || n[inTags] > 0, weigh(n, &length)
	})
	if c.words.Len() >= maxWords {
		c.flush()
	}
}

// PutStatus is Put for a record that says what it said in the file before: only its status is another. Of
// thousands of records it saves to cut them into words again. Done fails if the index does not have it as it
// was in that file.
func (c *Change) PutStatus(r memory.Stored, was memory.File) {
	mark, ok := markOf(r.Category, r.Status)
	if !ok || c.puts <= maxDelta || c.to.Removed(r.Path) { // a small change is a delta, which needs the words
		c.Put(r)
		return
	}
	c.to.Mark(r.Path, mark, was, r.File)
}

// Remove takes the record at path out of the index; one that is not in it is no
// error.
func (c *Change) Remove(path string) {
	if c.to.Removed(path) {
		c.flush()
	}
	c.to.Remove(path)
}

// maxWords is how many records are held as words before they are packed.
const maxWords = 4096

func (c *Change) flush() {
	if c.words.Len() > 0 {
		c.to.Add(c.words.Pack())
		c.words = segment.Builder[counted]{}
	}
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
	c.flush()
	return c.to.Done(min(maxDelta, max(minDelta, c.ix.at.Base.Docs/deltaShare)))
}

// Index returns the changed index, which is kept nowhere.
func (c *Change) Index() (*Index, error) {
	base, delta, err := c.Done()
	if err != nil {
		return nil, err
	}
	return c.ix.With(base, delta)
}

// Field weights and length normalisation of BM25F: a title names the subject of a record, tags were chosen,
// a body mentions. Lengths are compared with fixed ones, not with the average of the store. So the weight
// of a record doesn't depend on other records, and it need not be read again when these change. The values
// were measured on development data, where averages and neighbouring values do as well.
const (
	titleWeight, tagsWeight, bodyWeight = 3, 2, 1
	titleLength, tagsLength             = 0.3, 0.3   // how much of a weight depends on length
	usualTitle, usualTags, usualBody    = 10, 3, 180 // terms in a field of usual length

	// A mention weighs the less the longer the body is; but two lines are not
	// more about their words than a paragraph, so none counts as shorter than
	// this share of usualBody.
	shortBody = 0.45

	// saturation is BM25's k1: how much mention makes half of the full weight.
	saturation = 1.2
)

// weigh returns the saturated frequency of a term in a record, 1 to 255.
func weigh(n counted, length *[fields]int) uint8 {
	tf := float64(n[inTitle]) * titleWeight / (1 - titleLength +
		titleLength*float64(length[inTitle])/usualTitle)
	tf += float64(n[inTags]) * tagsWeight / (1 - tagsLength +
		tagsLength*float64(length[inTags])/usualTags)
	tf += float64(n[inBody]) * bodyWeight / max(shortBody, float64(length[inBody])/usualBody)
	return uint8(max(1, math.Round(255*tf/(saturation+tf))))
}
