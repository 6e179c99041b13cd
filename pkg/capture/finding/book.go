package finding

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Mark is how far a transcript was read. Its fields are those of transcript.Mark, so that one converts to
// the other.
type Mark struct {
	Device uint64
	Inode  uint64
	Offset int64  // bytes
	Tail   string // digest of the last bytes before Offset
	UUID   string // of the last record before Offset
	Said   string // digest of an assistant text counted before it was in the file
}

// A Turn is the findings in a stretch of a conversation, and how far the conversation was read. Both are
// one line of the journal, so that neither is written without the other.
type Turn struct {
	At       time.Time // UTC
	Session  string
	Mark     Mark
	Findings []Finding // numbered, each higher than all before
}

// A Move changes the state of findings.
type Move struct {
	At      time.Time // UTC
	Session string    // the session of the change, "" for none
	Act     Act
	Numbers []int
	To      string // what they became: "decisions/use-pg.json", or the file that has it
	Why     string // of PutAside and Reject, secrets redacted
	By      string // "person", "agent", "drafter", "keepsake"
	Plan    string // digest of the plan that was applied with it, "" for none
}

// A Status is a finding and what became of it.
type Status struct {
	Finding
	State   State
	Since   time.Time // of the state, UTC
	To      string    // what it became
	Why     string
	MovedBy string
	Plan    string    // digest of the plan that kept it
	Told    string    // the session that was told of it last
	Seen    time.Time // when the person was last told that it waits, UTC; zero: never
	Warned  time.Time // when they were told that it expires soon, UTC; zero: never
}

// Became returns what became of the finding, in words.
func (s Status) Became() string {
	said := "it is " + strings.ReplaceAll(string(s.State), "_", " ")
	if s.To != "" {
		said += " as " + s.To
	}
	return said
}

// A Book is the state that the lines of a project's journal add up to: each finding once, in exactly one
// state. The zero Book is empty.
type Book struct {
	all   map[int]*Status // what they point to is never changed
	order []int           // their numbers, in the order they came in
	marks map[string]Turn // the last of each session, without its findings
	next  int

	lines   []time.Time // when each turn and move was written, in order
	changed map[int]int // how many of those there were when a finding got its state
}

// Clone returns a book that can be added to without changing this one.
func (b *Book) Clone() *Book {
	return &Book{
		all: maps.Clone(b.all), order: slices.Clone(b.order), marks: maps.Clone(b.marks), next: b.next,
		lines: slices.Clip(b.lines), changed: maps.Clone(b.changed),
	}
}

// Next returns the number of the next finding.
func (b *Book) Next() int { return max(b.next, 1) }

// Len returns how many findings there are.
func (b *Book) Len() int { return len(b.all) }

// Find returns the finding of a number.
func (b *Book) Find(number int) (Status, bool) {
	s, ok := b.all[number]
	if !ok {
		return Status{}, false
	}
	return *s, true
}

// Mark returns how far a session's transcript was read.
func (b *Book) Mark(session string) (Mark, bool) {
	t, ok := b.marks[session]
	return t.Mark, ok
}

// AddTurn notes what a turn held. A number that is taken is an error, and nothing is noted.
func (b *Book) AddTurn(t Turn) error {
	for i, f := range t.Findings {
		if f.Number < b.Next() || i > 0 && f.Number <= t.Findings[i-1].Number {
			return fmt.Errorf("finding %d: the number is taken", f.Number)
		}
	}
	b.begin(1)
	b.lines = append(b.lines, t.At)
	for _, f := range t.Findings {
		b.put(Status{Finding: f, State: Open, Since: t.At})
		b.changed[f.Number] = len(b.lines)
		b.next = f.Number + 1
	}
	t.Findings = nil
	if t.Mark != (Mark{}) { // else nothing was read: somebody typed a command
		b.marks[t.Session] = t
	}
	return nil
}

// begin makes room for about n findings in an empty book.
func (b *Book) begin(n int) {
	if b.all == nil {
		b.all, b.marks, b.changed = make(map[int]*Status, n), map[string]Turn{}, make(map[int]int, n)
		b.order, b.lines = make([]int, 0, n), make([]time.Time, 0, n)
	}
}

