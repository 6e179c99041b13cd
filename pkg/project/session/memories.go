package session

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/project/trust"
	"keepsake/pkg/search/records"
	"keepsake/pkg/store"
)

// Memories are the records of a project.
type Memories struct {
	*InFlight
	trusted   *trust.View // what is known of records, once asked for
	isTracked *bool       // whether git tracks the store, once asked for
	past      *rewound    // the time of which the memories are, nil for now

	branches *branchesHere  // what is known of the branches of records, once asked for
	standing *standing.Rows // what is known against records in this worktree, once asked for

	chosen *[]standing.Chosen // what the person chose for records, once asked for
}

// hookBudget is how long a hook may read records that are new to the search index. The hook has
// three seconds for everything.
const hookBudget = 1200 * time.Millisecond

// Store opens the project's memories, with their search index in the cache.
func (ms *Memories) Store() *store.Store {
	var budget time.Duration
	if ms.hook {
		budget = hookBudget
	}
	return store.Open(ms.MemoryRoot(), store.Options{
		Checkout: ms.Root,
		Derive:   deriver{},
		Cache:    ms.CachePath("recall-" + strconv.Itoa(records.Version) + ".idx"),
		Budget:   budget,
		Keep:     ms.historyKept(),
		Tell:     ms.noteCutShort,
		Private:  ms.isPrivate,
		Writable: ms.Writable,
	})
}

// isPrivate reports whether the project's memories are the person's alone: git tracks none of them,
// and nobody has set git up to.
func (ms *Memories) isPrivate() bool {
	rows, err := disk.Read(layout.Attributes(filepath.Dir(filepath.Dir(ms.MemoryRoot()))),
		maxSettings)
	return (err != nil || !strings.Contains(string(rows), layout.GitSetup)) && !ms.isGitTracked()
}

// Index calls use with the search index of the project's memories, and closes the index when use
// returns. Where the index turns out to be corrupt it is made anew, and use is called once more.
func (ms *Memories) Index(use func(*records.Index) error) error {
	st := ms.Store()
	return ms.useIndex(st, st.Index, use)
}

// Sync is Index after a look at every record and at index.md.
func (ms *Memories) Sync(use func(*records.Index) error) error {
	st := ms.Store()
	st.Tidy()
	return ms.useIndex(st, st.Sync, use)
}

// useIndex calls use with the index that open opens, and with a new one where that is corrupt.
func (ms *Memories) useIndex(st *store.Store, open func() (*store.Index, error),
	use func(*records.Index) error) error {
	if ms.past != nil {
		return use(ms.past.index)
	}
	err := useOnce(open, use)
	if errors.Is(err, records.ErrCorrupt) {
		err = useOnce(st.Rebuild, use)
	}
	return err
}

// useOnce opens an index, calls use with it and closes it.
func useOnce(open func() (*store.Index, error), use func(*records.Index) error) error {
	ix, err := open()
	if err != nil {
		return err
	}
	defer ix.Close()
	return use(ix.Derived.(derived).Index) // what deriver opens
}

// Apply makes the edits of a plan. holds, which may be nil, is asked of the index under the lock;
// see store.ApplyIf.
func (ms *Memories) Apply(ctx context.Context, p plan.Plan, holds func(*records.Index) error) error {
	err := error(nil)
	if holds == nil {
		err = ms.Store().Apply(ctx, p)
	} else {
		err = ms.Store().ApplyIf(ctx, p, func(ix *store.Index) error {
			return holds(ix.Derived.(derived).Index)
		})
	}
	if err == nil {
		ms.noteBranches(ctx, p)
	}
	return err
}

// A RecordCount is how many records a project has.
type RecordCount struct {
	Active map[memory.Category]int
	Others int // retired or archived
	Bad    int // can't be read
}

// CountRecords counts the project's records. It goes by the time and size of each file: where all are as
// they were when it last counted, so is their number.
func (ms *Memories) CountRecords(at Look) (n RecordCount, err error) {
	n, err = countKept(ms.Place, "records", at.records, ms.countIndexed)
	if err == nil && n.Bad > 0 {
		return ms.countIndexed() // whether a file can be read is not seen by its time
	}
	return n, err
}

// countIndexed counts the records by the search index. It reads only those that are not as they were indexed.
func (ms *Memories) countIndexed() (n RecordCount, err error) {
	st := ms.Store()
	var indexed map[string]memory.File
	count := func(ix *records.Index) error {
		indexed, n = map[string]memory.File{}, RecordCount{Active: map[memory.Category]int{}}
		return ix.Each(func(e records.Entry) bool {
			indexed[e.Path] = e.File
			if e.Status == memory.Active {
				n.Active[e.Category]++
			} else {
				n.Others++
			}
			return true
		})
	}
	if err = ms.useIndex(st, st.Index, count); err != nil {
		return n, err
	}
	differing, unlisted := st.Differing(indexed)
	bad := len(unlisted)
	if len(differing) > 0 {
		err = ms.useIndex(st, func() (*store.Index, error) {
			ix, err := st.Refresh(differing...)
			if err == nil {
				bad += len(ix.Bad)
			}
			return ix, err
		}, count)
	}
	n.Bad = bad
	return n, err
}

