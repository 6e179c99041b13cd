package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
)

// ContextsOf returns what drafters read of findings of the journal: one context for each category,
// with what explains each finding and then the statement itself.
func (ca *Capture) ContextsOf(findings []finding.Status) (all []stage.Context) {
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
		c := ca.newContext(sig, strings.Join(excerpts, "\n---\n"))
		c.Snippets = snippets
		all = append(all, c)
	}
	return all
}

// Restage makes the contexts on the desk those of the findings that are to be drafted now. It takes
// out the findings of some numbers and adds what the desk does not have, since the desk may have
// vanished or been full.
func (ca *Capture) Restage(wanted []finding.Status, without []int) error {
	contexts, _ := ca.Desk.Contexts() // one that can't be read is made again
	var lies []int
	for _, c := range contexts {
		left := c.Without(without)
		lies = append(lies, left.Numbers()...)
		var err error
		switch {
		case len(left.Snippets) == len(c.Snippets):
			continue
		case len(left.Snippets) == 0:
			_, err = ca.Desk.Remove(c.Name())
		default:
			err = ca.Desk.Write(c.Name(), left.Encode())
		}
		if err != nil {
			return err
		}
	}
	missing := slices.DeleteFunc(slices.Clone(wanted),
		func(f finding.Status) bool { return slices.Contains(lies, f.Number) })
	for _, c := range ca.ContextsOf(missing) {
		if err := ca.Desk.Put(c); err != nil {
			return err
		}
	}
	return nil
}

// Remake makes the desk again where it vanished after this session was told of what lay there, as a
// logout does. It returns the findings that lie there now. It leaves a desk alone that has contexts
// or a plan, or that a save has just cleared. What has a draft is not drafted once more.
func (ca *Capture) Remake(book *finding.Book) ([]finding.Status, error) {
	names, err := ca.Desk.Files()
	if err != nil || ca.State.Applied {
		return nil, err
	}
	for _, name := range names {
		if strings.HasPrefix(name, "context-") || name == stage.TriageName || name == stage.PlanName {
			return nil, nil
		}
	}
	drafts, err := ca.Desk.Intents()
	if err != nil {
		return nil, err
	}
	lost := book.Each(func(f finding.Status) bool {
		return f.State == finding.Offered && f.Told == ca.ID && f.Category != "" && f.Text != "" &&
			!slices.ContainsFunc(drafts, func(d stage.Intent) bool { return d.Category == f.Category })
	})
	if len(lost) == 0 {
		return nil, nil
	}
	if err := ca.moveDesk(); err != nil {
		return nil, err
	}
	return lost, ca.Restage(lost, nil)
}

// moveDesk gives the session another desk if the base folder of its desk is gone. After another login the
// base folder may be another one.
func (fl *InFlight) moveDesk() error {
	if _, err := os.Lstat(filepath.Dir(filepath.Dir(fl.Desk.Dir))); !errors.Is(err, fs.ErrNotExist) {
		return nil // anything else that is wrong shows when the desk is written
	}
	desk, tier, err := fl.Dirs.Desk(fl.Place.Home, fl.ID)
	if err != nil {
		return err
	}
	fl.Desk.Dir, fl.tier = desk, tier
	return fl.Update(func(*stage.State) error { return nil }) // Update writes the desk's path
}

// excerptOf returns what was said around a finding, in the form in which triage.Excerpt prints a
// conversation.
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

// maxNear is how many memories are named beside a finding. nearRead is how many are read to find
// them: the nearest by the search index, since a hook reads them for each of up to five findings.
const (
	maxNear  = 2
	nearRead = 12
)

// Near calls see with the ids of the memories that each finding may be about, nearest first. Held
// memories are left out, since an id is made of a title.
func (ca *Capture) Near(findings []finding.Status, see func(i int, ids []string)) error {
	return ca.NearMemories(findings, func(i int, near []memory.Stored) {
		var ids []string
		for _, m := range near {
			ids = append(ids, m.ID)
		}
		see(i, ids)
	})
}

// NearMemories is Near with the memories themselves.
func (ca *Capture) NearMemories(findings []finding.Status, see func(i int, near []memory.Stored)) error {
	if len(findings) == 0 {
		return nil
	}
	st := ca.Store()
	read := map[string]memory.Stored{} // by path; one that is not to be told is the zero memory
	return ca.Index(func(index *records.Index) error {
		for i, f := range findings {
			if f.Category == memory.SessionSummary {
				continue
			}
			hits, err := index.Similar(memory.Record{Category: f.Category, Title: f.Text}, nearRead, false)
			if err != nil {
				return err
			}
			var existing []memory.Stored
			for _, h := range hits {
				m, known := read[h.Path]
				if !known {
					// Where it can't be read the index is older than the store.
					if r, err := st.Read(h.Path); err == nil && !ca.TrustOf(r).Held {
						m = r
					}
					read[h.Path] = m
				}
				existing = append(existing, m)
			}
			see(i, alike.Related(f.Category, []string{f.Text}, existing, maxNear))
		}
		return nil
	})
}
