package main

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"keepsake/pkg/text"
)

const (
	above  = 2  // rows above the panes: the title and a rule
	below  = 5  // rows below them: a rule, the question, the keys, and two of what came of the last answer
	beside = 76 // columns from which the nearest memory stands on the right, and not below the text
	gap    = " │ "
)

// helpText says what the keys do.
const helpText = `y     yes: carry out what the question asks; it counts when
      the end of the text has been on the screen
n     no: it is not offered again
e     edit: change the text in your editor first
l     later: it goes on waiting
u     undo: take the last answer back
q     quit: what is not answered goes on waiting
m     mark: y or n then answers all that is marked; what came from
      outside wants an answer of its own
esc   take the marks away

space, page up, arrows up and down   scroll
arrows left and right                the one before, the next one
tab                                  scroll the other side

Any key goes back.`

// A row is one row of a pane.
type row struct {
	text string
	hue  hue
}

// A hue is what the colour of a row stands for. The row says the same in words or signs.
type hue int

const (
	plain  hue = iota
	strong     // the head of a text
	doubt      // words from outside, or from nobody knows where
	gone       // what only the memory says
	added      // what only the new text says
	faint
)

// panes are the rows on the left and on the right, and how many of each the screen has room for. end is how
// many rows of the left are the text that an answer is about.
type panes struct {
	left, right         []row
	wide, wideR, height int
	end                 int
}

// panes returns what is shown between the title and the question.
func (m model) panes() panes {
	p := panes{wide: m.width, height: max(0, m.height-above-below)}
	near := m.review.Near
	if near != "" && m.width >= beside {
		room := m.width - len([]rune(gap))
		p.wide = room * 3 / 5
		p.wideR = room - p.wide
		p.right = append([]row{{"The nearest memory:", strong}}, rows(near, p.wideR, hueOfNear)...)
	}
	if m.width > 0 {
		p.left = rows(m.review.Text, p.wide, hueOfText)
	}
	if p.end = len(p.left); near != "" && p.wideR == 0 && m.width > 0 {
		p.left = append(p.left, row{}, row{"The nearest memory:", strong})
		p.left = append(p.left, rows(near, p.wide, hueOfNear)...)
	}
	return p
}

// rows returns the rows that a text takes.
func rows(said string, columns int, hueOf func(i int, line string) hue) (all []row) {
	for i, line := range strings.Split(strings.TrimRight(said, "\n"), "\n") {
		for _, r := range text.Wrap(line, columns) {
			all = append(all, row{r, hueOf(i, line)})
		}
	}
	return all
}

// hueOfText returns the hue of a line of what waits.
func hueOfText(i int, line string) hue {
	label, _, _ := strings.Cut(strings.TrimSpace(line), "|")
	switch {
	case i == 0:
		return strong
	case slices.Contains([]string{"OUTSIDE", "NOWHERE", "UNKNOWN"}, strings.TrimSpace(label)):
		return doubt
	}
	return plain
}

// hueOfNear returns the hue of a line of the nearest memory.
func hueOfNear(_ int, line string) hue {
	switch {
	case strings.HasPrefix(line, "- "):
		return gone
	case strings.HasPrefix(line, "+ "):
		return added
	}
	return plain
}

// style returns how a hue is drawn. The colours are the terminal's own, in the variant that can be read on
// its background.
func (m model) style(h hue) lipgloss.Style {
	colour := lipgloss.LightDark(!m.light)
	s := lipgloss.NewStyle()
	switch h {
	case strong:
		return s.Bold(true)
	case doubt:
		return s.Bold(true).Foreground(colour(lipgloss.Red, lipgloss.BrightRed))
	case gone:
		return s.Foreground(colour(lipgloss.Red, lipgloss.BrightRed))
	case added:
		return s.Foreground(colour(lipgloss.Green, lipgloss.BrightGreen))
	case faint:
		return s.Faint(true)
	}
	return s
}

func (m model) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	return v
}

