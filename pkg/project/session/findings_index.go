package session

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/kept"
	"keepsake/pkg/search/records"
)

// A findingsIndex holds a project's findings from before the journal's end: those that wait or turn
// against something, with a search index of them, and the others without their texts. It is a file in the
// cache, so that a hook reads only the newest lines of the journal. Whoever reads the whole journal makes
// a missing file anew.
type findingsIndex struct {
	place journal.Position // how far the journal is read
	last  uint32           // checksum of the line that ends there
	from  int64            // where in the journal it begins, in bytes; 0: it has all of it

	open  []byte // what waits and what turns against something, as lines of a journal by number
	base  []byte
	delta []byte
	index *records.Index // of sure waiting findings; those that a prompt may bring up are active

	table []byte // an entry for each line of open and ended, in order; nil where it was not read
	ended []byte // the other findings without their texts, as open; nil where it was not read
}

const (
	indexVersion = 1       // of the cached file
	maxOpen      = 400     // findings that wait or turn against something, the newest
	maxEnded     = 2000    // others, the newest
	maxIndexFile = 8 << 20 // bytes
	maxIndexHead = 512     // bytes
	unwritten    = 8 << 10 // bytes of news: to read these again costs less than to write the file
	// readAhead is how much of the journal is read to go on with an index, readAnew to
	// begin one. Where there is more it has what stands at the journal's end, until
	// somebody reads the whole.
	readAhead = 1 << 20
	readAnew  = 256 << 10
)

// indexHead is the first line of the cached file. The parts that it gives the sizes of follow in
// this order.
type indexHead struct {
	Writing string `json:"writing"`
	Offset  int64  `json:"offset"`
	Last    uint32 `json:"last"`
	From    int64  `json:"from"`
	Open    int    `json:"open"` // bytes, as are the next four
	Base    int    `json:"base"`
	Delta   int    `json:"delta"`
	Table   int    `json:"table"`
	Ended   int    `json:"ended"`
}

// An entry of the table, little-endian: the digest of the statement 8, the number of the
// finding 4, the size of its line 4.
const entrySize = 16

// indexPath returns the path of the cached file, "" without a cache home.
func (s *Findings) indexPath() string {
	return s.CachePath(fmt.Sprintf("findings-%d-%d.idx", indexVersion, records.Version))
}

// dropIndex deletes the cached files, also those of older versions.
func (s *Findings) dropIndex() error {
	return errors.Join(kept.Drop(s.CachePath("findings-*.idx")),
		kept.Drop(s.CachePath("heard-*.idx")))
}

// indexedFindings returns the findings as the journal has them now, nil without a journal. whole
// has all of the cached file read, so that it can be written again.
func (s *Findings) indexedFindings(whole bool) (*findingsIndex, error) {
	j := s.Journal()
	size := j.Size()
	if size == 0 {
		return nil, nil
	}
	writing, err := j.Writing()
	if err != nil {
		return nil, err
	}
	path := s.indexPath()
	was, err := s.cachedIndex(path, writing, whole)
	if err != nil {
		return nil, err
	}
	limit := int64(readAhead)
	if was.index == nil {
		was.place.Writing, limit = writing, readAnew
	}
	if size-was.place.Offset > limit {
		end := size - recentBytes
		was = findingsIndex{place: journal.Position{Writing: writing, Offset: end}, from: end}
	}
	lines, next, anew, err := j.Read(was.place)
	if err != nil {
		return nil, err
	}
	if anew { // it was rewritten just now
		cut := max(0, len(lines)-recentBytes)
		was, lines = findingsIndex{from: int64(cut)}, lines[cut:]
	}
	if was.index != nil && len(lines) == 0 {
		return &was, nil
	}
	write := path != "" && (was.index == nil || len(lines) > unwritten)
	if write && was.index != nil && !whole {
		return s.indexedFindings(true)
	}
	now, err := was.updated(lines, next)
	if err == nil && write {
		s.writeIndex(path, now)
	}
	return now, err
}

