// Package event defines an event of the log and its form in a file, one JSON object a line:
//
//	{"schema_version":1,"timestamp":"2026-11-20T09:00:00.123Z","event_type":"retrieval.search",
//	 "level":"info","hook":"userpromptsubmit","script":"","session_id":"4e83…","duration_ms":0.812,
//	 "data":{"hits":2},"error":null}
//
// An event holds categories, counts, scores, durations, digests and classes of errors. It never holds text
// that somebody said, nor the id of a memory, which is made from its title. A value with a space in it is
// replaced, so that no sentence gets in by mistake.
package event

import (
	"time"
)

// SchemaVersion is the version of the lines that are written.
const SchemaVersion = 1

// The types of events. docs/formats.md says what each holds.
const (
	TriageScore     = "triage.score"     // a turn was triaged
	TriageSkip      = "triage.skip"      // a turn was not triaged
	RetrievalSkip   = "retrieval.skip"   // a prompt was not searched for
	RetrievalSearch = "retrieval.search" // a prompt was searched for
	RetrievalInject = "retrieval.inject" // memories were shown with it
	RetrievalHeard  = "retrieval.heard"  // the person's own statements were shown with it
	SaveStart       = "save.start"       // the agent was told to save
	SaveComplete    = "save.complete"    // a plan was applied
	GateDecision    = "gate.decision"    // a tool call was allowed, asked about or denied
	Cost            = "cost"             // the model was given a text, or made requests for Keepsake
	BudgetReached   = "budget.reached"   // the person was told that the day's tokens are used up
	SessionStart    = "session.start"
	SessionEnd      = "session.end"
	Failure         = "failure" // something failed; the ledger has the text
)

// Level is how much an event matters.
type Level string

const (
	Debug   Level = "debug"
	Info    Level = "info"
	Warning Level = "warning"
	Error   Level = "error"
)

// AtLeast reports whether a level is as high as another. An unknown level counts as info.
func (l Level) AtLeast(least Level) bool { return l.rank() >= least.rank() }

func (l Level) rank() int {
	switch l {
	case Debug:
		return 0
	case Warning:
		return 2
	case Error:
		return 3
	}
	return 1
}

// An Event is one line of the log.
type Event struct {
	Time    time.Time // UTC, to the millisecond
	Type    string    // one of the constants
	Level   Level     // "" is info
	Hook    string    // the hook it happened in, "" in a verb
	Script  string    // the verb it happened in, "" in a hook
	Session string    // the client's session id
	Took    time.Duration
	Error   string // the class of an error, or ""
	Data    Data
}

// Data are an event's own values: string, bool, int, float64, []string or map[string]float64. Anything else
// is written as null. A number is read as a float64.
type Data map[string]any

// Untimed is the Took of an event without a duration.
const Untimed time.Duration = -1

// Text returns a value if it is a string, else "".
func (d Data) Text(name string) string {
	s, _ := d[name].(string)
	return s
}

// Number returns a value if it is a number, else 0.
func (d Data) Number(name string) float64 {
	switch x := d[name].(type) {
	case float64:
		return x
	case int:
		return float64(x)
	}
	return 0
}

// Flag reports whether a value is true.
func (d Data) Flag(name string) bool {
	b, _ := d[name].(bool)
	return b
}

// List returns a value if it is a list of strings, else nil.
func (d Data) List(name string) []string {
	l, _ := d[name].([]string)
	return l
}

// Numbers returns a value if it is a map of numbers, else nil.
func (d Data) Numbers(name string) map[string]float64 {
	m, _ := d[name].(map[string]float64)
	return m
}
