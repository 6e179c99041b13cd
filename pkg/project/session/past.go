package session

import (
	"fmt"
	"io/fs"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
	"keepsake/pkg/store"
)

// rewound is the memories and findings of an earlier time.
type rewound struct {
	at      time.Time
	store   *store.Past
	first   time.Time                // when the first record was made, zero if there never was one
	records map[string]memory.Stored // by path
	index   *records.Index

	book     *finding.Book // of now
	findings *findingsIndex
	noted    int // see Book.Then
}

// Then has all that is looked up for a prompt be as it was at a time, as far as that is known. It returns of
// how many memories that is not known: these have the text of today. Settings, Markdown memories and the
// files that the client loads are those of today.
func (s *Session) Then(at time.Time) (unsure int, err error) {
	ms := s.Memories
	if ms.past == nil || at.Before(ms.past.at) {
		st, err := ms.Store().Past(at)
		if err != nil {
			return 0, err
		}
		book, err := s.Whole()
		if err != nil && book.Len() == 0 {
			return 0, err
		}
		ms.past = &rewound{store: st, first: st.First(), index: records.New(), book: book, noted: -1}
	}
	p := ms.past
	p.at = at
	now, unsure := p.store.At(at)
	change, changed := p.index.Change(), false
	for path := range p.records {
		if _, still := now[path]; !still {
			change.Remove(path)
			changed = true
		}
	}
	for path, r := range now {
		if was, had := p.records[path]; !had || was.Digest != r.Digest || was.Status != r.Status {
			change.Put(r)
			changed = true
		}
	}
	p.records = now
	if changed {
		if p.index, err = change.Index(); err != nil {
			return 0, err
		}
	}
	book, noted := p.book.Then(at)
	if noted != p.noted {
		p.noted = noted
		p.findings, err = findingsIndex{}.withBook(book, nil, nil, nil, nil, journal.Position{})
	}
	return unsure, err
}

// FirstMemory returns when the first memory was made, after Then: the zero time if there never was one.
func (ms *Memories) FirstMemory() time.Time {
	if ms.past == nil {
		return time.Time{}
	}
	return ms.past.first
}

// ReadRecord returns the record at a path.
func (ms *Memories) ReadRecord(path string) (memory.Stored, error) {
	if ms.past == nil {
		return ms.Store().Read(path)
	}
	r, ok := ms.past.records[path]
	if !ok {
		return r, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return r, nil
}
