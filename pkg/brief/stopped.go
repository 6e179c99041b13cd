package brief

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"

	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A Stopped is a call that waits for a person's answer, for [Whole] and [Waits].
type Stopped struct {
	ID, Tool, Checkpoint string
	Reason               string // what the gate said of it
	Args                 []byte // one JSON object
	Project, Session     string
	Agent                string // the subagent that made it, "" for the main agent
	Asked                time.Time
}

// Waits returns the one line of a list: the id, how long ago it was asked, the project,
// and the first two lines of the reason: what is at stake, and where to.
func Waits(s Stopped, now time.Time) string {
	lines := strings.SplitN(s.Reason, "\n", 3)
	return fmt.Sprintf("%-8s %-9s %s: %s", s.ID, timeAgo(now.Sub(s.Asked)), text.Safe(path.Base(s.Project)),
		text.Safe(strings.Join(lines[:min(2, len(lines))], ", ")))
}

// Whole shows a stopped call to the person who decides about it: every byte of
// its arguments that is kept, line by line, with what a terminal would obey or hide
// spelled out. Nothing is cut; that secrets were taken out is said.
func Whole(s Stopped, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, asked %s\n\n", s.ID, timeAgo(now.Sub(s.Asked)))
	for line := range strings.SplitSeq(s.Reason, "\n") {
		if !strings.HasPrefix(line, "hint: ") {
			fmt.Fprintf(&b, "  %s\n", text.Safe(line))
		}
	}
	b.WriteByte('\n')
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-11s %s\n", name, text.Safe(value))
		}
	}
	row("tool", s.Tool)
	row("project", s.Project)
	row("session", s.Session)
	row("agent", s.Agent)
	row("checkpoint", s.Checkpoint)
	if bytes.Contains(s.Args, []byte(secret.Redacted)) || strings.Contains(s.Reason, secret.Redacted) {
		row("taken out", "a secret stood where "+secret.Redacted+
			" stands: it is not kept, and the yes is for the call with it")
	}
	b.WriteByte('\n')
	arguments(&b, s.Args)
	return b.String()
}

// arguments prints the members of one JSON object in their order. A text of
// several lines stands below its name, each line behind a bar.
func arguments(b *strings.Builder, args []byte) {
	d := json.NewDecoder(bytes.NewReader(args))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		fmt.Fprintf(b, "  | %s\n", text.Safe(string(args)))
		return
	}
	for d.More() {
		key, err := d.Token()
		var raw json.RawMessage
		if err != nil || d.Decode(&raw) != nil {
			fmt.Fprintf(b, "  | %s\n", text.Safe(string(args)))
			return
		}
		name := text.Safe(fmt.Sprint(key))
		var value string
		if json.Unmarshal(raw, &value) != nil {
			value = string(raw)
		}
		lines := strings.Split(value, "\n")
		if len(lines) == 1 && len(value) < 60 {
			fmt.Fprintf(b, "%s: %s\n", name, text.Safe(value))
			continue
		}
		fmt.Fprintf(b, "%s (%s, %s):\n", name, count(len(lines), "line"), count(len(value), "byte"))
		for _, l := range lines {
			fmt.Fprintf(b, "  | %s\n", text.Safe(l))
		}
	}
}

// timeAgo returns how long something is past, in one unit.
func timeAgo(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh ago", int(d.Hours()))
}

// Settled returns one line of what became of an approved call.
func Settled(id, tool, by, result string, stored []string, at, now time.Time) string {
	line := fmt.Sprintf("%-8s %-9s %s by %s: %s", id, timeAgo(now.Sub(at)), result, by, text.Safe(tool))
	if len(stored) > 0 {
		line += " " + text.Safe(strings.Join(stored[:min(3, len(stored))], ", "))
		if len(stored) > 3 {
			line += fmt.Sprintf(" (+%d more)", len(stored)-3)
		}
	}
	return line
}
