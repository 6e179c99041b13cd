package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/text"
)

// Read returns what was said since req.From. Without a usable mark it resumes
// after the last line the project knows, else reads the whole file if
// req.Whole, else from the prompt that began the turn that just ended: what is
// old is never read again.
//
// An error is an I/O error of src; the mark then stays where it was and
// nothing is returned.
func Read(src Source, req Request) (Span, error) {
	r := reading{pending: req.From.Said}
	size := max(src.Size(), 0)
	start, err := r.resume(src, size, req)
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
	r.span.Entries = make([]Entry, 0, min((end-start)/usualLine, maxAhead))
	lines := newLines(src, start, end)
	lines.long.all, r.sources = req.Sources, req.Sources
	for {
		line, at, ok := lines.next()
		if !ok {
			break
		}
		r.take(line, at)
	}
	if lines.err != nil {
		return Span{Next: req.From}, fmt.Errorf("transcript: %w", lines.err)
	}
	r.join(req.LastAssistant)

	r.span.Next = Mark{Device: req.Device, Inode: req.Inode, Offset: lines.done, UUID: r.uuid, Said: r.pending}
	if r.span.Next.UUID == "" {
		r.span.Next.UUID = req.From.UUID
	}
	if r.span.Next.Tail, err = tailDigest(src, lines.done); err != nil {
		return Span{Next: req.From}, fmt.Errorf("transcript: %w", err)
	}
	return r.span, nil
}

// Back returns the entries of the last bytes before an offset at which a line begins:
// what was said before a mark, for those who must understand what comes behind it. Of
// so many bytes only whole lines count.
func Back(src Source, to int64, bytes int64) ([]Entry, error) {
	to = min(to, src.Size())
	start, err := firstLine(src, max(0, to-max(0, bytes)), to)
	if err != nil {
		return nil, fmt.Errorf("transcript: %w", err)
	}
	var r reading
	r.openCalls(src, start)
	lines := newLines(src, start, to)
	for {
		line, at, ok := lines.next()
		if !ok {
			break
		}
		r.take(line, at)
	}
	if lines.err != nil {
		return nil, fmt.Errorf("transcript: %w", lines.err)
	}
	return r.span.Entries, nil
}

// For how many entries room is made before they are read: for one of each usual line,
// in bytes, as long as those are not too many.
const (
	usualLine = 512
	maxAhead  = 128
)

// reading gathers a Span line by line.
type reading struct {
	span    Span
	calls   calls
	find    func(id string) *Call // in calls
	uuid    string                // of the last message
	pending string                // digest of a message to drop when it turns up in the file
	forked  func(key string) bool // until the first prompt after a resume: drops what another session counted early
	prompt  moment                // of the last prompt
	text    string                // the last text of the model, also if it was dropped
	textAt  moment
	sources bool // asked for; see Request
}

// openCalls begins to note the calls of a reading that starts there.
func (r *reading) openCalls(src Source, start int64) {
	r.calls = calls{src: src, start: start}
	r.find = r.calls.find
}

// moment is when and where a line was written.
type moment struct {
	time   time.Time
	offset int64
	is     bool
}

// before compares by time, since the first lines of a session may be written
// out of order, and by place where a line has no time.
func (m moment) before(n moment) bool {
	if m.time.IsZero() || n.time.IsZero() {
		return m.offset < n.offset
	}
	return m.time.Before(n.time)
}

// take adds what one line says.
func (r *reading) take(raw []byte, at int64) {
	kept := len(r.span.Entries)
	l := parseLine(raw, at, r.span.Entries, r.find, r.sources)
	if l.broken {
		r.span.Broken++
	}
	if l.uuid != "" {
		r.uuid = l.uuid
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
		switch {
		case e.Boundary:
			r.span.Compacted, r.span.Usage, r.span.Model = true, Usage{}, ""
		case e.Who == Assistant:
			if e.Usage != (Usage{}) {
				r.span.Usage, r.span.Model = e.Usage, l.model
			}
			if e.Tool == "" && r.counted(e) {
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

// counted notes a text of the model and reports whether an earlier reading
// took it from its event already.
func (r *reading) counted(e Entry) bool {
	r.text, r.textAt = gist(e.Text), moment{e.Time, e.Offset, true}
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

// join adds the last message of the turn unless the file holds it.
func (r *reading) join(last string) {
	last = cut(Assistant, strings.TrimSpace(last))
	if last == "" {
		return
	}
	if r.textAt.is && r.text == gist(last) && !(r.prompt.is && r.textAt.before(r.prompt)) {
		return
	}
	d := digest([]byte(gist(last)))
	if d == r.pending && !r.prompt.is {
		return // the same message told again, still not in the file
	}
	r.span.Entries = append(r.span.Entries, Entry{Who: Assistant, Text: last, Offset: -1})
	r.pending = d
}

// gist is the part of a text of the model by which it is recognised: a long
// one may have been cut differently in the file and in the event.
func gist(s string) string {
	const enough = 8 << 10
	return text.CutBytes(strings.TrimSpace(s), enough)
}

// digest names a text; 64 bits are plenty for telling one from the next.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
