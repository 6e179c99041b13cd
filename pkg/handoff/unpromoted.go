package handoff

import (
	"context"
	"fmt"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/secret"
)

// Unpromoted is something that could be promoted.
type Unpromoted struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`         // note or candidate
	Source string `json:"source"`       // file:line below the project's folder
	At     string `json:"at,omitempty"` // RFC 3339
	Text   string `json:"text"`         // on one line, redacted
}

// Unpromoted returns what is not promoted, the oldest first: notes, then candidates, and how many
// notes are. A note that a candidate was made from is listed as that candidate.
func (l Look) Unpromoted(ctx context.Context) (all []Unpromoted, promoted int, err error) {
	// One file that can't be read, which Standing names, keeps back no other.
	notes, promoted, err := l.Notes(ctx)
	if err != nil && len(notes)+promoted == 0 {
		return nil, 0, err
	}
	for _, n := range notes {
		u := Unpromoted{ID: n.ID(), Kind: "note", Source: fmt.Sprintf("%s:%d", n.Path, n.Line),
			Text: brief.Line(secret.Redact(n.Text))}
		if !n.At.IsZero() {
			u.At = n.At.Format(time.RFC3339)
		}
		all = append(all, u)
	}
	candidates, err := l.Inbox().All()
	if err != nil {
		return nil, 0, err
	}
	for _, p := range candidates {
		if p.Open() {
			// Promoting a candidate answers the note that it was made from.
			all = slices.DeleteFunc(all, func(u Unpromoted) bool { return u.ID == p.Entry })
			all = append(all, Unpromoted{p.ID, "candidate", p.Source, p.Filed.Format(time.RFC3339),
				brief.Line(secret.Redact(p.Text))})
		}
	}
	return all, promoted, nil
}