// Found is a memory that a search found.
type Found struct {
	memory.Stored
	Score float64 // see records.Hit
	Idle  bool    // it was given often and never used
	Trust TrustLevel
}

// A Result is what a search found.
type Result struct {
	Found    []Found
	Held     []Found       // what would be among them, but waits for a person's yes
	Hits     []records.Hit // all of them, as they are in the index, best first
	Bad      []store.Bad   // hits that cannot be read
	Memories int           // active ones in the index
}

// Search returns up to n memories that q is about and that wanted accepts, best first. It reads
// their files, since the index may be older. Records that were edited in place since they were
// indexed are indexed again, and then it searches once more. What waits for a person's yes is in
// Held.
func (ms *Memories) Search(q records.Query, n int, wanted func(records.Hit) bool) (Result, error) {
	return ms.SearchNews(q, n, wanted, nil)
}

// SearchNews is Search, and leaves out the memories that isNews rejects, which may be nil. It is asked with
// what was found so far, once more from the beginning if the search is done again.
func (ms *Memories) SearchNews(q records.Query, n int, wanted func(records.Hit) bool,
	isNews func(soFar Result, f Found) bool) (Result, error) {
	st := ms.Store()
	var got Result
	var stale []string
	look := func(ix *records.Index) (err error) {
		got, stale = Result{Memories: ix.Len()}, nil
		if got.Hits, err = ix.Search(q); err != nil {
			return err
		}
		idle := ms.Idle()
		sinkIdle(got.Hits, idle)
		for _, hit := range got.Hits {
			if len(got.Found) == n {
				break
			}
			if !wanted(hit) {
				continue
			}
			r, err := ms.ReadRecord(hit.Path)
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
			f := Found{r, hit.Score, idle[r.Path], ms.TrustOf(r)}
			switch {
			case f.Trust.Held:
				got.Held = append(got.Held, f)
			case isNews == nil || isNews(got, f):
				got.Found = append(got.Found, f)
			}
		}
		return nil
	}
	err := ms.useIndex(st, st.Index, look)
	if err == nil && len(stale) > 0 {
		paths := stale
		err = ms.useIndex(st, func() (*store.Index, error) { return st.Refresh(paths...) }, look)
	}
	return got, err
}

// maxNewest is how many memories are read for the newest, and maxListed how many of a category are listed.
const maxNewest, maxListed = 64, 4000

// Newest returns up to n active memories of some categories that wanted accepts, the newest first. It reads
// those whose files changed last. What waits for a person's yes is in Held.
func (ms *Memories) Newest(categories []memory.Category, n int,
	wanted func(records.Hit) bool) (Result, error) {
	st := ms.Store()
	var got Result
	err := ms.useIndex(st, st.Index, func(ix *records.Index) error {
		got = Result{Memories: ix.Len()}
		for _, c := range categories {
			all, err := ix.List(c, maxListed)
			if err != nil {
				return err
			}
			for _, e := range all {
				got.Hits = append(got.Hits, records.Hit{Entry: e, Score: 1})
			}
		}
		return nil
	})
	slices.SortStableFunc(got.Hits, func(a, b records.Hit) int {
		return cmp.Compare(b.File.Time, a.File.Time)
	})
	got.Hits = slices.DeleteFunc(got.Hits, func(h records.Hit) bool { return !wanted(h) })
	got.Hits = got.Hits[:min(len(got.Hits), maxNewest)]
	for _, hit := range got.Hits {
		r, err := ms.ReadRecord(hit.Path)
		if err != nil {
			got.Bad = append(got.Bad, store.Bad{Path: hit.Path, Err: err})
			continue
		}
		if r.Status != memory.Active {
			continue
		}
		if f := (Found{r, hit.Score, false, ms.TrustOf(r)}); f.Trust.Held {
			got.Held = append(got.Held, f)
		} else {
			got.Found = append(got.Found, f)
		}
	}
	slices.SortStableFunc(got.Found, func(a, b Found) int {
		return strings.Compare(b.UpdatedAt, a.UpdatedAt)
	})
	got.Found = got.Found[:min(n, len(got.Found))]
	return got, err
}

// deriver opens the search index for the store, which must not import it.
type deriver struct{}

func (deriver) New() store.Derived { return derived{records.New()} }

func (deriver) Open(base io.ReaderAt, size int64, delta []byte) (store.Derived, error) {
	ix, err := records.Open(base, size, delta)
	if err != nil {
		return nil, err
	}
	return derived{ix}, nil
}

type derived struct{ *records.Index }

func (d derived) Change() store.Change { return d.Index.Change() }

func (d derived) With(base, delta []byte) (store.Derived, error) {
	ix, err := d.Index.With(base, delta)
	if err != nil {
		return nil, err
	}
	return derived{ix}, nil
}

func (d derived) Each(see func(memory.Stored) bool) error {
	return d.Index.Each(func(e records.Entry) bool {
		return see(memory.Stored{Path: e.Path, File: e.File, Record: memory.Record{
			Category: e.Category, ID: e.ID, Title: e.Title, Status: e.Status, Tags: e.Tags,
		}})
	})
}
