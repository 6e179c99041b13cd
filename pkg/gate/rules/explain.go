package rules

import (
	"fmt"
	"strings"
)

// Explain returns what there is to say about a checkpoint, in lines.
func (p Point) Explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n%s", p.Name, p.Guards, wrapped("passes   ", p.Passes),
		wrapped("setting  ", p.Setting))
	for _, answer := range []struct{ name, head string }{
		{Ask.String(), "asks you, and denies where nobody can be asked"},
		{Deny.String(), "denies"},
		{Allow.String(), "allows without a dialog"},
		{Pass.String(), "passes, unless the settings say otherwise"},
	} {
		head := "\n\n" + answer.head + ":"
		for _, r := range p.Rules {
			if r.Answer == answer.name {
				fmt.Fprintf(&b, "%s\n  %s\n%s", head, r.Name, wrapped("      ", r.Matches))
				head = ""
			}
		}
	}
	return b.String()
}

// wrapped returns text behind head in lines of at most 80 characters, the further
// ones indented as wide as head.
func wrapped(head, text string) string {
	var b strings.Builder
	b.WriteString(head)
	at, indent := len(head), strings.Repeat(" ", len(head))
	for i, w := range strings.Fields(text) {
		switch {
		case i == 0:
		case at+1+len(w) > 80:
			b.WriteString("\n" + indent)
			at = len(head)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(w)
		at += len(w)
	}
	return b.String()
}
