package inbox

import (
	"context"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// mergedID names a question about merged memories: other memories of the branch are another one.
func mergedID(s session.MergedSet) string {
	var b strings.Builder
	b.WriteString(s.Branch)
	for _, r := range s.Records {
		b.WriteString("\x00" + r.Path + "\x00" + r.Digest)
	}
	return "b" + text.ShortID(b.String(), 5)
}

// mergedThing returns the Thing for memories of a branch that was merged.
func mergedThing(w *save.Saver, s session.MergedSet) Thing {
	id, many := mergedID(s), text.Count(len(s.Records), "memory")
	t := Thing{ID: id, whole: wholeMerged(s), Approve: "Keep " + many + "?", Reject: "Retire " + many + "?",
		Review: "Keep " + many + "?", Keys: "ynlq", Unanswered: id + stillWaits, w: w}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		err := w.AnswerMerged(ctx, s, yes)
		if yes {
			return Done{Said: "kept: " + many + "; bound to no branch any more"}, err
		}
		return Done{Said: "retired: " + many}, err
	}
	return t
}

// mergedLine returns the line of merged memories in a list, of which these are shown.
func mergedLine(s session.MergedSet, shown []memory.Stored) string {
	line := fmt.Sprintf("%-8s %s of %s", mergedID(s), text.Count(len(s.Records), "memory"),
		brief.Line(s.Branch))
	if len(s.Records) == 1 && len(shown) == 1 {
		line += ": " + brief.Line(shown[0].Title)
	}
	return line
}

// wholeMerged returns every character of the memories' files.
func wholeMerged(s session.MergedSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s made on branch %s, which is merged. Kept, they count everywhere.\n", mergedID(s),
		text.Count(len(s.Records), "memory"), text.Safe(s.Branch))
	for _, r := range s.Records {
		fmt.Fprintf(&b, "\n%s\n%s", text.Safe(r.Path),
			text.SafeLines("  | ", strings.TrimRight(string(r.Encode()), "\n")))
	}
	return b.String()
}
