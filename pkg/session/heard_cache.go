package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
	"keepsake/pkg/recall"
)

// heardFindings are the findings that prompts are held against, with a search index of
// them. They stand in the cache, so that a prompt reads of the journal only what was
// noticed lately.
type heardFindings struct {
	place journal.Position // how far the journal is read
	lines []byte           // the findings, and those that turn against others, as lines of a journal
	base  []byte
	delta []byte
	index *recall.Index
}

const (
	heardVersion = 1       // of the cached file
	maxHeard     = 400     // how many findings are kept there, the newest
	maxHeardFile = 4 << 20 // bytes
	unwritten    = 8 << 10 // bytes of news: to read these again costs less than to write the file
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
	if path != "" && (was.index == nil || len(lines) > unwritten) {
		err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), disk.Replace(path, now.encode(), 0o600))
	}
	if err != nil {
		s.Fault("findings", "what was said is read again at every prompt, since it can't be kept", err)
	}
	return now, nil
}

// folded returns the findings after what is new in the journal. Findings that nothing
// happened to are not read again.
func (h heardFindings) folded(lines []byte, place journal.Position) (*heardFindings, error) {
	moved := finding.Moved(lines)
	denied := map[int]bool{}
	var book finding.Book
	var kept [][]byte // lines
	for line := range bytes.Lines(h.lines) {
		number, target := finding.Peek(line)
		if !moved[number] {
			kept = append(kept, line)
			if n, ok := numberIn(target); ok && n != number &&
				!bytes.Contains(line, []byte(`"state":"`+string(finding.Rejected)+`"`)) {
				denied[n] = true
			}
			continue
		}
		if target != "" && h.index != nil { // what it turned against may count again
			return heardFindings{}.folded(slices.Concat(h.lines, lines), place)
		}
		if _, err := book.Load(line); err != nil {
			return nil, err
		}
	}
	if _, err := book.Load(lines); err != nil && !errors.Is(err, finding.ErrNewer) {
		return nil, err
	}
	maps.Copy(denied, Denied(&book))
	gone := maps.Clone(denied)
	maps.Copy(gone, moved)
	var news []finding.Status
	for _, f := range book.Each(func(f finding.Status) bool { return isHeard(f) || f.Target != "" }) {
		if isHeard(f) && !denied[f.Number] {
			news = append(news, f)
			delete(gone, f.Number)
		}
		kept = append(kept, shortened(f).Append(nil, book.Next()))
	}
	over := max(0, len(kept)-maxHeard)
	for _, line := range kept[:over] {
		n, _ := finding.Peek(line)
		gone[n] = true
	}
	news = slices.DeleteFunc(news, func(f finding.Status) bool { return gone[f.Number] })
	return h.indexed(place, bytes.Join(kept[over:], nil), news, gone)
}

// shortened is a finding without what a prompt needs not.
func shortened(f finding.Status) finding.Status {
	f.Finding = finding.Finding{
		Number: f.Number, Text: f.Text, By: f.By, Session: f.Session, Time: f.Time, Category: f.Category,
		Level: f.Level, Kind: f.Kind, Target: f.Target, Origin: f.Origin,
	}
	return f
}

// indexed has an index of what h has, with news and without gone.
func (h heardFindings) indexed(place journal.Position, lines []byte, news []finding.Status,
	gone map[int]bool) (now *heardFindings, err error) {
	now = &heardFindings{place: place, lines: lines, base: h.base}
	if h.index == nil {
		if h.index, err = recall.Open(nil, 0, nil); err != nil {
			return nil, err
		}
	}
	change := h.index.Change()
	for n := range gone {
		change.Remove(FindingPath(n))
	}
	for _, f := range news {
		putFinding(change, f)
	}
	base, delta, err := change.Done()
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

// find returns a finding by its number.
func (h heardFindings) find(number int) (f finding.Status, ok bool, err error) {
	for line := range bytes.Lines(h.lines) {
		if n, _ := finding.Peek(line); n == number {
			var b finding.Book
			_, err := b.Load(line)
			f, ok := b.Find(number)
			return f, ok, err
		}
	}
	return f, false, nil
}

func (h heardFindings) encode() []byte {
	head, err := json.Marshal(heardHead{h.place.Writing, h.place.Offset, len(h.lines), len(h.base),
		len(h.delta)})
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
	if !ok || json.Unmarshal(first, &head) != nil || head.Lines < 0 || head.Base <= 0 || head.Delta <= 0 ||
		head.Lines+head.Base+head.Delta != len(rest) {
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
