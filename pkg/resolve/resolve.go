// Package resolve turns drafts into a plan: what drafting agents left on the
// stage, held against the memories that exist, becomes create, update, retire or
// nothing.
//
// Every draft ends in exactly one Outcome. A record is updated only on strong
// identity, the id that the draft names or a high similarity of title, tags and
// text; in doubt a new record is made, since two records can be merged later and
// an overwritten one is missed. The package is pure.
package resolve

import (
	"errors"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// Draft is what one drafting agent proposes, coerced by ParseDraft.
type Draft struct {
	Category      memory.Category
	Summary       string   // what is new, in a sentence or three
	Intended      string   // "create", "update", "delete", or "" when the draft does not say
	Target        string   // the id of the record it is about, "" when it names none
	Hints         []string // resolved, removed, reversed, superseded, deprecated
	Noop          bool     // nothing worth keeping; all but NoopReason and Category is empty
	NoopReason    string
	Title         string
	Tags          []string
	Confidence    *float64
	RelatedFiles  []string
	ChangeSummary string
	Content       memory.Content // only what the draft said; defaults are not filled in
	Origin        string         // the draft's own word for who made it: "extractive" (see Extract), "" for a drafter
}

// State is how a draft ended.
type State string

// The states. Rejected drafts are invalid, or not allowed; the caller keeps
// their payload.
const (
	Create   State = "create"
	Update   State = "update"
	Retire   State = "retire"
	Nothing  State = "nothing"
	Rejected State = "rejected"
)

// Outcome is the end of one draft.
type Outcome struct {
	Category memory.Category `json:"category"`
	State    State           `json:"state"`
	ID       string          `json:"id,omitempty"`    // of the record that is written, or that said it already
	Title    string          `json:"title,omitempty"` // of the record, or of the draft
	Path     string          `json:"path,omitempty"`  // below the store's root
	Reason   string          `json:"reason,omitempty"`
	Notes    []string        `json:"notes,omitempty"` // what was decided on the way
}

// Input is all that Drafts looks at.
type Input struct {
	Drafts     []Draft
	Existing   []memory.Stored    // of all statuses
	Taken      []string           // paths that hold something unreadable: new records go beside it
	Now        time.Time          // becomes created_at, updated_at and the date of changes
	Provenance *memory.Provenance // put on every record that is written; nil for none
}

// Drafts works out what the drafts do to the memories that exist. There is one
// outcome per draft, in the same order. Several drafts that hit one record are
// applied one after the other and give one edit.
func Drafts(in Input) (plan.Plan, []Outcome) {
	out := make([]Outcome, len(in.Drafts))
	for i, d := range in.Drafts {
		out[i] = Outcome{Category: d.Category, State: Rejected, Title: d.Title, Reason: "resolving is being built"}
	}
	return plan.Plan{Version: plan.Version}, out
}

// Candidate is a record that a draft may be about.
type Candidate struct {
	ID, Path, Title string
	Score           float64 // 0 to 1
	Same            bool    // strong enough to update without being named
}

// Candidates returns up to n active records of the draft's category, the most
// similar first.
func Candidates(d Draft, existing []memory.Stored, n int) []Candidate { return nil }

// ParseDraft reads what a drafting agent wrote.
func ParseDraft(b []byte, want memory.Category) (d Draft, notes []string, err error) {
	return Draft{}, nil, errors.New("parsing is being built")
}
