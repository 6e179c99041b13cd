package finding

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"keepsake/pkg/memory"
)

// Version is the form of the journal's lines that this code writes.
const Version = 1

// ErrNewer is a line of a newer form, which is left as it is.
var ErrNewer = errors.New("written by a newer version of keepsake")

// The kinds of lines. Each is one JSON object with its version, its kind and the number of the next finding,
// so that the last line tells it.
const (
	turnLine   = "turn"
	moveLine   = "move"
	statusLine = "status" // a finding as a rewritten journal has it
)

// Append adds the turn's line to b; next is the number behind its findings.
func (t Turn) Append(b []byte, next int) []byte {
	for _, f := range t.Findings {
		next = max(next, f.Number+1)
	}
	w := writer{b: b}
	w.begin(turnLine, next)
	w.time("at", t.At)
	w.text("session", t.Session)
	w.mark(t.Mark)
	if len(t.Findings) > 0 {
		w.name("findings")
		w.list(len(t.Findings), func(i int) { w.finding(t.Findings[i]) })
	}
	return w.end()
}

// Append adds the move's line to b; next is the number of the next finding.
func (m Move) Append(b []byte, next int) []byte {
	w := writer{b: b}
	w.begin(moveLine, next)
	w.time("at", m.At)
	w.text("session", m.Session)
	w.text("act", string(m.Act))
	w.name("numbers")
	w.list(len(m.Numbers), func(i int) { w.b = strconv.AppendInt(w.b, int64(m.Numbers[i]), 10) })
	w.text("to", m.To)
	w.text("why", m.Why)
	w.text("by", m.By)
	w.text("plan", m.Plan)
	return w.end()
}

// Append adds the finding to b as a rewritten journal has it; next is the number of the next one.
func (s Status) Append(b []byte, next int) []byte {
	w := writer{b: b}
	w.begin(statusLine, next)
	w.text("state", string(s.State))
	w.time("since", s.Since)
	w.text("to", s.To)
	w.text("why", s.Why)
	w.text("by", s.MovedBy)
	w.text("plan", s.Plan)
	w.text("told", s.Told)
	w.time("seen", s.Seen)
	w.time("warned", s.Warned)
	w.name("finding")
	w.finding(s.Finding)
	return w.end()
}

// Append adds the book to b as a rewritten journal has it: the last mark of each
// session that wanted agrees to, then each finding.
func (b *Book) Append(to []byte, wanted func(session string, seen time.Time) bool) []byte {
	var marks []Turn
	for s, t := range b.marks {
		if wanted == nil || wanted(s, t.At) {
			marks = append(marks, t)
		}
	}
	slices.SortFunc(marks, func(x, y Turn) int {
		return bytes.Compare([]byte(x.At.Format(time.RFC3339Nano)+x.Session),
			[]byte(y.At.Format(time.RFC3339Nano)+y.Session))
	})
	for _, t := range marks {
		to = t.Append(to, b.Next())
	}
	for _, s := range b.Each(nil) {
		to = s.Append(to, b.Next())
	}
	return to
}

// Load folds lines of the journal into the book. A line that can't be read is passed over and counted; a
// newer one is ErrNewer, and the others are folded.
func (b *Book) Load(lines []byte) (broken int, err error) {
	if b.all == nil {
		b.begin(bytes.Count(lines, []byte("\n")))
	}
	var l parsedLine
	for line := range strings.Lines(string(lines)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		l = parsedLine{findings: l.findings[:0]} // which are copied into the book
		switch lerr := b.load(&l, line); {
		case errors.Is(lerr, ErrNewer):
			err = lerr
		case lerr != nil:
			broken++
		}
	}
	return broken, err
}

var errBroken = errors.New("not a line of the journal")

