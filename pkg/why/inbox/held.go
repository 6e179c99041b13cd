package inbox

import (
	"context"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/text"
)

// heldThing returns the Thing for a set of memories that no agent is told of before the person approves.
func heldThing(w *save.Saver, h save.HeldSet) Thing {
	t := Thing{ID: h.ID(), whole: wholeHeld(h), Approve: "Tell agents of this from now on?",
		Reject: "Never tell agents of this?", Review: "Tell agents of it?", Keys: "ynlq",
		Unanswered: h.ID() + stillWaits, w: w}
	if h.FromRepository() {
		t.Review = fmt.Sprintf("Tell agents of these %d?", len(h))
	}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		retired, err := w.AnswerHeld(ctx, h, yes)
		what := text.Count(len(h), "memory")
		if len(h) == 1 {
			what = brief.Line(h[0].Path)
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
	return t
}

// heldLine returns the line of a set of memories in a list. An agent is shown none of their words, and their
// names and the reasons are made of these.
func heldLine(h save.HeldSet, person bool) string {
	if h.FromRepository() {
		return fmt.Sprintf("%-8s %s that came with the repository", h.ID(), text.Count(len(h), "memory"))
	}
	if !person {
		return fmt.Sprintf("%-8s %s, for the person to look at", h.ID(), text.Count(len(h), "memory"))
	}
	r := h[0]
	return fmt.Sprintf("%-8s %s \"%s\": %s", h.ID(), brief.Line(r.Path), text.Safe(r.Title),
		brief.Line(r.Trust.Why))
}

// wholeHeld returns every character of the memories' files.
func wholeHeld(h save.HeldSet) string {
	var b strings.Builder
	if h.FromRepository() {
		fmt.Fprintf(&b, "%s: %s that came with the repository, and that you did not accept yet. No agent "+
			"was told of them.\n", h.ID(), text.Count(len(h), "memory"))
	} else {
		fmt.Fprintf(&b, "%s: a memory that no agent was told of: %s\n", h.ID(),
			brief.Line(h[0].Trust.Why))
	}
	for _, r := range h {
		fmt.Fprintf(&b, "\n%s\n%s", text.Safe(r.Path),
			text.SafeLines("  | ", strings.TrimRight(string(r.Encode()), "\n")))
		for _, q := range r.Trust.Quotes {
			b.WriteString("you said: " + text.Safe(text.OneLine(q)) + "\n")
		}
	}
	return b.String()
}
