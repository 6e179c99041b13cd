package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"keepsake/pkg/text"
)

// Read returns what was said since req.From. Without a usable mark it resumes after the last line that the
// project knows. If there is none, it reads the whole file if req.Whole is set, and otherwise begins at the
// prompt of the turn that just ended, so that nothing old is read again.
//
// An error is an I/O error of src. The mark then stays where it was, and nothing is returned.
func Read(src Source, req Request) (Span, error) {
	r := reading{pending: req.From.Said}
	size := max(src.Size(), 0)
	start, err := r.resumeOffset(src, size, req)
	r.openCalls(src, start)
	if err != nil {
		return Span{Next: req.From}, fmt.Errorf("transcript: %w", err)
	}
	end := size
	if req.Piece > 0 && size-start > req.Piece {
		if end, err = firstLine(src, start+req.Piece, size); err != nil {
			return Span{Next: req.From}, fmt.Errorf("transcript: %w", err)
		}
		r.span.More = end < size
	}
	r.makeRoom(end - start)
	lines := newLines(src, start, end, &r.buf)
	lines.long.all, r.sources = req.Sources, req.Sources
	for {
		line, at, ok := lines.next()
		if !ok {
			break
		}
		r.addLine(line, at)
	}
	if lines.err != nil {
		return Span{Next: req.From}, fmt.Errorf("transcript: %w", lines.err)
	}
	r.joinLast(req.LastAssistant)

	r.span.Next = Mark{Device: req.Device, Inode: req.Inode, Offset: lines.done, UUID: r.uuid,
		Said: r.pending}
	if r.span.Next.UUID == "" {
		r.span.Next.UUID = req.From.UUID
	}
	if r.span.Next.Tail, err = tailDigest(src, lines.done); err != nil {
		return Span{Next: req.From}, fmt.Errorf("transcript: %w", err)
	}
	return r.span, nil
}

// Back returns the entries of the last bytes before to, an offset at which a line begins. They help to
// understand what follows a mark. Only whole lines count.
func Back(src Source, to int64, bytes int64) ([]Entry, error) {
	return NewPast(src, to).Read(bytes)
}

// A Past is what stands before an offset at which a line begins, read farther and farther back.
type Past struct {
	src     Source
	from    int64 // where entries begin
	to      int64
	entries []Entry
	lost    bool // a call whose result is in entries was not found, and may stand before them
}

// NewPast returns what stands before to. Nothing of it is read yet.
func NewPast(src Source, to int64) *Past {
	to = min(to, src.Size())
	return &Past{src: src, from: to, to: to}
}

// Read returns the entries of the last bytes before the end, as Back does. What was read before is not read
// again.
func (p *Past) Read(bytes int64) ([]Entry, error) {
	from, err := firstLine(p.src, max(0, p.to-max(0, bytes)), p.to)
	if err != nil {
		return nil, fmt.Errorf("transcript: %w", err)
	}
	known, to := p.entries, p.from
	if p.lost || from > to {
		known, to = nil, p.to
	}
	var r reading
	r.openCalls(p.src, from)
	r.makeRoom(to - from)
	lines := newLines(p.src, from, to, nil)
	for {
		line, at, ok := lines.next()
		if !ok {
			break
		}
		r.addLine(line, at)
	}
	if lines.err != nil {
		return nil, fmt.Errorf("transcript: %w", lines.err)
	}
	if len(r.span.Entries) > 0 {
		known = append(r.span.Entries, known...)
	}
	p.from, p.entries, p.lost = from, known, r.calls.lost
	return slices.Clip(p.entries), nil
}

// Room is made for one entry for each short line, in bytes, up to a limit. It costs nothing before it is
// used.
const (
	shortLine = 256
	maxAhead  = 512
)

// makeRoom makes room for the entries of a stretch of so many bytes.
func (r *reading) makeRoom(bytes int64) {
	r.span.Entries = make([]Entry, 0, min(bytes/shortLine, maxAhead))
}

// reading collects a Span line by line.
type reading struct {
	span    Span
	calls   calls
	find    func(id string) *Call // searches calls
	nodes   []node                // room for those of a line
	buf     []byte                // and for what is loaded
	uuid    string                // of the last message
	pending string                // digest of a message to drop when it appears in the file
	// until the first prompt after a resume: finds texts that another session has counted
	forked  func(key string) bool
	prompt  moment // of the last prompt
	text    string // the last text of the model, even if it was dropped
	textAt  moment
	sources bool   // Request.Sources is set
	trigger Marked // of the turn, where the turn and not the prompt says who began it
	sought  bool   // the trigger was looked for before the first line
	cwd     string // of the turn, where the turn and not each line says it

	soughtCwd bool // a line that was read says it, or it was looked for before the first line
}

