package inbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// isQuestion reports whether a draft waits as a question to the person: it would end, replace or add to
// what they said, without words of theirs.
func isQuestion(k stage.Kept) bool { return strings.HasPrefix(k.Reason, string(memory.CodeUnbacked)) }

// draftThing returns the Thing for a draft of a memory that could not be saved. If the draft is a
// question, a yes saves it on the person's word. A no drops it with the findings that it was made from.
// An edited draft is kept beside it, right or not.
func draftThing(w *save.Saver, k stage.Kept) Thing {
	id := k.ID()
	t := Thing{ID: id, whole: wholeDraft(k, w.Now()), Reject: "Drop this draft, and what it was made from?",
		Review: "Keep this draft?", Keys: "nelq", Unanswered: id + stillWaits, w: w, name: id + ".json"}
	if isQuestion(k) {
		t.Approve, t.Keys = "It ends, replaces or adds to what you said. Do that?", "ynelq"
		t.Review = t.Approve
	}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if yes {
			return saveDraft(ctx, w, k)
		}
		also, err := w.Pending().Drop(k)
		if also {
			return Done{Said: "dropped: " + id + ", and what it was made from"}, err
		}
		return Done{Said: "dropped: " + id}, err
	}
	t.draft = func() (string, error) {
		b, err := w.Pending().Amended(k)
		if errors.Is(err, fs.ErrNotExist) {
			return k.Draft, nil
		}
		return string(b), err
	}
	t.edit = func(_ context.Context, edited string, _ Sure) (Done, error) {
		edited = secret.Redact(edited)
		if err := w.Pending().Amend(k, []byte(edited)); err != nil {
			return Done{}, err
		}
		if _, _, err := draft.Parse([]byte(edited), k.Category); err != nil {
			return Done{},
				fmt.Errorf("%s: kept, and not right yet: %w; hint: keepsake inbox edit %[1]s opens "+
					"it again; hint: keepsake records draft --form %s shows what it takes", id, err,
					k.Category)
		}
		return Done{Said: "edited: " + id +
			"; next: keepsake records triage --pending, then keepsake records commit"}, nil
	}
	return t
}

// saveDraft saves a draft that the person was shown whole and said yes to.
func saveDraft(ctx context.Context, w *save.Saver, k stage.Kept) (Done, error) {
	drafts := []save.Given{{Name: "inbox", Category: k.Category, Text: []byte(k.Draft), Said: true}}
	p, r, err := w.Commit(ctx, save.Options{Partial: true, Given: drafts}, nil)
	if err == nil {
		if _, err = w.Pending().Drop(k); err != nil {
			err = fmt.Errorf("saved, but the draft still waits: %w; hint: keepsake inbox reject %s", err,
				k.ID())
		}
	}
	return Done{Saved: &Saved{w.Session, p, r}}, err
}

// draftLine returns the line of a draft in a list.
func draftLine(d stage.Kept, now time.Time) string {
	title := ""
	if d.Title != "" {
		title = ` "` + text.Safe(d.Title) + `"`
	}
	return fmt.Sprintf("%-8s %-9s %s%s: %s", d.ID(), ago(now.Sub(d.At)), d.Category, title, inLine(d.Reason))
}

// wholeDraft returns the draft with what is wrong with it.
func wholeDraft(d stage.Kept, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, a draft of category %s that could not be saved %s\n\n", d.ID(), d.Category,
		ago(now.Sub(d.At)))
	for _, line := range append([]string{d.Reason}, d.Notes...) {
		fmt.Fprintf(&b, "  %s\n", text.Safe(text.OneLine(line)))
	}
	return b.String() + "\n" + text.SafeLines("  | ", strings.TrimRight(d.Draft, "\n"))
}
