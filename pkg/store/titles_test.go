package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"keepsake/pkg/memory"
)

// titles is an index in the form of a list. Like a real one it replaces its base after a few changes.
var titles = &titler{}

// A titler counts the records that were read for its index.
type titler struct{ puts atomic.Int64 }

// titleBase is a base; titleDelta is what changed since the base with its sum.
type titleBase []memory.Stored

type titleDelta struct {
	Sum  uint32
	Put  []memory.Stored
	Gone []string
}

type titleIndex struct {
	of    *titler
	sum   uint32 // 0 without a base
	base  titleBase
	delta titleDelta
}

var errNoTitles = errors.New("no titles")

func (o *titler) New() Derived { return &titleIndex{of: o} }

func (o *titler) Open(base io.ReaderAt, size int64, delta []byte) (Derived, error) {
	ix := &titleIndex{of: o}
	b := make([]byte, size)
	if _, err := base.ReadAt(b, 0); err != nil {
		return nil, err
	}
	sum, list, _ := bytes.Cut(b, []byte("\n"))
	ix.sum = crc32.ChecksumIEEE(list)
	if string(sum) != fmt.Sprint(ix.sum) || json.Unmarshal(list, &ix.base) != nil {
		return nil, errNoTitles
	}
	if delta != nil && (json.Unmarshal(delta, &ix.delta) != nil || ix.delta.Sum != ix.sum) {
		return nil, errNoTitles
	}
	return ix, nil
}

func (ix *titleIndex) records() []memory.Stored {
	d := ix.delta
	out := slices.DeleteFunc(slices.Clone(ix.base), func(r memory.Stored) bool {
		return slices.Contains(d.Gone, r.Path) || slices.ContainsFunc(d.Put, func(p memory.Stored) bool {
			return p.Path == r.Path
		})
	})
	out = append(out, d.Put...)
	slices.SortFunc(out, func(a, b memory.Stored) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func (ix *titleIndex) Each(see func(memory.Stored) bool) error {
	for _, r := range ix.records() {
		if !see(r) {
			break
		}
	}
	return nil
}

func (ix *titleIndex) Change() Change {
	next := *ix
	next.delta = titleDelta{ix.sum, slices.Clone(ix.delta.Put), slices.Clone(ix.delta.Gone)}
	return &next
}

func (ix *titleIndex) With(base, delta []byte) (Derived, error) {
	if base != nil {
		return ix.of.Open(bytes.NewReader(base), int64(len(base)), delta)
	}
	next := &titleIndex{of: ix.of, sum: ix.sum, base: ix.base}
	return next, json.Unmarshal(delta, &next.delta)
}

func (ix *titleIndex) Check() error { return nil } // Open reads all of it

func (ix *titleIndex) Put(r memory.Stored) {
	ix.of.puts.Add(1)
	ix.Remove(r.Path)
	ix.delta.Put = append(ix.delta.Put, memory.Stored{Path: r.Path, File: r.File, Record: memory.Record{
		Category: r.Category, ID: r.ID, Title: r.Title, Status: r.Status, Tags: r.Tags,
		TimesUpdated: r.TimesUpdated,
	}})
}

func (ix *titleIndex) PutStatus(r memory.Stored, _ memory.File) { ix.Put(r) }

func (ix *titleIndex) Remove(path string) {
	ix.delta.Put = slices.DeleteFunc(ix.delta.Put, func(r memory.Stored) bool { return r.Path == path })
	ix.delta.Gone = append(ix.delta.Gone, path)
}

func (ix *titleIndex) Done() (base, delta []byte, err error) {
	next := titleDelta{Sum: ix.sum}
	if ix.sum == 0 || len(ix.delta.Put)+len(ix.delta.Gone) > 4 {
		list, err := json.Marshal(titleBase(ix.records()))
		if err != nil {
			return nil, nil, err
		}
		next.Sum = crc32.ChecksumIEEE(list)
		base = append(fmt.Appendln(nil, next.Sum), list...)
	} else {
		next = ix.delta
		next.Sum = ix.sum
	}
	delta, err = json.Marshal(next)
	return base, delta, err
}

// titlesOf returns as text what titles knows of records.
func titlesOf(records []memory.Stored) []byte {
	var b bytes.Buffer
	for _, r := range records {
		fmt.Fprintf(&b, "%s %s %d\n", r.Path, r.Status, r.TimesUpdated)
	}
	return b.Bytes()
}

// indexed returns as text what the index of a store knows.
func indexed(s *Store) ([]byte, error) { return textOf(s.Index()) }

func textOf(ix *Index, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	all, err := entriesOf(ix)
	return titlesOf(all), err
}

func entriesOf(ix *Index) (all []memory.Stored, err error) {
	err = ix.Each(func(r memory.Stored) bool {
		all = append(all, r)
		return true
	})
	return all, err
}