// openCalls sets find for a reading that begins at start.
func (r *reading) openCalls(src Source, start int64) {
	r.calls = calls{src: src, start: start}
	r.find = r.calls.find
}

// moment is the time and place at which a line was written.
type moment struct {
	time   time.Time
	offset int64
	is     bool
}

// before compares by time, since the first lines of a session may be out of order, and by place if a line has
// no time.
func (m moment) before(n moment) bool {
	if m.time.IsZero() || n.time.IsZero() {
		return m.offset < n.offset
	}
	return m.time.Before(n.time)
}

// addLine adds what one line says.
func (r *reading) addLine(raw []byte, at int64) {
	kept := len(r.span.Entries)
	l := parseLine(raw, at, r.span.Entries, r.find, r.sources, &r.nodes)
	if l.broken {
		r.span.Broken++
	}
	if l.uuid != "" {
		r.uuid = l.uuid
	}
	if l.trigger != Unmarked {
		r.trigger = l.trigger
	}
	if l.cwd != "" || l.lost {
		r.cwd, r.soughtCwd = l.cwd, true
	}
	if l.prompt {
		r.prompt = moment{l.time, at, true}
		r.forked = nil
	}
	r.span.Entries = l.entries[:kept]
	for _, e := range l.entries[kept:] {
		if e.Tool != "" {
			r.calls.add(e.Call)
		}
		if l.rollout {
			e.Cwd = r.turnCwd()
			if e.Who == Person && e.Marked == Unmarked {
				e.Marked = r.turnTrigger()
			}
		}
		switch {
		case e.Boundary:
			r.span.Compacted, r.span.Usage, r.span.Model = true, Usage{}, ""
		case e.Who == Assistant:
			if e.Usage != (Usage{}) {
				r.span.Usage, r.span.Model = e.Usage, l.model
			}
			if e.Tool == "" && r.wasCounted(e) {
				r.span.Counted = append(r.span.Counted, e)
				continue
			}
		}
		r.span.Entries = append(r.span.Entries, e)
	}
	if len(r.span.Entries) == kept && !l.broken && !l.blank {
		r.span.Skipped++
	}
}

// wasCounted notes a text of the model and reports whether an earlier reading has taken it from its event.
func (r *reading) wasCounted(e Entry) bool {
	r.text, r.textAt = recognizedPart(e.Text), moment{e.Time, e.Offset, true}
	if r.pending == "" && r.forked == nil {
		return false
	}
	d := digest([]byte(r.text))
	if d == r.pending {
		r.pending = ""
		return true
	}
	if r.forked != nil && r.forked(d) {
		r.forked = nil
		return true
	}
	return false
}

// joinLast adds the last message of the turn unless the file has it already.
func (r *reading) joinLast(last string) {
	last = cutFor(Assistant, strings.TrimSpace(last))
	if last == "" {
		return
	}
	if r.textAt.is && r.text == recognizedPart(last) && !(r.prompt.is && r.textAt.before(r.prompt)) {
		return
	}
	d := digest([]byte(recognizedPart(last)))
	if d == r.pending && !r.prompt.is {
		return // the same message again, still not in the file
	}
	r.span.Entries = append(r.span.Entries, Entry{Who: Assistant, Text: last, Offset: -1})
	r.pending = d
}

// recognizedPart returns the part of a model's text by which it is recognised. A long text may be cut
// differently in the file and in the event.
func recognizedPart(s string) string {
	const enough = 8 << 10
	return text.CutBytes(strings.TrimSpace(s), enough)
}

// digest returns a name for a text. 64 bits are enough to tell one from the next.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// beginning is how much of a file Began looks at, in bytes. What a line holds before its directory is short.
const beginning = 64 << 10

// A Beginning is what the first lines of a file say, as far as they do.
type Beginning struct {
	Cwd   string // the client's working directory
	Time  time.Time
	Agent bool // no person's session: an agent of the client's has a file of its own
}

// Began returns how a file begins.
func Began(src Source) (b Beginning) {
	head := headOf(src, headSize)
	if isRollout(head) {
		return rolloutBegan(src)
	}
	if int64(len(head)) < src.Size() {
		head = headOf(src, beginning)
	}
	for line := range bytes.Lines(head) {
		if b.Time.IsZero() {
			b.Time, _ = time.Parse(time.RFC3339, gjson.GetBytes(line, "timestamp").Str)
		}
		if b.Cwd = gjson.GetBytes(line, "cwd").Str; b.Cwd != "" {
			break
		}
	}
	return b
}

// headOf returns the first bytes of a file. What can't be read says nothing.
func headOf(src Source, size int64) []byte {
	buf := make([]byte, min(size, max(0, src.Size())))
	n, _ := src.ReadAt(buf, 0)
	return buf[:n]
}
