package main

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/session"
	"keepsake/pkg/store"
)

// A dispute is two active memories that make opposed choices, or one that the person turned
// against.
type dispute struct {
	Newer string `json:"newer"` // below the store's root; or "#" and the number of what was said
	Older string `json:"older"`
	Says  string `json:"says"` // the older one's title; or what the person said
}

// line is the dispute as a person reads it.
func (d dispute) line() string {
	if _, heard := strings.CutPrefix(d.Newer, "#"); heard {
		return fmt.Sprintf("you turned against %s, and it is recalled, marked as disputed, until that is "+
			"settled: %q",
			brief.Line(d.Older), cut(brief.Line(d.Says), disputeRunes))
	}
	return fmt.Sprintf("%s and %s say opposite things, and only the newer is recalled", brief.Line(d.Newer),
		brief.Line(d.Older))
}

// remedy is the command that ends the dispute.
func (d dispute) remedy() string {
	if number, heard := strings.CutPrefix(d.Newer, "#"); heard {
		return "keepsake forget " + brief.ShellWord(d.Older) + ", keepsake inbox approve " + number +
			" to save what you said in its place, or keepsake inbox reject " + number + " to keep it"
	}
	return "keepsake forget " + brief.ShellWord(d.Older) + ", or keepsake forget " + brief.ShellWord(d.Newer)
}

// disputeRunes bounds what somebody said in a line about it.
const disputeRunes = 120

// disputes are the memories of a project that say the opposite of another one, and those
// that the person turned against.
func disputes(s *session.Session, loaded store.Loaded) (all []dispute) {
	var active []memory.Stored
	for _, r := range loaded.Records {
		if r.Status == memory.Active && !s.TrustOf(r).Held {
			active = append(active, r)
		}
	}
	keep, told := resolve.Disputed(active, quotesOf(s))
	for _, r := range keep {
		for _, d := range told[r.Path] {
			all = append(all, dispute{r.Path, d.Path, d.Title})
		}
	}
	book, _ := s.Book() // what can't be read of it is told with what waits
	for _, f := range session.TurnedAgainst(book) {
		if slices.ContainsFunc(active, func(r memory.Stored) bool { return r.Path == f.Target }) {
			all = append(all, dispute{session.FindingPath(f.Number), f.Target, f.Text})
		}
	}
	return all
}

func checkDisputes(p patient) []diagnosis {
	loaded, err := p.Store().Load()
	if err != nil {
		return nil // the check of the store says why
	}
	var out []diagnosis
	for _, d := range disputes(p.Session, loaded) {
		out = append(out, diagnosis{State: noted, What: d.line(), Remedy: d.remedy()})
	}
	if len(out) == 0 {
		out = []diagnosis{{What: "no two memories contradict each other"}}
	}
	return out
}
