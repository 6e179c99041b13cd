package brief

import (
	"fmt"
	"strings"

	"keepsake/pkg/memdir/lessons"
)

// maxShown is how many instincts a session is told of, and maxRule how long each
// part of one is, in bytes.
const (
	maxShown = 7
	maxRule  = 160
)

// Instincts returns the rules that a person made of what came up again and again, for the agent. It is ""
// without any.
func Instincts(all []lessons.Instinct) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("What came up again and again in this project, and the user made a rule of " +
		"(.learnings/instincts of its Markdown memories):")
	for _, i := range all[:min(len(all), maxShown)] {
		fmt.Fprintf(&b, "\n- %s → %s", Text(i.Trigger, maxRule), Text(i.Action, maxRule))
	}
	if n := len(all) - maxShown; n > 0 {
		fmt.Fprintf(&b, "\n- and %d more", n)
	}
	return b.String()
}
