package brief

import (
	"fmt"
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

// A Told is a moment as the agent is told of it.
type Told struct {
	Kind memory.Moment
	Text string
	By   triage.Speaker
}

// momentTarget returns how a moment gets into the Markdown memories: into the project's card, a
// file of entities or patterns, or the lessons.
func momentTarget(kind memory.Moment) string {
	switch kind {
	case memory.Progress:
		return "`keepsake project progress` writes it on the project's card and in the registry"
	case memory.Entity:
		return "`keepsake md note` files it with the people, tools and accounts"
	case memory.Pattern:
		return "`keepsake md lesson` keeps it with what to do next time"
	case memory.Correction:
		return "`keepsake md lesson --kind correction` keeps what to do next time"
	}
	return ""
}

// Moments returns what belongs into the project's Markdown memories, by kind, each with its first
// statement and the verb that writes it. It is "" without any.
func Moments(said []Told) string {
	var b strings.Builder
	for _, kind := range memory.Moments() {
		var first *Told
		n := 0
		for i := range said {
			if said[i].Kind != kind {
				continue
			}
			if n++; first == nil {
				first = &said[i]
			}
		}
		if first == nil {
			continue
		}
		fmt.Fprintf(&b, "\n- [%s] %s [source: %s]", kind.Display(), quoted(first.Text, maxQuote),
			speaker(first.By))
		if n > 1 {
			fmt.Fprintf(&b, " and %d more", n-1)
		}
		b.WriteString("; " + momentTarget(kind))
	}
	if b.Len() == 0 {
		return ""
	}
	return "Keepsake noticed for this project's Markdown memories, which are kept as things happen:" +
		b.String()
}
