package answer

import (
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/records"
	"keepsake/pkg/text"
)

// SourceHeard is the source of findings that nobody has written up.
const SourceHeard = "heard"

// said searches the findings that nobody has written up yet. A candidate is a weak result. So is a finding
// with too few words of the question; it is shown if there is nothing better. What nobody vouches for,
// and what keepsake init found, is shown to a person only.
func (a *asked) said(only memory.Category) error {
	book, err := a.Book()
	if err != nil && book.Len() == 0 {
		return err
	}
	if err != nil {
		a.Note("%s", brief.Line(err.Error()))
	}
	waiting := book.Waiting()
	if only != "" {
		waiting = book.Each(func(f finding.Status) bool { return f.State.Waits() && f.Category == only })
	}
	hits, err := session.SearchFindings(waiting, records.Query{Text: a.Text, Limit: len(waiting)})
	denied := session.Denied(book)
	for _, h := range hits {
		if h.PersonOnly() && !a.Person() {
			continue
		}
		r := Result{
			Category: h.Category, Path: session.FindingPath(h.Number), Tags: []string{},
			Snippet:   text.Shorten(brief.Line(h.Text), SnippetRunes),
			UpdatedAt: h.Time.Format(time.RFC3339), Score: h.Score, Source: SourceHeard,
			By: string(speakerOf(h.Finding)), Said: WhoSaid(h.Finding),
			Denied: denied[h.Number],
		}
		r.Weak = h.Score < records.Floor || h.Level != finding.Sure || r.Denied
		a.found = append(a.found, r)
	}
	return err
}

// saidOf adds the person's own words from memories that are held back and shown to nobody.
func (a *asked) saidOf(held []session.Found) {
	book, _ := a.Book() // without the book a quote has fewer details
	for _, m := range held {
		for _, quote := range m.Trust.Said() {
			number, who := 0, "said or chosen by the user"
			for _, n := range m.Trust.Findings {
				f, ok := book.Find(n)
				if ok && f.Text == quote {
					number, who = n, WhoSaid(f.Finding)
				} else if number == 0 {
					number = n
				}
			}
			r := Result{
				Category: m.Category, Path: session.FindingPath(number), Tags: []string{},
				Snippet:   text.Shorten(brief.Line(quote), SnippetRunes),
				UpdatedAt: m.Trust.At.Format(time.RFC3339),
				Score:     m.Score, Source: SourceHeard, By: string(finding.Typed), Said: who,
				Weak: m.Score < records.Floor, OfHeld: true,
			}
			listed := func(x Result) bool { return x.Source == r.Source && x.Snippet == r.Snippet }
			if !slices.ContainsFunc(a.found, listed) {
				a.found = append(a.found, r)
			}
		}
	}
}

// speakerOf returns who said a finding. A prompt from a session that no person sat at is a program's.
// Answers to a question of the client's have no mark in older clients, and neither have findings of an
// earlier version: their speaker stays as it was noted.
func speakerOf(f finding.Finding) finding.Speaker {
	if f.By.Person() && f.Origin != "" && f.Origin != finding.FromPerson && !answersClient(f) &&
		f.Cue != session.Earlier {
		return finding.Program
	}
	return f.By
}

// answersClient reports whether a finding is the answer to a question that the client put,
// or was typed into one.
func answersClient(f finding.Finding) bool {
	return f.Cue == explain.Answered || f.By == finding.Typed &&
		slices.ContainsFunc(f.Context, func(l finding.Line) bool { return l.Role == finding.Answer })
}

// WhoSaid returns who said a finding, in words for people.
func WhoSaid(f finding.Finding) string {
	if f.Imported {
		return whoSaidBefore(f)
	}
	if f.Cue == session.Proposed {
		return "proposed by an agent"
	}
	by := speakerOf(f)
	switch earlier := f.Cue == session.Earlier && f.Origin != finding.FromPerson; {
	case earlier && by == finding.Typed:
		return "from an earlier version, as typed"
	case earlier:
		return "from an earlier version"
	}
	if by.Person() && f.Origin != "" && f.Origin != finding.FromPerson {
		if by == finding.Chosen {
			return "chosen in a question of the client's, unmarked"
		}
		return "typed into a question of the client's, unmarked"
	}
	switch by {
	case finding.Typed:
		return "said by the user"
	case finding.Chosen:
		return "chosen by the user"
	case finding.Program:
		return "said by a program"
	}
	return "said by the agent"
}

// whoSaidBefore returns who said an imported finding, as the transcript has it: nobody can vouch for that any
// more.
func whoSaidBefore(f finding.Finding) string {
	const then = " in an earlier session"
	switch {
	case f.By == finding.Program:
		return "in " + f.Cue
	case f.By.Person() && f.Origin == finding.Tainted:
		return "given by a program" + then
	case f.By == finding.Chosen:
		return "chosen by the user" + then
	case f.By == finding.Typed:
		return "said by the user" + then
	}
	return "said by the agent" + then
}
