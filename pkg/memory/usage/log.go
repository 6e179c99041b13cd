package usage

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// A Note is a line of the log: what became of a memory once, or what became of it until a time.
type Note struct {
	Memory  string    `json:"memory"` // its path below the store's root
	At      time.Time `json:"at"`
	Session string    `json:"session,omitempty"`

	// Of one time that it was given.
	With      string   `json:"with,omitempty"`
	Offset    int64    `json:"offset,omitempty"` // of the transcript, in bytes
	Used      []string `json:"used,omitempty"`   // the words of the memory that the agent used, if enough
	Corrected bool     `json:"corrected,omitempty"`

	Finding int    `json:"finding,omitempty"` // a finding that turns against it, by its number
	Guard   string `json:"guard,omitempty"`   // what its guard did: said, asked or denied
	Broken  bool   `json:"broken,omitempty"`  // it stopped nothing: the agent did what the memory rules out
	Kept    bool   `json:"kept,omitempty"`    // the person said that it stays, though it was never used

	Total *Count `json:"total,omitempty"` // of all that were put together
}

// A Count is how often something became of a memory.
type Count struct {
	Prompts      int       `json:"with_prompts,omitempty"`
	Starts       int       `json:"at_starts,omitempty"`
	Used         int       `json:"used,omitempty"`         // the agent used its words
	Corrected    int       `json:"corrected,omitempty"`    // the person corrected the agent
	Contradicted int       `json:"contradicted,omitempty"` // a statement turned against it
	Guarded      int       `json:"guarded,omitempty"`      // its guard said, asked or denied something
	Broken       int       `json:"broken,omitempty"`       // calls of the agent that it rules out and that went on
	Last         time.Time `json:"last,omitzero"`          // when it was given last
	Kept         bool      `json:"kept,omitempty"`         // the person said that it stays, used or not
}

// Given returns how often a memory was given.
func (c Count) Given() int { return c.Prompts + c.Starts }

// IsZero reports whether nothing became of the memory.
func (c Count) IsZero() bool { return c == Count{} }

// Add adds another count.
func (c *Count) Add(o Count) {
	c.Prompts += o.Prompts
	c.Starts += o.Starts
	c.Used += o.Used
	c.Corrected += o.Corrected
	c.Contradicted += o.Contradicted
	c.Guarded += o.Guarded
	c.Broken += o.Broken
	if o.Last.After(c.Last) {
		c.Last = o.Last
	}
	c.Kept = c.Kept || o.Kept
}

// Idle is how often a memory comes with prompts without a use before it comes after others.
const Idle = 20

// IsIdle reports whether a memory came with so many prompts, and was never used, that it seems to help
// nobody. A session does not begin with a memory because of what is asked in it, so that does not count. What
// the person wants to keep is theirs to judge.
func (c Count) IsIdle() bool { return c.Prompts >= Idle && c.Used == 0 && !c.Kept }

// count returns what a note counts for.
func (n Note) count() (c Count) {
	one := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	if n.Total != nil {
		return *n.Total
	}
	c = Count{Prompts: one(n.With == Prompt), Starts: one(n.With == Start), Used: one(len(n.Used) > 0),
		Corrected: one(n.Corrected), Contradicted: one(n.Finding != 0), Guarded: one(n.Guard != ""),
		Broken: one(n.Broken), Kept: n.Kept}
	if c.Given() > 0 {
		c.Last = n.At
	}
	return c
}

// A key names what a note is about. Two notes with one key are the same: whoever wrote the second did not
// know of the first.
type key struct {
	memory, session, with, guard string
	offset, finding              int64
	at                           time.Time // of a call that a rule is about
	kept                         bool
}

func (n Note) key() key {
	k := key{memory: n.Memory, session: n.Session, with: n.With, guard: n.Guard, offset: n.Offset,
		finding: int64(n.Finding), kept: n.Kept}
	if n.Finding != 0 { // findings are numbered in the project, whichever session said so
		k.session = ""
	}
	if n.Guard != "" || n.Broken {
		k.at = n.At.UTC()
	}
	return k
}

