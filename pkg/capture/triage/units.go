package triage

import (
	"strings"

	"keepsake/pkg/memory"
)

// A Unit is a stretch of a passage that can state one thing: a line, an item or a heading of at most
// wholeLine bytes, or a sentence of a longer one.
type Unit struct {
	Text     string
	Line     int // of the passage, at which it begins
	Block    int // index of its paragraph in the passage
	Heading  bool
	Item     bool // of a list
	Question bool
	Pasted   bool       // in the middle of a long message of a person, so hardly typed
	Under    string     // the nearest heading above it in the passage
	Scores   [5]float64 // what the table of phrases says of it, in the order of Scored
}

// Scored are the categories in the order of Unit.Scores.
var Scored = [5]memory.Category{memory.Decision, memory.Runbook, memory.Constraint, memory.TechDebt,
	memory.Preference}

// wholeLine is how many bytes of a line make one unit. Where a line is short, a claim and its reason are
// mostly two sentences of it.
const wholeLine = 320

// Units returns the units of a passage, in order. Code, quotations, tables, logs and Keepsake's own words
// are in none.
func Units(p Passage) []Unit {
	l := listener{m: &theMatcher, block: -1}
	var r reader
	head, tail := typedLines(p)
	c := unitCutter{piece: -1}
	r.eachStatement(p.Text, func(st statement) {
		by := p.By
		if by == Person && st.line > head && st.line < tail {
			by = Assistant
		}
		s, reason, _ := l.scoreStatement(st, by)
		c.take(st, s, reason, by != p.By)
	})
	return c.all
}

// unitCutter makes the units of one passage of its statements.
type unitCutter struct {
	all   []Unit
	under string
	piece int // that the last unit is from
}

// take adds a statement with its scores, and with how well it explains the one before.
func (c *unitCutter) take(st statement, s scores, reason float64, pasted bool) {
	said := strings.TrimSpace(validUTF8(st.text))
	if said == "" {
		return
	}
	if st.heading {
		c.under = said
	}
	if n := len(c.all) - 1; n >= 0 && st.piece == c.piece && st.size <= wholeLine {
		c.all[n].add(said, st.glued, s, reason, st.question)
		return
	}
	c.piece = st.piece
	u := Unit{Text: said, Line: st.line, Block: st.block, Heading: st.heading, Item: st.item,
		Question: st.question, Pasted: pasted}
	if !st.heading {
		u.Under = c.under
	}
	for i := range u.Scores {
		u.Scores[i] = s[decision+topic(i)]
	}
	c.all = append(c.all, u)
}

// add appends the next sentence of a short line to its unit, glued where no blank stands before it.
func (u *Unit) add(said string, glued bool, s scores, reason float64, question bool) {
	if !glued {
		u.Text += " "
	}
	u.Text += said
	u.Question = question
	if u.Scores[0] > 0 && reason > 0 {
		u.Scores[0] = raise(u.Scores[0], reason)
	}
	for i := range u.Scores {
		u.Scores[i] = max(u.Scores[i], s[decision+topic(i)])
	}
}
