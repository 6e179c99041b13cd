package tidy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"keepsake/pkg/text"
)

// A Place is a statement that an answer names.
type Place struct {
	File string
	Line int    // 0 when it isn't said
	Text string // the statement, word for word
}

// An Answer is what to do with one statement or file.
type Answer struct {
	Place
	Call   int    // the number of the judgement call; 0 when it isn't said
	Action string // one of Actions
	New    string
	To     string  // the file that a statement is moved to, or that another one joins
	Under  string  // a heading of it
	With   []Place // the other statements of a merge
	Reason string
	By     string // what supersedes or contradicts it: FILE:LINE, or words
	fault  string // why it can't be read, "" if it can
}

// An Action is one kind of answer.
type Action struct{ Name, Says, Needs, past string }

// Actions returns all actions, as they are explained to the agent.
func Actions() []Action {
	return []Action{
		{"keep", "it stays as it is", "reason", "kept"},
		{"confirm", "the file was checked and still holds: it is dated today", "file, reason", "confirmed"},
		{"delete", "the statement goes; by names what supersedes or contradicts it",
			"file, line, text, reason, by", "deleted"},
		{"replace", "the statement says something else", "file, line, text, new, reason", "replaced"},
		{"merge", "several statements become the first one, with new in its place",
			"file, line, text, with [{file, line, text}], new, reason", "merged"},
		{"move", "the statement goes to another topic file, under a heading of it if there is one",
			"file, line, text, to, under, reason", "moved"},
		{"add", "new stands below the statement, or at the end of the file without one",
			"file, line, text, new, reason", "added"},
		{"heading", "the heading new stands above the statement, so that a long file can be split",
			"file, line, text, new", "headings set"},
		{"join", "all of the file goes to the end of another topic file, and its line of the index goes",
			"file, to, reason", "files joined"},
		{"describe", "the file's description", "file, new", "described"},
		{"retype", "the file's type: user, feedback, project or reference", "file, new, reason", "retyped"},
	}
}

// maxAnswers bounds how many answers are read.
const maxAnswers = 500

// errNoAnswers means that a text holds no answers.
var errNoAnswers = errors.New("has no answers")

// ParseAnswers reads what models make of the form {"answers": [...]}: also a bare
// list, single objects one after the other, text or a code fence around them, numbers as
// text, files by their whole path below dir. An answer that can't be read among others
// becomes one that is refused, so that nothing is passed over in silence.
func ParseAnswers(b []byte, dir string) ([]Answer, error) {
	var out []Answer
	found := false
	var trouble error
	for rest := b; len(out) < maxAnswers; {
		at := bytes.IndexAny(rest, "{[")
		if at < 0 {
			break
		}
		rest = rest[at:]
		dec := json.NewDecoder(bytes.NewReader(rest))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) && !found {
				return nil, fmt.Errorf("%w: it ends within a value", errNoAnswers)
			}
			trouble = err // a word in brackets, or what is no JSON
			if lost := begun(rest); bytes.Contains(lost, []byte(`"action"`)) {
				out = append(out,
					Answer{fault: fmt.Sprintf("%v, in %s", err, beginning(text.OneLine(string(lost))))})
			}
			rest = rest[1:]
			continue
		}
		rest = rest[dec.InputOffset():]
		if list, ok := answersIn(v); ok {
			found = true
			out = append(out, list...)
		}
	}
	switch {
	case len(out) >= maxAnswers:
		return nil, fmt.Errorf("more than %d answers: apply some, then go on", maxAnswers-1)
	case !found && trouble != nil:
		return nil, fmt.Errorf("%w: %w", errNoAnswers, trouble)
	case !found:
		return nil, errNoAnswers
	}
	for i := range out {
		a := &out[i]
		a.File, a.To, a.By = below(dir, a.File), below(dir, a.To), below(dir, a.By)
		for j := range a.With {
			a.With[j].File = below(dir, a.With[j].File)
		}
	}
	return out, nil
}

// begun returns the beginning of an object, up to the first object in it.
func begun(b []byte) []byte {
	if end := bytes.IndexByte(b[1:], '{'); end >= 0 {
		return b[:end+1]
	}
	return b
}

// below returns the path of a file below the directory.
func below(dir, file string) string {
	file = strings.TrimPrefix(file, "./")
	if rest, ok := strings.CutPrefix(file, strings.TrimSuffix(dir, "/")+"/"); ok && dir != "" {
		return rest
	}
	return file
}

func answersIn(v any) (out []Answer, ok bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			m, isMap := item.(map[string]any)
			if !isMap {
				return nil, false
			}
			out = append(out, answer(m))
		}
		return out, true
	case map[string]any:
		for _, key := range [...]string{"answers", "actions"} {
			if list, has := v[key].([]any); has {
				return answersIn(list)
			}
		}
		if _, has := v["action"]; has {
			return []Answer{answer(v)}, true
		}
	}
	return nil, false
}

func answer(m map[string]any) Answer {
	a := Answer{
		Place: placeOf(m), Call: number(m["call"]),
		Action: strings.ToLower(strings.TrimSpace(stringOf(m["action"]))),
		New:    strings.TrimSpace(stringOf(m["new"])), To: strings.TrimSpace(stringOf(m["to"])),
		Under:  text.OneLine(stringOf(m["under"])),
		Reason: text.OneLine(stringOf(m["reason"])), By: text.OneLine(stringOf(m["by"])),
	}
	switch with := m["with"].(type) {
	case []any:
		for _, w := range with {
			p, _ := w.(map[string]any)
			a.With = append(a.With, placeOf(p))
		}
	case map[string]any:
		a.With = []Place{placeOf(with)}
	}
	return a
}

func placeOf(m map[string]any) Place {
	p := Place{File: strings.TrimSpace(stringOf(m["file"])), Line: number(m["line"]),
		Text: quoted(stringOf(m["text"]))}
	if file, line, ok := strings.Cut(p.File, ".md:"); ok { // as the sheet prints it
		p.File = file + ".md"
		if p.Line == 0 {
			p.Line = number(line)
		}
	}
	return p
}

// stringOf returns a value that should be a string as one.
func stringOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// number reads 12, "12", "#12" and the beginning of "12-14". It returns 0 for anything else.
func number(v any) int {
	s := strings.TrimLeft(strings.TrimSpace(stringOf(v)), "#L")
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	if err != nil {
		return 0
	}
	return n
}
