// Package exchange brings memories in from elsewhere and gives them out in other
// forms. What a source has are offers: the records of another store or of an
// export, and what package reading makes of Markdown. Plan turns offers into edits.
// An import only ever adds.
//
// The package does no I/O and reads no clock.
package exchange

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// Origin is the provenance of a record that was imported from a source that
// does not say where its memories came from.
const Origin = "import"

// NotRecorded stands in a required field about which a source says nothing.
const NotRecorded = "Not recorded."

// An Offer is a record that a source has.
type Offer struct {
	memory.Record
	From  string   `json:"from"`            // where in the source: a file name, or a file and line
	Notes []string `json:"notes,omitempty"` // what was decided about it on the way
}

// Passed is something in a source that is not offered.
type Passed struct {
	From string `json:"from"`
	Why  string `json:"why"`
}

// State is what is done with an offer.
type State string

// The states. A record that is there already is never changed.
const (
	Create   State = "create"
	Nothing  State = "nothing"
	Rejected State = "rejected"
)

// Outcome is what is done with one offer, and why.
type Outcome struct {
	From     string          `json:"from"`
	Category memory.Category `json:"category"`
	State    State           `json:"state"`
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Path     string          `json:"path,omitempty"` // of the record that is made, or that says the same
	Reason   string          `json:"reason,omitempty"`
	Notes    []string        `json:"notes,omitempty"`
}

// Plan returns the plan that creates records from offers, and the outcome of each offer in order. No
// record is made of an offer that says the same as a record of any status, so that retired ones do not
// come back, or of which a later version is here. If a name is taken by another record, or by a path in
// taken, which cannot be read, the new record gets a number.
func Plan(offers []Offer, existing []memory.Stored, taken []string) (plan.Plan, []Outcome) {
	b := builder{byPath: map[string]memory.Record{}, bySaying: map[string]string{}}
	for _, r := range existing {
		b.add(r.Record)
	}
	for _, path := range taken {
		b.byPath[strings.ToLower(path)] = memory.Record{}
	}
	p := plan.Plan{Version: plan.Version}
	outcomes := make([]Outcome, len(offers))
	for i, o := range offers {
		outcomes[i] = b.place(&o)
		if outcomes[i].State == Create {
			p.Edits = append(p.Edits, plan.Edit{
				Path: outcomes[i].Path, Verb: plan.Create, After: o.Encode(), Category: string(o.Category),
				Title: o.Title,
			})
		}
	}
	return p, outcomes
}

// builder knows what is there and what the plan adds.
type builder struct {
	byPath   map[string]memory.Record // by path in lower case: a file system may fold it
	bySaying map[string]string        // path of the record that says it
}

func (b *builder) add(r memory.Record) {
	path := memory.Path(r.Category, r.ID)
	b.byPath[strings.ToLower(path)] = r
	if s := saying(r); b.bySaying[s] == "" {
		b.bySaying[s] = path
	}
}

// maxNumber bounds how many records of one name are tried.
const maxNumber = 1000

// place finds the path of an offer, and gives it the id that goes with it.
func (b *builder) place(o *Offer) Outcome {
	out := Outcome{From: o.From, Category: o.Category, State: Nothing, ID: o.ID, Title: o.Title,
		Notes: o.Notes}
	if path := b.bySaying[saying(o.Record)]; path != "" {
		out.Path, out.Reason = path, "is here already"
		if b.byPath[strings.ToLower(path)].Status != o.Status {
			out.Reason += ", " + string(b.byPath[strings.ToLower(path)].Status)
		}
		return out
	}
	if err := o.Validate(); err != nil {
		out.State, out.Reason = Rejected, err.Error()
		return out
	}
	id := o.ID
	for n := 2; n <= maxNumber; n++ {
		path := memory.Path(o.Category, o.ID)
		there, isTaken := b.byPath[strings.ToLower(path)]
		if !isTaken {
			if o.ID != id {
				out.Notes = append(slices.Clone(out.Notes),
					fmt.Sprintf("%s is the name of another memory here", id))
			}
			b.add(o.Record)
			out.State, out.Path, out.ID = Create, path, o.ID
			return out
		}
		if wentOn(there, o.Record) {
			out.Path, out.Reason = path, "is here already, and was updated since"
			return out
		}
		o.ID = numbered(id, n)
	}
	out.State, out.Reason = Rejected, fmt.Sprintf("%d memories here have its name", maxNumber)
	return out
}

// saying returns a key for the content of a record. It is the same for records that differ only in dates,
// history and origin.
func saying(r memory.Record) string {
	tags := slices.Clone(r.Tags)
	slices.Sort(tags)
	return string(memory.Record{Category: r.Category, Title: r.Title, Tags: tags,
		Content: r.Content}.Encode())
}

// wentOn reports whether ours is a later version of theirs: created at the same time, and with all of its
// history and more.
func wentOn(ours, theirs memory.Record) bool {
	if ours.Category != theirs.Category || ours.CreatedAt != theirs.CreatedAt ||
		len(ours.Changes) <= len(theirs.Changes) && len(ours.Changes) < memory.MaxChanges {
		return false
	}
	m, err := memory.Merge(nil, ours, theirs)
	return err == nil && ours.TimesUpdated >= theirs.TimesUpdated && len(m.Changes) == len(ours.Changes)
}

// numbered returns the n-th id for a name.
func numbered(id string, n int) string {
	end := fmt.Sprintf("-%d", n)
	for len(id)+len(end) > memory.MaxIDBytes || len([]rune(id))+len(end) > memory.MaxID {
		r := []rune(id)
		id = strings.TrimRight(string(r[:len(r)-1]), "-")
	}
	return id + end
}

// FromStore returns the offer of a record of another store, with its history and its status. If the
// record has no origin, it becomes an import. Tags and changes beyond what may be written are dropped.
func FromStore(r memory.Stored) Offer {
	o := Offer{Record: r.Record, From: r.Path}
	if o.Provenance == nil {
		o.Provenance = &memory.Provenance{Origin: Origin}
	}
	if len(o.Tags) > memory.MaxTags {
		o.Tags = memory.CleanTags(o.Tags)
		o.Notes = append(o.Notes, fmt.Sprintf("%d of its %d tags are kept", len(o.Tags), len(r.Tags)))
	}
	if n := len(o.Changes); n > memory.MaxChanges {
		o.Changes = memory.AppendChanges(o.Changes)
		o.Notes = append(o.Notes, fmt.Sprintf("the last %d of its %d changes are kept", memory.MaxChanges, n))
	}
	return o
}
