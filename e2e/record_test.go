//go:build e2e

package e2e

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// The size of the recorded screen, in characters, and of one character of it, in pixels.
const (
	recordedColumns, recordedRows = 100, 24
	cellWidth, cellHeight         = 8.4, 18
)

// A frame is a screen with its colours, as tmux prints it, and for how long it is shown, in seconds.
type frame struct {
	screen  string
	seconds float64
}

// TestRecordSession records the session of the README: what is decided in one session is known in the next.
// The screens are those of the real client; the model's words are written here. It runs with
// KEEPSAKE_RECORD=1 only, and writes docs/session.svg.
func TestRecordSession(t *testing.T) {
	if os.Getenv("KEEPSAKE_RECORD") == "" {
		t.Skip("KEEPSAKE_RECORD=1 records the session anew")
	}
	version := versions[len(versions)-1]
	l := NewLab(t, Client{Version: version, Path: clientPath(t, version)})
	l.Env = map[string]string{"KEEPSAKE_CAPTURE_DRAFTERS": ""} // as a person has it
	l.InstallKeepsake()
	const question, answer = "Where does the job queue keep its jobs, and why?",
		"In PostgreSQL, not in Redis: you decided that a restart must lose no job."
	m := &Rememberer{Write: draftsOf, Chat: func(r *Request) Reply {
		if strings.Contains(r.Tail(), question) {
			return Say(answer)
		}
		return Say("Understood.")
	}}
	l.Model.Mind("main", Match{}, m.Answer)

	places := strings.NewReplacer(l.Project, "~/shop", l.Home, "~", l.Root, "")
	var frames []frame
	shoot := func(term *Terminal, seconds float64) {
		t.Helper()
		out, err := term.tmux.run("capture-pane", "-e", "-p", "-t", "c")
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, frame{places.Replace(out), seconds})
	}
	say := func(term *Terminal, text, until string) {
		t.Helper()
		term.keys("-l", text)
		term.shows(text)
		shoot(term, 2.5)
		term.clear()
		term.Send(text)
		term.Wait(until)
		term.rest()
		shoot(term, 5)
	}
	term := l.TerminalOf(recordedColumns, recordedRows, "--permission-mode", "default")
	say(term, decided, "Saved: decision")
	term.Quit()
	term = l.TerminalOf(recordedColumns, recordedRows, "--permission-mode", "default")
	say(term, question, regexp.QuoteMeta(answer[:30]))
	term.Quit()
	last := l.Model.Answered("main")
	if got := last[len(last)-1].Text(); !strings.Contains(got, "Keep the job queue in PostgreSQL") {
		t.Fatalf("the memory was not beside the question\n%s", got)
	}

	svg := drawScreens(frames)
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join("..", "docs", "session.svg"), []byte(svg), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestDrawScreens draws each screen once, in whole, and shows the last one where nothing moves.
func TestDrawScreens(t *testing.T) {
	svg := drawScreens([]frame{{screen: "first <one> & only\n", seconds: 1}, {screen: "second", seconds: 3}})
	var text strings.Builder
	groups := 0
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if x.Name.Local == "g" {
				groups++
			}
		case xml.CharData:
			text.Write(x)
		}
	}
	if groups != 2 || !strings.Contains(text.String(), "first <one> & only") ||
		!strings.Contains(text.String(), "second") {
		t.Errorf("%d screens: %q", groups, text.String())
	}
	for _, want := range []string{"#f0 { animation: f0 4.0s", "@keyframes f1 { 0%, 24.99%",
		"#f1 { visibility: visible }"} {
		if !strings.Contains(strings.ReplaceAll(svg, "\n", " "), want) {
			t.Errorf("there is no %q in %s", want, svg)
		}
	}
}

