package session

import (
	"context"
	"errors"
	"io"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/recall"
	"keepsake/pkg/store"
)

// Index calls use with the search index of the project's memories, which is
// closed when it returns. An index that turns out to be corrupt on the way is
// made anew, and use is called once more.
func (s *Session) Index(use func(*recall.Index) error) error {
	st := s.Store()
	return s.indexed(st, st.Index, use)
}

// Sync is Index after a look at every record, and at index.md.
func (s *Session) Sync(use func(*recall.Index) error) error {
	st := s.Store()
	st.Tidy()
	return s.indexed(st, st.Sync, use)
}

func (s *Session) indexed(st *store.Store, open func() (*store.Index, error), use func(*recall.Index) error) error {
	err := once(open, use)
	if errors.Is(err, recall.ErrCorrupt) {
		err = once(st.Rebuild, use)
	}
	return err
}

func once(open func() (*store.Index, error), use func(*recall.Index) error) error {
	ix, err := open()
	if err != nil {
		return err
	}
	defer ix.Close()
	return use(ix.Derived.(derived).Index) // what deriver opens
}

// Apply makes the edits of a plan. holds, which may be nil, is asked of the index
// of what is there under the lock; see store.ApplyIf.
func (s *Session) Apply(ctx context.Context, p plan.Plan, holds func(*recall.Index) error) error {
	if holds == nil {
		return s.Store().Apply(ctx, p)
	}
	return s.Store().ApplyIf(ctx, p, func(ix *store.Index) error { return holds(ix.Derived.(derived).Index) })
}

// Found is a memory that was searched for.
type Found struct {
	memory.Stored
	Score float64 // see recall.Hit
	Trust TrustLevel
}

// A Result is what a search came to.
type Result struct {
	Found    []Found
	Held     []Found      // what would be among them, and waits for a person's yes
	Hits     []recall.Hit // all of them, as they are in the index, best first
	Bad      []store.Bad  // hits that cannot be read
	Memories int          // active ones in the index
}

// Search finds up to n memories that q is about and that wanted agrees to, best
// first, as they are in their files: the index may be older. Those that were
// edited in place since they were indexed are indexed again, and then it searches
// once more. What waits for a person's yes is not among them.
func (s *Session) Search(q recall.Query, n int, wanted func(recall.Hit) bool) (Result, error) {
	st := s.Store()
	var got Result
	var stale []string
	look := func(ix *recall.Index) (err error) {
		got, stale = Result{Memories: ix.Len()}, nil
		if got.Hits, err = ix.Search(q); err != nil {
			return err
		}
		for _, hit := range got.Hits {
			if len(got.Found) == n {
				break
			}
			if !wanted(hit) {
				continue
			}
			r, err := st.Read(hit.Path)
			if err != nil {
				got.Bad = append(got.Bad, store.Bad{Path: hit.Path, Err: err})
				continue
			}
			if r.File != hit.File {
				stale = append(stale, hit.Path)
			}
			if !q.Retired && r.Status != memory.Active {
				continue
			}
			f := Found{r, hit.Score, s.TrustOf(r)}
			if f.Trust.Held {
				got.Held = append(got.Held, f)
			} else {
				got.Found = append(got.Found, f)
			}
		}
		return nil
	}
	err := s.indexed(st, st.Index, look)
	if err == nil && len(stale) > 0 {
		paths := stale
		err = s.indexed(st, func() (*store.Index, error) { return st.Refresh(paths...) }, look)
	}
	return got, err
}

// deriver makes package recall known to the store, which stands below it.
type deriver struct{}

func (deriver) Open(base io.ReaderAt, size int64, delta []byte) (store.Derived, error) {
	ix, err := recall.Open(base, size, delta)
	if err != nil {
		return nil, err
	}
	return derived{ix}, nil
}

type derived struct{ *recall.Index }

func (d derived) Change() store.Change { return d.Index.Change() }

func (d derived) Each(see func(memory.Stored) bool) error {
	return d.Index.Each(func(e recall.Entry) bool {
		return see(memory.Stored{Path: e.Path, File: e.File, Record: memory.Record{
			Category: e.Category, ID: e.ID, Title: e.Title, Status: e.Status, Tags: e.Tags,
		}})
	})
}