// cachedIndex returns the findings as they are in the cache. It returns an empty index where the
// file is of another journal, or of one whose end was lost in a power cut.
func (s *Findings) cachedIndex(path, writing string, whole bool) (x findingsIndex, err error) {
	f := openIndexFile(path)
	if f == nil {
		return x, nil
	}
	defer f.Close()
	if ok, err := f.fits(s.Journal(), writing); !ok || err != nil {
		return x, err
	}
	return f.readFindings(whole), nil
}

// writeIndex replaces the cached file.
func (s *Findings) writeIndex(path string, x *findingsIndex) {
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), disk.Replace(path, x.encode(), 0o600))
	if err != nil {
		s.Fault("findings", "the journal is read again by every hook, since its index can't be kept", err)
	}
}

// keepIndex makes the index of the whole journal, which was just read, where the cached one has
// only the journal's end or is far behind.
func (s *Findings) keepIndex(book *finding.Book, lines []byte, place journal.Position) {
	path := s.indexPath()
	if path == "" || len(lines) == 0 {
		return
	}
	if f := openIndexFile(path); f != nil {
		ok, err := f.fits(s.Journal(), place.Writing)
		f.Close()
		if err != nil || ok && f.head.From == 0 && place.Offset-f.head.Offset <= readAhead/2 {
			return
		}
	}
	now, err := findingsIndex{}.withBook(book, nil, nil, nil, lines, place)
	if err != nil {
		s.Fault("findings", "no index of the journal could be made", err)
		return
	}
	s.writeIndex(path, now)
}

// A numberedLine is the line of one finding.
type numberedLine struct {
	number int
	digest uint64 // 0 where the table was not read
	line   []byte
}

// newNumberedLine returns the line of a finding. next is the number of the book's next finding.
func newNumberedLine(f finding.Status, next int) numberedLine {
	digest, _ := strconv.ParseUint(f.Digest, 16, 64) // 0 matches no statement
	return numberedLine{f.Number, digest, f.Append(nil, next)}
}

// updated returns the index after what is new in the journal. It does not parse findings that
// nothing happened to.
func (x findingsIndex) updated(news []byte, place journal.Position) (*findingsIndex, error) {
	touched := touchedNumbers(news)
	denied := map[int]bool{}
	var book finding.Book
	var open, ended []numberedLine
	table := x.table
	digest := func() (d uint64) {
		if len(table) >= entrySize {
			d = binary.LittleEndian.Uint64(table)
			table = table[entrySize:]
		}
		return d
	}
	for line := range bytes.Lines(x.open) {
		number, target := finding.Peek(line)
		l := numberedLine{number, digest(), line}
		if !touched[number] {
			open = append(open, l)
			if n, ok := findingNumber(target); ok && n != number &&
				!bytes.Contains(line, []byte(`"state":"`+string(finding.Rejected)+`"`)) {
				denied[n] = true
			}
			continue
		}
		if target != "" && x.index != nil { // what it turned against may count again
			all := slices.Concat(x.ended, x.open, news)
			return findingsIndex{from: x.from}.updated(all, place)
		}
		if _, err := book.Load(line); err != nil {
			return nil, err
		}
	}
	for left := x.ended; len(table) >= entrySize; {
		number, size := tableEntry(table)
		if size > len(left) {
			return nil, errIndex
		}
		l := numberedLine{number, digest(), left[:size]}
		if left = left[size:]; !touched[number] {
			ended = append(ended, l)
		} else if _, err := book.Load(l.line); err != nil {
			return nil, err
		}
	}
	if _, err := book.Load(news); err != nil && !errors.Is(err, finding.ErrNewer) {
		return nil, err
	}
	return x.withBook(&book, open, ended, denied, news, place)
}

var errIndex = errors.New("the index of the findings is damaged")

// tableEntry returns the number of the first entry of a table, and the size of its line.
func tableEntry(table []byte) (number, size int) {
	le := binary.LittleEndian
	return int(le.Uint32(table[8:])), int(le.Uint32(table[12:]))
}