func (b *Book) load(l *parsedLine, line string) error {
	if !l.read(line) {
		return errBroken
	}
	if l.version > Version {
		return fmt.Errorf("version %d: %w", l.version, ErrNewer)
	}
	switch l.kind {
	case turnLine:
		if err := b.AddTurn(Turn{At: l.at, Session: l.session, Mark: l.mark,
			Findings: l.findings}); err != nil {
			return err
		}
	case moveLine:
		b.AddMove(Move{At: l.at, Session: l.session, Act: Act(l.act), Numbers: l.numbers, To: l.to,
			Why: l.why, By: l.by, Plan: l.plan})
	case statusLine:
		if len(l.findings) != 1 || !slices.Contains(States(), State(l.state)) {
			return errBroken
		}
		b.restore(Status{Finding: l.findings[0], State: State(l.state), Since: l.since, To: l.to, Why: l.why,
			MovedBy: l.by, Plan: l.plan, Told: l.told, Seen: l.seen, Warned: l.warned})
	case "":
		return nil // the journal's head
	default:
		return errBroken
	}
	b.next = max(b.next, l.next)
	return nil
}

// SessionOf returns the session that a turn's or a move's line is of, "" for any other line.
func SessionOf(line []byte) string {
	kind := gjson.GetBytes(line, "line").Str
	if !gjson.ValidBytes(line) || kind != turnLine && kind != moveLine {
		return ""
	}
	return gjson.GetBytes(line, "session").String()
}

// NextNumber returns the number of the next finding as the last whole line that has one says; lines are a
// journal's tail. ok is false where none does.
func NextNumber(lines []byte) (next int, ok bool) {
	for len(lines) > 0 {
		lines = bytes.TrimRight(lines, "\n")
		at := bytes.LastIndexByte(lines, '\n') + 1
		if n := gjson.GetBytes(lines[at:], "next"); n.Type == gjson.Number && gjson.ValidBytes(lines[at:]) {
			return int(n.Int()), true
		}
		lines = lines[:at]
	}
	return 0, false
}

// parsedLine has the fields of all kinds of lines.
type parsedLine struct {
	version, next           int
	kind                    string
	at, since, seen, warned time.Time
	session, act            string
	to, why, by, told, plan string
	state                   string
	mark                    Mark
	numbers                 []int
	findings                []Finding
}

// read takes a line apart and reports whether it is one of a journal. Its version stands
// first; of a newer line no more is looked at than that it is whole.
func (l *parsedLine) read(line string) bool {
	r := reader{s: line}
	if r.next() != '{' {
		return false
	}
	r.object(func(name string) {
		if l.version > Version {
			r.skip()
			return
		}
		switch name {
		case "version":
			l.version = int(r.number())
		case "line":
			l.kind = r.text()
		case "next":
			l.next = int(r.number())
		case "at":
			l.at = r.time()
		case "since":
			l.since = r.time()
		case "seen":
			l.seen = r.time()
		case "warned":
			l.warned = r.time()
		case "session":
			l.session = r.text()
		case "act":
			l.act = r.text()
		case "to":
			l.to = r.text()
		case "why":
			l.why = r.text()
		case "by":
			l.by = r.text()
		case "told":
			l.told = r.text()
		case "plan":
			l.plan = r.text()
		case "state":
			l.state = r.text()
		case "mark":
			l.mark = r.mark()
		case "numbers":
			r.list(func() { l.numbers = append(l.numbers, int(r.number())) })
		case "finding":
			l.findings = append(l.findings, r.finding())
		case "findings":
			r.list(func() { l.findings = append(l.findings, r.finding()) })
		default:
			r.skip()
		}
	})
	return r.done()
}

func (r *reader) mark() (m Mark) {
	r.object(func(name string) {
		switch name {
		case "device":
			m.Device = r.unsigned()
		case "inode":
			m.Inode = r.unsigned()
		case "offset":
			m.Offset = r.number()
		case "tail":
			m.Tail = r.text()
		case "uuid":
			m.UUID = r.text()
		case "said":
			m.Said = r.text()
		default:
			r.skip()
		}
	})
	return m
}

func (r *reader) finding() (f Finding) {
	r.object(func(name string) {
		switch name {
		case "number":
			f.Number = int(r.number())
		case "text":
			f.Text = r.text()
		case "by":
			f.By = Speaker(r.text())
		case "session":
			f.Session = r.text()
		case "record":
			f.Record = r.text()
		case "offset":
			f.Offset = r.number()
		case "time":
			f.Time = r.time()
		case "branch":
			f.Branch = r.text()
		case "commit":
			f.Commit = r.text()
		case "category":
			f.Category = memory.Category(r.text())
		case "moment":
			f.Moment = memory.Moment(r.text())
		case "score":
			f.Score = r.float()
		case "cue":
			f.Cue = r.text()
		case "level":
			f.Level = Level(r.text())
		case "explicit":
			f.Explicit = r.yes()
		case "imported":
			f.Imported = r.yes()
		case "kind":
			f.Kind = Kind(r.text())
		case "target":
			f.Target = r.text()
		case "origin":
			f.Origin = Origin(r.text())
		case "digest":
			f.Digest = r.text()
		case "context":
			r.list(func() { f.Context = append(f.Context, r.line()) })
		default:
			r.skip()
		}
	})
	if f.Number < 1 {
		r.broken = true
	}
	return f
}

