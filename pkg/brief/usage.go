package brief

import (
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/memory/usage"
	"keepsake/pkg/text"
)

// Usage returns how often a memory was given to a model and what followed, in lines for people; none if
// nothing is known. These are counts: whether it helped is the reader's to judge.
func Usage(c usage.Count) (lines []string) {
	if n := c.Given(); n > 0 {
		line := "Given: " + times(n)
		switch {
		case c.Starts == 0:
			line += " with a prompt"
		case c.Prompts == 0:
			line += " at the start of a session"
		default:
			line += fmt.Sprintf(" (%d with a prompt, %d at the start of a session)", c.Prompts, c.Starts)
		}
		lines = append(lines, line+", last on "+c.Last.Format(time.DateOnly),
			"Followed by: "+text.Count(c.Used, "use")+" of its words by the agent, "+
				text.Count(c.Corrected, "correction")+" by you")
	}
	var more []string
	add := func(n int, what string) {
		if n > 0 {
			more = append(more, times(n)+" "+what)
		}
	}
	add(c.Contradicted, "something was said against it")
	add(c.Guarded, "its guard spoke")
	add(c.Broken, "the agent did what it rules out")
	if c.Kept {
		more = append(more, "you said to keep it")
	}
	if len(more) > 0 {
		lines = append(lines, "Besides: "+strings.Join(more, ", "))
	}
	return lines
}

func times(n int) string { return text.Count(n, "time") }

// UsageHistory returns what became of a memory and when, in lines for people.
func UsageHistory(h usage.History) []string {
	lines := Usage(h.Count)
	if len(lines) == 0 {
		return []string{"no agent was given it since this is counted"}
	}
	for _, n := range h.Times {
		lines = append(lines, "  "+use(n))
	}
	if h.More > 0 {
		lines = append(lines, fmt.Sprintf("  and %d earlier", h.More))
	}
	return lines
}

// use returns in one line for people what became of a memory once.
func use(n usage.Note) string {
	var said []string
	switch n.With {
	case usage.Prompt:
		said = append(said, "given with a prompt")
	case usage.Start:
		said = append(said, "given at the start")
	}
	switch {
	case len(n.Used) > 0:
		said = append(said, "the agent then used "+strings.Join(n.Used, ", "))
	case n.With != "":
		said = append(said, "the agent used too few of its words")
	}
	if n.Corrected {
		said = append(said, "you corrected the agent")
	}
	if n.Finding != 0 {
		said = append(said, fmt.Sprintf("[%d] says something against it", n.Finding))
	}
	if n.Guard != "" {
		said = append(said, "its guard spoke: "+n.Guard)
	}
	if n.Kept {
		said = append(said, "you said to keep it, used or not")
	}
	if n.Broken {
		said = append(said, "the agent did what it rules out")
	}
	line := n.At.Format(time.DateOnly) + "  "
	if n.Session != "" {
		line += "session " + Line(text.CutBytes(n.Session, sessionBytes)) + "  "
	}
	return line + Line(strings.Join(said, "; "))
}

// sessionBytes is how much of a session's id tells it from others.
const sessionBytes = 8

// Idle returns a proposal to forget a memory that was given often and never used, for people.
func Idle(path, title string, c usage.Count) string {
	return fmt.Sprintf("%s %q came with %s and was never used", Line(path), Line(title),
		text.Count(c.Prompts, "prompt"))
}

// Broken returns a line about a memory that the agent did not keep to, for people.
func Broken(path, title string, c usage.Count) string {
	return fmt.Sprintf("%s %q: the agent did what it rules out %s", Line(path), Line(title), times(c.Broken))
}
