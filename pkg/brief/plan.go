package brief

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/text"
)

// Plan returns p for a person: each edit with its record, and the change of the file as a unified diff. shown
// are the edits of p that whoever reads it may see. before returns the present text of a file of the store,
// or nil if there is none. A file that has changed since the plan was made is marked.
func Plan(p plan.Plan, shown []plan.Edit, before func(path string) []byte) string {
	if len(p.Edits) == 0 {
		return "Nothing to write.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "plan %s: %s\n", p.Digest()[:digestShown], count(len(p.Edits), "edit"))
	for _, e := range shown {
		fmt.Fprintf(&b, "\n%s %s  %s\n", e.Verb, Line(e.Path), Line(e.Title))
		old := before(e.Path)
		if plan.DigestOf(old) != e.Before {
			b.WriteString("! it has changed since the plan was made: plan again\n")
		}
		b.WriteString(Change(e.Path, old, e.After))
	}
	return b.String()
}

// Change returns the change of one file as a unified diff; nil stands for no file.
func Change(path string, old, now []byte) string {
	from, to := "a/"+Line(path), "b/"+Line(path)
	if len(old) == 0 {
		from = "/dev/null"
	}
	if len(now) == 0 {
		to = "/dev/null"
	}
	return diffOf(from, old, to, now)
}

// digestShown is how many characters of a plan's digest are printed. Any
// unambiguous beginning of eight or more names the plan.
const digestShown = 12

// diffOf returns a unified diff whose lines are safe to print.
func diffOf(from string, old []byte, to string, now []byte) string {
	out := string(diff.Diff(from, old, to, now))
	_, out, _ = strings.Cut(out, "\n") // "diff a/x b/x"
	var b strings.Builder
	for line := range strings.Lines(out) {
		b.WriteString(visible(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}

// visible returns a line with its indentation and without characters that are not
// seen or that a terminal would obey.
func visible(line string) string {
	body := strings.TrimLeft(line, " ")
	if strings.HasPrefix(body, "+") || strings.HasPrefix(body, "-") {
		mark, rest := body[:1], body[1:]
		inner := strings.TrimLeft(rest, " ")
		return line[:len(line)-len(body)] + mark + rest[:len(rest)-len(inner)] + Line(inner)
	}
	return line[:len(line)-len(body)] + Line(body)
}

func count(n int, what string) string { return text.Count(n, what) }

// Remade returns a line about a desk that had vanished and whose findings were put back.
func Remade(n int) string {
	return "the stage had vanished; what lay there was made again from the journal: " + count(n, "finding")
}

// replacedRunes is how much of the title of a replaced memory the line of a save has.
const replacedRunes = 60

// Retired returns the lines that say that a save retired a memory, what brings only that back, and what takes
// the whole save back.
func Retired(e plan.Edit, digest string) string {
	return fmt.Sprintf("Retired: %q %s\n  keepsake records restore %s brings only this one back; "+
		"keepsake undo %s takes the whole save back", text.Shorten(Line(e.Title), memory.MaxTitle),
		Line(e.Path), ShellWord(Line(e.Path)), short(digest))
}

// Replaces returns the line that says, before a save, that it retires a memory.
func Replaces(e plan.Edit) string {
	return fmt.Sprintf("takes the place of %s: %s", text.Safe(e.Path), text.Safe(e.Title))
}

// TakenBack returns the lines that say that a finding no longer waits, since what was saved turns against
// it, and what has it wait again.
func TakenBack(ref, said string, written plan.Plan) string {
	line := fmt.Sprintf("Taken back: [%s] %q, which waited", strings.TrimPrefix(ref, "#"),
		text.Shorten(Line(said), memory.MaxTitle))
	if len(written.Edits) == 0 {
		return line
	}
	return fmt.Sprintf("%s\n  keepsake undo %s takes the save back, and has it wait again", line,
		short(written.Digest()))
}

// short returns as much of a digest as the verbs take.
func short(digest string) string { return digest[:min(8, len(digest))] }

// Saved returns the one line that a save ends with: "Saved: decision (update),
// runbook (create)", or "Saved: nothing" and why when no draft changed a memory.
func Saved(outcomes []draft.Outcome) string {
	var parts []string
	refused, blocked := 0, 0
	for _, o := range outcomes {
		switch o.State {
		case draft.Create, draft.Update, draft.Retire:
			part := fmt.Sprintf("%s (%s)", o.Category, o.State)
			if o.Replaced != "" {
				part += fmt.Sprintf(" in place of %q", text.Shorten(Line(o.Replaced), replacedRunes))
			}
			parts = append(parts, part)
		case draft.Rejected:
			refused++
		case draft.Blocked:
			blocked++
		}
	}
	switch {
	case len(parts) > 0:
		return "Saved: " + strings.Join(parts, ", ")
	case refused > 0 && blocked > 0:
		return fmt.Sprintf("Saved: nothing (%s refused, %d held back)", drafts(refused), blocked)
	case refused > 0:
		return fmt.Sprintf("Saved: nothing (%s refused)", drafts(refused))
	case blocked > 0:
		return fmt.Sprintf("Saved: nothing (%s held back)", drafts(blocked))
	}
	return "Saved: nothing (there was nothing new)"
}

func drafts(n int) string {
	if n == 1 {
		return "1 draft was"
	}
	return fmt.Sprintf("%d drafts were", n)
}

// Outcomes returns one line for each draft: what it became, and why where that is not plain.
func Outcomes(outcomes []draft.Outcome) string {
	var b strings.Builder
	for _, o := range outcomes {
		fmt.Fprintf(&b, "%s: %s", o.Category, o.State)
		if o.Path != "" {
			b.WriteString(" " + Line(o.Path))
		} else if o.Title != "" {
			b.WriteString(" \"" + Line(o.Title) + "\"")
		}
		if o.Reason != "" {
			b.WriteString(": " + Line(o.Reason))
		}
		b.WriteByte('\n')
		for _, n := range o.Notes {
			b.WriteString(indent + Line(n) + "\n")
		}
	}
	return b.String()
}