func (r *reader) line() (l Line) {
	r.object(func(name string) {
		switch name {
		case "by":
			l.By = Speaker(r.text())
		case "role":
			l.Role = Role(r.text())
		case "text":
			l.Text = r.text()
		default:
			r.skip()
		}
	})
	return l
}

// writer prints one line. What is empty is left out.
type writer struct {
	b     []byte
	fresh bool // nothing stands in the object yet
}

func (w *writer) begin(kind string, next int) {
	w.b = append(w.b, `{"version":`...)
	w.b = strconv.AppendInt(w.b, Version, 10)
	w.text("line", kind)
	w.number("next", int64(next))
}

func (w *writer) end() []byte { return append(w.b, "}\n"...) }

func (w *writer) name(name string) {
	if !w.fresh {
		w.b = append(w.b, ',')
	}
	w.fresh = false
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, `":`...)
}

func (w *writer) text(name, s string) {
	if s != "" {
		w.name(name)
		w.b = gjson.AppendJSONString(w.b, s)
	}
}

func (w *writer) yes(name string, is bool) {
	if is {
		w.name(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *writer) number(name string, n int64) {
	if n != 0 {
		w.name(name)
		w.b = strconv.AppendInt(w.b, n, 10)
	}
}

func (w *writer) unsigned(name string, n uint64) {
	if n != 0 {
		w.name(name)
		w.b = strconv.AppendUint(w.b, n, 10)
	}
}

func (w *writer) time(name string, t time.Time) {
	if !t.IsZero() {
		w.name(name)
		w.b = append(w.b, '"')
		w.b = t.UTC().AppendFormat(w.b, time.RFC3339Nano)
		w.b = append(w.b, '"')
	}
}

func (w *writer) list(n int, each func(i int)) {
	w.b = append(w.b, '[')
	for i := range n {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		each(i)
	}
	w.b = append(w.b, ']')
}

// object prints an object into the place of a value.
func (w *writer) object(fields func()) {
	w.b = append(w.b, '{')
	w.fresh = true
	fields()
	w.fresh = false
	w.b = append(w.b, '}')
}

func (w *writer) mark(m Mark) {
	if m == (Mark{}) {
		return
	}
	w.name("mark")
	w.object(func() {
		w.unsigned("device", m.Device)
		w.unsigned("inode", m.Inode)
		w.number("offset", m.Offset)
		w.text("tail", m.Tail)
		w.text("uuid", m.UUID)
		w.text("said", m.Said)
	})
}

func (w *writer) finding(f Finding) {
	w.object(func() {
		w.number("number", int64(f.Number))
		w.text("text", f.Text)
		w.text("by", string(f.By))
		w.text("session", f.Session)
		w.text("record", f.Record)
		w.number("offset", f.Offset)
		w.time("time", f.Time)
		w.text("branch", f.Branch)
		w.text("commit", f.Commit)
		w.text("category", string(f.Category))
		w.text("moment", string(f.Moment))
		if f.Score != 0 {
			w.name("score")
			w.b = strconv.AppendFloat(w.b, f.Score, 'f', 3, 64)
		}
		w.text("cue", f.Cue)
		w.text("level", string(f.Level))
		w.yes("explicit", f.Explicit)
		w.yes("imported", f.Imported)
		w.text("kind", string(f.Kind))
		w.text("target", f.Target)
		w.text("origin", string(f.Origin))
		w.text("digest", f.Digest)
		if len(f.Context) > 0 {
			w.name("context")
			w.list(len(f.Context), func(i int) {
				w.object(func() {
					w.text("by", string(f.Context[i].By))
					w.text("role", string(f.Context[i].Role))
					w.text("text", f.Context[i].Text)
				})
			})
		}
	})
}
