package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"keepsake/pkg/libexec"
	"keepsake/pkg/text"
)

// settles is how long a thing is on the screen before a key answers it. A key that was pressed before it
// came, or that is held down, is no answer to it.
const settles = 150 * time.Millisecond

// model is the state of the page. Update and View touch nothing else; keepsake is only called by the commands
// that Update returns.
type model struct {
	keepsake      keepsake
	review        libexec.Review
	width, height int
	top           int               // the first visible row on the left
	beside        int               // the first visible row on the right
	right         bool              // the keys that scroll move the right side
	seen          map[string]string // texts whose end was on the screen, by id
	marked        []string          // ids of what is answered together
	busy          bool              // an answer is being carried out: keys count for nothing
	settled       bool              // the thing was on the screen long enough
	shows         int               // counts what was shown and what was pressed too early
	note          string            // what the page itself has to say
	help          bool
	light         bool  // the terminal has a light background
	err           error // why it ended
}

func newModel(k keepsake, first libexec.Review) model {
	return model{keepsake: k, review: first, seen: map[string]string{}}
}

// carriedOut is what came of an answer.
type carriedOut struct {
	review libexec.Review
	err    error
}

// settled is sent a moment after a thing was shown, or a key was pressed too early.
type settled struct{ shows int }

func (m model) Init() tea.Cmd { return tea.Batch(tea.RequestBackgroundColor, m.settle()) }

func (m model) settle() tea.Cmd {
	shows := m.shows
	return tea.Tick(settles, func(time.Time) tea.Msg { return settled{shows} })
}

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.light = !msg.IsDark()
	case settled:
		m.settled = m.settled || msg.shows == m.shows
	case carriedOut:
		if msg.err != nil {
			m.err = msg.err
			return m, tea.Quit
		}
		m, cmd = m.show(msg.review)
	case tea.KeyPressMsg:
		m, cmd = m.press(msg.String())
	}
	return m.look(), cmd
}

// show returns the model with what keepsake wants to have shown.
func (m model) show(r libexec.Review) (model, tea.Cmd) {
	m.busy, m.note = false, ""
	m.marked = slices.DeleteFunc(m.marked, func(id string) bool { return !slices.Contains(r.IDs, id) })
	same := r.ID == m.review.ID && r.Text == m.review.Text
	m.review = r
	if same {
		return m, nil
	}
	m.top, m.beside, m.right, m.settled, m.shows = 0, 0, false, false, m.shows+1
	return m, m.settle()
}

// look keeps what is scrolled within its bounds, and notes whether the end of the text is on the screen.
func (m model) look() model {
	p := m.panes()
	m.top = max(0, min(m.top, len(p.left)-p.height))
	m.beside = max(0, min(m.beside, len(p.right)-p.height))
	if p.height > 0 && m.top+p.height >= p.end && !m.help && m.seen[m.review.ID] != m.review.Text {
		seen := map[string]string{m.review.ID: m.review.Text}
		for id, t := range m.seen {
			if id != m.review.ID {
				seen[id] = t
			}
		}
		m.seen = seen
	}
	return m
}

// press returns the model after a key.
func (m model) press(k string) (model, tea.Cmd) {
	switch {
	case k == "ctrl+c" || k == "q" && !m.help:
		return m, tea.Quit
	case m.busy:
		return m, nil
	case m.help:
		m.help = false
		return m, nil
	}
	m.note = ""
	page := max(1, m.panes().height-1)
	switch k {
	case "?":
		m.help = true
	case "down", "j":
		m.scroll(1)
	case "up", "k":
		m.scroll(-1)
	case "space", " ", "pgdown":
		m.scroll(page)
	case "pgup", "b":
		m.scroll(-page)
	case "tab":
		m.right = !m.right && len(m.panes().right) > 0
	case "right", "left":
		return m.move(k == "right")
	case "esc":
		m.marked = nil
	case "y", "n", "e", "l", "m", "u":
		if !m.settled {
			m.shows++
			return m, m.settle()
		}
		return m.decide(k)
	}
	return m, nil
}

// scroll moves one side by some rows.
func (m *model) scroll(rows int) {
	if m.right {
		m.beside += rows
	} else {
		m.top += rows
	}
}

// move shows the thing beside the one that is shown.
func (m model) move(forward bool) (model, tea.Cmd) {
	at, n := slices.Index(m.review.IDs, m.review.ID), len(m.review.IDs)
	if n < 2 {
		return m, nil
	}
	to := (at + n - 1) % n
	if forward {
		to = (at + 1) % n
	}
	return m.ask(libexec.ReviewAnswer{Key: libexec.ReviewShow, IDs: []string{m.review.IDs[to]}}, false)
}

// decide returns the model after a key that answers.
func (m model) decide(k string) (model, tea.Cmd) {
	r := m.review
	seen := m.seen[r.ID] == r.Text
	switch {
	case k == "u" && !r.Undo:
		m.note = "there is no answer that can be taken back"
	case k == "u":
		return m.ask(libexec.ReviewAnswer{Key: libexec.ReviewUndo}, false)
	case r.ID == "":
		m.note = "nothing waits any more"
	case k == "m":
		return m.mark(seen), nil
	case len(m.marked) > 0 && (k == "y" || k == "n"):
		return m.ask(libexec.ReviewAnswer{Key: k, IDs: m.marked}, false)
	case !strings.Contains(r.Keys, k):
		m.note = k + " is no answer to this"
	case k == "y" && !seen:
		m.note = "not yet: the rest of it is below, space shows it"
	default:
		return m.ask(libexec.ReviewAnswer{Key: k, IDs: []string{r.ID}}, strings.Contains(r.Terminal, k))
	}
	return m, nil
}

// mark marks the thing that is shown, to be answered with others, or takes its mark away.
func (m model) mark(seen bool) model {
	r := m.review
	switch {
	case slices.Contains(m.marked, r.ID):
		m.marked = slices.DeleteFunc(slices.Clone(m.marked), func(id string) bool { return id == r.ID })
	case r.Alone != "":
		m.note = r.Alone
	case !seen:
		m.note = "not yet: the rest of it is below, space shows it"
	default:
		m.marked = append(slices.Clone(m.marked), r.ID)
		m.note = fmt.Sprintf("marked: y or n answers %s together, esc takes the marks away",
			text.Count(len(m.marked), "thing"))
	}
	return m
}

// ask has keepsake carry out an answer. If it needs the terminal for that, the page leaves it to keepsake.
func (m model) ask(a libexec.ReviewAnswer, terminal bool) (model, tea.Cmd) {
	m.busy = true
	if !terminal {
		k := m.keepsake
		return m, func() tea.Msg {
			r, err := k.Answer(a)
			return carriedOut{r, err}
		}
	}
	q := &question{keepsake: m.keepsake, answer: a}
	return m, tea.Exec(q, func(err error) tea.Msg { return carriedOut{q.review, err} })
}

// A question is an answer that keepsake carries out at the terminal.
type question struct {
	keepsake keepsake
	answer   libexec.ReviewAnswer
	review   libexec.Review
}

func (q *question) Run() (err error) {
	q.review, err = q.keepsake.Answer(q.answer)
	return err
}

func (q *question) SetStdin(io.Reader)  {}
func (q *question) SetStdout(io.Writer) {}
func (q *question) SetStderr(io.Writer) {}
