package brief

import (
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/text"
)

// A Noticed statement is one that was noticed in a conversation and is not saved.
type Noticed struct {
	Number int
	Label  string // its category, or what it is a moment of
	Text   string
	By     string // "said by the user"
	At     time.Time
	Where  string // the branch, "" for none
	Denied bool   // something that was said later turns against it
	Around []Around
}

// An Around is a line of the conversation that explains a statement.
type Around struct{ Who, Text string }

// Line returns one line of a list.
func (n Noticed) Line() string {
	line := fmt.Sprintf("%-6s %-11s \"%s\" (%s, %s)", fmt.Sprintf("[%d]", n.Number), n.Label, inLine(n.Text),
		n.By, n.At.Local().Format(time.DateOnly))
	if n.Denied {
		line += "; something said later turns against it"
	}
	return line
}

// Whole shows a statement to the person who decides about it, with what explains it.
func (n Noticed) Whole(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%d] %s, %s %s\n\n", n.Number, n.Label, n.By, timeAgo(now.Sub(n.At)))
	for _, l := range n.Around {
		fmt.Fprintf(&b, "  %s: %s\n", l.Who, text.Safe(text.OneLine(l.Text)))
	}
	fmt.Fprintf(&b, "  | %s\n", text.Safe(n.Text))
	if n.Denied {
		b.WriteString("\nsomething that was said later turns against it\n")
	}
	if n.Where != "" {
		fmt.Fprintf(&b, "\nbranch   %s\n", text.Safe(n.Where))
	}
	return b.String()
}