// touchedNumbers returns the numbers of the findings that lines of a journal move or turn against.
// That the person was told of one changes nothing in the index.
func touchedNumbers(lines []byte) map[int]bool {
	var moves []byte
	for line := range bytes.Lines(lines) {
		if bytes.Contains(line, []byte(`"numbers":[`)) &&
			!bytes.Contains(line, []byte(`"act":"`+string(finding.Tell)+`"`)) &&
			!bytes.Contains(line, []byte(`"act":"`+string(finding.Warn)+`"`)) {
			moves = append(moves, line...)
		}
	}
	touched := finding.Moved(moves)
	against := []byte(`"target":"#`) // in a text the quotes would be escaped
	for at := bytes.Index(lines, against); at >= 0; at = bytes.Index(lines, against) {
		lines = lines[at+len(against):]
		digits, _, _ := bytes.Cut(lines[:min(len(lines), 20)], []byte(`"`))
		if n, err := strconv.Atoi(string(digits)); err == nil {
			touched[n] = true
		}
	}
	return touched
}

// withBook returns the index with the findings of a book in the place of those that it had. open
// and ended are the lines that stay, and denied has the numbers that these turn against.
func (x findingsIndex) withBook(book *finding.Book, open, ended []numberedLine, denied map[int]bool,
	news []byte, place journal.Position) (*findingsIndex, error) {
	denied = maps.Clone(denied)
	if denied == nil {
		denied = map[int]bool{}
	}
	maps.Copy(denied, Denied(book))
	var docs []indexedFinding
	gone := map[int]bool{}
	found := book.Each(nil)
	opens, others := 0, 0
	for _, f := range slices.Backward(found) { // newest first, so that the bounds leave out the oldest
		gone[f.Number] = true
		waits := f.State.Waits() && f.Text != ""
		switch {
		case (waits || f.Target != "") && opens < maxOpen:
			opens++
			open = append(open, newNumberedLine(withoutContext(f), book.Next()))
			if waits && f.Level == finding.Sure && f.Moment == "" && f.Category != "" {
				docs = append(docs, indexedFinding{f, isTellable(f) && !denied[f.Number]})
				delete(gone, f.Number)
			}
		case f.Digest != "" && others < maxEnded:
			others++
			ended = append(ended, newNumberedLine(withoutText(f), book.Next()))
		}
	}
	byNumber := func(a, b numberedLine) int { return cmp.Compare(a.number, b.number) }
	slices.SortFunc(open, byNumber)
	over := open[:max(0, len(open)-maxOpen)]
	open = open[len(over):]
	for _, l := range over { // the index forgets their texts, but still knows that they were said
		gone[l.number] = true
		docs = slices.DeleteFunc(docs, func(d indexedFinding) bool { return d.Number == l.number })
		var one finding.Book
		if _, err := one.Load(l.line); err != nil {
			return nil, err
		}
		for _, f := range one.Each(nil) {
			ended = append(ended, newNumberedLine(withoutText(f), book.Next()))
		}
	}
	slices.SortFunc(ended, byNumber)
	now, err := x.searchable(docs, gone)
	if err != nil {
		return nil, err
	}
	now.place, now.last, now.from = place, x.last, x.from
	if len(news) > 0 {
		begin := bytes.LastIndexByte(news[:len(news)-1], '\n') + 1
		now.last = crc32.ChecksumIEEE(news[begin:])
	}
	now.open = now.joinLines(open)
	now.ended = now.joinLines(ended[max(0, len(ended)-maxEnded):])
	return now, nil
}

// joinLines returns lines as one text, and adds them to the table.
func (x *findingsIndex) joinLines(all []numberedLine) []byte {
	size := 0
	for _, l := range all {
		size += len(l.line)
	}
	joined := make([]byte, 0, size)
	le := binary.LittleEndian
	for _, l := range all {
		joined = append(joined, l.line...)
		x.table = le.AppendUint64(x.table, l.digest)
		x.table = le.AppendUint32(le.AppendUint32(x.table, uint32(l.number)), uint32(len(l.line)))
	}
	return joined
}

// withoutContext returns a finding without what explains it and where it was said. Of a choice it
// keeps that it answered a question.
func withoutContext(f finding.Status) finding.Status {
	answered := f.By == finding.Chosen && !finding.Approved(f.By, f.Context)
	f.Context, f.Branch, f.Commit, f.Offset, f.Why, f.MovedBy, f.Plan = nil, "", "", 0, "", "", ""
	if answered {
		f.Context = []finding.Line{{By: finding.Chosen, Role: finding.Answer}}
	}
	return f
}

