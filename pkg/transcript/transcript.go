// Package transcript reads the session file that Claude Code writes, from
// where the last reading stopped, and says who said what.
package transcript

import (
	"io"
	"time"
)

// Who tells where the text of an entry came from.
type Who uint8

const (
	Unknown      Who = iota // the zero value: nothing is claimed
	Person                  // typed by the person, or sent by the owner of a -p or SDK process
	Assistant               // the model's own text, or a tool it called
	Tool                    // the result of a tool
	Injected                // put there by the client or by a hook: meta, context, client tags
	Scheduled               // a prompt that a cron job or a wakeup sent
	Notification            // a background task reporting that it ended
	Peer                    // another Claude session or agent writing to this one
	Summary                 // the client's summary of what it compacted away
)

// Usage is what one answer of the model occupied, in tokens.
type Usage struct{ Input, CacheCreation, CacheRead, Output int64 }

// Context is the number of tokens in the model's window when it answered.
func (u Usage) Context() int64 { return u.Input + u.CacheCreation + u.CacheRead }

// Entry is one thing that somebody said or did.
type Entry struct {
	Who       Who
	Text      string
	UUID      string // of its line; "" for the last assistant message taken from the event
	MessageID string // of the model's message; its blocks are separate lines
	Time      time.Time
	Offset    int64  // of its line in the file; -1 for the last assistant message taken from the event
	Tool      string // name of the tool called, when an Assistant entry is a call
	Command   string // what a Bash call runs, so that a caller recognises its own
	Boundary  bool   // the conversation was compacted here
	Usage     Usage  // of an Assistant entry
}

// Mark is where a reading stopped. It is a value, kept as JSON between calls.
type Mark struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
	Offset int64  `json:"offset"`
	UUID   string `json:"uuid,omitempty"` // of the last line with one before Offset
	Said   string `json:"said,omitempty"` // digest of a last assistant message counted before it was in the file
}

// Source is the session file.
type Source interface {
	io.ReaderAt
	Size() int64
}

// Request says what to read.
type Request struct {
	From          Mark                   // the zero Mark: this session was never read
	Device, Inode uint64                 // identity of the file behind Source now
	LastAssistant string                 // last_assistant_message of the event, "" if it has none
	Whole         bool                   // the session is new: without a mark, read from the beginning
	Known         func(uuid string) bool // optional: was this line read in another session of the project?
}

// Span is what was read.
type Span struct {
	Entries   []Entry
	Next      Mark
	Broken    int   // lines that were not JSON objects of the known form
	Skipped   int   // lines that hold nothing anybody said
	Compacted bool  // a compact boundary lies in the span
	Restarted bool  // the file was truncated or replaced since the mark
	Usage     Usage // of the last answer in the span; zero if there is none
}
