package inbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/text"
)

// Held are memories that no agent is told of before the person says yes.
type Held struct {
	save.HeldSet
	w *save.Saver
}

// Question returns what the person is asked.
func (h *Held) Question(approve bool) (string, error) {
	if approve {
		return "Tell agents of this from now on?", nil
	}
	return "Never tell agents of this?", nil
}

// Review returns what a review asks.
func (h *Held) Review() (question, keys string) {
	if h.FromRepository() {
		return fmt.Sprintf("Tell agents of these %d?", len(h.HeldSet)), "ynlq"
	}
	return "Tell agents of it?", "ynlq"
}

// Answer writes down what the person said of the memories.
func (h *Held) Answer(ctx context.Context, yes bool) (Done, error) {
	retired, err := h.w.AnswerHeld(ctx, h.HeldSet, yes)
	what := h.count()
	if len(h.HeldSet) == 1 {
		what = brief.Line(h.HeldSet[0].Path)
	}
	switch {
	case yes:
		what = "accepted: " + what
	case retired:
		what = "refused and retired: " + what
	default:
		what = "refused: " + what + "; no agent is told of it, and its file stays"
	}
	return Done{Said: what}, err
}

func (h *Held) count() string { return text.Count(len(h.HeldSet), "memory") }

// Line is the set in a list.
func (h *Held) Line() string {
	if h.FromRepository() {
		return fmt.Sprintf("%-8s %s that came with the repository", h.ID(), h.count())
	}
	r := h.HeldSet[0]
	return fmt.Sprintf("%-8s %s \"%s\": %s", h.ID(), brief.Line(r.Path), text.Safe(r.Title),
		brief.Line(r.Trust.Why))
}

// Whole shows every character of the memories' files.
func (h *Held) Whole(time.Time) string {
	var b strings.Builder
	if h.FromRepository() {
		fmt.Fprintf(&b, "%s: %s that came with the repository, and that you did not accept yet. No agent "+
			"was told of them.\n", h.ID(), h.count())
	} else {
		fmt.Fprintf(&b, "%s: a memory that no agent was told of: %s\n", h.ID(),
			brief.Line(h.HeldSet[0].Trust.Why))
	}
	for _, r := range h.HeldSet {
		fmt.Fprintf(&b, "\n%s\n%s", text.Safe(r.Path),
			text.SafeLines("  | ", strings.TrimRight(string(r.Encode()), "\n")))
		for _, q := range r.Trust.Quotes {
			b.WriteString("you said: " + text.Safe(text.OneLine(q)) + "\n")
		}
	}
	return b.String()
}
