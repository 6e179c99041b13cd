package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
	"keepsake/pkg/recall"
)

// heardFindings are the findings that prompts are held against, with a search index of
// them. They stand in the cache, so that a prompt reads of the journal only what is
// new, and of the cache only the index as long as nothing is found.
type heardFindings struct {
	place journal.Position // how far the journal is read
	lines []byte           // the findings, and those that turn against others, as lines of a journal
	base  []byte
	delta []byte
	index *recall.Index
}

const (
	heardVersion = 1       // of the cached file
	maxHeard     = 512     // how many findings are kept there, the newest
	maxHeardFile = 4 << 20 // bytes
)

// heardHead is the first line of the cached file; what it counts follows.
type heardHead struct {
	Writing string `json:"writing"`
	Offset  int64  `json:"offset"`
	Lines   int    `json:"lines"` // bytes, as are the next two
	Base    int    `json:"base"`
	Delta   int    `json:"delta"`
}

func (s *Session) heardFile() string {
	return s.cache(fmt.Sprintf("heard-%d-%d.idx", heardVersion, recall.Version))
}

// DropHeard takes the cached findings away, with what they say.
func (s *Session) DropHeard() error {
	if err := os.Remove(s.heardFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// heard returns the findings as the journal has them now; nil without a journal.
func (s *Session) heard() (*heardFindings, error) {
	j := s.Journal()
	size := j.Size()
	if size == 0 {
		return nil, nil
	}
	path := s.heardFile()
	was := readHeard(path)
	from := was.place
	if size-from.Offset > recentBytes {
		writing, err := j.Writing()
		if err != nil {
			return nil, err
		}
		from = journal.Position{Writing: writing, Offset: max(0, size-recentBytes)}
		was = heardFindings{}
	}
	lines, next, anew, err := j.Read(from)
	if err != nil {
		return nil, err
	}
	if anew {
		was = heardFindings{}
		lines = lines[max(0, len(lines)-recentBytes):]
	}
	if was.index != nil && len(lines) == 0 {
		return &was, nil
	}
	now, err := was.folded(lines, next)
	if err != nil {
		return nil, err
	}
	if path != "" {
		err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), disk.Replace(path, now.encode(), 0o600))
	}
	if err != nil {
		s.Fault("findings", "what was said is read again at every prompt, since it can't be kept", err)
	}
	return now, nil
}

// folded returns the findings after what is new in the journal.
func (h heardFindings) folded(lines []byte, place journal.Position) (*heardFindings, error) {
	book, err := h.book()
	if err != nil {
		return nil, err
	}
	if _, err := book.Load(lines); err != nil && !errors.Is(err, finding.ErrNewer) {
		return nil, err
	}
	kept := book.Each(func(f finding.Status) bool { return isHeard(f) || denies(f) })
	kept = kept[max(0, len(kept)-maxHeard):]
	denied := Denied(book)
	var all []finding.Status
	now := &heardFindings{place: place, base: h.base}
	for _, f := range kept {
		f.Context = nil // nobody is told of it
		if isHeard(f) && !denied[f.Number] {
			all = append(all, f)
		}
		now.lines = f.Append(now.lines, book.Next())
	}
	ix := h.index
	if ix == nil {
		if ix, err = recall.Open(nil, 0, nil); err != nil {
			return nil, err
		}
	}
	base, delta, err := indexFindings(ix, all)
	if err != nil {
		return nil, err
	}
	if base != nil {
		now.base = base
	}
	now.delta = delta
	now.index, err = openFindings(now.base, now.delta)
	return now, err
}

// book returns the findings with what turns against them.
func (h heardFindings) book() (*finding.Book, error) {
	var b finding.Book
	_, err := b.Load(h.lines)
	return &b, err
}

func (h heardFindings) encode() []byte {
	head, err := json.Marshal(heardHead{h.place.Writing, h.place.Offset, len(h.lines), len(h.base), len(h.delta)})
	if err != nil {
		panic(err) // numbers and a name
	}
	return bytes.Join([][]byte{head, []byte("\n"), h.lines, h.base, h.delta}, nil)
}

// readHeard reads the cached file; one that is not there or not whole has nothing.
func readHeard(path string) (h heardFindings) {
	if path == "" {
		return h
	}
	b, err := disk.Read(path, maxHeardFile)
	if err != nil {
		return h
	}
	first, rest, ok := bytes.Cut(b, []byte("\n"))
	var head heardHead
	if !ok || json.Unmarshal(first, &head) != nil || head.Lines < 0 || head.Base <= 0 || head.Delta <= 0 || head.Lines+head.Base+head.Delta != len(rest) {
		return h
	}
	h.place = journal.Position{Writing: head.Writing, Offset: head.Offset}
	h.lines, rest = rest[:head.Lines], rest[head.Lines:]
	h.base, h.delta = rest[:head.Base], rest[head.Base:]
	if h.index, err = openFindings(h.base, h.delta); err != nil {
		return heardFindings{}
	}
	return h
}
