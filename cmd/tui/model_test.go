package main

import (
	"errors"
	"image/color"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"keepsake/pkg/libexec"
)

// answers is a keepsake that notes what it was asked, and shows the next thing.
type answers struct {
	all  []string
	next libexec.Review
	err  error
}

func (a *answers) Answer(x libexec.ReviewAnswer) (libexec.Review, error) {
	a.all = append(a.all, x.Key+strings.Join(x.IDs, ","))
	return a.next, a.err
}

func thing(id string, lines int) libexec.Review {
	return libexec.Review{IDs: []string{"[3]", "[2]", "[1]"}, ID: id, Question: "Save it?", Keys: "ynel",
		Terminal: "e", Text: id + " decision" + strings.Repeat("\nline", lines-1), Undo: true}
}

// on returns the page at a terminal, settled.
func on(k keepsake, r libexec.Review, columns, rows int) model {
	m := newModel(k, r)
	m = after(m, tea.WindowSizeMsg{Width: columns, Height: rows})
	return after(m, settled{m.shows})
}

func after(m model, msg tea.Msg) model {
	next, _ := m.Update(msg)
	return next.(model)
}

// typed returns the page after keys, with what keepsake answered.
func typed(m model, keys ...string) model {
	for _, k := range keys {
		msg := tea.KeyPressMsg{Text: k}
		if r := []rune(k); len(r) == 1 {
			msg.Code = r[0]
		}
		switch k {
		case "space":
			msg = tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
		case "esc":
			msg = tea.KeyPressMsg{Code: tea.KeyEscape}
		case "right":
			msg = tea.KeyPressMsg{Code: tea.KeyRight}
		case "left":
			msg = tea.KeyPressMsg{Code: tea.KeyLeft}
		}
		next, cmd := m.Update(msg)
		m = next.(model)
		if m.busy && cmd != nil {
			if done, ok := cmd().(carriedOut); ok {
				m = after(m, done)
				m = after(m, settled{m.shows})
			}
		}
	}
	return m
}

func TestKeys(t *testing.T) {
	alone := thing("[2]", 3)
	alone.Alone = "[2] wants an answer of its own"
	last := thing("[2]", 3)
	last.Undo, last.Keys = false, "nl"
	for name, tt := range map[string]struct {
		show libexec.Review
		keys string
		want []string // answers
		note string
	}{
		"yes":               {thing("[2]", 3), "y", []string{"y[2]"}, ""},
		"no":                {thing("[2]", 3), "n", []string{"n[2]"}, ""},
		"later":             {thing("[2]", 3), "l", []string{"l[2]"}, ""},
		"undo":              {thing("[2]", 3), "u", []string{"u"}, ""},
		"unknown key":       {thing("[2]", 3), "z", nil, ""},
		"capital":           {thing("[2]", 3), "Y", nil, ""},
		"nothing to undo":   {last, "u", nil, "no answer that can be taken back"},
		"no answer to this": {last, "y", nil, "y is no answer to this"},
		"next":              {thing("[2]", 3), "right", []string{"[1]"}, ""},
		"one before":        {thing("[3]", 3), "left", []string{"[1]"}, ""},
		"not seen":          {thing("[2]", 99), "y", nil, "not yet"},
		"half seen":         {thing("[2]", 99), "space y", nil, "not yet"},
		"seen":              {thing("[2]", 30), "space y", []string{"y[2]"}, ""},
		"no to the unseen":  {thing("[2]", 99), "n", []string{"n[2]"}, ""},
		"help":              {thing("[2]", 3), "? y", nil, ""},
		"help and back":     {thing("[2]", 3), "? y y", []string{"y[2]"}, ""},
		"marked":            {thing("[2]", 3), "m y", []string{"y[2]"}, ""},
		"no mark":           {alone, "m", nil, "an answer of its own"},
		"mark unseen":       {thing("[2]", 99), "m", nil, "not yet"},
		"mark taken away":   {thing("[2]", 3), "m m", nil, ""},
		"nothing waits":     {libexec.Review{}, "y", nil, "nothing waits"},
		"nothing to show":   {libexec.Review{}, "right", nil, ""},
	} {
		k := &answers{next: tt.show}
		m := typed(on(k, tt.show, 80, 24), strings.Fields(tt.keys)...)
		if !slices.Equal(k.all, tt.want) || !strings.Contains(m.note, tt.note) {
			t.Errorf("%s: %q, want %q; %q", name, k.all, tt.want, m.note)
		}
	}
}

// TestMarked: what was marked on its own page is answered together, and only that.
func TestMarked(t *testing.T) {
	k := &answers{next: thing("[2]", 3)}
	m := typed(on(k, thing("[3]", 3), 80, 24), "m", "right", "m")
	if !strings.Contains(m.draw(), "2 things marked") {
		t.Errorf("%s", m.draw())
	}
	if typed(m, "y"); k.all[len(k.all)-1] != "y[3],[2]" {
		t.Errorf("%q", k.all)
	}
	if typed(m, "esc", "y"); k.all[len(k.all)-1] != "y[2]" {
		t.Errorf("%q", k.all)
	}
	m.review.IDs = []string{"[2]"} // the other one was answered elsewhere
	m, _ = m.show(m.review)
	if typed(m, "n"); k.all[len(k.all)-1] != "n[2]" {
		t.Errorf("%q", k.all)
	}
}

