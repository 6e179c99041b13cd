package main

// What keepsake says, and how. Every word this program prints goes through
// this file, under these rules:
//
//   - Data goes to standard output, everything else to standard error.
//   - With --json standard output is exactly one JSON value; when the verb has
//     none to give because it failed, {"error", "code", "problems", "hints",
//     "exit"}, code being claude-memory's name of the error, if any.
//   - An error is one line: "keepsake: thing: trouble". It starts in lower case
//     and has no full stop. What to do next follows on lines of "hint: ".
//   - Text from files, transcripts and models is data: control characters,
//     bidirectional overrides and line breaks in it never reach a terminal.
//   - No question and no bar without a terminal: most callers are agents. Colour only for a person at a
//     terminal, where NO_COLOR is not set, and nothing is said by colour alone.
//   - The line an agent repeats to its user ("Saved: …") stands alone.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

// voice is where a verb speaks.
type voice struct {
	out, err io.Writer
	colour   bool // out is a terminal of somebody who wants colours
	json     bool // the caller asked for --json: line and block are silent
	said     bool // a value was printed
}

// A hue is how a terminal is told to show a text.
type hue string

const (
	bold   hue = "1"
	red    hue = "31"
	green  hue = "32"
	yellow hue = "33"
)

// coloured reports whether a file is a terminal whose user wants colours.
func coloured(f *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isDevice(f)
}

// in returns a text in a colour, where colours are wanted.
func (v *voice) in(h hue, text string) string {
	if !v.colour {
		return text
	}
	return "\x1b[" + string(h) + "m" + text + "\x1b[0m"
}

// diff prints what package brief made of a plan, with its changes as diffs.
func (v *voice) diff(text string) {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body, end := strings.TrimSuffix(line, "\n"), line[len(strings.TrimSuffix(line, "\n")):]
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			lines[i] = v.in(bold, body) + end
		case strings.HasPrefix(line, "-"):
			lines[i] = v.in(red, body) + end
		case strings.HasPrefix(line, "+"):
			lines[i] = v.in(green, body) + end
		}
	}
	v.block(strings.Join(lines, ""))
}

// line prints one line for people; it is silent under --json.
func (v *voice) line(format string, args ...any) {
	if !v.json {
		fmt.Fprintf(v.out, format+"\n", args...)
	}
}

// block prints text of several lines that holds nothing foreign, or that package
// brief has made and cleaned; it is silent under --json.
func (v *voice) block(text string) {
	if !v.json && text != "" {
		fmt.Fprintln(v.out, strings.TrimRight(text, "\n"))
	}
}

// value prints x as the one JSON value of a call with --json; it is silent
// without. Errors of a closed pipe are not worth telling anybody.
func (v *voice) value(x any) {
	if !v.json {
		return
	}
	v.said = true
	e := json.NewEncoder(v.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(x)
}

// maxNote is how long a line of a note or a hint is at most, in characters. A path can be longer.
const maxNote = 4000

// note prints one line beside the data, to standard error.
func (v *voice) note(format string, args ...any) { v.aside("keepsake", fmt.Sprintf(format, args...)) }

// aside prints one line to standard error, safe for a terminal.
func (v *voice) aside(mark, says string) {
	fmt.Fprintf(v.err, "%s: %s\n", mark, cut(brief.Line(says), maxNote))
}

// trouble prints an error and its hints, unless the output has reported it already. Errors of other
// packages have their hints in their text, behind "hint: ".
func (v *voice) trouble(err error, hints []string, code int) {
	var told quiet
	if errors.As(err, &told) {
		return
	}
	what, own := splitHints(err.Error())
	hints = append(own, hints...)
	for i := range hints {
		hints[i] = brief.Line(hints[i])
	}
	name, problems := store.CodeOf(err)
	if !v.said {
		v.value(struct {
			Error    string           `json:"error"`
			Code     memory.Code      `json:"code,omitempty"`
			Problems []memory.Problem `json:"problems,omitempty"`
			Hints    []string         `json:"hints"`
			Exit     int              `json:"exit"`
		}{what, name, problems, append([]string{}, hints...), code})
	}
	if name != "" {
		what += " [" + string(name) + "]"
	}
	v.note("%s", what)
	for _, h := range hints {
		v.aside("hint", h)
	}
}

// splitHints returns what an error says, in one line, and its hints. Joined errors have a line each, and each
// may have hints.
func splitHints(said string) (what string, hints []string) {
	var all []string
	for line := range strings.SplitSeq(strings.ReplaceAll(said, "\nhint: ", "; hint: "), "\n") {
		parts := strings.Split(line, "; hint: ")
		all = append(all, parts[0])
		for _, hint := range parts[1:] {
			if !slices.Contains(hints, hint) {
				hints = append(hints, hint)
			}
		}
	}
	several := strings.NewReplacer(":\n", ": ", "\n", "; ")
	return brief.Line(several.Replace(strings.TrimSpace(strings.Join(all, "\n")))), hints
}

// cut returns s in at most n runes, with an ellipsis when something is gone.
func cut(s string, n int) string { return text.Shorten(s, n) }

// count returns a number of things in words: "1 draft", "2 drafts".
func count(n int, thing string) string { return text.Count(n, thing) }
