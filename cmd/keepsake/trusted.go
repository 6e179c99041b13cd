package main

import (
	"maps"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/origin"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/resolve"
	"keepsake/pkg/session"
)

// judge computes of each record that drafts write whose words it has. It is asked
// before the plan is applied: of an update only what changes is looked at.
func judge(s *session.Session, p planFile) (map[string]session.Judged, error) {
	drafted := func(path string) []draft {
		return slices.DeleteFunc(slices.Clone(p.Drafts), func(d draft) bool {
			return d.Path != path || d.State != resolve.Create && d.State != resolve.Update
		})
	}
	book, err := s.Whole()
	if err != nil && book.Len() == 0 {
		return nil, err
	}
	sessions := append([]string{s.ID}, s.State.Claimed...)
	for _, f := range named(book, coveredBy(p.Drafts)) {
		if !slices.Contains(sessions, f.Session) {
			sessions = append(sessions, f.Session)
		}
	}
	evidence, err := s.Evidence(book, sessions, committed(s.Root))
	if err != nil {
		return nil, err
	}
	st := s.Store()
	all := map[string]session.Judged{}
	for _, e := range p.Plan.Edits {
		drafts := drafted(e.Path)
		if e.After == nil || len(drafts) == 0 {
			continue
		}
		r, err := memory.Decode(e.After)
		if err != nil {
			return nil, err
		}
		fields := origin.Fields(r)
		maps.DeleteFunc(fields, func(_, text string) bool { return text == resolve.Unsaid }) // nobody's words
		if e.Before != "" {
			if old, err := st.Read(e.Path); err == nil {
				for name, text := range origin.Fields(old.Record) {
					if fields[name] == text {
						delete(fields, name)
					}
				}
			}
		}
		var cited []origin.Cited
		var numbers []int
		covered := named(book, coveredBy(drafts))
		untyped := s.NotTyped(covered)
		for _, f := range covered {
			if f.Text != "" {
				from := f.Origin
				if slices.Contains(untyped, f.Number) {
					from = finding.NoOrigin
				}
				cited = append(cited, origin.Cited{Text: f.Text, By: f.By, Origin: from,
					Context: f.Context})
				numbers = append(numbers, f.Number)
			}
		}
		evidence.Settle(slices.Collect(maps.Values(fields))...)
		for _, f := range cited {
			if f.By == finding.Chosen {
				evidence.Settle(f.Text)
			}
		}
		v := origin.Draft(fields, cited, evidence.Evidence)
		if r.Category == memory.SessionSummary && len(cited) == 0 {
			v = origin.Summary(fields, evidence.Evidence)
		}
		all[e.Path] = session.Judged{Origin: v.Origin, Quotes: v.Quotes, Agent: v.Agent,
			Findings: numbers, Why: v.Why}
	}
	return all, nil
}

// coveredBy are the numbers of the findings that drafts take up.
func coveredBy(drafts []draft) (numbers []int) {
	for _, d := range drafts {
		numbers = append(numbers, d.Covers...)
	}
	return numbers
}

// sayHeld tells of records that are saved and wait for a person's yes.
func sayHeld(c *call, p plan.Plan, judged map[string]session.Judged) {
	for _, e := range p.Edits {
		if j, ok := judged[e.Path]; ok && j.Why != "" {
			c.line("held until the person says yes to it (keepsake review, in a terminal): %s: %s",
				brief.Line(e.Path), brief.Line(j.Why))
		}
	}
}

// marked says in a list whose words a memory has, "" where there is nothing to say.
func marked(t session.TrustLevel) string {
	switch {
	case t.Held:
		return "held: " + brief.Line(t.Why)
	case t.Known() && t.Origin == finding.FromAgent && !t.Accepted():
		return "said by the agent"
	case t.Accepted():
		return "accepted by the user"
	}
	return ""
}