// withoutText returns a finding with only its identity: which statement it was, and what became of
// it.
func withoutText(f finding.Status) finding.Status {
	f = withoutContext(f)
	f.Text, f.Cue = "", ""
	if !f.State.Waits() {
		f.Record, f.Session, f.Told, f.Score = "", "", "", 0
		f.Time, f.Since, f.Seen, f.Warned = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	}
	return f
}

// An indexedFinding is a finding that can be searched for.
type indexedFinding struct {
	finding.Status
	brought bool // a prompt may bring it
}

// searchable returns a new index that has the search index of x, with docs added and gone removed,
// and nothing else.
func (x findingsIndex) searchable(docs []indexedFinding, gone map[int]bool) (now *findingsIndex,
	err error) {
	now = &findingsIndex{base: x.base}
	if x.index == nil {
		x.index = records.New()
	}
	change := x.index.Change()
	for n := range gone {
		change.Remove(FindingPath(n))
	}
	for _, f := range docs {
		putFinding(change, f.Status, f.brought)
	}
	base, delta, err := change.Done()
	if err != nil {
		return nil, err
	}
	if base != nil {
		now.base = base
	}
	now.delta = delta
	now.index, err = x.index.With(base, delta)
	return now, err
}

// putFinding adds a finding to a search index. The index knows only records, and their category
// makes no difference to it.
func putFinding(c *records.Change, f finding.Status, brought bool) {
	status := memory.Retired
	if brought {
		status = memory.Active
	}
	c.Put(memory.Stored{Path: FindingPath(f.Number), Record: memory.Record{Category: memory.Decision,
		Status: status, Title: f.Text}})
}

// maxMerges is how many merges of one finding into the next are followed.
const maxMerges = 20

// withNumbers returns the findings with some numbers that wait or turn against something, ordered
// by number.
func (x *findingsIndex) withNumbers(numbers ...int) ([]finding.Status, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	var b finding.Book
	var errs []error
	for line := range bytes.Lines(x.open) {
		if n, _ := finding.Peek(line); slices.Contains(numbers, n) {
			_, err := b.Load(line)
			errs = append(errs, err)
		}
	}
	return b.Each(nil), errors.Join(errs...)
}

// encode returns the content of the cached file.
func (x *findingsIndex) encode() []byte {
	head, err := json.Marshal(indexHead{x.place.Writing, x.place.Offset, x.last, x.from, len(x.open),
		len(x.base), len(x.delta), len(x.table), len(x.ended)})
	if err != nil {
		panic(err) // numbers and a name
	}
	return bytes.Join([][]byte{head, []byte("\n"), x.open, x.base, x.delta, x.table, x.ended}, nil)
}

// An indexFile is the opened cached file.
type indexFile struct {
	*os.File
	head  indexHead
	begin int64 // where the parts begin
}

// openIndexFile opens the cached file. It returns nil where the file is missing or not whole.
func openIndexFile(path string) *indexFile {
	if path == "" {
		return nil
	}
	file, info, err := disk.Open(path)
	if err != nil {
		return nil
	}
	f := &indexFile{File: file}
	first := make([]byte, maxIndexHead)
	n, _ := f.ReadAt(first, 0) // what can't be read is missing below
	line, _, ok := bytes.Cut(first[:n], []byte("\n"))
	h := &f.head
	f.begin = int64(len(line) + 1)
	if !ok || json.Unmarshal(line, h) != nil || min(h.Open, h.Table, h.Ended) < 0 || h.Base <= 0 ||
		h.Delta <= 0 || h.Table%entrySize != 0 || info.Size() > maxIndexFile ||
		f.begin+int64(h.Open+h.Base+h.Delta+h.Table+h.Ended) != info.Size() {
		f.Close()
		return nil
	}
	return f
}

// fits reports whether the file was made of what a journal, by its current writing, has.
func (f *indexFile) fits(j journal.Journal, writing string) (bool, error) {
	if f.head.Writing != writing {
		return false, nil
	}
	line, err := j.Line(journal.Position{Writing: writing, Offset: f.head.Offset})
	return line != nil && crc32.ChecksumIEEE(line) == f.head.Last, err
}

