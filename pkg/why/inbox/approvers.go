package inbox

import (
	"context"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/git"
	"keepsake/pkg/project/approvers"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// approversID returns the id of a version of the approvers.
func approversID(a session.Approvers) string { return "a" + text.ShortID(a.Entry.Digest, 5) }

// approversThing returns the Thing for the approvers that came with the repository.
func approversThing(w *save.Saver, a session.Approvers) Thing {
	t := Thing{ID: approversID(a), whole: wholeApprovers(a), Approve: "Tell agents what these people sign?",
		Reject: "Never go by these signatures?", Review: "Tell agents what these people sign?", Keys: "ynlq",
		Unanswered: approversID(a) + stillWaits, w: w}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if !yes {
			err := w.AnswerApprovers(a, false, "", w.Now().UTC())
			return Done{Said: "refused: " + approvers.Name + "; no signature counts"}, err
		}
		project, err := git.ProjectName(ctx, w.Place.Dir)
		if err != nil {
			return Done{}, err
		}
		if err := w.AnswerApprovers(a, true, project, w.Now().UTC()); err != nil {
			return Done{}, err
		}
		taken, err := w.TakeSigned(ctx, w.Now().UTC())
		said := "accepted: " + approvers.Name
		for _, one := range taken {
			said += fmt.Sprintf("; %s approved by %s", text.Count(one.Memories, "memory"), brief.Line(one.By))
		}
		return Done{Said: said}, err
	}
	return t
}

// approversLine returns the line of approvers in a list.
func approversLine(a session.Approvers) string {
	return approversID(a) + "   who may approve memories, as the repository says"
}

// wholeApprovers returns every character of the file.
func wholeApprovers(a session.Approvers) string {
	return fmt.Sprintf("%s: the repository says whose signatures approve memories. Say yes only if these "+
		"are people you trust, and their keys.\nAgents are then told what one of them signs for this "+
		"project, and you are not asked. What none of them\nsigned goes on waiting for you, and so does "+
		"this file when it changes.\n\n%s\n%s", approversID(a), approvers.Name,
		text.SafeLines("  | ", strings.TrimRight(string(a.Text), "\n")))
}
