// Package checkpoint has the words in which the gate decides: the checkpoints and
// the table of their rules, decisions and verdicts, the text of a reason, and what
// a person's answer is for: the digest of a call, a promotion, what became of it.
//
// It judges nothing: that is package gate's, which reads shell commands. Whoever only
// keeps, shows or settles verdicts links this and none of that parser, whose
// tables cost every start.
package checkpoint

// A Decision is what the gate says to one call. The zero Decision leaves the call
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

// A Verdict is the answer to one call. Checkpoint and Rule name the row of the
// rule table that gave it. Reason is text for the person (ask) or the agent
// (deny): at most five lines of at most 100 characters, without control
// characters. All three are empty on a Pass, and Reason is on an Allow.
type Verdict struct {
	Decision   Decision
	Checkpoint string
	Rule       string
	Reason     string
	// Person says that a person may answer: the rule asks, also where the
	// decision is Deny because no dialog is shown or a setting says so.
	Person bool
	// Promotion is what a call of Keepsake would write that a person may allow; nil
	// for every other call.
	Promotion *Promotion
	// Input is the tool_input that takes the place of the call's; nil leaves it. The
	// gate itself never sets it: it comes with a person's consent.
	Input []byte
}
