package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/memdir/proposed"
	"keepsake/pkg/text"
)

// changeThing returns the Thing for a change of Markdown memories that an agent proposes. A yes makes exactly
// the change that was shown.
func changeThing(w *save.Saver, c proposed.Change) Thing {
	t := Thing{ID: c.ID, view: func() View {
		return View{Text: wholeChange(w, c), Alone: c.ID + " is answered by itself: an agent proposed it"}
	}, Approve: "Write this?", Reject: "Drop this?", Review: "Write it?", Keys: "ynlq",
		Unanswered: c.ID + stillWaits, w: w}
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		files := text.Count(len(c.Plan.Edits), "file")
		err := w.NoteChanges().Take(c.ID, c.Plan.Digest(), func(c proposed.Change) error {
			if !yes {
				return nil
			}
			if !slices.Contains(w.MemoryDirs(), c.Dir) {
				return fmt.Errorf("%s: not written: %s is no directory of memories of this project; hint: "+
					"keepsake "+
					"inbox reject %[1]s drops it", c.ID, brief.Line(c.Dir))
			}
			if err := folder.Write(ctx, w.Session, c.Dir, c.Plan); err != nil {
				return fmt.Errorf("%s: not written: %w; hint: keepsake inbox reject %[1]s drops it",
					c.ID, err)
			}
			return nil
		})
		if yes {
			return Done{Said: fmt.Sprintf("written: %s, %s in %s; keepsake undo last --dir %s takes it back",
				c.ID, files, brief.Line(c.Dir), brief.ShellWord(c.Dir))}, err
		}
		return Done{Said: "rejected: " + c.ID + "; nothing was written", Undo: func(context.Context) (string,
			error) {
			return c.ID + waitsAgain, w.NoteChanges().Put(c)
		}}, err
	}
	return t
}

// changeLine returns the line of a proposed change in a list.
func changeLine(c proposed.Change, now time.Time) string {
	var files []string
	for _, e := range c.Plan.Edits {
		files = append(files, string(e.Verb)+" "+text.Safe(e.Path))
	}
	return fmt.Sprintf("%-8s %-9s %s", c.ID, ago(now.Sub(c.Made)), text.Shorten(strings.Join(files, ", "+
		""), rowRunes))
}

// wholeChange returns every character of what would be written, as a diff.
func wholeChange(w *save.Saver, c proposed.Change) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, a change of your notes that an agent proposed %s\n%s\n", c.ID,
		ago(w.Now().Sub(c.Made)),
		text.Safe(c.Dir))
	if fits, err := folder.Fits(w.Session, c, w.Now()); err != nil {
		fmt.Fprintf(&b, "\nThe notes can't be read: %s\n", brief.Line(err.Error()))
	} else if !fits {
		b.WriteString("\nIt can't be made any more: a file was changed since it was proposed.\n")
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
