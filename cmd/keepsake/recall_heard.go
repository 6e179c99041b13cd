package main

import (
	"fmt"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
	"keepsake/pkg/session"
)

// sourceHeard is the source of what was said and nobody has written up.
const sourceHeard = "heard"

// said looks into what was said and nobody has written up yet. What is only a candidate
// is weak, and so is what has too little of the question, which is told where there is
// nothing better.
func (a *answer) said(only memory.Category) error {
	book, err := a.Book()
	if err != nil && book.Len() == 0 {
		return failed(err)
	}
	if err != nil {
		a.note("%s", brief.Line(err.Error()))
	}
	waiting := book.Waiting()
	if only != "" {
		waiting = book.Each(func(f finding.Status) bool { return f.State.Waits() && f.Category == only })
	}
	hits, err := session.SearchFindings(waiting, recall.Query{Text: a.text, Limit: len(waiting)})
	denied := session.Denied(book)
	for _, h := range hits {
		r := recalled{
			Category: h.Category, Path: session.FindingPath(h.Number), Tags: []string{},
			Snippet:   cut(brief.Line(h.Text), snippetRunes),
			UpdatedAt: h.Time.Format(time.RFC3339), Score: h.Score, Source: sourceHeard,
			By: string(speakerOf(h.Finding)), said: whoSaid(h.Finding),
			Weak: h.Score < recall.Floor || h.Level != finding.Sure, Denied: denied[h.Number],
		}
		switch {
		case r.Weak || r.Denied:
			r.Weak = true
			a.heardWeak = append(a.heardWeak, r)
		default:
			a.heard = append(a.heard, r)
		}
	}
	if err != nil {
		return failed(err)
	}
	return nil
}

// saidOf adds what the person said of memories that are held and that nobody is told of.
func (a *answer) saidOf(held []session.Found) {
	book, _ := a.Book() // without, a quote is told with less about it
	for _, m := range held {
		for _, quote := range m.Trust.Said() {
			number, who := 0, "said or chosen by the user"
			for _, n := range m.Trust.Findings {
				f, ok := book.Find(n)
				if ok && f.Text == quote {
					number, who = n, whoSaid(f.Finding)
				} else if number == 0 {
					number = n
				}
			}
			r := recalled{
				Category: m.Category, Path: session.FindingPath(number), Tags: []string{},
				Snippet: cut(brief.Line(quote), snippetRunes), UpdatedAt: m.Trust.At.Format(time.RFC3339),
				Score: m.Score, Source: sourceHeard, By: string(finding.Typed), said: who,
				Weak: m.Score < recall.Floor, ofHeld: true,
			}
			list := &a.heard
			if r.Weak {
				list = &a.heardWeak
			}
			if !slices.ContainsFunc(*list, func(x recalled) bool { return x.Snippet == r.Snippet }) {
				*list = append(*list, r)
			}
		}
	}
}

// leaveHeard cuts what is weak of what was said: where there is anything better, what
// has too little of the question goes.
func (a *answer) leaveHeard() {
	if len(a.heard)+len(a.found)+len(a.strong) > 0 {
		a.heardWeak = above(a.heardWeak, recall.Floor)
	}
	a.heardWeak = a.heardWeak[:min(len(a.heardWeak), a.limit)]
}

// above are the results of at least a score; they stand best first.
func above(all []recalled, score float64) []recalled {
	for i, r := range all {
		if r.Score < score {
			return all[:i]
		}
	}
	return all
}

// speakerOf returns who said a finding: what came in as a prompt where nobody sat was a
// program's. An answer to a question of the client's has no mark in older clients, nor
// has what an earlier version left: these are as they were noted.
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

// whoSaid says whose words a finding has, as people are told.
func whoSaid(f finding.Finding) string {
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

// sayHeard prints one statement that nobody has written up.
func (a *answer) sayHeard(r recalled) {
	about := r.said + ", " + day(r.UpdatedAt) + ", not written up"
	if r.ofHeld {
		about = r.said + ", " + day(r.UpdatedAt) + ", the memory of it waits for the user"
	}
	if r.Denied {
		about += "; something said later turns against it"
	}
	a.line("[source: %s] %s (%s)", r.Source, r.Path, about)
	a.line("  %s", fmt.Sprintf("%q", r.Snippet))
}