// NoteOf returns the note of a turn that is over.
func NoteOf(g Given, session string) Note {
	n := Note{Memory: g.Path, At: g.At.UTC().Truncate(time.Second), Session: session, With: g.With,
		Offset: g.Offset, Corrected: g.Revoked}
	if g.Helped() {
		n.Used = g.Used
	}
	return n
}

// Append appends the line of a note.
func (n Note) Append(b []byte) []byte {
	line, err := json.Marshal(n)
	if err != nil { // it has nothing that can't be written
		return b
	}
	return append(append(b, line...), '\n')
}

// A Log is what became of memories, each note once, in the order in which it was written.
type Log struct {
	notes  []Note
	at     map[key]int
	folded time.Time // what was before that is put together
}

// Parse parses the lines of a log. A line that is none counts nothing.
func Parse(lines []byte) (l Log) {
	for line := range bytes.Lines(lines) {
		var n Note
		if json.Unmarshal(line, &n) != nil || n.Memory == "" {
			continue
		}
		if n.Total != nil {
			l.notes = append(l.notes, n)
			if n.At.After(l.folded) {
				l.folded = n.At
			}
			continue
		}
		l.put(n)
	}
	return l
}

// put adds a note, in the place of one about the same.
func (l *Log) put(n Note) (added bool) {
	if l.at == nil {
		l.at = map[key]int{}
	}
	if i, again := l.at[n.key()]; again {
		l.notes[i] = n
		return false
	}
	l.at[n.key()] = len(l.notes)
	l.notes = append(l.notes, n)
	return true
}

// Add adds notes, and returns those that the log has not yet. What is older than what was put together is
// among that already.
func (l *Log) Add(notes []Note) (added []Note) {
	for _, n := range notes {
		if n.At.Before(l.folded) {
			continue
		}
		if l.put(n) {
			added = append(added, n)
		}
	}
	return added
}

// Counts returns how often what became of each memory, by its path.
func (l Log) Counts() map[string]Count {
	all := map[string]Count{}
	for _, n := range l.notes {
		c := all[n.Memory]
		c.Add(n.count())
		all[n.Memory] = c
	}
	return all
}

// A History is what became of one memory.
type History struct {
	Count Count  `json:"count"`
	Times []Note `json:"times"` // the newest first
	More  int    `json:"more,omitempty"`
}

// History returns what became of a memory, with at most limit of its times. Those that were put together only
// count.
func (l Log) History(path string, limit int) History {
	h := History{Count: l.Counts()[path], Times: []Note{}}
	for _, n := range slices.Backward(l.notes) {
		switch {
		case n.Memory != path || n.Total != nil:
		case len(h.Times) < limit:
			h.Times = append(h.Times, n)
		default:
			h.More++
		}
	}
	return h
}

// Since returns the notes since a time.
func (l Log) Since(from time.Time) (notes []Note) {
	for _, n := range l.notes {
		if n.Total == nil && !n.At.Before(from) {
			notes = append(notes, n)
		}
	}
	return notes
}

// Without returns the lines of the log without those about some memories.
func (l Log) Without(paths ...string) (lines []byte) {
	for _, n := range l.notes {
		if !slices.Contains(paths, n.Memory) {
			lines = n.Append(lines)
		}
	}
	return lines
}

// Folded returns the lines of the log in which all notes before a time are put together, a line for each
// memory. A turn that ended before it is noted no more.
func (l Log) Folded(before time.Time) (lines []byte) {
	totals := map[string]*Count{}
	var order []string
	var rest []byte
	for _, n := range l.notes {
		if n.Total == nil && !n.At.Before(before) {
			rest = n.Append(rest)
			continue
		}
		if totals[n.Memory] == nil {
			totals[n.Memory] = &Count{}
			order = append(order, n.Memory)
		}
		totals[n.Memory].Add(n.count())
	}
	for _, path := range order {
		lines = Note{Memory: path, At: before.UTC().Truncate(time.Second), Total: totals[path]}.Append(lines)
	}
	return append(lines, rest...)
}
