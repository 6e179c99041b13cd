package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/records"
)

// BenchmarkSaveSix saves six records into stores of several sizes, with the search file. BenchmarkFsyncs, for
// comparison, only writes as many files as durably.
func BenchmarkSaveSix(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			root := newRoot(b)
			s := Open(root, Options{Derive: words{}, Cache: filepath.Join(filepath.Dir(root), "x.idx")})
			for i := range n {
				write(b, s.file(fmt.Sprintf("preferences/r%d.json", i)),
					string(preference(fmt.Sprint("r", i), 0).Encode()))
			}
			for i := 0; b.Loop(); i++ {
				var p plan.Plan
				for k := range 6 {
					was, err := s.Read(fmt.Sprintf("preferences/r%d.json", k))
					if err != nil {
						b.Fatal(err)
					}
					p.Edits = append(p.Edits, update(was, preference(was.ID, was.TimesUpdated+1)))
				}
				apply(b, s, p.Edits...)
			}
		})
	}
}

func BenchmarkFsyncs(b *testing.B) {
	dir := b.TempDir()
	text := make([]byte, 1000)
	for b.Loop() {
		// Six records, index.md, the log, the search file, each with its directory;
		// and the move of the log.
		for k := range 9 {
			path := filepath.Join(dir, fmt.Sprint(k))
			f, err := os.Create(path + "~")
			if err != nil {
				b.Fatal(err)
			}
			_, err = f.Write(text)
			if err = errors.Join(err, f.Sync(), f.Close(), os.Rename(path+"~", path)); err != nil {
				b.Fatal(err)
			}
			d, err := os.Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			if err := errors.Join(d.Sync(), d.Close()); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// words is the index that a project has, as package session puts it in.
type words struct{}

func (words) New() Derived { return wordIndex{records.New()} }

func (words) Open(base io.ReaderAt, size int64, delta []byte) (Derived, error) {
	ix, err := records.Open(base, size, delta)
	return wordIndex{ix}, err
}

type wordIndex struct{ *records.Index }

func (ix wordIndex) Change() Change { return ix.Index.Change() }

func (ix wordIndex) With(base, delta []byte) (Derived, error) {
	next, err := ix.Index.With(base, delta)
	return wordIndex{next}, err
}

func (ix wordIndex) Each(see func(memory.Stored) bool) error {
	return ix.Index.Each(func(e records.Entry) bool {
		return see(memory.Stored{Path: e.Path, File: e.File,
			Record: memory.Record{Category: e.Category, ID: e.ID, Title: e.Title, Status: e.Status,
				Tags: e.Tags}})
	})
}