// draw returns the whole screen.
func (m model) draw() string {
	if m.width == 0 || m.height <= above+below {
		return "" // before the size is known, or too small for anything
	}
	p := m.panes()
	lines := []string{m.title(), m.rule("")}
	if m.help {
		help := strings.Split(helpText, "\n")
		for _, l := range help[:min(p.height, len(help))] {
			lines = append(lines, text.Shorten(l, m.width))
		}
	} else {
		for i := range p.height {
			l := m.cell(p.left, m.top+i, p.wide)
			if p.wideR > 0 {
				l += m.style(faint).Render(gap) + m.cell(p.right, m.beside+i, p.wideR)
			}
			lines = append(lines, l)
		}
	}
	for len(lines) < m.height-below {
		lines = append(lines, "")
	}
	lines = append(lines, m.rule(m.hidden(p)), m.cut(strong, m.question()), m.cut(plain, m.keys()))
	return strings.Join(append(lines, m.outcome()...), "\n")
}

// cell returns one row of a pane, as wide as the pane.
func (m model) cell(all []row, i, columns int) string {
	r := row{}
	if i < len(all) {
		r = all[i]
	}
	return m.style(r.hue).Width(columns).MaxWidth(columns).Render(r.text)
}

// cut returns one line of the page in at most the columns that there are.
func (m model) cut(h hue, line string) string { return m.style(h).Render(text.Shorten(line, m.width)) }

// title returns the first line: where the thing stands among all that waits.
func (m model) title() string {
	t := "keepsake review"
	if n := len(m.review.IDs); n > 0 {
		t += fmt.Sprintf("  %d of %d", slices.Index(m.review.IDs, m.review.ID)+1, n)
	}
	if slices.Contains(m.marked, m.review.ID) {
		t += "  marked"
	}
	return m.cut(strong, t)
}

// rule returns a line across the screen with a word in it.
func (m model) rule(word string) string {
	if word != "" {
		word = "── " + word + " "
	}
	return m.cut(faint, word+strings.Repeat("─", max(0, m.width-len([]rune(word)))))
}

// hidden returns how much is not on the screen.
func (m model) hidden(p panes) string {
	side := ""
	at, all := m.top, len(p.left)
	if m.right {
		side, at, all = " on the right", m.beside, len(p.right)
	}
	var parts []string
	if at > 0 {
		parts = append(parts, text.Count(at, "row")+" above")
	}
	if n := all - at - p.height; n > 0 {
		parts = append(parts, text.Count(n, "row")+" below: space")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + side
}

// question returns what is asked.
func (m model) question() string {
	switch {
	case m.review.ID == "":
		return "Nothing waits for you any more."
	case len(m.marked) > 0:
		return fmt.Sprintf("%s marked: y or n answers them together. %s", text.Count(len(m.marked), "thing"),
			m.review.Question)
	}
	return m.review.Question
}

// keys returns the keys that count now.
func (m model) keys() string {
	var all []string
	add := func(k, word string) { all = append(all, "["+k+"]"+word) }
	for _, k := range m.review.Keys {
		switch k {
		case 'y':
			add("y", "es")
		case 'n':
			add("n", "o")
		case 'e':
			add("e", "dit")
		case 'l':
			add("l", "ater")
		}
	}
	if m.review.Undo {
		add("u", "ndo")
	}
	if m.review.ID != "" && m.review.Alone == "" {
		add("m", "ark")
	}
	add("q", "uit")
	add("?", "")
	return strings.Join(all, " ")
}

// outcome returns the last two rows: what the page has to say, or what came of the last answer.
func (m model) outcome() []string {
	said, h := m.review.Said, plain
	if m.review.Failed {
		h = doubt
	}
	if m.note != "" {
		said, h = m.note, strong
	}
	if m.busy {
		said, h = "…", plain
	}
	var lines []string
	for _, r := range rows(said, m.width, func(int, string) hue { return h }) {
		lines = append(lines, m.cut(r.hue, r.text))
	}
	if len(lines) > 2 {
		lines = []string{lines[0], m.cut(h, fmt.Sprintf("(%d more lines; they are printed when you quit)",
			len(lines)-1))}
	}
	return append(lines, "", "")[:2]
}
