package recall

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// Version is the version of the search file. Each has a file of its own, so that
// two versions of Keepsake can run side by side. It changes with the tokeniser too:
// terms are looked up as they were cut.
const Version = 1

// The search file, little-endian throughout:
//
//	header    magic 8, version 4, CRC-32 (IEEE) of all that follows 4,
//	          number of documents 4, number of terms 4, size of the whole 4, zero 4
//	documents per document 12: offset of its strings 4, lengths of path, id and
//	          title 2 each, category (its place in memory.Categories) 1, zero 1
//	terms     per term 16, sorted by the bytes of the term: offset 4, offset of
//	          its postings 4, number of postings 4, length 1, zero 3
//	heap      strings and postings; a posting is a varint, the distance from the
//	          document before it times two plus one if title or tags hold the
//	          term, and a byte, the weight of the term in the document (255 is 1)
const (
	magic      = "KEEPIDX\x00"
	headerSize = 32
	docSize    = 12
	termSize   = 16
)

// A document is what is indexed of one record.
type document struct {
	path, id, title, tags, body string
	category                    uint8 // its place in memory.Categories
}

// Build packs the active ones of records into a search file. It depends on
// nothing but the records, and their order changes nothing.
func Build(records []memory.Stored) []byte {
	categories := memory.Categories()
	docs := make([]document, 0, len(records))
	for i := range records {
		r := &records[i]
		c := slices.Index(categories, r.Category)
		if r.Status != memory.Active || c < 0 {
			continue
		}
		docs = append(docs, document{
			path: r.Path, id: r.ID, title: r.Title, category: uint8(c),
			tags: strings.Join(r.Tags, " "),
			body: r.Body() + "\n" + strings.Join(r.RelatedFiles, "\n"),
		})
	}
	slices.SortFunc(docs, func(a, b document) int { return strings.Compare(a.path, b.path) })
	return pack(docs)
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

func pack(docs []document) []byte {
	var (
		found   = map[string][]counts{}
		lengths = make([][fields]float64, len(docs))
		total   [fields]float64
	)
	for d := range docs {
		for f, text := range [fields]string{docs[d].title, docs[d].tags, docs[d].body} {
			eachTerm(text, func(term []byte) bool {
				lengths[d][f]++
				total[f]++
				list := found[string(term)]
				if n := len(list); n == 0 || list[n-1].doc != uint32(d) {
					list = append(list, counts{doc: uint32(d)})
				}
				if c := &list[len(list)-1].field[f]; *c < math.MaxUint16 {
					*c++
				}
				found[string(term)] = list
				return true
			})
		}
	}
	terms := make([]string, 0, len(found))
	for t := range found {
		terms = append(terms, t)
	}
	slices.Sort(terms)

	le := binary.LittleEndian
	b := make([]byte, headerSize+docSize*len(docs)+termSize*len(terms))
	copy(b, magic)
	le.PutUint32(b[8:], Version)
	le.PutUint32(b[16:], uint32(len(docs)))
	le.PutUint32(b[20:], uint32(len(terms)))
	for i := range docs {
		d := &docs[i]
		at := b[headerSize+docSize*i:]
		path, id, title := short16(d.path), short16(d.id), short16(d.title)
		le.PutUint32(at, uint32(len(b)))
		le.PutUint16(at[4:], uint16(len(path)))
		le.PutUint16(at[6:], uint16(len(id)))
		le.PutUint16(at[8:], uint16(len(title)))
		at[10] = d.category
		b = append(append(append(b, path...), id...), title...)
	}
	var average [fields]float64
	for f := range average {
		average[f] = max(1, total[f]/float64(max(1, len(docs))))
	}
	average[inBody] = max(shortBody, average[inBody])
	table := headerSize + docSize*len(docs)
	for i, term := range terms {
		list := found[term]
		at := b[table+termSize*i:]
		le.PutUint32(at, uint32(len(b)))
		le.PutUint32(at[4:], uint32(len(b)+len(term)))
		le.PutUint32(at[8:], uint32(len(list)))
		at[12] = uint8(len(term))
		b = append(b, term...)
		before := uint32(0)
		for _, c := range list {
			step := uint64(c.doc-before) << 1
			before = c.doc
			if c.field[inTitle] > 0 || c.field[inTags] > 0 {
				step |= 1
			}
			b = binary.AppendUvarint(b, step)
			b = append(b, weigh(c, &lengths[c.doc], &average))
		}
	}
	le.PutUint32(b[24:], uint32(len(b)))
	le.PutUint32(b[12:], crc32.ChecksumIEEE(b[16:]))
	return b
}

// Field weights and length normalisation of BM25F: a title says what a record is
// about, tags were chosen, a body mentions. Measured on development data, where
// neighbouring values do as well.
const (
	titleWeight, tagsWeight, bodyWeight = 3, 2, 1
	titleLength, tagsLength, bodyLength = 0.3, 0.3, 0.6 // how much of a weight depends on length

	// saturation is BM25's k1: how much mention makes half of the full weight.
	saturation = 1.2

	// shortBody is a length in terms below which a body is never called long,
	// even where all the others are shorter.
	shortBody = 60
)

// weigh is the saturated frequency of a term in a document, 1 to 255.
func weigh(c counts, length, average *[fields]float64) byte {
	tf := float64(c.field[inTitle]) * titleWeight / (1 - titleLength + titleLength*length[inTitle]/average[inTitle])
	tf += float64(c.field[inTags]) * tagsWeight / (1 - tagsLength + tagsLength*length[inTags]/average[inTags])
	tf += float64(c.field[inBody]) * bodyWeight / (1 - bodyLength + bodyLength*length[inBody]/average[inBody])
	return byte(max(1, math.Round(255*tf/(saturation+tf))))
}

// short16 is s if its length fits into 16 bits; no path or title of a valid record is near that.
func short16(s string) string {
	return s[:min(len(s), math.MaxUint16)]
}