// drawScreens returns an SVG that shows screens one after the other, for ever. To whoever asked their system
// for less motion it shows the last one.
func drawScreens(frames []frame) string {
	width, height := recordedColumns*cellWidth+24, float64(recordedRows*cellHeight+24)
	total := 0.0
	for _, f := range frames {
		total += f.seconds
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img" `+
		`aria-label="A decision is saved in one session and known in the next">`+"\n<style>\n"+
		"text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #e4e4e4; white-space: pre }\n"+
		".f { visibility: hidden }\n", width, height)
	at := 0.0
	for i, f := range frames {
		from, to := 100*at/total, 100*(at+f.seconds)/total
		fmt.Fprintf(&b, "@keyframes f%d { 0%%, %.2f%% { visibility: hidden } %.2f%%, %.2f%% "+
			"{ visibility: visible } %.2f%%, 100%% { visibility: hidden } }\n", i, max(0, from-.01), from,
			to-.01, to)
		fmt.Fprintf(&b, "#f%d { animation: f%d %.1fs step-end infinite }\n", i, i, total)
		at += f.seconds
	}
	fmt.Fprintf(&b, "@media (prefers-reduced-motion: reduce) { .f { animation: none } #f%d "+
		"{ visibility: visible } }\n</style>\n", len(frames)-1)
	b.WriteString(`<rect width="100%" height="100%" rx="8" fill="#1b1d1f"/>` + "\n")
	for i, f := range frames {
		fmt.Fprintf(&b, "<g class=\"f\" id=\"f%d\">\n", i)
		for row, line := range strings.Split(strings.TrimRight(f.screen, "\n"), "\n") {
			drawRow(&b, row, line)
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

var sgr = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// drawRow draws a line of the terminal, each stretch of one colour in its columns.
func drawRow(b *strings.Builder, row int, line string) {
	var style colours
	column := 0
	stretch := func(text string) {
		if n := utf8.RuneCountInString(text); n > 0 {
			style.draw(b, row, column, n, text)
			column += n
		}
	}
	at := 0
	for _, m := range sgr.FindAllStringSubmatchIndex(line, -1) {
		stretch(line[at:m[0]])
		style.set(line[m[2]:m[3]])
		at = m[1]
	}
	stretch(line[at:])
}

// colours are what the last escapes set.
type colours struct {
	ink, paper       string // "" is the terminal's own
	bold, dim, turns bool
}

func (c *colours) set(codes string) {
	list := strings.Split(codes, ";")
	for i := 0; i < len(list); i++ {
		n, _ := strconv.Atoi(list[i])
		switch {
		case n == 0:
			*c = colours{}
		case n == 1:
			c.bold = true
		case n == 2:
			c.dim = true
		case n == 22:
			c.bold, c.dim = false, false
		case n == 7, n == 27:
			c.turns = n == 7
		case n == 39:
			c.ink = ""
		case n == 49:
			c.paper = ""
		case n >= 30 && n < 38:
			c.ink = palette(n - 30)
		case n >= 90 && n < 98:
			c.ink = palette(n - 82)
		case n >= 40 && n < 48:
			c.paper = palette(n - 40)
		case (n == 38 || n == 48) && i+2 < len(list):
			colour, used := "", 2
			if v, _ := strconv.Atoi(list[i+2]); list[i+1] == "5" {
				colour = palette(v)
			} else if i+4 < len(list) {
				g, _ := strconv.Atoi(list[i+3])
				blue, _ := strconv.Atoi(list[i+4])
				colour, used = fmt.Sprintf("#%02x%02x%02x", v, g, blue), 4
			}
			if i += used; n == 38 {
				c.ink = colour
			} else {
				c.paper = colour
			}
		}
	}
}

// palette is one of the 256 colours of a terminal.
func palette(n int) string {
	if n < 16 {
		return strings.Fields("#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 " +
			"#767676 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #ffffff")[n]
	}
	if n >= 232 {
		grey := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	}
	level := func(v int) int { return []int{0, 95, 135, 175, 215, 255}[v] }
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
}

func (c *colours) draw(b *strings.Builder, row, column, n int, text string) {
	x, y := 12+float64(column)*cellWidth, float64(12+row*cellHeight)
	ink, paper := c.ink, c.paper
	if c.turns {
		ink, paper = "#1b1d1f", "#e4e4e4"
	}
	if paper != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%d" fill="%s"/>`+"\n", x, y,
			float64(n)*cellWidth, cellHeight, paper)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	style := ""
	if ink != "" {
		style += fmt.Sprintf(` style="fill:%s"`, ink)
	}
	if c.bold {
		style += ` font-weight="bold"`
	}
	if c.dim {
		style += ` opacity=".6"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.0f" textLength="%.1f"%s>%s</text>`+"\n", x, y+13,
		float64(n)*cellWidth, style, html.EscapeString(text))
}
