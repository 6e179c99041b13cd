package blackboard

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
)

// A Topic is the short form of a closed topic: three to five lines with its outcome, and nothing of the
// discussion.
type Topic struct {
	Title    string
	Status   string // of TopicStatuses
	Points   string // one or two sentences
	Decision string // "" when there is none
	Next     string // what is still open; "" when nothing is
	Details  string // where more is to be found; "" for nowhere
}

// TopicStatuses are those that a topic may have.
var TopicStatuses = []string{Done, "in progress", "pending"}

// topicMark returns the mark of a status, "" for a status that a person made up.
func topicMark(status string) string {
	switch status {
	case Done:
		return "✅"
	case "in progress":
		return "🔄"
	case "pending":
		return "⏸️"
	}
	return ""
}

// lines returns the topic as a card has it, dated now. Two spaces at the ends of lines keep Markdown from
// joining them.
func (t Topic) lines(now time.Time) []string {
	out := []string{"## [" + now.Format(time.DateOnly) + "] " + t.Title, "", "Status: " +
		strings.TrimSpace(topicMark(t.Status)+" "+t.Status)}
	for _, x := range [...]struct{ label, text string }{{"Key points: ", t.Points},
		{"Decision: ", t.Decision}, {"Follow-up: ", t.Next}, {"→ Details: ", t.Details}} {
		if x.text != "" {
			out[len(out)-1] += "  "
			out = append(out, x.label+x.text)
		}
	}
	return out
}

// topic adds a topic at the end of a card; one of this day and title that says the
// same is there already.
func (s *sheet) topic(t Topic, now time.Time) error {
	texts := t.lines(now)
	title := strings.TrimPrefix(texts[0], "## ")
	at := func(h markdown.Section) bool { return h.Title == title && h.Level == 2 }
	for _, h := range s.heads {
		if at(h) && h.At+len(texts) <= len(s.Lines) {
			same := true
			for i, text := range texts {
				same = same && strings.TrimRight(s.Lines[h.At+i].Text, " ") == strings.TrimRight(text, " ")
			}
			if same {
				return nil
			}
		}
	}
	n := len(s.heads)
	if len(s.Lines) > 0 && strings.TrimSpace(s.Lines[len(s.Lines)-1].Text) != "" {
		texts = slices.Insert(texts, 0, "")
	}
	s.Insert(len(s.Lines), texts...)
	*s = read(s.Print())
	if len(s.heads) <= n || !at(s.heads[len(s.heads)-1]) {
		return errHidden
	}
	return nil
}
