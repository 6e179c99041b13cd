// Package gate decides what a tool call may do at a named checkpoint: nothing
// that lasts is written without a person.
//
// One pure function, [Judge], maps a [Call] to a [Verdict]. Reads pass. A write
// to a MemPalace (before_mempalace_write) or into a memory store
// (before_memory_write) is put to the person where the client can show a
// dialog, and denied with the remedy where it cannot. Keepsake's own roads (its
// skills, its binary, the files of this session's stage) are allowed, so that a
// whole save asks nothing.
//
// The package reads no clock, no environment and no disk: links, file kinds and
// scripts come in as functions of the Call and are asked for only when the
// judgement needs them. Shell commands are parsed with mvdan.cc/sh/v3/syntax;
// nothing is decided by a pattern over their raw text. What cannot be decided
// and names a palace asks; what cannot be decided and has nothing to do with
// one passes.
package gate

// Decision is what the gate says to one call. The zero Decision leaves the call
// to the client's normal permission flow.
type Decision uint8

// The decisions, from the weakest to the strongest: when two rules match, the
// stronger one wins.
const (
	Pass Decision = iota
	Allow
	Ask
	Deny
)

// String returns the word the decision has in reports and test corpora.
func (d Decision) String() string {
	switch d {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return "pass"
}

// Call is one tool call with all that the judgement may need. Only Tool and
// Args are required: an empty path or a nil function means "not known", and what
// is not known is never allowed.
type Call struct {
	Tool  string // tool_name as the client sent it
	Args  []byte // tool_input as the client sent it: one JSON object
	Cwd   string // the session's current directory, absolute
	Home  string // the person's home directory, absolute
	Agent string // agent_type inside a subagent, else empty
	Mode  string // permission_mode

	// Dialog says that the client shows its permission dialog to a person. An
	// ask becomes a deny with the remedy where it is false.
	Dialog bool
	// Quiet is the person's KEEPSAKE=off: only before_mempalace_write is left.
	Quiet bool

	// ProjectDir is where the session was started, or empty.
	ProjectDir string
	// PluginRoot returns the folder Keepsake is installed in, worked out from
	// the hook's own executable and never from the environment.
	PluginRoot func() string
	// Stage returns this session's stage directory, or "" when it has none.
	Stage func() string
	// Own returns Keepsake's own directories: state, cache, config, approvals.
	Own func() []string
	// Palaces returns the palace roots that the environment and MemPalace's
	// own settings name, beside the well-known ones.
	Palaces func() []string
	// Resolve returns path with every symbolic link in its existing part
	// resolved.
	Resolve func(path string) string
	// Lstat describes the file at path without following a link.
	Lstat func(path string) File
	// Script returns the text of a script that a command names, when it is a
	// regular file of at most 1 MiB.
	Script func(path string) (text []byte, ok bool)
}

// Kind is what an [File] is.
type Kind uint8

// The kinds of file. Unknown is the zero Kind: nothing is allowed on it.
const (
	Unknown Kind = iota
	Absent
	Regular
	Directory
	Other // a link, a device, a pipe, a socket
)

// File is what the gate needs to know about one file.
type File struct {
	Kind  Kind
	Links int // hard links; valid when Kind is Regular
}

// Verdict is the answer to one call. Checkpoint and Rule name the row of the
// rule table that gave it; Reason is text for the person or the agent, at most
// five short lines, free of control characters. All three are empty on a Pass.
type Verdict struct {
	Decision   Decision
	Checkpoint string
	Rule       string
	Reason     string
}

// Judge decides one call. It never panics on any input that a client could
// send, and its time is linear in the size of Args.
func Judge(c Call) Verdict {
	return Verdict{}
}
