package store

import (
	"maps"
	"slices"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// A Past has the records of a store as they were at earlier times. The plans of the history say how they
// were; of records that none of them changed, what they say of themselves: see memory.Record.Then.
type Past struct {
	files map[string]memory.Stored // after the plans before next
	plans []Applied                // oldest first
	next  int
	lost  int // plans that can't be read
}

// Past returns the records as they were from a time on.
func (s *Store) Past(from time.Time) (*Past, error) {
	loaded, err := s.Load()
	if err != nil {
		return nil, err
	}
	p := &Past{files: make(map[string]memory.Stored, len(loaded.Records))}
	for _, r := range loaded.Records {
		p.files[r.Path] = r
	}
	err = s.History(func(a Applied) bool {
		if !a.At.After(from) {
			return false
		}
		for _, e := range a.Edits {
			p.set(e.Path, e.Old, e.Was)
		}
		p.plans = append(p.plans, a)
		return true
	}, func(Bad) { p.lost++ })
	slices.Reverse(p.plans)
	return p, err
}

// set notes what the file at a path has, nil for no file. Only records count.
func (p *Past) set(path string, b []byte, written time.Time) {
	if plan.CheckRecord(path) != nil {
		return
	}
	r, err := parseRecord(path, b)
	if b == nil || err != nil {
		delete(p.files, path)
		return
	}
	if written.IsZero() {
		written, _ = memory.ParseStamp(r.UpdatedAt)
	}
	r.File = memory.File{Time: written.UnixNano(), Size: int64(len(b))}
	p.files[path] = r
}

// First returns when the first record was made, by what the records say, zero if there never was one.
func (p *Past) First() (first time.Time) {
	see := func(r memory.Stored) {
		if at, ok := memory.ParseStamp(r.CreatedAt); ok && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	for _, r := range p.files {
		see(r)
	}
	for _, a := range p.plans {
		for _, e := range a.Edits {
			if e.Old != nil || plan.CheckRecord(e.Path) != nil {
				continue
			}
			if r, err := parseRecord(e.Path, e.After); err == nil {
				see(r)
			}
		}
	}
	return first
}

// At returns the records of a time by their paths. Times may not go back. unsure is how much is not known:
// how many records were changed later by something else than a plan of the history, and have what they say
// now, and how many plans of the history can't be read.
func (p *Past) At(t time.Time) (records map[string]memory.Stored, unsure int) {
	for ; p.next < len(p.plans) && !p.plans[p.next].At.After(t); p.next++ {
		for _, e := range p.plans[p.next].Edits {
			p.set(e.Path, e.After, p.plans[p.next].At)
		}
	}
	records, unsure = maps.Clone(p.files), p.lost
	for path, r := range records {
		then, was := r.Then(t)
		if !was {
			delete(records, path)
			continue
		}
		if later, ok := memory.ParseStamp(then.UpdatedAt); ok && later.After(t) && then.Status == r.Status {
			unsure++
		}
		r.Record = then
		records[path] = r
	}
	return records, unsure
}
