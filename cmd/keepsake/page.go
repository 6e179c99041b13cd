package main

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"

	"keepsake/pkg/libexec"
)

// The smallest terminal that has room for the page of keepsake review.
const (
	pageColumns = 60
	pageRows    = 16
)

// isFullTerminal reports whether the page can be drawn on a terminal, and whether the person wants that.
func isFullTerminal(tty io.ReadWriter) bool {
	t, ok := tty.(terminal)
	if term := os.Getenv("TERM"); !ok || term == "" || term == "dumb" {
		return false
	}
	if a := os.Getenv("ACCESSIBLE"); a != "" && a != "0" {
		return false
	}
	columns, rows := t.Size()
	return columns >= pageColumns && rows >= pageRows
}

// page has the program tui show what waits, and carries out the answers that it returns. shown is false if
// the page could not be drawn. What is printed meanwhile is shown on the page, and printed when it is gone.
func (r *review) page() (shown bool, err error) {
	out, errs := r.out, r.err
	var said, allOut, allErrs bytes.Buffer
	r.out, r.err = io.MultiWriter(&said, &allOut), io.MultiWriter(&said, &allErrs)
	tui := libexec.NewReviewer(r.ctx)
	defer func() {
		tui.End()
		r.out, r.err = out, errs
		_, _ = io.Copy(out, &allOut)
		_, _ = io.Copy(errs, &allErrs)
	}()
	at, bad := 0, 0
	for {
		a, err := tui.Ask(r.shown(at, strings.TrimSpace(said.String()), r.bad > bad))
		if err != nil {
			return shown, err
		}
		shown, bad = true, r.bad
		said.Reset()
		which := r.indexes(a.IDs)
		switch {
		case a.Key == libexec.ReviewQuit:
			return true, nil
		case a.Key == libexec.ReviewUndo:
			at = r.takeBack(at)
		case len(which) == 0:
		case a.Key == libexec.ReviewShow:
			at = which[0]
		case r.items[which[0]].drawer != nil:
			if _, err := r.takeDrawer(which[0], yes, no, later, quit); err != nil {
				r.failed(which[0], err)
			}
			at = r.next(which[0])
		default:
			r.answer(key(a.Key[0]), which...)
			at = which[0]
			if r.items[at].settled || key(a.Key[0]) == later {
				at = r.next(at)
			}
		}
	}
}

// shown returns what the page is to show of an item, with what was said of the last answer.
func (r *review) shown(at int, said string, failed bool) libexec.Review {
	out := libexec.Review{Said: said, Failed: failed, Undo: len(r.done) > 0}
	for _, item := range r.items {
		if !item.settled {
			out.IDs = append(out.IDs, item.id)
		}
	}
	if len(out.IDs) == 0 {
		return out
	}
	if r.items[at].settled {
		at = r.next(at)
	}
	item := r.items[at]
	if out.ID = item.id; item.drawer != nil {
		out.Text = item.id + ": a drawer whose memory holds no longer\n\n" + item.drawer.Why()
		out.Question, out.Keys, out.Terminal = "Look at it, and withdraw it or keep it?", "yl", "y"
		out.Alone = item.id + " wants an answer of its own"
		return out
	}
	v := item.thing.View()
	out.Text, out.Near, out.Alone = v.Text, v.Near, v.Alone
	out.Question, out.Keys = item.thing.Review, strings.ReplaceAll(item.thing.Keys, string(quit), "")
	if out.Terminal = string(edit); item.thing.Promotes {
		out.Terminal += string(yes)
	}
	return out
}

// next returns the index of the first item behind at that waits, from the beginning again behind the last.
func (r *review) next(at int) int {
	for n := range r.items {
		if i := (at + 1 + n) % len(r.items); !r.items[i].settled {
			return i
		}
	}
	return at
}

// indexes returns the indexes of the items with these ids that wait.
func (r *review) indexes(ids []string) (all []int) {
	for _, id := range ids {
		i := slices.IndexFunc(r.items, func(x reviewed) bool { return x.id == id && !x.settled })
		if i >= 0 {
			all = append(all, i)
		}
	}
	return all
}
