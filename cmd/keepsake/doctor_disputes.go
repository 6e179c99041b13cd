package main

import (
	"fmt"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/session"
	"keepsake/pkg/store"
)

// A dispute is two active memories that make opposed choices.
type dispute struct {
	Newer string `json:"newer"` // below the store's root
	Older string `json:"older"`
	Says  string `json:"says"` // the older one's title
}

// line is the dispute as a person reads it.
func (d dispute) line() string {
	return fmt.Sprintf("%s and %s say opposite things, and only the newer is recalled", brief.Line(d.Newer),
		brief.Line(d.Older))
}

// remedy is the command that ends the dispute.
func (d dispute) remedy() string {
	return "keepsake forget " + brief.ShellWord(d.Older) + ", or keepsake forget " + brief.ShellWord(d.Newer)
}

// disputes are the memories of a project that say the opposite of another one.
func disputes(s *session.Session, loaded store.Loaded) (all []dispute) {
	var active []memory.Stored
	for _, r := range loaded.Records {
		if r.Status == memory.Active && !s.TrustOf(r).Held {
			active = append(active, r)
		}
	}
	keep, told := resolve.Disputed(active)
	for _, r := range keep {
		for _, d := range told[r.Path] {
			all = append(all, dispute{r.Path, d.Path, d.Title})
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
