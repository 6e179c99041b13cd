package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"

	"pgregory.net/rapid"
)

// A written document has words for terms: how often one is there is its weight, and
// one that is there more than once is in the head.
type written struct {
	Document
	words string
}

func pack(docs ...written) []byte {
	var b Builder[int]
	for _, d := range docs {
		for w := range strings.FieldsSeq(d.words) {
			*b.Count([]byte(w))++
		}
		b.Add(d.Document, func(n int) (bool, uint8) { return n > 1, uint8(n) })
	}
	return b.Pack()
}

func open(t testing.TB, base, delta []byte) *Index {
	t.Helper()
	ix, err := Open(bytes.NewReader(base), int64(len(base)), delta)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// content is all that an index knows: its documents, and for each term what
// the documents that have it weigh.
func content(ix *Index) (string, error) {
	var out strings.Builder
	err := ix.Each(func(d *Document) bool { fmt.Fprintln(&out, *d); return true })
	errs := []error{err}
	terms := map[string][]string{}
	for _, s := range []*Segment{ix.Base, ix.Delta} {
		marks, err := s.Marks()
		errs = append(errs, err)
		for i := range s.Terms {
			term, err := s.Term(i)
			if err != nil {
				return "", err
			}
			name := string(term.Name)
			if at, ok, err := s.Find(term.Name); err != nil || !ok || at != i {
				errs = append(errs, err)
				fmt.Fprintln(&out, name, "is not found")
			}
			// found again, since another block may have been read
			if term, err = s.Term(i); err != nil {
				return "", err
			}
			postings, err := s.Postings(term)
			errs = append(errs, err)
			counted, tallies := postings, make([]Tally, s.Docs)
			counted.Count(tallies, 255)
			for p, ok := postings.Next(); ok; p, ok = postings.Next() {
				if s == ix.Base && ix.isDead(int(p.Doc)) {
					continue
				}
				d, err := s.Document(int(p.Doc))
				if err != nil || int(p.Doc) >= len(marks) {
					errs = append(errs, err)
					continue
				}
				terms[name] = append(terms[name], fmt.Sprint(d.Path, p.Head, p.Weight, marks[p.Doc],
					tallies[p.Doc]))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(terms)) {
		slices.Sort(terms[name])
		fmt.Fprintln(&out, name, terms[name])
	}
	return out.String(), errors.Join(errs...)
}

// TestChangedIsRebuilt: after any sequence of changes an index knows what one knows
// that was built at once, and merged it is the same to the byte.
func TestChangedIsRebuilt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a ab abc postgres postgresql 代码 "+
			strings.Repeat("x", MaxTerm))), 0, 6)
		base, delta := pack(), []byte(nil)
		truth := map[string]written{}
		built := func() []byte {
			return pack(slices.SortedFunc(maps.Values(truth), func(a, b written) int {
				return strings.Compare(b.Data, a.Data) // in any order
			})...)
		}
		for range rapid.IntRange(1, 6).Draw(rt, "changes") {
			c := open(t, base, delta).Change()
			for range rapid.IntRange(0, 4).Draw(rt, "parts") {
				part := map[string]written{}
				for range rapid.IntRange(0, 20).Draw(rt, "edits") {
					path := fmt.Sprint(rapid.IntRange(0, 150).Draw(rt, "path"))
					c.Remove(path)
					delete(truth, path)
					delete(part, path)
					if rapid.IntRange(0, 3).Draw(rt, "what") > 0 {
						part[path] = written{Document{path, rapid.String().Draw(rt, "data"),
							rapid.Byte().Draw(rt, "mark"), memory.File{Time: rapid.Int64().Draw(rt, "time"),
								Size: 7}}, strings.Join(words.Draw(rt, "words"), " ")}
					}
				}
				maps.Copy(truth, part)
				c.Add(pack(slices.Collect(maps.Values(part))...))
			}
			newBase, newDelta, err := c.Done(rapid.SampledFrom([]int{0, 8, 40}).Draw(rt, "limit"))
			if err != nil {
				rt.Fatal(err)
			}
			if delta = newDelta; newBase != nil {
				base = newBase
			}
			if merged, err := c.Merged(); err != nil || !bytes.Equal(merged, built()) {
				rt.Fatal("merged it is another than built", err)
			}
		}
		ix, other := open(t, base, delta), open(t, built(), nil)
		got, err1 := content(ix)
		want, err2 := content(other)
		if err1 != nil || err2 != nil || got != want || ix.Check() != nil {
			rt.Fatalf("changed %s %v, built %s %v", got, err1, want, err2)
		}
		for _, inactive := range []bool{false, true} {
			if ix.Docs(inactive) != other.Docs(inactive) {
				rt.Fatalf("%d documents, want %d", ix.Docs(inactive), other.Docs(inactive))
			}
		}
		for _, from := range []string{"", "1", "50", "99x"} {
			var got, want []Document
			for _, to := range []struct {
				ix   *Index
				docs *[]Document
			}{{open(t, base, delta), &got}, {open(t, built(), nil), &want}} {
				if err := to.ix.From(from, func(d *Document) bool {
					*to.docs = append(*to.docs, *d)
					return true
				}); err != nil {
					rt.Fatal(err)
				}
			}
			if !reflect.DeepEqual(got, want) || len(got) > 0 && got[0].Path < from {
				rt.Fatalf("from %q: %v, want %v", from, got, want)
			}
		}
	})
}

