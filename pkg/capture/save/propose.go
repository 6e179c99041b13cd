package save

import (
	"fmt"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
)

// Bounds of what agents propose: a text, in bytes, and how many of them wait in a project.
const (
	maxProposal  = 4000
	maxProposals = 50
)

// Propose adds a statement of an agent's to the findings that wait, as one of origin none: no prompt and no
// other agent is told of it, and only the person's yes makes a memory of it. as is its category; "" has its
// words decide. If a memory or a file that the client loads says it already, known is its path, and nothing
// is added.
func (w *Saver) Propose(text string, as memory.Category) (f finding.Finding, known string, err error) {
	switch kinds := secret.Kinds(text); {
	case len(kinds) > 0:
		return f, "", fmt.Errorf("it holds a secret (%s); leave it out", kinds[0])
	case len(text) > maxProposal:
		return f, "", fmt.Errorf("it has %d bytes, and %d is the most; propose one statement at a time",
			len(text), maxProposal)
	}
	f = w.Wanted(text, as, session.Proposed, w.Now())
	f.Origin, f.Level, f.Explicit, f.Score = finding.NoOrigin, finding.Candidate, false, 0
	f.Branch, f.Commit = w.Head(w.Cwd)
	if _, ok := draft.Extract(f.Category, []string{f.Text}, draft.Quoted, w.Now()); !ok {
		return f, "", fmt.Errorf("%q says nothing that could be remembered", brief.Line(text))
	}
	book, err := w.Book()
	if err != nil {
		return f, "", err
	}
	waits := book.Each(func(x finding.Status) bool { return x.State.Waits() && x.Cue == session.Proposed })
	if len(waits) >= maxProposals {
		return f, "", fmt.Errorf("%d proposals wait for the user already, who answers them with keepsake "+
			"review",
			len(waits))
	}
	err = w.KnownAs([]finding.Finding{f}, func(_ finding.Finding, to string) { known = to })
	if err != nil || known != "" {
		return f, known, err
	}
	noted, err := w.NoteFindings([]finding.Finding{f}, w.Now().UTC())
	if err == nil && len(noted) == 0 {
		err = fmt.Errorf("it was proposed or said before, and the answer was no")
	}
	if err != nil {
		return f, "", err
	}
	return noted[0], "", nil
}
