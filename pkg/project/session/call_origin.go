package session

import (
	"os"
	"strings"

	"keepsake/pkg/capture/evidence"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/origin"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/rules"
)

// A CallOrigin is whose words a stopped call would keep.
type CallOrigin struct {
	Origin finding.Origin `json:"origin"`        // "" if it can't be told
	Why    string         `json:"why,omitempty"` // why it is neither the person's nor the agent's, in a sentence
}

// String returns in words whose a call's words are.
func (o CallOrigin) String() string {
	switch o.Origin {
	case finding.FromPerson:
		return "your words"
	case finding.FromAgent:
		return "agent's words"
	case finding.Tainted:
		return "FROM OUTSIDE"
	case finding.NoOrigin:
		return "SAID BY NOBODY"
	}
	return "ORIGIN UNKNOWN"
}

// Doubtful reports whether a person should read the call by itself before they approve it: its words came
// from outside, nobody said what in it could do harm, or whose words they are is not known.
func (o CallOrigin) Doubtful() bool {
	return o.Origin != finding.FromPerson && o.Origin != finding.FromAgent
}

// CallOrigins returns for each of the calls whose words it would keep, by what was said in the session that
// asked. All calls are of this project. git, which may be nil, reads what was committed.
func (ca *Capture) CallOrigins(calls []approval.Request, git evidence.Git) []CallOrigin {
	all := make([]CallOrigin, len(calls))
	heard := map[string]*evidence.Evidence{}
	for i, r := range calls {
		e, ok := heard[r.Session]
		if !ok {
			e = ca.EvidenceIn(r.Session, git)
			heard[r.Session] = e
		}
		all[i] = callOrigin(r, e)
	}
	return all
}

// EvidenceIn returns what was said in a session, or nil if its transcript can't be read. git, which may be
// nil, reads what was committed.
func (ca *Capture) EvidenceIn(id string, git evidence.Git) *evidence.Evidence {
	path := ca.transcriptOf(id)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	book, err := ca.Book()
	if err != nil && book.Len() == 0 {
		return nil
	}
	e, err := ca.Evidence(book, []string{id}, git)
	if err != nil {
		return nil
	}
	return e
}

// callOrigin judges one call. The agent words what it keeps, and writes commands by itself: of those only
// what came from outside counts.
func callOrigin(r approval.Request, e *evidence.Evidence) CallOrigin {
	if e == nil {
		return CallOrigin{Why: "what was said in its session can't be read"}
	}
	content := rules.Content(r.Args)
	if strings.TrimSpace(content) == "" {
		return CallOrigin{Why: "it says nothing"}
	}
	e.Settle(content)
	fields := map[string]string{"it": content}
	v := origin.Draft(fields, nil, e.Evidence)
	if v.Origin == finding.FromPerson {
		return CallOrigin{Origin: v.Origin}
	}
	v = origin.Summary(fields, e.Evidence)
	if v.Origin == finding.NoOrigin && r.Cwd != "" && r.Writes == "" {
		return CallOrigin{Origin: finding.FromAgent}
	}
	return CallOrigin{Origin: v.Origin, Why: v.Why}
}