// some are documents of several blocks.
func some() (docs []written) {
	for i := range 20 {
		d := Document{fmt.Sprint("d", i), "data", byte(i), memory.File{Time: 1, Size: 2}}
		docs = append(docs, written{d, fmt.Sprintf("use use pnpm term%d 代码", i)})
	}
	return docs
}

// TestEveryByteIsChecked breaks a base byte by byte and cuts it at each length:
// whoever reads a broken part is told.
func TestEveryByteIsChecked(t *testing.T) {
	good := pack(some()...)
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 0x40
		ix, err := Open(bytes.NewReader(b), int64(len(b)), nil)
		if err == nil {
			_, err = content(ix)
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("byte %d: %v", i, err)
		}
		if _, err := Open(bytes.NewReader(good[:i]), int64(i), nil); !errors.Is(err, ErrCorrupt) {
			t.Errorf("opens with %d bytes: %v", i, err)
		}
	}
}

// FuzzOpen damages a base and a delta behind their checksums.
func FuzzOpen(f *testing.F) {
	with := checksum
	checksum = func([]byte) uint32 { return 0 }
	f.Cleanup(func() { checksum = with })
	small := pack(some()...)
	c := open(f, small, nil).Change()
	c.Remove("d1")
	c.Add(pack(written{Document{Path: "d1"}, "use npm"}))
	_, delta, err := c.Done(9)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small, delta, "d1", uint32(16), byte(0xff))
	f.Add(small, delta, "pnpm", uint32(headerSize+4), byte(0x80))
	f.Add(small, delta[:deltaHead], "term", uint32(len(small)-9), byte(0x80))
	f.Add(pack(), []byte(nil), "x", uint32(20), byte(9))
	f.Fuzz(func(t *testing.T, b, delta []byte, word string, at uint32, with byte) {
		if len(b) > int(at) {
			b = bytes.Clone(b)
			b[at] = with
		}
		if len(b) >= headerSize {
			b = bytes.Clone(b)
			copy(b, magic)
			binary.LittleEndian.PutUint32(b[8:], Version)
			binary.LittleEndian.PutUint32(b[12:], 0)
			binary.LittleEndian.PutUint64(b[32:], uint64(len(b)))
		}
		if len(delta) >= deltaHead {
			delta = bytes.Clone(delta)
			copy(delta, deltaMagic)
			binary.LittleEndian.PutUint32(delta[8:], 0)
			binary.LittleEndian.PutUint64(delta[16:], uint64(len(b)))
		}
		for _, use := range []func(*Index) error{
			func(ix *Index) error { _, err := content(ix); return err },
			func(ix *Index) error { return ix.From(word, func(*Document) bool { return true }) },
			func(ix *Index) error { _, _, err := ix.Base.Find([]byte(word)); return err },
			(*Index).Check,
			func(ix *Index) error {
				c := ix.Change()
				c.Remove(word)
				_, _, err := c.Done(9)
				return err
			},
		} {
			ix, err := Open(bytes.NewReader(b), int64(len(b)), delta)
			if err == nil {
				err = use(ix)
			}
			if err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
		}
	})
}

// FuzzUnseal reads files with any contents.
func FuzzUnseal(f *testing.F) {
	f.Add(Seal([]byte("made"), []byte("delta")))
	f.Add([]byte(sealMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		made, delta, ok := Unseal(b)
		if ok && !bytes.Equal(Seal(made, delta), b) {
			t.Error("it was not sealed by us")
		}
	})
}
