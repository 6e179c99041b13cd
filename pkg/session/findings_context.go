package session

import (
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
	"keepsake/pkg/resolve"
	"keepsake/pkg/stage"
	"keepsake/pkg/triage"
)

// ContextsOf returns what drafters read of findings of the journal, one context for
// each category: what explains each, then the statement itself.
func (s *Session) ContextsOf(findings []finding.Status) (all []stage.Context) {
	for _, cat := range memory.Categories() {
		sig := triage.Signal{Category: cat}
		var excerpts []string
		var snippets []stage.Snippet
		for _, f := range findings {
			if f.Category != cat || f.Text == "" {
				continue
			}
			sig.Score = max(sig.Score, f.Score)
			excerpts = append(excerpts, excerptOf(f.Finding))
			snippets = append(snippets, stage.Snippet{Number: f.Number, Text: f.Text})
		}
		if len(snippets) == 0 {
			continue
		}
		c := s.context(sig, strings.Join(excerpts, "\n---\n"))
		c.Snippets = snippets
		all = append(all, c)
	}
	return all
}

// excerptOf is what was said around a finding, as triage.Excerpt has a conversation.
func excerptOf(f finding.Finding) string {
	var b strings.Builder
	say := func(by finding.Speaker, role finding.Role, text string) {
		who := "[assistant]"
		switch {
		case by.Person():
			who = "[user]"
		case by == finding.Program:
			who = "[program]"
		}
		if role != finding.Said {
			who += " (" + string(role) + ")"
		}
		b.WriteString(who + "\n" + text + "\n")
	}
	for _, l := range f.Context {
		say(l.By, l.Role, l.Text)
	}
	say(f.By, finding.Said, f.Text)
	return strings.TrimSuffix(b.String(), "\n")
}

// maxNear is how many memories are named beside a finding.
const maxNear = 2

// Near calls see with the ids of the memories that each finding may be about, nearest
// first.
func (s *Session) Near(findings []finding.Status, see func(i int, ids []string)) error {
	if len(findings) == 0 {
		return nil
	}
	st := s.Store()
	return s.Index(func(index *recall.Index) error {
		for i, f := range findings {
			if f.Category == memory.SessionSummary {
				continue
			}
			near, err := nearby(index, stage.Context{Category: f.Category,
				Snippets: []stage.Snippet{{Text: f.Text}}})
			if err != nil {
				return err
			}
			var existing []memory.Stored
			for _, e := range near {
				if m, err := st.Read(e.Path); err == nil { // else the index is older than the store
					existing = append(existing, m)
				}
			}
			var ids []string
			for _, m := range resolve.Related(f.Category, []string{f.Text}, existing, maxNear) {
				ids = append(ids, m.ID)
			}
			see(i, ids)
		}
		return nil
	})
}
