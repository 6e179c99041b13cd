package finding

import (
	"fmt"
	"slices"
)

// State is what became of a finding.
type State string

// The states.
const (
	Open     State = "open"      // noticed, and nobody was told
	Offered  State = "offered"   // the agent or the person was told, and it is not settled
	Saved    State = "saved"     // a record was made of it
	Merged   State = "merged"    // it went into a record that there was
	Known    State = "known"     // a record or a file has it already
	SetAside State = "set_aside" // not worth keeping, or what it became was taken back
	Rejected State = "rejected"  // the person said no
	Expired  State = "expired"   // nobody took it up in time
)

// States returns all states in the order of a finding's life.
func States() []State {
	return []State{Open, Offered, Saved, Merged, Known, SetAside, Rejected, Expired}
}

// Waits reports whether something is still to become of a finding in the state.
func (s State) Waits() bool { return s == Open || s == Offered }

// Kept reports whether what the finding says is kept somewhere.
func (s State) Kept() bool { return s == Saved || s == Merged || s == Known }

// Act is what changes a finding's state.
type Act string

// The acts.
const (
	Offer    Act = "offer"     // it is shown to somebody
	Save     Act = "save"      // into a new record, which the move names
	Merge    Act = "merge"     // into a record that there was
	Know     Act = "know"      // a record or a file has it
	PutAside Act = "set_aside" // by the agent, a drafter or the person
	Reject   Act = "reject"    // by the person
	Expire   Act = "expire"    // by time
	TakeBack Act = "take_back" // what it became was undone or forgotten
	Reopen   Act = "reopen"    // the file that had it has it no more, or the person took their answer back
	Tell     Act = "tell"      // the person hears that it waits
	Warn     Act = "warn"      // the person hears that it expires soon
)

// A transition is one row of the table.
type transition struct {
	from []State
	act  Act
	to   State
}

var (
	waiting = []State{Open, Offered}
	kept    = []State{Saved, Merged, Known}
	ended   = []State{SetAside, Rejected, Expired}
)

// transitions is the whole life of a finding. What is not in it is refused. A finding whose end was no record
// can still be saved: the person may change their mind, and nobody else is offered it.
var transitions = []transition{
	{waiting, Offer, Offered},
	{slices.Concat(waiting, ended), Save, Saved},
	{slices.Concat(waiting, ended), Merge, Merged},
	{slices.Concat(waiting, ended), Know, Known},
	{waiting, PutAside, SetAside},
	{waiting, Reject, Rejected},
	{waiting, Expire, Expired},
	{kept, TakeBack, SetAside},
	{[]State{Known, SetAside, Rejected}, Reopen, Open},
	{[]State{Open}, Tell, Open},
	{[]State{Offered}, Tell, Offered},
	{[]State{Open}, Warn, Open},
	{[]State{Offered}, Warn, Offered},
}

// Next returns the state that an act leads to. An act that a state does not allow is an error.
func (s State) Next(a Act) (State, error) {
	for _, t := range transitions {
		if t.act == a && slices.Contains(t.from, s) {
			return t.to, nil
		}
	}
	return s, fmt.Errorf("a finding that is %s can't take %q", s, a)
}
