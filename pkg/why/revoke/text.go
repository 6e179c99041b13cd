package revoke

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/text"
	"keepsake/pkg/why/mempalace"
)

// width is how many characters of a line are used.
const width = 78

// Text returns the things for the person who decides about them. Lines with a minus go, lines with a plus
// come back; with undo it is about making the changes again.
func Text(things []Thing, undo bool) string {
	var b strings.Builder
	ends := false
	for _, t := range things {
		b.WriteString(cut(t.ID(), width) + "\n  " + cut(t.says(), width-2) + "\n")
		if undo {
			t.Is, t.Was = t.Was, t.Is
		}
		is, was := "", ""
		if t.Is != nil {
			is = t.Is.Text
		}
		if t.Was != nil {
			was = t.Was.Text
		}
		if t.Is != nil && t.Was != nil {
			is, was = t.differ(is, was)
		}
		if t.Is != nil {
			b.WriteString("  - " + cut(is, width-4) + "\n")
		}
		if t.Was != nil {
			b.WriteString("  + " + cut(was, width-4) + "\n")
		}
		if t.Twice {
			b.WriteString("  another palace has something with this id, so it stays\n")
		}
		ends = ends || t.Kind == mempalace.Facts
	}
	if ends {
		b.WriteString("(A fact is ended, and comes back as a new one: MemPalace deletes none.)\n")
	}
	return b.String()
}

// says returns what became of the thing, where and when.
func (t Thing) says() string {
	it := t.Is
	what := "appeared"
	switch {
	case t.Is == nil:
		what, it = "taken away", t.Was
	case t.Was != nil:
		what = "edited in place"
	}
	if t.Kind != mempalace.Drawers {
		what = "a " + string(t.Kind) + ", " + what
	}
	if it.Wing != "" {
		what += " in " + text.OneLine(it.Wing) + "/" + text.OneLine(it.Room)
	}
	const day, minute = "2 Jan ", "15:04"
	at := t.At.Local().Format(day + minute)
	if since := t.Since.Local().Format(day + minute); !t.Since.IsZero() && since != at {
		at = since + " to " + strings.TrimPrefix(at, t.Since.Local().Format(day))
	}
	what += ", " + at
	if t.Session != "" {
		what += fmt.Sprintf(", session %.8s", t.Session)
	}
	return what
}

// differ returns two texts from shortly before where they differ, so that a cut shows it.
func (t Thing) differ(a, b string) (string, string) {
	if t.Is.Wing != t.Was.Wing || t.Is.Room != t.Was.Room {
		a, b = t.Is.Wing+"/"+t.Is.Room+": "+a, t.Was.Wing+"/"+t.Was.Room+": "+b
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	const before = 20
	if same <= 2*before {
		return a, b
	}
	same -= before
	for !utf8.RuneStart(a[same]) {
		same--
	}
	return "…" + a[same:], "…" + b[same:]
}

// cut returns a text as one safe line of at most n characters.
func cut(s string, n int) string {
	// Long texts are cut first, as only their beginning is shown.
	return text.Shorten(text.Safe(text.OneLine(text.ShortenBytes(s, 8*n))), n)
}
