package main

import (
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// heldJSON is one question as inbox --json prints it.
type heldJSON struct {
	ID      string         `json:"id"`
	Records []heldFileJSON `json:"records"`
	Why     string         `json:"why"`
	Origin  finding.Origin `json:"origin,omitempty"`
}

type heldFileJSON struct {
	Path  string `json:"path"` // below the store's root
	Title string `json:"title"`
}

func heldShown(h save.HeldSet) heldJSON {
	out := heldJSON{ID: h.ID(), Why: h[0].Trust.Why, Origin: h[0].Trust.Origin}
	for _, r := range h {
		out.Records = append(out.Records, heldFileJSON{r.Path, r.Title})
	}
	return out
}

// heldLine is the set in a list.
func heldLine(h save.HeldSet) string {
	if h.FromRepository() {
		return fmt.Sprintf("%-8s %s that came with the repository", h.ID(), count(len(h), "memory"))
	}
	return fmt.Sprintf("%-8s %s \"%s\": %s", h.ID(), brief.Line(h[0].Path), text.Safe(h[0].Title),
		brief.Line(h[0].Trust.Why))
}

// heldWhole shows every character of the records' files, with what a terminal would obey
// or hide spelled out.
func heldWhole(h save.HeldSet) string {
	var b strings.Builder
	if h.FromRepository() {
		fmt.Fprintf(&b, "%s: %s that came with the repository, and that you did not accept yet. No agent "+
			"was told of them.\n",
			h.ID(), count(len(h), "memory"))
	} else {
		fmt.Fprintf(&b, "%s: a memory that no agent was told of: %s\n", h.ID(), brief.Line(h[0].Trust.Why))
	}
	for _, r := range h {
		fmt.Fprintf(&b, "\n%s\n", text.Safe(r.Path))
		for line := range strings.SplitSeq(strings.TrimRight(string(r.Encode()), "\n"), "\n") {
			b.WriteString("  | " + text.Safe(line) + "\n")
		}
		for _, q := range r.Trust.Quotes {
			b.WriteString("you said: " + text.Safe(strings.Join(strings.Fields(q), " ")) + "\n")
		}
	}
	return b.String()
}

// heldQuestion is that of the review.
func heldQuestion(h save.HeldSet) string {
	if h.FromRepository() {
		return fmt.Sprintf("Tell agents of these %d?", len(h))
	}
	return "Tell agents of it?"
}

// answerHeld takes the person's answer about records.
func (c *call) answerHeld(s *session.Session, h save.HeldSet, yes bool) error {
	retired, err := c.saver(s).AnswerHeld(c.ctx, h, yes)
	if err != nil {
		return err
	}
	what := count(len(h), "memory")
	if len(h) == 1 {
		what = brief.Line(h[0].Path)
	}
	switch {
	case yes:
		c.line("accepted: %s", what)
	case retired:
		c.line("refused and retired: %s", what)
	default:
		c.line("refused: %s; no agent is told of it, and its file stays", what)
	}
	return nil
}