// put puts a finding in the place of the one that has its number.
func (b *Book) put(s Status) {
	if _, ok := b.all[s.Number]; !ok {
		b.order = append(b.order, s.Number)
	}
	b.all[s.Number] = &s
}

// restore puts back a finding as a rewritten journal has it.
func (b *Book) restore(s Status) {
	b.begin(1)
	b.put(s)
	delete(b.changed, s.Number)
	b.next = max(b.next, s.Number+1)
}

// AddMove changes the states of the findings that allow it and returns their numbers. What a finding's state
// does not allow changes nothing: two sessions may settle one finding, and the first counts.
func (b *Book) AddMove(m Move) (moved []int) {
	b.begin(1)
	b.lines = append(b.lines, m.At)
	for _, n := range m.Numbers {
		was, ok := b.all[n]
		if !ok {
			continue
		}
		to, err := was.State.Next(m.Act)
		if err != nil {
			continue
		}
		s := *was
		switch m.Act {
		case Offer:
			s.Told = m.Session
		case Tell:
			s.Seen = m.At
		case Warn:
			s.Warned = m.At
		default:
			// What it had become stays known, for who takes the undo back.
			if m.Act != TakeBack && (m.Act != Reopen || was.State != SetAside) {
				s.To = m.To
			}
			s.Why, s.MovedBy, s.Plan = m.Why, m.By, m.Plan
		}
		if s.State != to {
			s.Since = m.At
			b.changed[n] = len(b.lines)
		}
		s.State = to
		b.put(s)
		moved = append(moved, n)
	}
	return moved
}

// Each returns the findings that wanted agrees to, by number; nil wants all.
func (b *Book) Each(wanted func(Status) bool) []Status {
	if !slices.IsSorted(b.order) { // mostly they come in as they are numbered
		slices.Sort(b.order)
	}
	var found []*Status
	for _, n := range b.order {
		if s := b.all[n]; wanted == nil || wanted(*s) {
			found = append(found, s)
		}
	}
	if found == nil {
		return nil
	}
	all := make([]Status, len(found))
	for i, s := range found {
		all[i] = *s
	}
	return all
}

// Waiting returns the findings that nothing has become of yet.
func (b *Book) Waiting() []Status {
	return b.Each(func(s Status) bool { return s.State.Waits() })
}

// Became returns the findings that were kept as a record or file.
func (b *Book) Became(to string) []Status {
	return b.Each(func(s Status) bool { return s.State.Kept() && s.To == to })
}

// By returns the findings that a plan kept, by its digest.
func (b *Book) By(plan string) []Status {
	return b.Each(func(s Status) bool { return s.State.Kept() && s.Plan == plan })
}

// Numbers returns the numbers of findings.
func Numbers(all []Status) []int {
	numbers := make([]int, len(all))
	for i, s := range all {
		numbers[i] = s.Number
	}
	return numbers
}

// Count returns how many findings are in each state.
func (b *Book) Count() map[State]int {
	n := map[State]int{}
	for _, s := range b.all {
		n[s.State]++
	}
	return n
}

// Ages are how long findings are kept.
type Ages struct {
	Sure      time.Duration // until one that is sure expires
	Candidate time.Duration // until one that may be worth it expires
	Text      time.Duration // until one that was settled keeps no text
	Dropped   time.Duration // until a candidate that expired keeps none; 0 is as long as others
	Warned    time.Duration // after the person was told that one expires, before it does
	Unheard   time.Duration // that one which they were not told of waits longer
}

// kept returns how long a finding that was settled keeps its text.
func (a Ages) kept(s Status) time.Duration {
	if a.Dropped > 0 && s.State == Expired && s.Level == Candidate {
		return a.Dropped
	}
	return a.Text
}

// age returns how long a finding may wait.
func (a Ages) age(s Status) time.Duration {
	if s.Level == Candidate || s.Moment != "" {
		return a.Candidate
	}
	return a.Sure
}

