package brief

import (
	"fmt"
	"strings"

	"keepsake/pkg/text"
)

// A Promoting is what is about to be kept for good, for the person who decides.
type Promoting struct {
	MemPalace bool // else it is kept among Keepsake's own drawers
	Texts     []PromotedText
	Near      []string // what is kept and says nearly the same, a line each
	Secrets   []string // kinds that were taken out
}

// A PromotedText is one text and where it goes.
type PromotedText struct{ Wing, Room, Source, Text string }

// Promotes shows each text whole, with where it comes from and goes to, and what a
// terminal would obey or hide spelled out.
func Promotes(p Promoting) string {
	var b strings.Builder
	for _, t := range p.Texts {
		fmt.Fprintf(&b, "wing %s, room %s", text.Safe(t.Wing), text.Safe(t.Room))
		if t.Source != "" {
			fmt.Fprintf(&b, ", from %s", text.Safe(t.Source))
		}
		b.WriteByte('\n')
		for l := range strings.SplitSeq(t.Text, "\n") {
			fmt.Fprintf(&b, "  | %s\n", text.Safe(l))
		}
		b.WriteByte('\n')
	}
	if len(p.Secrets) > 0 {
		fmt.Fprintf(&b, "Taken out as a secret: %s\n", strings.Join(p.Secrets, ", "))
	}
	if len(p.Near) > 0 {
		b.WriteString("Kept already, and says nearly the same:\n")
		for _, n := range p.Near {
			fmt.Fprintf(&b, "  %s\n", text.Safe(n))
		}
	}
	return b.String()
}

// Promotion is Promotes and the question. Where no MemPalace is set up it says first
// what stands in its place.
func Promotion(p Promoting) string {
	text := Promotes(p)
	if !p.MemPalace {
		text += "No MemPalace is set up: Keepsake's own drawers keep it.\n"
	}
	return text + "About to promote to MemPalace WHY tier. Approve?"
}