// TestTooEarly: a key that was pressed before a thing was seen, or while an answer is carried out, answers
// nothing. Held down, it never does.
func TestTooEarly(t *testing.T) {
	k := &answers{next: thing("[1]", 3)}
	m := after(newModel(k, thing("[2]", 3)), tea.WindowSizeMsg{Width: 80, Height: 24})
	first := m.shows
	if m = typed(m, "y", "y"); len(k.all) > 0 {
		t.Errorf("%q", k.all)
	}
	if m = typed(after(m, settled{first}), "y"); len(k.all) > 0 {
		t.Errorf("a key that is held down: %q", k.all)
	}
	m = after(m, settled{m.shows})
	next, _ := m.Update(tea.KeyPressMsg{Code: 'y', Text: "y"})
	if m = typed(next.(model), "y", "n"); len(k.all) > 0 || !m.busy {
		t.Errorf("while it is carried out: %q", k.all)
	}
	m = after(m, carriedOut{review: k.next})
	if m = typed(m, "y"); len(k.all) > 0 || m.settled {
		t.Errorf("the next thing was answered before it was seen: %q", k.all)
	}
	m = after(m, tea.PasteMsg{Content: "yyy"})
	if len(k.all) > 0 {
		t.Errorf("pasted: %q", k.all)
	}
}

// TestEditNeedsTheTerminal: the page is gone while keepsake has the terminal.
func TestEditNeedsTheTerminal(t *testing.T) {
	k := &answers{next: thing("[1]", 3)}
	next, cmd := on(k, thing("[2]", 3), 80, 24).Update(tea.KeyPressMsg{Code: 'e', Text: "e"})
	if cmd == nil || !next.(model).busy {
		t.Fatal("nothing is asked")
	}
	if _, plain := cmd().(carriedOut); plain || len(k.all) > 0 {
		t.Errorf("answered with the page on the screen: %q", k.all)
	}
	q := &question{keepsake: k, answer: libexec.ReviewAnswer{Key: "e", IDs: []string{"[2]"}}}
	if err := q.Run(); err != nil || q.review.ID != "[1]" || !slices.Equal(k.all, []string{"e[2]"}) {
		t.Errorf("%v, %+v, %q", err, q.review, k.all)
	}
}

func TestEnds(t *testing.T) {
	for _, err := range []error{io.EOF, errors.New("broken")} {
		k := &answers{err: err}
		if m := typed(on(k, thing("[2]", 3), 80, 24), "y"); !errors.Is(m.err, err) {
			t.Errorf("%v, want %v", m.err, err)
		}
	}
	for _, key := range []tea.KeyPressMsg{{Code: 'q', Text: "q"}, {Code: 'c', Mod: tea.ModCtrl}} {
		_, cmd := on(&answers{}, thing("[2]", 3), 80, 24).Update(key)
		if cmd == nil || cmd() != tea.Quit() {
			t.Errorf("%v does not end it", key)
		}
	}
}

// TestFits: whatever the size, no row is wider than the screen and there are not more than fit.
func TestFits(t *testing.T) {
	r := thing("[2]", 40)
	r.Text += "\n typed  | " + strings.Repeat("日本語 and words ", 30)
	r.Near = "decisions/x.json\n\n- " + strings.Repeat("old ", 30) + "\n+ new"
	r.Said = strings.Repeat("Saved: something long. ", 20)
	for _, size := range [][2]int{{80, 24}, {60, 16}, {200, 60}, {76, 8}, {20, 9}, {1, 30}, {0, 0}} {
		for _, keys := range []string{"", "?", "m", "space space"} {
			m := typed(on(&answers{next: r}, r, size[0], size[1]), strings.Fields(keys)...)
			lines := strings.Split(m.draw(), "\n")
			if len(lines) > max(1, size[1]) {
				t.Errorf("%v %q: %d rows", size, keys, len(lines))
			}
			for _, l := range lines {
				if n := wide(l); n > size[0] {
					t.Errorf("%v %q: %d columns: %s", size, keys, n, l)
				}
			}
		}
	}
}

// TestLightAndDark: the colours follow the background, and the words do not.
func TestLightAndDark(t *testing.T) {
	r := thing("[2]", 3)
	r.Near = "- old\n+ new"
	dark := on(&answers{}, r, 80, 24)
	light := after(dark, tea.BackgroundColorMsg{Color: color.White})
	if after(light, tea.BackgroundColorMsg{Color: color.Black}).draw() != dark.draw() {
		t.Error("black is no dark background")
	}
	if light.draw() == dark.draw() || bare(light.draw()) != bare(dark.draw()) {
		t.Errorf("%s\n%s", light.draw(), dark.draw())
	}
}

// bare returns a screen without its colours.
func bare(s string) string {
	return regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(s, "")
}

func wide(s string) int { return lipgloss.Width(s) }
