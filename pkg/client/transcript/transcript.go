// Package transcript reads the session file that Claude Code writes, from where the last reading stopped, and
// returns who said what.
//
// The file has one JSON object a line, appended a few milliseconds after the event. The cost of a reading is
// what was appended since its [Mark], however long the file or its lines are. Its content never makes a
// reading fail: a broken line is skipped, and a line still being written is left to the next reading. When a
// turn ends, the model's last message is usually not in the file yet; Read takes it from the event and does
// not count it again when it arrives.
//
// The forms of lines are those of the clients 2.1.197 and 2.1.329, recorded from both (testdata), and of
// older ones, which do not say where a prompt came from.
//
// What a person chose counts as theirs, like what they typed: the answers to the model's questions, and the
// plans they approved. Such a line is the result of a tool, and counts only if the call it answers is of one
// of the client's own asking tools.
package transcript

import (
	"io"
	"time"
)

// Who is where the text of an entry came from.
type Who uint8

const (
	Unknown      Who = iota // the zero value, which Read never returns
	Person                  // typed by the person, or sent by the owner of a -p or SDK process
	Assistant               // the model's own text, or a tool it called
	Tool                    // the result of a tool
	Injected                // written by the client or by a hook: meta, context, errors, client tags
	Scheduled               // a prompt sent by a cron job or a wakeup
	Notification            // a background task reports that it has ended
	Peer                    // another Claude session or agent writes to this one
	Summary                 // the client's summary of what it compacted away
	Attached                // a file, a resource or the like that the client showed the model
)

// String returns the name of w for tests and logs.
func (w Who) String() string {
	switch w {
	case Person:
		return "person"
	case Assistant:
		return "assistant"
	case Tool:
		return "tool"
	case Injected:
		return "injected"
	case Scheduled:
		return "scheduled"
	case Notification:
		return "notification"
	case Peer:
		return "peer"
	case Summary:
		return "summary"
	case Attached:
		return "attached"
	}
	return "unknown"
}

// Limits for the text of one entry, in bytes. A longer text keeps its head and its tail with " … " between
// them: people decide at the beginning or the end, and what they paste is in the middle. For a result that is
// an error, head and tail are equally long, as programs say last why they failed.
const (
	MaxText  = 64 << 10 // Person, Assistant
	MaxOther = 4 << 10  // everyone else: enough to recognise the text
)

// Entry is one thing that somebody said or did. Entries are in the order of the file, which is mostly the
// order of time.
type Entry struct {
	Who       Who
	Marked    Marked // how a Person's words came into the line
	Text      string // valid UTF-8; "" for a tool call, a boundary or a yes to a plan without words
	UUID      string // of its line; "" if the text came with the event
	MessageID string // of the model's message; its blocks are separate entries
	Time      time.Time
	Offset    int64  // of its line in the file; -1 if the text came with the event
	Tool      string // name of the tool, if an Assistant entry is a call
	// Call is the call of an Assistant entry, or the one that a Tool entry answers, nil if it is not known.
	// In an Attached entry it is what was attached, with its kind in place of a tool.
	Call    *Call
	Failed  bool   // a Tool entry reports an error
	Asked   *Asked // the question that a Person answers, with options or in their own words
	Plan    string // the plan that a Person approved or handed over
	Command string // the command of a Bash call, so that callers can recognise their own
	File    string // the file that a Write or Edit call changes, as the call names it
	// Refused is set in a Tool entry whose call the person refused, and in the Person entry with what they
	// said then; Declined if they said nothing. Both entries have the Call.
	Refused, Declined bool
	Interrupted       bool   // an Injected entry: the person stopped the model here
	Called            string // the command after which a Person typed this: "/plugin:command"
	Event             string // the hook event of an Injected entry in which a hook speaks: "Stop"
	Boundary          bool   // the conversation was compacted here
	Usage             Usage  // of an Assistant entry from the file
	Cwd               string // the client's working directory; "" if the text came with the event

	// Set only if Request.Sources is.
	Sidechain bool   // it is in the conversation of an agent that this one started
	Agent     string // that agent's id, or the id of the agent whose result a Tool entry is
}

// Call is a tool call of the model, with what shows where its result comes from.
type Call struct {
	ID      string
	Tool    string
	Command string  // of Bash
	File    string  // that the call reads or changes, or the directory it searches, as it names it
	Wrote   string  // what Write, Edit, MultiEdit or NotebookEdit put there
	URL     string  // the page that WebFetch reads, or the query of WebSearch
	Asks    []Asked // of AskUserQuestion
	Plan    string  // of ExitPlanMode
	Prompt  string  // of Agent or Task, for the agent
}

// Asked is a question that the model asks through the client.
type Asked struct {
	Question string
	Options  []Option
	Multi    bool // several options may be chosen
}

// Option is one of the answers offered.
type Option struct{ Label, Description string }

// Marked is how a person's words came into a line.
type Marked uint8

const (
	Unmarked Marked = iota // the line does not say, as with old clients
	ByHand                 // a person typed or chose them in the client
	BySDK                  // the owner of a -p or SDK process sent them
)

// Usage is how many tokens an answer of the model took.
type Usage struct{ Input, CacheCreation, CacheRead, Output int64 }

// Context returns how many tokens were in the model's window when it answered, as the client itself shows it.
func (u Usage) Context() int64 { return u.Input + u.CacheCreation + u.CacheRead }

// Tokens returns how many tokens an answer took. What came from the cache counts a tenth, as it is billed.
func (u Usage) Tokens() int64 { return u.Input + u.CacheCreation + u.CacheRead/10 + u.Output }

// Mark is where a reading stopped. The caller stores it between calls. The zero Mark means that the session
// was never read.
type Mark struct {
	Device uint64
	Inode  uint64
	Offset int64  // always just after a newline
	Tail   string // digest of the last bytes before Offset: shows that a file was rewritten in place
	UUID   string // of the last message before Offset
	Said   string // digest of a last assistant message that was counted before it was in the file
}

// Source is the session file.
type Source interface {
	io.ReaderAt
	Size() int64 // in bytes
}

// Request is what Read is to read, and from where.
type Request struct {
	From          Mark   // of the last reading of this session
	Device, Inode uint64 // identity of the file that Source reads
	LastAssistant string // last_assistant_message of the event, "" if it has none
	// the session began while hooks were running: without a mark, read it from the beginning
	Whole bool
	// Sources asks for everything that shows where words come from: directories, what the client attached,
	// and lines of agents within the conversation.
	Sources bool
	Piece   int64 // how many bytes are read at most, apart from the rest of a line; 0 reads all

	// Known reports whether a Mark of any session of the project has key as its UUID or its Said. It may be
	// nil. A forked session repeats the lines of its parent; without a mark, reading resumes after the last
	// known line.
	Known func(key string) bool
}

// Span is the result of a reading.
type Span struct {
	Entries []Entry
	// texts of the model that an earlier reading took from their events: only context
	Counted []Entry
	Next    Mark   // where the next reading begins
	More    bool   // Piece was reached before the end
	Usage   Usage  // of the last answer after any boundary; zero if there is none
	Model   string // the API's name of the model that gave it
	// damaged lines: not JSON, of an unknown shape, or not UTF-8 (these are repaired)
	Broken    int
	Skipped   int  // lines in which nobody says anything
	Compacted bool // the conversation was compacted in this span
	Restarted bool // the file was truncated or replaced since the mark
}