// readFindings reads the file, and the table and what is settled only with whole. It returns an
// empty index where the file is damaged.
func (f *indexFile) readFindings(whole bool) (x findingsIndex) {
	h := f.head
	size := h.Open + h.Base + h.Delta
	if whole {
		size += h.Table + h.Ended
	}
	rest := make([]byte, size)
	if _, err := f.ReadAt(rest, f.begin); err != nil {
		return x
	}
	x.place = journal.Position{Writing: h.Writing, Offset: h.Offset}
	x.last, x.from = h.Last, h.From
	x.open, rest = rest[:h.Open], rest[h.Open:]
	x.base, rest = rest[:h.Base], rest[h.Base:]
	x.delta, rest = rest[:h.Delta], rest[h.Delta:]
	if whole {
		x.table, x.ended = rest[:h.Table], rest[h.Table:]
	}
	var err error
	if x.index, err = records.Open(bytes.NewReader(x.base), int64(len(x.base)), x.delta); err != nil {
		return findingsIndex{}
	}
	return x
}

// findingsSaying returns the findings that make one of some statements, by their digests, and those
// that they were merged into. A finding that is settled, or over the bounds, has no text.
func (f *indexFile) findingsSaying(digests map[string]bool) (*finding.Book, error) {
	h := f.head
	table := make([]byte, h.Table)
	if _, err := f.ReadAt(table, f.begin+int64(h.Open+h.Base+h.Delta)); err != nil {
		return &finding.Book{}, err
	}
	sums := map[uint64]bool{}
	for d := range digests {
		if sum, err := strconv.ParseUint(d, 16, 64); err == nil {
			sums[sum] = true
		}
	}
	var book finding.Book
	each := func(wanted func(digest uint64, number int) bool) error {
		at, open := f.begin, int64(h.Open)
		for rest := table; len(rest) > 0; rest = rest[entrySize:] {
			if at == f.begin+open {
				at += int64(h.Base + h.Delta + h.Table)
				open = -1 // the lines of settled findings follow
			}
			number, size := tableEntry(rest)
			if wanted(binary.LittleEndian.Uint64(rest), number) {
				line := make([]byte, min(size, h.Open+h.Ended))
				if _, err := f.ReadAt(line, at); err != nil {
					return err
				}
				if n, _ := finding.Peek(line); n != number {
					return errIndex
				}
				if _, err := book.Load(line); err != nil {
					return err
				}
			}
			at += int64(size)
		}
		return nil
	}
	if err := each(func(digest uint64, _ int) bool { return sums[digest] }); err != nil {
		return &book, err
	}
	for range maxMerges {
		on := map[int]bool{}
		for _, m := range book.Each(func(m finding.Status) bool { return m.State == finding.Merged }) {
			n, ok := findingNumber(m.To)
			if _, has := book.Find(n); ok && !has {
				on[n] = true
			}
		}
		before := book.Len()
		if len(on) > 0 {
			if err := each(func(_ uint64, number int) bool { return on[number] }); err != nil {
				return &book, err
			}
		}
		if book.Len() == before {
			break
		}
	}
	return &book, nil
}

// withEarlier adds to the findings at the journal's end the earlier ones that say one of some
// statements word for word.
func (s *Findings) withEarlier(known *finding.Book, found []finding.Finding) (*finding.Book, error) {
	f := openIndexFile(s.indexPath())
	if f == nil {
		return known, nil
	}
	defer f.Close()
	j := s.Journal()
	if ok, err := f.fits(j, f.head.Writing); !ok || err != nil || j.Size()-f.head.Offset > readAhead {
		return known, err
	}
	digests := map[string]bool{}
	for _, n := range found {
		digests[cmp.Or(n.Digest, finding.Digest(n.Text))] = true
	}
	earlier, err := f.findingsSaying(digests)
	if err != nil || earlier.Len() == 0 {
		return known, err
	}
	news, _, anew, err := j.Read(journal.Position{Writing: f.head.Writing, Offset: f.head.Offset})
	if err != nil || anew {
		return known, err
	}
	if _, err := earlier.Load(news); err != nil {
		return known, err
	}
	known = known.Clone()
	known.Fill(earlier)
	return known, nil
}