// since returns from when on a finding has its state, as far as clocks can be trusted: not before any line
// that the journal had until then. A clock that was set back for a while makes nothing older; lines from
// later than now were written by one that ran ahead, and don't count.
func (b *Book) since(now time.Time) func(Status) time.Time {
	var newest time.Time
	note := func(t time.Time) {
		if t.After(newest) && !t.After(now) {
			newest = t
		}
	}
	for n, s := range b.all {
		if b.changed[n] == 0 {
			note(s.Since)
		}
	}
	until := make([]time.Time, len(b.lines)+1)
	for i, at := range b.lines {
		note(at)
		until[i+1] = newest
	}
	return func(s Status) time.Time {
		if t := until[b.changed[s.Number]]; t.After(s.Since) {
			return t
		}
		return s.Since
	}
}

// Then returns the book as it was at a time, and how much of what it has happened until then. What was said
// later is not in it, and what was settled later waits. A text that was taken out since is not known.
func (b *Book) Then(at time.Time) (then *Book, happened int) {
	then = &Book{}
	then.begin(1)
	for _, s := range b.Each(func(s Status) bool { return !s.Time.After(at) }) {
		happened++
		switch {
		case !s.Since.After(at):
			happened++
		case !s.State.Waits():
			s.State = Open
		}
		then.restore(s)
	}
	return then, happened
}

// Newest returns the time of the newest line.
func (b *Book) Newest() (newest time.Time) {
	for _, s := range b.all {
		if s.Since.After(newest) {
			newest = s.Since
		}
	}
	for _, at := range b.lines {
		if at.After(newest) {
			newest = at
		}
	}
	return newest
}

// Due returns the findings that wait longer than they may at a time.
func (b *Book) Due(now time.Time, a Ages) []Status {
	since := b.since(now)
	return b.Each(func(s Status) bool {
		d := a.age(s)
		return s.State.Waits() && d > 0 && now.Sub(since(s)) > d
	})
}

// Over returns the findings that have expired. Either the person was warned long enough before, or has not
// been there for so long that no warning was possible.
func (b *Book) Over(now time.Time, a Ages) (all []Status) {
	since := b.since(now)
	for _, s := range b.Due(now, a) {
		if !s.Warned.IsZero() && now.Sub(s.Warned) >= a.Warned || now.Sub(since(s)) > a.age(s)+a.Unheard {
			all = append(all, s)
		}
	}
	return all
}

// NumbersOf returns the numbers of findings that were just noticed.
func NumbersOf(all []Finding) []int {
	numbers := make([]int, len(all))
	for i, f := range all {
		numbers[i] = f.Number
	}
	return numbers
}

// ParseNumber reads the number of a finding as people write it: 7, #7, [7].
func ParseNumber(text string) (int, bool) {
	n, err := strconv.Atoi(strings.Trim(text, "#[] "))
	return n, err == nil && n > 0
}

// Split returns the book without the findings that were settled long ago, and a second book with only
// those. In the second one they have no text left, only what became of each and the digest that identifies
// its statement.
func (b *Book) Split(now time.Time, a Ages) (stay, gone *Book) {
	stay, gone = &Book{next: b.next}, &Book{next: b.next}
	stay.begin(1)
	stay.marks = b.marks
	since, isOld := b.since(now), b.settledLong(now, a)
	for _, s := range b.Each(nil) {
		old := isOld(s)
		if s.Since = since(s); old {
			s.Text, s.Context, s.Why, s.Cue = "", nil, "", ""
			gone.restore(s)
		} else {
			stay.restore(s)
		}
	}
	return stay, gone
}

// Gone returns how many findings Split takes out.
func (b *Book) Gone(now time.Time, a Ages) int { return len(b.Each(b.settledLong(now, a))) }

// settledLong returns a function that reports whether a finding was settled so long ago that it keeps no
// text.
func (b *Book) settledLong(now time.Time, a Ages) func(Status) bool {
	since := b.since(now)
	return func(s Status) bool {
		d := a.kept(s)
		return !s.State.Waits() && d > 0 && now.Sub(since(s)) > d
	}
}

// Fill adds the findings of an older book that this one does not have.
func (b *Book) Fill(old *Book) {
	b.begin(1)
	for n, s := range old.all {
		if _, ok := b.all[n]; !ok {
			b.restore(*s)
		}
	}
	b.next = max(b.next, old.next)
}
