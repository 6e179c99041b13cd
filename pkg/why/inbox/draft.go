package inbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"keepsake/pkg/capture/resolve"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A Draft of a memory could not be saved.
type Draft struct {
	stage.Kept
	w *save.Saver
}

// isQuestion reports whether the draft waits because it would end, replace or add to what a person said,
// without words of theirs: that is a question to them.
func (d *Draft) isQuestion() bool { return strings.HasPrefix(d.Reason, string(memory.CodeUnbacked)) }

// endsSaid is that question.
const endsSaid = "It ends, replaces or adds to what you said. Do that?"

// Question returns what the person is asked.
func (d *Draft) Question(approve bool) (string, error) {
	switch {
	case !approve:
		return "Drop this draft, and what it was made from?", nil
	case d.isQuestion():
		return endsSaid, nil
	}
	return "", fmt.Errorf("%s: a draft that could not be saved can't be approved as it is; hint: keepsake "+
		"inbox edit %[1]s mends it; hint: keepsake inbox reject %[1]s drops it", d.ID())
}

// Review returns what a review asks.
func (d *Draft) Review() (question, keys string) {
	if d.isQuestion() {
		return endsSaid, "ynelq"
	}
	return "Keep this draft?", "nelq"
}

// Answer saves the draft on the person's word, or drops it with what it was made from.
func (d *Draft) Answer(ctx context.Context, yes bool) (done Done, err error) {
	if yes {
		drafts := []save.Given{{Name: "inbox", Category: d.Category, Text: []byte(d.Kept.Draft), Said: true}}
		p, r, err := d.w.Commit(ctx, save.Options{Partial: true, Given: drafts}, nil)
		if done.Saved = (&Saved{d.w.Session, p, r}); err != nil {
			return done, err
		}
		if _, err = d.w.Pending().Drop(d.Kept); err != nil {
			err = fmt.Errorf("saved, but the draft still waits: %w; hint: keepsake inbox reject %s", err,
				d.ID())
		}
		return done, err
	}
	also, err := d.w.Pending().Drop(d.Kept)
	if done.Said = "dropped: " + d.ID(); also {
		done.Said += ", and what it was made from"
	}
	return done, err
}

// Draft returns the draft, or what somebody made of it.
func (d *Draft) Draft() (name, text string, err error) {
	b, err := d.w.Pending().Amended(d.Kept)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = []byte(d.Kept.Draft), nil
	}
	return d.ID() + ".json", string(b), err
}

// Edit puts a mended draft beside the draft. It is kept whether it is right or not.
func (d *Draft) Edit(_ context.Context, edited string) (Done, error) {
	if _, before, err := d.Draft(); err != nil || edited == before {
		return Done{Said: d.ID() + " stays as it was"}, err
	}
	edited = secret.Redact(edited)
	if err := d.w.Pending().Amend(d.Kept, []byte(edited)); err != nil {
		return Done{}, err
	}
	if _, _, err := resolve.ParseDraft([]byte(edited), d.Category); err != nil {
		return Done{}, fmt.Errorf("%s: kept, and not right yet: %w; hint: keepsake inbox edit %[1]s opens "+
			"it again; hint: keepsake records draft --form %s shows what it takes", d.ID(), err, d.Category)
	}
	return Done{Said: "edited: " + d.ID() +
		"; next: keepsake records triage --pending, then keepsake records commit"}, nil
}

// isMended reports whether somebody made a better draft of it, which waits to be saved.
func (d *Draft) isMended() bool {
	_, err := d.w.Pending().Amended(d.Kept)
	return err == nil
}

// Line is one line of a list.
func (d *Draft) Line(now time.Time) string {
	title := ""
	if d.Title != "" {
		title = ` "` + text.Safe(d.Title) + `"`
	}
	return fmt.Sprintf("%-8s %-9s %s%s: %s", d.ID(), ago(now.Sub(d.At)), d.Category, title, inLine(d.Reason))
}

// Whole shows the draft with what is wrong with it.
func (d *Draft) Whole(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, a draft of category %s that could not be saved %s\n\n", d.ID(), d.Category,
		ago(now.Sub(d.At)))
	for _, line := range append([]string{d.Reason}, d.Notes...) {
		fmt.Fprintf(&b, "  %s\n", text.Safe(text.OneLine(line)))
	}
	return b.String() + "\n" + text.SafeLines("  | ", strings.TrimRight(d.Kept.Draft, "\n"))
}
