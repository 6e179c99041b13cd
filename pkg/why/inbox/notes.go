package inbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/memdir/proposed"
	"keepsake/pkg/text"
)

// A note change is a change of Markdown memories that an agent proposes, and why it can't be written.
type noteChange struct {
	proposed.Change
	trouble error // nil if it can
}

// noteChanges returns the changes that are proposed.
func noteChanges(w *save.Saver) ([]noteChange, error) {
	all, err := w.NoteChanges().All()
	changes := make([]noteChange, len(all))
	for i, c := range all {
		changes[i] = newNoteChange(w, c)
	}
	return changes, err
}

func newNoteChange(w *save.Saver, c proposed.Change) noteChange {
	return noteChange{c, folder.CheckChange(context.Background(), w.Session, c.Dir, c.Plan)}
}

// unwritable returns the error for a change that can't be written.
func (c noteChange) unwritable(why error) error {
	return fmt.Errorf("%s: can't be written: %w; hint: keepsake inbox reject %[1]s drops it; what it says "+
		"can be proposed again, for the files as they are now", c.ID, why)
}

// changeThing returns the Thing for a change of Markdown memories that an agent proposes. A yes makes exactly
// the change that was shown. One that can't be written any more can only be dropped.
func changeThing(w *save.Saver, c noteChange) Thing {
	t := Thing{ID: c.ID, view: func() View {
		return View{Text: wholeChange(w, c),
			Alone: c.ID + " wants an answer of its own: an agent proposed it"}
	}, Approve: "Write this?", Reject: "Drop this?", Review: "Write it?", Keys: "ynlq",
		Unanswered: c.ID + stillWaits, w: w}
	if c.trouble != nil {
		t.Approve, t.unfit = "", c.unwritable(c.trouble)
		t.Review, t.Keys = "It can't be written. Keep it all the same (l), or drop it (n)?", "nlq"
	}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		files := text.Count(len(c.Plan.Edits), "file")
		err := w.NoteChanges().Take(c.ID, c.Plan.Digest(), func(p proposed.Change) error {
			if !yes {
				return nil
			}
			err := folder.CheckChange(ctx, w.Session, p.Dir, p.Plan)
			if err == nil {
				err = folder.Write(ctx, w.Session, p.Dir, p.Plan)
			}
			if err != nil {
				return c.unwritable(err)
			}
			return nil
		})
		if yes {
			return Done{Said: fmt.Sprintf("written: %s, %s in %s; keepsake undo last --dir %s takes it back",
				c.ID, files, brief.Line(c.Dir), brief.ShellWord(c.Dir))}, err
		}
		return Done{Said: "rejected: " + c.ID + "; nothing was written", Undo: func(context.Context) (string,
			error) {
			return c.ID + waitsAgain, w.NoteChanges().Put(c.Change)
		}}, err
	}
	return t
}

// changeLine returns the line of a proposed change in a list.
func changeLine(c noteChange, now time.Time) string {
	var files []string
	for _, e := range c.Plan.Edits {
		files = append(files, string(e.Verb)+" "+text.Safe(e.Path))
	}
	return fmt.Sprintf("%-8s %-9s %s", c.ID, ago(now.Sub(c.Made)), text.Shorten(strings.Join(files, ", "+
		""), rowRunes))
}

// wholeChange returns every character of what would be written, as a diff.
func wholeChange(w *save.Saver, c noteChange) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, a change of your notes that an agent proposed %s\n%s\n", c.ID,
		ago(w.Now().Sub(c.Made)),
		text.Safe(c.Dir))
	if c.trouble != nil {
		fmt.Fprintf(&b, "\nIt can't be written: %s\n", brief.Line(c.trouble.Error()))
	}
	for _, e := range c.Plan.Edits {
		before, err := mdwalk.Read(c.Dir, e.Path)
		if err != nil {
			before = nil
		}
		fmt.Fprintf(&b, "\n%s %s\n%s", e.Verb, text.Safe(e.Path), brief.Change(e.Path, before, e.After))
	}
	return b.String()
}
