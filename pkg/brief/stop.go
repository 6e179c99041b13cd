package brief

import (
	"strconv"
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

const (
	maxQuote       = 240 // bytes of a quoted statement
	maxDescription = 120 // bytes of a category's description
)

// Feedback returns what a Stop hook adds to the conversation: the categories noticed, each with the
// statement that triggered it, the file that holds the details, and the skill that saves them. It
// is "" without signals or without a file.
func Feedback(n triage.Notice, dataFile string, about Descriptions) string {
	if len(n.Signals) == 0 || dataFile == "" {
		return ""
	}
	var b strings.Builder
	if n.Explicit {
		b.WriteString("Keepsake heard the user ask for something to be remembered. Noticed for this " +
			"project's memory:\n")
	} else {
		b.WriteString("Keepsake noticed something worth keeping in this project's memory:\n")
	}
	for _, s := range n.Signals {
		b.WriteString("- [" + s.Category.Display() + "] ")
		if d := about[s.Category]; d != "" {
			b.WriteString("(" + Text(d, maxDescription) + ") ")
		}
		if len(s.Quotes) > 0 {
			q := s.Quotes[0]
			b.WriteString(`"` + Text(q.Text, maxQuote) + `" [source: ` + speaker(q.By) + "]")
			if more := len(s.Quotes) - 1; more > 0 {
				b.WriteString(" and " + strconv.Itoa(more) + " more")
			}
			b.WriteByte('\n')
		} else {
			b.WriteString(reasonUnquoted(s.Category) + "\n")
		}
	}
	b.WriteString("Nothing of it is stored yet. The skill `" + Skill +
		"` saves it now, and reads the details from:\n")
	b.WriteString("<triage_data_file>" + Text(dataFile, 0) + "</triage_data_file>")
	return b.String()
}

// reasonUnquoted returns why a category is there that no statement triggered.
func reasonUnquoted(c memory.Category) string {
	if c == memory.SessionSummary {
		return "enough was done since the last summary [source: transcript]"
	}
	return "noticed earlier [source: this session]"
}

func speaker(s triage.Speaker) string {
	switch s {
	case triage.Person:
		return "user"
	case triage.Assistant:
		return "assistant"
	}
	return "this session"
}
