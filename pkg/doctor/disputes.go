package doctor

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

// Dispute is two active memories that make opposed choices, or one that the person turned
// against.
type Dispute struct {
	ID    string `json:"id,omitempty"` // of the two as they are now; "" for one that the person turned against
	Newer string `json:"newer"`        // below the store's root; or "#" and the number of what was said
	Older string `json:"older"`
	Says  string `json:"says"` // the older one's title; or what the person said
}

// Line returns the dispute as a person reads it.
func (d Dispute) Line() string {
	if strings.HasPrefix(d.Newer, "#") {
		return fmt.Sprintf("you turned against %s, and it is recalled, marked as disputed, until that is "+
			"settled: %q", brief.Line(d.Older), text.Shorten(brief.Line(d.Says), disputeRunes))
	}
	return fmt.Sprintf("%s and %s say opposite things: where both count only the newer is recalled",
		brief.Line(d.Newer), brief.Line(d.Older))
}

// Remedy returns the commands that end the dispute.
func (d Dispute) Remedy() string {
	if number, heard := strings.CutPrefix(d.Newer, "#"); heard {
		return "keepsake forget " + brief.ShellWord(d.Older) + ", keepsake inbox approve " + number +
			" to save what you said in its place, or keepsake inbox reject " + number + " to keep it"
	}
	return "keepsake forget " + brief.ShellWord(d.Older) + ", keepsake forget " + brief.ShellWord(d.Newer) +
		", or where both hold keepsake inbox reject " + d.ID
}

// DisputeID returns the id of the question which of two memories holds, in any order. Other bytes are another
// question.
func DisputeID(a, b memory.Stored) string {
	if b.Path < a.Path {
		a, b = b, a
	}
	return "o" + text.ShortID(a.Path+"\x00"+a.Digest+"\x00"+b.Path+"\x00"+b.Digest, 5)
}

// disputeRunes bounds what somebody said in a line about it.
const disputeRunes = 120

// Disputes returns the memories of a project that say the opposite of another one, and those that the person
// turned against. partly is how many memories were compared only with those most like them, since there are
// too many.
func Disputes(s *session.Session, loaded store.Loaded) (all []Dispute, partly int) {
	var active []memory.Stored
	for _, r := range loaded.Records {
		if r.Status == memory.Active && !s.TrustOf(r).Held {
			active = append(active, r)
		}
	}
	keep, told, partly := s.Disputed(active)
	for _, r := range keep {
		for _, d := range told[r.Path] {
			older := slices.IndexFunc(active, func(r memory.Stored) bool { return r.Path == d.Path })
			all = append(all, Dispute{DisputeID(r, active[older]), r.Path, d.Path, d.Title})
		}
	}
	book, _ := s.Book() // what can't be read of it is told with what waits
	for _, f := range session.TurnedAgainst(book) {
		if slices.ContainsFunc(active, func(r memory.Stored) bool { return r.Path == f.Target }) {
			all = append(all, Dispute{"", session.FindingPath(f.Number), f.Target, f.Text})
		}
	}
	return all, partly
}

// ComparedPartly returns a line about memories that were compared only with those most like them.
func ComparedPartly(n int) string {
	return text.Count(n, "memory") + " of many were compared only with those most like them"
}

func checkDisputes(p Patient, r *report) {
	loaded, err := p.Store().Load()
	if err != nil {
		return // the check of the store says why
	}
	all, partly := Disputes(p.Session, loaded)
	for _, d := range all {
		r.note(d.Remedy(), "%s", d.Line())
	}
	switch {
	case partly > 0:
		r.ok("%s", ComparedPartly(partly))
	case len(r.found) == 0:
		r.ok("no two memories contradict each other")
	}
}
