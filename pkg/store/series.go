package store

import (
	"context"
	"errors"
	"sync"
	"syscall"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// A Series applies the parts of a change that is too large for one plan. Each part is a plan of its own, made
// like any other, and others can write between two of them. Only the search index is changed once for all,
// by End: to merge 10,000 records into one of 100,000 takes as long as to merge them all.
type Series struct {
	s       *Store
	from    *Index // the stored index to which the change belongs; nil for no change
	was     stand  // of that index
	change  Change
	changed stand          // of the store after the last part
	putting sync.WaitGroup // records are being put into the change

	kept bool // the files that the parts have replaced are still there, and so is the note of beginWriting

	mu    sync.Mutex
	known map[string]memory.Stored // records that Whole returned, by the digests of their files
}

// Series begins a series. The caller calls End when it is over, however it ends.
func (s *Store) Series() *Series { return &Series{s: s, known: map[string]memory.Stored{}} }

// Whole is Store.Whole. The next part that changes these records knows what they say while their files have
// the same bytes; the caller leaves them as they are. The next part can be prepared while one is applied.
func (r *Series) Whole(heads []memory.Stored) (records []memory.Stored, bad []Bad) {
	records, bad = r.s.Whole(heads)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range records {
		r.known[one.Digest] = one
	}
	return records, bad
}

// Apply is Store.Apply for one part.
func (r *Series) Apply(ctx context.Context, p plan.Plan) error {
	err := r.s.applyIf(ctx, p, nil, r)
	if errors.Is(err, syscall.ENOSPC) && !errors.Is(err, ErrUnfinished) && r.kept {
		r.sweep()
		err = r.s.applyIf(ctx, p, nil, r)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range p.Edits {
		delete(r.known, e.Before)
	}
	return err
}

// record returns the record at path whose file has these bytes, and this digest.
func (r *Series) record(path, digest string, b []byte) (memory.Record, error) {
	if r != nil {
		r.mu.Lock()
		known, ok := r.known[digest]
		r.mu.Unlock()
		if ok && known.Path == path {
			return known.Record, nil
		}
	}
	read, err := parseRecord(path, b)
	return read.Record, err
}

// basis returns the index before a part, or before a plan that is part of no series; the store's lock is
// held. If somebody else has changed the store since the last part, it is the index of what they left.
func (r *Series) basis(s *Store) basis {
	if r == nil {
		return s.basis()
	}
	if r.change != nil && r.changed.state == r.s.currentState() {
		return basis{stand: r.changed}
	}
	r.storeIndex(func() {})
	return r.s.basis()
}

// refresh notes what a part has changed in the index, as Store.refresh does at once.
func (r *Series) refresh(s *Store, before basis, p plan.Plan, made []memory.Stored) {
	if r == nil || s.opt.Derive == nil {
		s.refresh(before.state, p, made)
		return
	}
	if r.change == nil {
		ix, was := r.s.storedIndex()
		if ix == nil || was.state != before.state {
			ix.Close()
			r.s.refresh(before.state, p, made)
			return
		}
		r.from, r.was, r.change = ix, was, ix.Change()
	}
	r.changed = r.s.standAfter(before.state)
	r.putting.Wait()
	was := r.knownOf(p)
	r.putting.Go(func() { changeFor(r.change, p, was, made) }) // while the next part is read and written
}

// knownOf returns what is known of the records before a plan, one for each edit.
func (r *Series) knownOf(p plan.Plan) []memory.Stored {
	was := make([]memory.Stored, len(p.Edits))
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, e := range p.Edits {
		was[i] = r.known[e.Before]
	}
	return was
}

// sweep removes the files that the parts have replaced. If it is not called, the next to write does.
func (r *Series) sweep() {
	if !r.kept {
		return
	}
	h, err := r.s.lockStore(context.Background(), false)
	if err != nil {
		return
	}
	defer h.close()
	r.kept = false
	same := r.change != nil && r.changed.state == r.s.currentState()
	if h.beginWriting() == nil {
		h.endWriting()
	}
	if same { // but for the times of the folders
		r.changed = r.s.standAfter(r.changed.state)
	}
}

// End stores the index of all parts and removes what they have replaced. If it is not called, the next look
// at the index reads what is new, as after any change that was made without it.
func (r *Series) End() {
	var sweep sync.WaitGroup
	sweep.Go(r.sweep) // the disk works while we make the index
	r.storeIndex(sweep.Wait)
	sweep.Wait()
}

// storeIndex stores the index of all parts, unless somebody else has stored another one meanwhile. Before
// that it waits for settled, after which r.changed stands.
func (r *Series) storeIndex(settled func()) {
	if r.change == nil {
		return
	}
	r.putting.Wait()
	base, delta, err := r.change.Done()
	settled()
	defer r.from.Close()
	r.change = nil
	if err != nil {
		return
	}
	cache := r.s.lockCache()
	if cache == nil {
		return
	}
	defer cache.Unlock()
	now, was := r.s.storedIndex()
	now.Close()
	if now != nil && was == r.was {
		r.s.storeIndex(r.changed, base, delta)
	}
}
