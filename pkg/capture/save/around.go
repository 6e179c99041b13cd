package save

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/records"
	"keepsake/pkg/store"
)

// A store of at most smallStore active memories is read whole to plan, about 30 µs
// a record. Of a larger one a plan needs what the search file finds near to each
// draft, aroundDraft records at most: what a draft is about has most of its words
// and is among the first, and what is far from it neither is changed nor counts.
const (
	smallStore  = 300
	aroundDraft = 40
)

// surroundings are the memories that drafts could have to do with.
type surroundings struct {
	store.Loaded                 // those near to the drafts, that they name, and whose names they would take
	crowd        []memory.Stored // the others that upkeep has to look at
}

// all returns all the memories.
func (s surroundings) all() []memory.Stored { return slices.Concat(s.Records, s.crowd) }

// around reads the memories that the drafts could have to do with.
func (w *Saver) around(drafts []draft.Draft, r upkeep.Rules) (near surroundings, err error) {
	st := w.Store()
	small := true
	err = w.Index(func(index *records.Index) error {
		if small = index.Len() <= smallStore; small {
			return nil
		}
		paths := map[string]bool{}
		for _, d := range drafts {
			if d.Category == memory.SessionSummary {
				continue // never about another
			}
			hits, err := index.Similar(memory.Record{Category: d.Category, Title: d.Title, Tags: d.Tags,
				Content: d.Content}, aroundDraft, true)
			if err != nil {
				return err
			}
			for _, h := range hits {
				paths[h.Path] = true
			}
			if named := memory.Path(d.Category, d.Target); d.Target != "" && plan.CheckPath(named) == nil {
				paths[named] = true
			}
		}
		near.Loaded = readEach(st, paths, drafts)
		var crowd []string
		for _, c := range memory.Categories() {
			whole, err := counted(index, drafts, c, r)
			if err != nil {
				return err
			}
			for _, e := range whole {
				if !paths[e.Path] {
					crowd = append(crowd, e.Path)
				}
			}
		}
		var bad []store.Bad
		near.crowd, bad = st.ReadAll(crowd)
		near.Bad = append(near.Bad, bad...)
		return nil
	})
	if small || err != nil {
		loaded, err := st.Load()
		return surroundings{Loaded: loaded}, err
	}
	return near, nil
}

// counted returns the memories of a category if a save of these drafts could make upkeep touch one of them,
// else nil.
func counted(index *records.Index, drafts []draft.Draft, c memory.Category,
	r upkeep.Rules) ([]records.Entry, error) {
	more := 0
	for _, d := range drafts {
		if d.Category == c {
			more++
		}
	}
	limit := bound(r, c)
	if r.RetentionDays[c] == 0 && (more == 0 || limit == 0) {
		return nil, nil
	}
	all, err := index.List(c, 0)
	if err != nil || r.RetentionDays[c] > 0 || len(all)+more > limit {
		return all, err
	}
	return nil, nil
}

// readEach reads records, and adds to paths those whose names stand in the way of the drafts'.
func readEach(st *store.Store, paths map[string]bool, drafts []draft.Draft) (loaded store.Loaded) {
	read := func(path string) (there bool) {
		m, err := st.Read(path)
		switch {
		case err == nil:
			loaded.Records = append(loaded.Records, m)
		case errors.Is(err, fs.ErrNotExist):
			return false // deleted since it was indexed
		default:
			loaded.Bad = append(loaded.Bad, store.Bad{Path: path, Err: err})
		}
		return true
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		read(path)
	}
	for i, d := range drafts {
		left := len(drafts) - i // as many names can be taken by other drafts
		for path := range draft.Paths(d) {
			if !paths[path] && !read(path) {
				if left--; left < 0 {
					break
				}
			}
			paths[path] = true
		}
	}
	return loaded
}
