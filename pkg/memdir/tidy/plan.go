package tidy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
)

// A Change is an answer that the plan carries out.
type Change struct {
	Call   int    `json:"call,omitempty"`
	Action string `json:"action"`
	Statement
	New    string      `json:"new,omitempty"`
	To     string      `json:"to,omitempty"`
	With   []Statement `json:"with,omitempty"`
	Reason string      `json:"reason,omitempty"`
	By     string      `json:"by,omitempty"`
}

// A Refused is an answer that the plan leaves out.
type Refused struct {
	Number int    `json:"number"` // which of the answers, from 1
	Action string `json:"action"`
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Text   string `json:"text,omitempty"`
	Why    string `json:"why"`
}

// An Outcome is the result of answers.
type Outcome struct {
	Plan plan.Plan `json:"plan"`
	Report
	keeps, settles map[int]bool // calls, by their numbers, that are kept and that are answered otherwise
}

// A Report describes what a plan does, and what it leaves out.
type Report struct {
	Done    []Change     `json:"done"`
	Kept    []Change     `json:"kept"` // keep: nothing is changed
	Refused []Refused    `json:"refused"`
	Open    []Call       `json:"open"`  // judgement calls without an answer
	Files   []FileChange `json:"files"` // those that change, MEMORY.md always
	Notes   []string     `json:"notes"` // what else is to be done
	// Resolved are the contradictions of the sheet of which a statement goes or says something else, and
	// Standing those that were answered in another way, so that both statements stand.
	Resolved []Resolved `json:"resolved"`
	Standing []Resolved `json:"standing"`
	Ages     Ages       `json:"ages"`
}

// maxNew bounds a new text, in bytes.
const maxNew = 8000

// planner turns answers into drafts of files.
type planner struct {
	m      memdir.Map
	p      memdir.Profile
	now    time.Time
	paths  []string // in the order of the directory
	files  map[string]*draft
	taken  map[place]int   // statements that an answer acts on, and its number
	fresh  map[string]bool // files that something new is said in
	calls  []Call
	out    Outcome
	number int
}

type place struct {
	file string
	line int
}

// Plan works out what becomes of a directory by the answers to its sheet. What an
// answer names must be there word for word; what is not, what is ambiguous and what
// must not be changed is refused with the reason, and the rest goes on.
func Plan(d memdir.Dir, p memdir.Profile, calls []Call, answers []Answer) Outcome {
	w := &planner{m: d.Map(p), p: p, now: d.Now, files: map[string]*draft{}, taken: map[place]int{},
		calls: calls, fresh: freshened(answers)}
	w.out.Report = Report{Done: []Change{}, Kept: []Change{}, Refused: []Refused{}, Open: []Call{},
		Files: []FileChange{}, Notes: []string{}, Resolved: []Resolved{},
		Standing: []Resolved{}, Ages: Ages{Kept: []string{}}}
	for _, f := range d.Files {
		if doc, _, ok := w.m.Doc(f.Path); ok {
			w.files[f.Path] = newDraft(f, doc)
			w.paths = append(w.paths, f.Path)
		}
	}
	circle := w.circles(answers)
	for i, a := range answers {
		w.number = i + 1
		why := circle[i]
		if why == "" {
			why = w.do(a)
		}
		if why != "" {
			w.out.Refused = append(w.out.Refused, Refused{w.number, a.Action, a.File, a.Line, a.Text, why})
		}
	}
	w.emptied()
	w.pointers()
	w.dates()
	w.edits()
	w.answered(calls)
	return w.out
}

// do carries out one answer; it returns why not.
func (w *planner) do(a Answer) (why string) {
	c := Change{Call: a.Call, Action: a.Action, Reason: a.Reason, By: a.By}
	c.New = secret.Redact(a.New)
	known := slices.IndexFunc(Actions(), func(k Action) bool { return k.Name == a.Action })
	switch {
	case a.fault != "":
		return "can't be read: " + a.fault
	case a.Action == "":
		return "has no action"
	case known < 0:
		return fmt.Sprintf("action %q is none of %s", a.Action, names())
	case len(c.New) > maxNew:
		return fmt.Sprintf("new has %d bytes; at most %d", len(c.New), maxNew)
	case a.Action == "keep" && a.File == "" && !w.means(Change{Call: a.Call}):
		return "names neither a call of the sheet nor a statement"
	case a.Action == "keep":
		c.Statement = Statement{File: a.File, Line: a.Line, Text: a.Text}
		w.out.Kept = append(w.out.Kept, c)
		return ""
	case a.File == "":
		return "names no file"
	}
	f := w.files[a.File]
	if f == nil {
		return w.missing(a.File)
	}
	if why := w.changeable(a.File); why != "" {
		return why
	}
	if f.gone {
		return "another answer takes the whole file"
	}
	switch a.Action {
	case "join":
		return w.join(f, a, c)
	case "describe", "retype", "confirm":
		return w.head(f, a, c)
	}
	var s Statement
	if a.Text != "" || a.Action != "add" {
		if s, why = w.find(a.Place); why != "" {
			return why
		}
	}
	c.Statement = s
	c.File = a.File
	needsNew := a.Action == "replace" || a.Action == "add" || a.Action == "heading"
	switch {
	case needsNew && c.New == "":
		return "says nothing new"
	case a.Reason == "" && a.Action != "heading":
		return "gives no reason"
	case a.Action != "heading" && !whole(c.New):
		return "new has a heading, a rule, or a comment or code that is not closed: it would change what " +
			"stands below it"
	case s.kind == markdown.Row && c.New != "" && (needsNew || a.Action == "merge") && !rows(c.New):
		return "is a row of a table: new must be one, | a | b |"
	}
	reasons := f.reasons(s)
	switch a.Action {
	case "delete":
		if why = w.remove(f, s); why == "" {
			for _, r := range reasons {
				if w.remove(f, r) == "" { // else another answer acts on it
					c.With = append(c.With, r)
				}
			}
		}
	case "replace":
		why = w.replace(f, s, c.New)
	case "merge":
		why = w.merge(f, s, a, &c)
	case "move":
		if why = w.move(f, s, a, &c); why == "" {
			for _, r := range reasons {
				if w.take(r) == "" {
					w.follow(f, r, a)
					c.With = append(c.With, r)
				}
			}
		}
	case "add":
		why = w.add(f, s, a, c.New)
	case "heading":
		why = w.heading(f, s, &c)
	}
	if why == "" {
		w.out.Done = append(w.out.Done, c)
	}
	return why
}

func names() string {
	var all []string
	for _, a := range Actions() {
		all = append(all, a.Name)
	}
	return strings.Join(all, ", ")
}

// changeable returns why a file must not be changed, "" if it may be.
func (w *planner) changeable(file string) string {
	switch {
	case w.m.Once(file):
		return "lies where files are added and never changed; write a new one that says what holds now"
	case file == memdir.Index, file == w.m.Overview(), w.m.Topic(file):
		return ""
	}
	return "is no topic file: logs, archives and project cards are not tidied"
}
