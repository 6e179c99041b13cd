package brief

import (
	"time"
)

// An Unwritten is a statement of the person that no memory has yet.
type Unwritten struct {
	Text   string
	Chosen bool // the person picked it among options, or approved it, and did not type it
	Held   bool // a memory has it, and is held
	At     time.Time
}

// maxUnwritten is how much of a statement that no memory has yet is quoted, in bytes.
const maxUnwritten = 300

func (u Unwritten) line() string {
	did, is := "said", "not written up"
	if u.Chosen {
		did = "chosen"
	}
	if u.Held { // it is no longer known which of the two
		did, is = "said or chosen", "the memory of it waits for the user"
	}
	return "- [HEARD] " + quoted(u.Text, maxUnwritten) + " [" + did + " by the user, " +
		u.At.UTC().Format(time.DateOnly) + ", " + is + "]\n"
}

// maxAgainst is how much of what was said against a memory is quoted, in bytes.
const maxAgainst = 200

// againstLine returns the line below a memory that the person turned against.
func (u Unwritten) againstLine() string {
	if u.Text == "" {
		return ""
	}
	return " [disputed: the user turned against this on " + u.At.UTC().Format(time.DateOnly) + ": " +
		quoted(u.Text, maxAgainst) + "]"
}

// RecallHeard is Recall, with a statement below the memories that nobody has written up yet.
func RecallHeard(memories []Recalled, about Descriptions, said Unwritten) (text string, shown []string) {
	return recallAbove(said.line(), memories, about)
}
