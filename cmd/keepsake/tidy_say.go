package main

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/memdir/tidy"
)

// shownRunes is how much of a statement is shown. An answer quotes it whole, so
// that of a longer one the file is to be read.
const shownRunes = 400

// shownOpen is how many calls without an answer are named.
const shownOpen = 40

func verbatim(s string) string {
	line := brief.Line(s)
	if short := cut(line, shownRunes); short != line {
		return short + " (goes on; read the file)"
	}
	return line
}

func tellSheet(c *call, out tidySheetJSON) {
	c.line("%s in %s (profile %s)", count(out.Files, "file"), brief.Line(out.Dir), out.Profile)
	if out.Fixable > 0 {
		c.line("first: keepsake md fix -w mends %s by rule; then run keepsake md tidy again",
			count(out.Fixable, "problem"))
	}
	if out.Kept > 0 {
		c.line("answered with keep before: %s, not asked again until a statement changes (--kept lists them)",
			count(out.Kept, "call"))
	}
	switch {
	case out.All == 0:
		c.line("nothing is left to decide")
		return
	case len(out.Calls) == 0:
		c.line("no call on the sheet has this number or a higher one: begin with --from 1")
		return
	}
	question := ""
	for _, call := range out.Calls {
		if q := string(call.Kind) + ": " + call.Question; q != question {
			c.line("\n%s", q)
			question = q
		}
		if len(call.Statements) == 0 {
			at := call.File
			if call.Line > 0 {
				at = fmt.Sprintf("%s:%d", at, call.Line)
			}
			c.line("%3d. %s: %s", call.Number, brief.Line(at), verbatim(call.Why))
			continue
		}
		c.line("%3d. %s", call.Number, verbatim(call.Why))
		for _, s := range call.Statements {
			c.line("     %s:%d: %s", brief.Line(s.File), s.Line, verbatim(s.Text))
		}
	}
	c.line("")
	if n := len(out.Calls); n < out.All {
		c.line("%d of the %d calls that are open; they can be answered and applied by themselves", n, out.All)
	}
	if out.Next > 0 {
		c.line("more: keepsake md tidy --from %d", out.Next)
	}
	if out.Later > 0 {
		c.line("%s when these are answered: their statements have two calls already", comeLater(out.Later))
	}
	c.line("answers: %s", brief.Line(out.Answers))
	c.line("next: keepsake md tidy plan")
}

func comeLater(n int) string {
	if n == 1 {
		return "1 more call comes"
	}
	return fmt.Sprintf("%d more calls come", n)
}

// placed is a statement with where it stands.
func placed(s tidy.Statement) string {
	if s.Line == 0 {
		return brief.Line(s.File)
	}
	return fmt.Sprintf("%s:%d: %s", brief.Line(s.File), s.Line, verbatim(s.Text))
}

func tellTidyPlan(c *call, f folder.TidyPlan) {
	c.line("%s in %s", count(len(f.Done), "change"), brief.Line(f.Dir))
	for _, d := range f.Done {
		switch d.Action {
		case "join":
			c.line("  join %s to the end of %s", brief.Line(d.File), brief.Line(d.To))
			if d.Text != "" {
				c.line("    its description goes: %s", verbatim(d.Text))
			}
		case "move":
			c.line("  move %s\n    to %s", placed(d.Statement), brief.Line(d.To))
		case "describe", "retype":
			c.line("  %s %s", d.Action, brief.Line(d.File))
			if d.Text != "" {
				c.line("    was: %s", verbatim(d.Text))
			}
		default:
			c.line("  %s %s", d.Action, placed(d.Statement))
		}
		for _, w := range d.With {
			c.line("    with %s", placed(w))
		}
		if d.New != "" {
			c.line("    now: %s", verbatim(d.New))
		}
		if d.By != "" {
			c.line("    by: %s", verbatim(d.By))
		}
		if d.Reason != "" {
			c.line("    because: %s", verbatim(d.Reason))
		}
	}
	if len(f.Refused) > 0 {
		c.line("refused, and left as it is:")
	}
	for _, r := range f.Refused {
		what := strings.TrimSpace(brief.Line(r.Action) + " " + brief.Line(r.File))
		if r.Line > 0 {
			what += fmt.Sprintf(":%d", r.Line)
		}
		c.line("  answer %d, %s: %s", r.Number, what, cut(brief.Line(r.Why), shownRunes))
	}
	if len(f.Kept) > 0 {
		c.line("kept as it is: %s; not asked again until a statement changes", count(len(f.Kept), "answer"))
	}
	if len(f.Open) > 0 {
		var numbers []string
		for _, call := range f.Open[:min(len(f.Open), shownOpen)] {
			numbers = append(numbers, fmt.Sprint(call.Number))
		}
		if n := len(f.Open) - shownOpen; n > 0 {
			numbers = append(numbers, fmt.Sprintf("and %d more", n))
		}
		c.line("not answered: %s", strings.Join(numbers, ", "))
	}
	tellNotes(c, f)
	if f.Digest == "" {
		c.line("nothing is to be done")
		return
	}
	c.line("files:")
	tellFiles(c, f)
	tellAges(c, f)
	c.line("plan %s", f.Digest)
	c.line("next: show this to the person; after their yes: keepsake md tidy apply %s", f.Digest[:12])
}

func tellNotes(c *call, f folder.TidyPlan) {
	for _, n := range f.Notes {
		c.line("note: %s", brief.Line(n))
	}
}

func tellFiles(c *call, f folder.TidyPlan) {
	for _, x := range f.Files {
		switch {
		case x.Gone != "":
			c.line("  %s: %s before, %s", brief.Line(x.File), count(x.Before, "line"), x.Gone)
		case x.Before == x.After && x.File == memdir.Index:
			c.line("  %s: %s before and after", x.File, count(x.Before, "line"))
		default:
			c.line("  %s: %s before, %d after%s", brief.Line(x.File), count(x.Before, "line"), x.After,
				redated(x))
		}
	}
}

// tellAges says what a plan does to the ages of files and statements.
func tellAges(c *call, f folder.TidyPlan) {
	if ages := f.Ages.String(); ages != "" {
		c.line("ages: %s", ages)
	}
}

// redated says that a file has another date than before, "" if it has not.
func redated(x tidy.FileChange) string {
	switch {
	case x.Dated == "":
		return ""
	case x.Was == "":
		return "; dated " + brief.Line(x.Dated) + ", had no date"
	}
	return "; dated " + brief.Line(x.Dated) + ", was " + brief.Line(x.Was)
}

// tellTidied is the report: what became of the directory.
func tellTidied(c *call, f folder.TidyPlan) {
	c.line("Tidied: %s", f.Changes())
	tellFiles(c, f)
	merged, deleted := f.Gone()
	c.line("files: 0 created, %d merged, %d deleted", merged, deleted)
	tellAges(c, f)
	c.line("contradictions: %s", f.Contradictions())
	for _, r := range slices.Concat(f.Resolved, f.Standing) {
		var at []string
		for _, s := range r.Call.Statements {
			at = append(at, fmt.Sprintf("%s:%d", brief.Line(s.File), s.Line))
		}
		for _, b := range r.By {
			what := b.Action
			if b.File != "" && b.Line > 0 {
				what += fmt.Sprintf(" %s:%d", brief.Line(b.File), b.Line)
			}
			c.line("  %s: %s, because %s", strings.Join(at, " and "), what, verbatim(b.Reason))
		}
	}
	tellNotes(c, f)
	c.line("to take it back: keepsake undo %s --dir %s", f.Digest[:12], brief.ShellWord(f.Dir))
}
