package eval

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// A UnitRun is which categories were heard in a unit: one statement or a whole session.
type UnitRun struct {
	Set    string   `json:"set"` // what kind of unit it is
	ID     string   `json:"id"`
	Random bool     `json:"random,omitempty"` // it was drawn by chance
	By     string   `json:"by,omitempty"`
	Text   string   `json:"text,omitempty"`
	Labels []string `json:"labels,omitempty"`
	Weak   []string `json:"weak,omitempty"` // counts neither way
	Got    []string `json:"got,omitempty"`
}

// The files of a directory of labelled units, and how many messages are the end of a session.
const (
	unitsFile    = "triage_units.jsonl"
	wholesFile   = "triage_sessions.jsonl"
	lastMessages = 50
)

// The sets of units.
const (
	statementUnits = "statements"
	sessionUnits   = "sessions"
	endUnits       = "last 50 messages"
)

// opening is a prompt that says nothing: the agent speaks only when it was spoken to.
const opening = "Please go on."

// RunUnits returns which categories are heard in the units of a directory: single statements, whole sessions
// and their ends.
func RunUnits(dir string, o Options) (*Result, error) {
	r := &Result{Version: resultVersion}
	units, err := readLines[struct {
		ID                  int
		Role, Stratum, Text string
		Labels, Weak        []string
	}](filepath.Join(dir, unitsFile))
	if err != nil {
		return nil, fmt.Errorf("labelled statements: %w", err)
	}
	for _, u := range units {
		entries := []transcript.Entry{{Who: transcript.Person, Text: u.Text}}
		if u.Role != "user" {
			entries = []transcript.Entry{{Who: transcript.Person, Text: opening},
				{Who: transcript.Assistant, Text: u.Text}}
		}
		r.Units = append(r.Units, UnitRun{Set: statementUnits, ID: strconv.Itoa(u.ID), By: u.Role,
			Random: u.Stratum == "random", Text: u.Text, Labels: u.Labels, Weak: u.Weak,
			Got: sureCategories(entries, o)})
	}
	wholes, err := readLines[struct {
		File            string
		Session, Tail50 []string
	}](filepath.Join(dir, wholesFile))
	if isMissing(err) {
		return r, nil
	}
	if err != nil {
		return nil, fmt.Errorf("labelled sessions: %w", err)
	}
	for _, w := range wholes {
		if !filepath.IsLocal(w.File) {
			return nil, fmt.Errorf("%s: %q is no name of a file in %s", wholesFile, w.File, transcriptDir)
		}
		_, entries, err := Session{Path: filepath.Join(dir, transcriptDir, w.File)}.read()
		if err != nil {
			return nil, err
		}
		r.Units = append(r.Units,
			UnitRun{Set: sessionUnits, ID: w.File, Labels: w.Session, Got: sureCategories(entries, o)},
			UnitRun{Set: endUnits, ID: w.File, Labels: w.Tail50,
				Got: sureCategories(lastOf(entries, lastMessages), o)})
	}
	return r, nil
}

// lastOf returns the entries from the n-th message on, counted from the end.
func lastOf(entries []transcript.Entry, n int) []transcript.Entry {
	for i := len(entries) - 1; i >= 0; i-- {
		if len(session.Passages(entries[i:i+1])) > 0 {
			if n--; n == 0 {
				return entries[i:]
			}
		}
	}
	return entries
}

// sureCategories returns the categories of which something sure is heard in some entries.
func sureCategories(entries []transcript.Entry, o Options) (got []string) {
	for _, h := range explain.Listen(nil, entries, o.Triage) {
		s := h.Statement
		if s.Level == finding.Sure && s.Category != "" && !slices.Contains(got, string(s.Category)) {
			got = append(got, string(s.Category))
		}
	}
	slices.Sort(got)
	return got
}

// outcome compares what was heard of one category, or of all of them where it is "".
func (u UnitRun) outcome(of memory.Category) (o outcome) {
	for _, c := range textCategories() {
		if of == "" || of == c {
			name := string(c)
			o.add(slices.Contains(u.Got, name), slices.Contains(u.Labels, name),
				slices.Contains(u.Weak, name))
		}
	}
	return o
}

// PrintUnits returns the figures of units as lines of text.
func PrintUnits(r *Result) (lines []string) {
	sets := map[string][]UnitRun{}
	for _, u := range r.Units {
		sets[u.Set] = append(sets[u.Set], u)
		if u.Random {
			sets[u.Set+", drawn by chance"] = append(sets[u.Set+", drawn by chance"], u)
		}
	}
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, fmt.Sprintf("%-*s%6s%7s%7s%7s%7s%7s%7s", labelWidth, set,
			strconv.Itoa(len(sets[set])), "right", "wrong", "missed", "P", "R", "F1"))
		for _, c := range append(textCategories(), "") {
			var o outcome
			for _, u := range sets[set] {
				x := u.outcome(c)
				o.right, o.wrong, o.missed = o.right+x.right, o.wrong+x.wrong, o.missed+x.missed
			}
			name, within := string(c), ""
			if c == "" {
				name = "all"
				within = "  " + between(bounds(func(add func(string, share)) {
					for _, u := range sets[set] {
						add(u.ID, u.outcome("").f1())
					}
				}))
			}
			row := fmt.Sprintf("%-*s%7.0f%7.0f%7.0f%7s%7s%7s%s", labelWidth+6, "  "+name, o.right, o.wrong,
				o.missed, short(o.precision().value()), short(o.recall().value()), short(o.f1().value()),
				within)
			lines = append(lines, strings.TrimRight(row, " "))
		}
	}
	return lines
}

// ListUnits returns, as lines of text, the units in which a category was heard falsely, missed or found.
func ListUnits(r *Result, kind string) (lines []string) {
	for _, u := range r.Units {
		for _, c := range textCategories() {
			o := u.outcome(c)
			if kind == False && o.wrong > 0 || kind == Missed && o.missed > 0 || kind == Hit && o.right > 0 {
				lines = append(lines, line(fmt.Sprintf("%s %s %s %s: %s", u.Set, u.ID, u.By, c, u.Text)))
			}
		}
	}
	return lines
}

// DiffUnits returns, as lines of text, the units of which two runs say other categories.
func DiffUnits(before, after *Result) (lines []string) {
	old := map[[2]string]UnitRun{}
	for _, u := range before.Units {
		old[[2]string{u.Set, u.ID}] = u
	}
	better, worse := 0, 0
	for _, u := range after.Units {
		was, ok := old[[2]string{u.Set, u.ID}]
		if !ok {
			continue
		}
		for _, c := range textCategories() {
			then, now := was.outcome(c), u.outcome(c)
			sign := ""
			switch {
			case now.right > then.right || now.wrong < then.wrong:
				sign, better = "+", better+1
			case now.right < then.right || now.wrong > then.wrong:
				sign, worse = "-", worse+1
			default:
				continue
			}
			lines = append(lines, line(fmt.Sprintf("%s %s %s %s %s: %s", sign, u.Set, u.ID, u.By, c, u.Text)))
		}
	}
	return append(lines, fmt.Sprintf("%d better now, %d worse", better, worse))
}
