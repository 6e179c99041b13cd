package brief

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// handoffHead begins every handoff note.
const handoffHead = "### Handoff "

// A HandoffNote is what one session leaves for the next.
type HandoffNote struct {
	At       time.Time
	Standing Standing
	// Resume is how the next session goes on, in somebody's own words; "" is what
	// follows from the standing.
	Resume string
}

// maxNoted is how many open questions a handoff note lists.
const maxNoted = 20

// Print returns the note as it stands in a file: a heading with the time, the active
// phase and its status, how many notes were promoted, what is open, and how to go
// on. What follows from a file names it.
func (n HandoffNote) Print() string {
	return handoffHead + n.At.UTC().Format(time.RFC3339) + "\n\n" + n.body()
}

func (n HandoffNote) body() string {
	var b strings.Builder
	s := n.Standing
	phase, status := "none", "no active phase"
	switch {
	case s.Phase.Title != "":
		phase, status = Text(s.Phase.Title, maxCaught), s.Phase.Status
		if status == "" {
			status = "not said"
		}
		if s.Phase.Steps > 0 {
			status += fmt.Sprintf(", %d of %s done", s.Phase.Ticked, count(s.Phase.Steps, "step"))
		}
	case s.Plan && s.Phase.Phases > 0 && s.Phase.Done == s.Phase.Phases:
		status = "complete"
	}
	fmt.Fprintf(&b,
		"**Active phase at session end:** %s\n**Status:** %s\n**Promoted to WHY:** %s\n**Not promoted:** "+
			"%s\n**Open questions:**\n",
		phase, status, count(s.Notes.Promoted, "entry"), count(s.Notes.Open, "entry"))
	for _, q := range s.Questions[:min(maxNoted, len(s.Questions))] {
		fmt.Fprintf(&b, "- %s %s\n", Text(q.Text, maxCaught), source(q.Path))
	}
	if more := len(s.Questions) - maxNoted; more > 0 {
		fmt.Fprintf(&b, "- and %d more\n", more)
	}
	if len(s.Questions) == 0 {
		b.WriteString("- none\n")
	}
	fmt.Fprintf(&b, "\n**Resume next session by:**\n- %s\n", n.resume())
	return b.String()
}

// resume returns how to go on. What nobody said ends with its source.
func (n HandoffNote) resume() string {
	s := n.Standing
	switch {
	case n.Resume != "":
		return strings.TrimRight(Text(n.Resume, maxNote), "]")
	case s.Phase.Next != "":
		return Text(s.Phase.Next, maxCaught) + " [source: task_plan.md]"
	case len(s.Questions) > 0:
		return "answering " + quoted(s.Questions[0].Text, maxCaught) + " " + source(s.Questions[0].Path)
	case s.Notes.Open > 0:
		return "going on from the newest note " + source(fmt.Sprintf("%s:%d", s.Notes.Path, s.Notes.Line))
	case s.Phase.Title != "":
		return "going on with " + quoted(s.Phase.Title, maxCaught) + " [source: task_plan.md]"
	}
	return "reading the catch-up [source: nothing is in flight]"
}

// LastHandoff returns the newest note of a file: when it was written, and how to resume where
// somebody said so in their own words. ok is false without one.
func LastHandoff(file []byte) (said Said, body string, ok bool) {
	for part := range strings.SplitSeq("\n"+strings.ReplaceAll(string(file), "\r\n", "\n"),
		"\n"+handoffHead) {
		stamp, rest, _ := strings.Cut(part, "\n")
		at, err := time.Parse(time.RFC3339, strings.TrimSpace(stamp))
		if err != nil || ok && !at.After(said.At) {
			continue
		}
		said, ok = Said{At: at.UTC()}, true
		body, _, _ = strings.Cut(strings.TrimLeft(rest, "\n"), "\n#")
		_, way, _ := strings.Cut(body, "**Resume next session by:**\n- ")
		way, _, _ = strings.Cut(way, "\n")
		if way = strings.TrimSpace(way); !strings.HasSuffix(way, "]") {
			said.Text = strings.NewReplacer("&lt;", "<", "&amp;", "&").Replace(way)
		}
	}
	return said, body, ok
}

// Same reports whether a file's newest note says the same, at whatever time. If this note has no Resume
// and that one does, they may still be the same.
func (n HandoffNote) Same(file []byte) bool {
	said, body, ok := LastHandoff(file)
	if n.Resume == "" {
		n.Resume = said.Text
	}
	return ok && strings.TrimSpace(body) == strings.TrimSpace(n.body())
}

// handoffTop is the text above the notes in Keepsake's own file.
const handoffTop = "# Handoff\n\nWritten by Keepsake when a session ends; the newest is on top.\n\n"

// Bounds of Keepsake's own file of handoff notes.
const (
	keptHandoffs = 20
	MaxHandoffs  = 64 << 10 // bytes
)

// Onto returns Keepsake's own file with the note on top of the newest ones that
// were there. What somebody wrote above the first note is kept.
func (n HandoffNote) Onto(file []byte) []byte {
	top, rest := handoffTop, ""
	if i := strings.Index("\n"+string(file), "\n"+handoffHead); i >= 0 {
		if i > 0 {
			top = string(file[:i])
		}
		rest = string(file[i:])
	} else if len(bytes.TrimSpace(file)) > 0 {
		top = strings.TrimRight(string(file), "\n") + "\n\n"
	}
	out := top + n.Print()
	kept := strings.SplitAfter("\n"+rest, "\n"+handoffHead)
	for i := 1; i < len(kept) && i < keptHandoffs; i++ {
		note := "\n" + handoffHead + strings.TrimSuffix(kept[i], "\n"+handoffHead)
		note = strings.TrimRight(note, "\n") + "\n"
		if len(out)+len(note) > MaxHandoffs {
			break
		}
		out += note
	}
	return []byte(out)
}
