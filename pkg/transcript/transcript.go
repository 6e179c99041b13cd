// Package transcript reads the session file that Claude Code writes, from
// where the last reading stopped, and says who said what.
//
// The file is JSON lines, appended a few milliseconds behind what happens. A
// reading costs what was appended since its [Mark], whatever the length of the
// file or of its lines, and never fails on what is in them: a broken line costs
// itself, a line still being written waits for the next reading. The last
// message of the model is usually not in the file when a turn ends; Read takes
// it from the event and does not count it again when it arrives.
//
// Line forms are those of the clients 2.1.197 and 2.1.329, recorded from both
// (testdata), and of older ones, which do not say where a prompt came from.
//
// What a person chose is theirs as what they typed: the answers to the questions that
// the model asked, and the plans they approved. Those lines are results of tools, and
// count only where the call they answer is one of the client's own asking tools.
package transcript

import (
	"io"
	"time"
)

// Who tells where the text of an entry came from.
type Who uint8

const (
	Unknown      Who = iota // the zero value claims nothing; Read never returns it
	Person                  // typed by the person, or sent by the owner of a -p or SDK process
	Assistant               // the model's own text, or a tool it called
	Tool                    // the result of a tool
	Injected                // put there by the client or by a hook: meta, context, errors, client tags
	Scheduled               // a prompt that a cron job or a wakeup sent
	Notification            // a background task reporting that it ended
	Peer                    // another Claude session or agent writing to this one
	Summary                 // the client's summary of what it compacted away
	Attached                // a file, a resource or the like that the client showed the model
)

// String returns a word for w, for tests and logs.
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

// Limits on what is kept of one entry, in bytes. Longer text keeps its head
// and its tail with " … " between: what a person decides stands at one of the
// two, what they pasted stands in the middle. Of a result that is an error the tail is
// as long as the head: that is where a program says why it failed.
const (
	MaxText  = 64 << 10 // Person, Assistant
	MaxOther = 4 << 10  // everyone else: enough to recognise it
)

// Entry is one thing that somebody said or did. Entries are in the order of
// the file, which is nearly, but not always, the order of time.
type Entry struct {
	Who       Who
	Marked    Marked // what its line says of a Person
	Text      string // valid UTF-8; "" for a tool call, a boundary or a bare yes to a plan
	UUID      string // of its line; "" when the text came with the event
	MessageID string // of the model's message, whose blocks are separate entries
	Time      time.Time
	Offset    int64  // of its line in the file; -1 when the text came with the event
	Tool      string // name of the tool, when an Assistant entry is a call
	// Call is that call, of a Tool entry the one that it answers, nil when that is not
	// known, and of an Attached one what was attached: its kind in the place of a tool.
	Call     *Call
	Failed   bool   // a Tool entry is an error
	Asked    *Asked // the question that a Person answers here, by options or in their own words
	Plan     string // that a Person approved or handed over here
	Command  string // what a Bash call runs, so that a caller recognises its own
	File     string // what a Write or Edit call changes, as the call names it
	Called   string // the command behind whose name a Person typed this: "/plugin:command"
	Event    string // hook event, when an Injected entry is what a hook said: "Stop"
	Boundary bool   // the conversation was compacted here
	Usage    Usage  // of an Assistant entry from the file

	// Only where a Request asks for sources.
	Cwd       string // where the client stood
	Sidechain bool   // in the conversation of an agent that this one started
	Agent     string // that agent's id; of a Tool entry the id of the agent that it is from
}

// Call is a tool call of the model, as far as it tells where a result comes from.
type Call struct {
	ID      string
	Tool    string
	Command string  // of Bash
	File    string  // that the call reads or changes, or the directory it looks through, as the call names it
	URL     string  // that WebFetch reads, or what WebSearch looks for
	Asks    []Asked // of AskUserQuestion
	Plan    string  // of ExitPlanMode
	Prompt  string  // that Agent or Task gives to an agent
}

// Asked is a question that the model had the client ask.
type Asked struct {
	Question string
	Options  []Option
	Multi    bool // several options may be chosen
}

// Option is one of the answers that were offered.
type Option struct{ Label, Description string }

// Marked is what a line says of how a person's words came into it.
type Marked uint8

const (
	Unmarked Marked = iota // it says nothing, as the lines of old clients
	ByHand                 // a person typed or chose them in the client
	BySDK                  // the owner of a -p or SDK process sent them
)

// Usage is what one answer of the model occupied, in tokens.
type Usage struct{ Input, CacheCreation, CacheRead, Output int64 }

// Context is the number of tokens the model's window held when it answered,
// the number the client itself shows.
func (u Usage) Context() int64 { return u.Input + u.CacheCreation + u.CacheRead }

// Mark is where a reading stopped. It is a value, which the caller keeps between calls;
// the zero Mark means that the session was never read.
type Mark struct {
	Device uint64
	Inode  uint64
	Offset int64  // always just after a newline
	Tail   string // digest of the last bytes before Offset: tells a file rewritten in place
	UUID   string // of the last message before Offset
	Said   string // digest of a last assistant message counted before it was in the file
}

// Source is the session file.
type Source interface {
	io.ReaderAt
	Size() int64 // in bytes
}

// Request says what to read.
type Request struct {
	From          Mark   // of the last reading of this session
	Device, Inode uint64 // identity of the file behind Source now
	LastAssistant string // last_assistant_message of the event, "" if it has none
	Whole         bool   // the session began under our eyes: without a mark, read from the beginning
	// Sources asks for all that tells where words come from as well: the directories, what
	// the client attached, and the lines of agents within the conversation.
	Sources bool
	Piece   int64 // how much is read at most, in bytes, but for the rest of a line; 0 is all

	// Known, if set, reports whether a Mark of any session of the project
	// holds key as its UUID or as its Said. A forked session repeats the lines
	// of the one it came from; without a mark, reading resumes after the last
	// line that is known.
	Known func(key string) bool
}

// Span is what was read.
type Span struct {
	Entries []Entry
	// texts of the model that an earlier reading took from their event: context, nothing new
	Counted []Entry
	Next    Mark   // where the next reading goes on
	More    bool   // a piece was read, and this much is not all
	Usage   Usage  // of the last answer in the span behind a boundary; zero if there is none
	Model   string // that gave it, by the API's name
	// lines that were damaged: not JSON, not of a known shape, or not UTF-8 (these are repaired)
	Broken    int
	Skipped   int  // lines that hold nothing anybody said
	Compacted bool // a compact boundary lies in the span
	Restarted bool // the file was truncated or replaced since the mark
}
