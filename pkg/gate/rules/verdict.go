// Package rules has the words of the gate's decisions: the checkpoints and their rules, decisions and
// verdicts, the text of a reason, and what a person's answer is about, such as the digest of a call, a
// promotion or the outcome of a call.
//
// It does not judge: package gate does, which parses shell commands. Programs that only store, show or settle
// verdicts use this package and do not link that parser, whose tables slow every start.
package rules

// A Decision is the gate's answer to a call. The zero Decision leaves the call to the client's normal
// permission flow.
type Decision uint8

// The decisions, weakest first. If two rules match, the stronger decision wins.
const (
	Pass Decision = iota
	Allow
	Ask
	Deny
)

// String returns the decision's name in reports and test corpora.
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

// An Effect is what a command that reorganises memories would do.
type Effect struct {
	Says    string // in words; "" if it would change nothing
	Deletes int    // files and statements that would go
}

// A Command is one call of Keepsake's own program, every word of which is known.
type Command struct {
	Args  []string // without the program
	Stdin string   // the text of its here-document
	Alone bool     // it may start no other program
}

// A Verdict is the gate's decision on a call with its grounds. Checkpoint and Rule name the row of the rule
// table that gave it. Reason is for the person (ask) or the agent (deny): at most five lines of at most 100
// characters, without control characters. All three are empty for Pass; Reason is empty for Allow too.
type Verdict struct {
	Decision   Decision
	Checkpoint string
	Rule       string
	Reason     string
	// Person reports whether a person may answer: the rule asks, even if the decision is Deny because no
	// dialog can be shown or a setting says so.
	Person bool
	// Held reports that the rule asks, and that no dialog may be opened now: Keepsake itself made the agent
	// go on after a turn that the person takes for ended. Decision is Deny then.
	Held bool
	// Promotion is what a call of Keepsake would write if the person allows it; nil for other calls.
	Promotion *Promotion
	// Save is the command that an allowed call is, if it is one of Keepsake that saves something; nil for
	// other calls.
	Save *Command
	// Input is a tool_input that replaces the call's, or nil. The gate never sets it; it comes with a
	// person's consent.
	Input []byte
}
