package eval

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/text"
)

// What a list holds.
const (
	False  = "false"  // candidates that state no item
	Missed = "missed" // items that no candidate states
	Hit    = "found"  // items that a candidate states, with it
)

// listed is how many characters of a text a list shows.
const listed = 200

// List returns, as lines of text, one kind of what the best candidates of each session are right or wrong
// about. With top 0 only sure ones count.
func List(r *Result, kind string, top int) (lines []string) {
	at := columnOf(top)
	for i := range r.Sessions {
		s := &r.Sessions[i]
		found := s.foundItems(at)
		for _, f := range s.candidates(at) {
			states, counts := s.judged(f)
			if kind == False && !states && counts {
				lines = append(lines, fmt.Sprintf("%s %s", s.File, f))
			}
			for _, n := range f.States {
				if kind == Hit && s.Items[n].Counts() {
					lines = append(lines, fmt.Sprintf("%s %s", s.File, s.Items[n]), "    by "+f.String())
				}
			}
		}
		for n, item := range s.Items {
			if kind == Missed && item.Counts() && !found[n] {
				lines = append(lines, fmt.Sprintf("%s %s", s.File, item))
			}
		}
	}
	return lines
}

// columnOf returns where candidates are counted for a number that a person gave.
func columnOf(top int) int {
	if top <= 0 {
		return atSure
	}
	return top
}

// String returns an item as one line of a list.
func (i Item) String() string {
	return fmt.Sprintf("line %d %s %s %s: %s", i.Line, i.Category, i.Form, i.By, line(i.Quote))
}

// String returns a finding as one line of a list.
func (f Found) String() string {
	of := f.Category
	if f.Moment != "" {
		of = f.Moment
	}
	return fmt.Sprintf("line %s %s %.2f %s %s (%s): %s", strings.Trim(fmt.Sprint(f.Lines), "[]"), of, f.Score,
		f.Level, f.By, f.Cue, line(f.Text))
}

func line(s string) string { return text.Shorten(text.OneLine(s), listed) }

// Diff returns, as lines of text, which items one run found and another did not, by the best candidates of
// each session. Only sessions that both have count.
func Diff(before, after *Result, top int) (lines []string) {
	at := columnOf(top)
	old := map[string]*SessionRun{}
	for i := range before.Sessions {
		old[bySession(&before.Sessions[i])] = &before.Sessions[i]
	}
	both, gained, lost := 0, 0, 0
	for i := range after.Sessions {
		s := &after.Sessions[i]
		was, ok := old[bySession(s)]
		if !ok || !slices.EqualFunc(was.Items, s.Items,
			func(a, b Item) bool { return a.Quote == b.Quote && a.Line == b.Line }) {
			continue
		}
		both++
		then, now := was.foundItems(at), s.foundItems(at)
		for n, item := range s.Items {
			switch {
			case !item.Counts() || then[n] == now[n]:
				continue
			case now[n]:
				gained++
				lines = append(lines, fmt.Sprintf("+ %s %s", s.File, item),
					"      by "+s.stating(n, at).String())
			default:
				lost++
				lines = append(lines, fmt.Sprintf("- %s %s", s.File, item),
					"      was "+was.stating(n, at).String())
			}
		}
	}
	return append(lines, fmt.Sprintf("%s in both: %s found now, %d lost now", text.Count(both, "session"),
		text.Count(gained, "item"), lost))
}

// stating returns the best candidate that states an item.
func (s *SessionRun) stating(item, at int) Found {
	all := s.candidates(at)
	i := slices.IndexFunc(all, func(f Found) bool { return slices.Contains(f.States, item) })
	if i < 0 {
		return Found{}
	}
	return all[i]
}

// shownReasons is how many features of a statement are listed.
const shownReasons = 10

// Explain returns, as lines of text, what the judgement says of one statement and why: what it is taken for,
// then the features that speak most for its category or against it, in log odds.
func Explain(statement string, by transcript.Who, o triage.Options) (lines []string) {
	entries := []transcript.Entry{{Who: transcript.Person, Text: statement}}
	if by == transcript.Assistant {
		entries = []transcript.Entry{{Who: transcript.Person, Text: "Please go on."},
			{Who: transcript.Assistant, Text: statement}}
	}
	last := len(entries) - 1
	for _, h := range explain.Listen(nil, entries, o) {
		if s := h.Statement; h.Entry == last && s.Category != "" {
			lines = append(lines, fmt.Sprintf("%s %.2f %s, threshold %.2f: %s", s.Category, s.Score, s.Level,
				o.Threshold(s.Category), line(s.Text)), fmt.Sprintf("    by %q", s.Cue))
			if s.Explicit {
				lines = append(lines, "    the person asks to have it remembered")
			}
		} else if h.Entry == last {
			lines = append(lines, fmt.Sprintf("%s %.2f %s: %s", s.Moment, s.Score, s.Level, line(s.Text)))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, fmt.Sprintf("no candidate: below %.2f", o.Cut()))
	}
	said := false
	for _, u := range explain.Units(nil, entries, o) {
		if u.Entry != last {
			continue
		}
		said = true
		c, p := score.Shipped().Judge(&u.Input).Worth(o.Off)
		_, reasons := u.Reasons(c)
		lines = append(lines, fmt.Sprintf("the model: %s, worth keeping %.2f: %s", c, p, line(u.Text)))
		for _, r := range reasons[:min(len(reasons), shownReasons)] {
			lines = append(lines, fmt.Sprintf("    %+.2f %s", r.Adds, r.Name))
		}
	}
	if !said {
		return []string{"nothing in it counts"}
	}
	return lines
}
