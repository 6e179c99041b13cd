package brief

import (
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/triage"
)

// maxQuote is the longest quoted statement in a Stop feedback, in bytes.
const maxQuote = 240

// maxDescription is the longest description of a category, in bytes.
const maxDescription = 120

// Feedback is what a Stop hook adds to the conversation: the categories noticed,
// each with the sentence that triggered it, the file that holds the details, and
// the skill that saves them. It is empty without signals or without the file.
func Feedback(n triage.Notice, dataFile string, about Descriptions) string {
	if len(n.Signals) == 0 || dataFile == "" {
		return ""
	}
	var b strings.Builder
	if n.Explicit {
		b.WriteString("Keepsake: the user asked to remember something; this was noticed since the last look:\n")
	} else {
		b.WriteString("Keepsake noticed what this project's memory may want to keep:\n")
	}
	for _, s := range n.Signals {
		b.WriteString("- [" + s.Category.Display() + "] ")
		if d := about[s.Category]; d != "" {
			b.WriteString("(" + Text(d, maxDescription) + ") ")
		}
		if len(s.Quotes) > 0 {
			b.WriteString("\"" + Text(s.Quotes[0].Text, maxQuote) + "\" [source: " + speaker(s.Quotes[0].By) + "]\n")
		} else {
			b.WriteString("by the amount of work done [source: transcript]\n")
		}
	}
	b.WriteString("Nothing is stored yet. The skill `" + Skill + "` drafts and saves these; it needs this file:\n")
	b.WriteString("<triage_data_file>" + Text(dataFile, 0) + "</triage_data_file>")
	return b.String()
}

func speaker(s triage.Speaker) string {
	if s == triage.Person {
		return "user"
	}
	return "assistant"
}

var _ memory.Category
