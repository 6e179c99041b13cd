// Package ancestry decides whether a memory that was made on a branch counts in a checkout. It belongs to
// its branch until the first commit after it is in the checkout's history, or in the same words: until the
// checkout has the work that it is about.
//
//	Decide   the state of a memory, from facts
//	Look     the facts, from what git says of a repository
//	Moved    the facts after the checkout moved on, without git
//
// What git says comes through a function; the package starts nothing and reads no file. Where git can't
// tell, a memory counts: nothing is left out because of a guess.
package ancestry

import (
	"cmp"
	"time"

	"keepsake/pkg/memory"
)

// An Answer is what is known of a question.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	No
	Yes
)

// Facts are what git says of the branch of one memory, seen from one checkout. The work of a memory is the
// first commit after it on its branch, or what that became by a squash or a rebase. If there is none yet, it
// is the commit that it was made on, unless the default branch had that anyway.
type Facts struct {
	On        bool   `json:"on,omitempty"`        // its branch is checked out
	Committed bool   `json:"committed,omitempty"` // the commit that is checked out has the memory itself
	AtTip     bool   `json:"at_tip,omitempty"`    // no branch is checked out, but the commit at which its is
	Here      Answer `json:"here,omitempty"`      // whether the checkout's history has its work
	Default   Answer `json:"default,omitempty"`   // whether the default branch has it
	Branch    Answer `json:"branch,omitempty"`    // whether its branch is there, or another one with its work
}

// A State says what a memory's branch is to a checkout.
type State uint8

// The states. Only Elsewhere and Deleted leave a memory out.
const (
	Untold    State = iota // git can't tell: it counts
	Own                    // made on the branch that is checked out, or on one that this one has
	Merged                 // its work has come into the default branch, and the checkout has it
	Elsewhere              // the checkout does not have its work
	Deleted                // no branch has its work any more, and it was not merged
)

// Counts reports whether a memory counts in the checkout.
func (s State) Counts() bool { return s != Elsewhere && s != Deleted }

// String returns the name of a state.
func (s State) String() string {
	return [...]string{"untold", "own", "merged", "elsewhere", "deleted"}[s]
}

// Decide returns the state of a memory. The first row that fits decides:
//
//	on its branch, or committed here          Own
//	the checkout has its work                 Merged if the default branch has it, else Own
//	no branch is checked out, but the commit  Untold
//	at which its branch is
//	what checkout or default branch have is   Untold
//	not known
//	its branch is there                       Elsewhere
//	the default branch has its work           Elsewhere: this checkout is behind
//	whether its branch is there is not known  Untold
//	otherwise                                 Deleted
func Decide(f Facts) State {
	switch {
	case f.On, f.Committed:
		return Own
	case f.Here == Yes && f.Default == Yes:
		return Merged
	case f.Here == Yes:
		return Own
	case f.AtTip, f.Here == Unknown, f.Default == Unknown:
		return Untold
	case f.Branch == Yes, f.Default == Yes:
		return Elsewhere
	case f.Branch == Unknown:
		return Untold
	}
	return Deleted
}

// A Work is what is known of the branch of one memory beyond what its record says. Commits of a branch that
// was deleted are forgotten by git one day, and so is where it ended: what was seen is kept.
type Work struct {
	memory.Branch
	Called string    `json:"called,omitempty"` // the name of the branch since it was renamed
	Tip    string    `json:"tip,omitempty"`    // of the branch when it was seen last
	Now    string    `json:"now,omitempty"`    // what became of Head when the branch was rewritten
	First  string    `json:"first,omitempty"`  // the first commit after the memory
	Landed string    `json:"landed,omitempty"` // the default branch's commit that has it squashed or rebased
	Looked string    `json:"looked,omitempty"` // up to where Landed was looked for
	Gone   time.Time `json:"gone,omitzero"`    // since when it is Deleted
	Asked  bool      `json:"asked,omitempty"`  // the person was asked whether to keep it
}

// Today returns the name of the branch as it is today.
func (w Work) Today() string { return cmp.Or(w.Called, w.Name) }

// mark returns the commit that a history has if it has the work of the memory; "" if there is no work yet.
func (w Work) mark() string {
	switch {
	case w.First != "":
		return w.First
	case w.HadWork():
		return w.at()
	}
	return ""
}

// at returns the commit that the memory was made on, as it is today.
func (w Work) at() string { return cmp.Or(w.Now, w.Head) }

// marks returns all commits any of which shows that a history has the work.
func (w Work) marks() (all []string) {
	for _, m := range []string{w.mark(), w.Landed} {
		if m != "" {
			all = append(all, m)
		}
	}
	return all
}

// A View is a checkout as it was when its facts were looked for.
type View struct {
	On      string   `json:"on,omitempty"`      // the branch that is checked out, "" for none
	Head    string   `json:"head,omitempty"`    // its commit
	Main    string   `json:"main,omitempty"`    // the name of the default branch, "" if it is not known
	Default []string `json:"default,omitempty"` // the commits at which it is, here and on the remote
	Cut     bool     `json:"cut,omitempty"`     // not all that there is was looked at
}

// Moved returns the facts of a memory on a branch after the checkout of view v has moved to a commit on
// another branch, or on the same, where it grew. Nothing is asked of git: what can't be told without is
// Unknown, so that a memory counts.
func Moved(f Facts, name string, v View, on, head string, grew Growth) Facts {
	f.On = on == name
	f.AtTip = on == "" && head == v.Head && (v.On == name || v.On == "" && f.AtTip)
	switch {
	case head == v.Head, on == v.On && grew == Grew, on == v.On && grew == Gained && f.Here == Yes:
	case head != "" && on == v.Main && len(v.Default) > 0 && head == v.Default[0]:
		f.Here, f.Committed = f.Default, false
	default:
		f.Here, f.Committed = Unknown, false
	}
	return f
}

// New returns the facts of a memory that was made just now on a branch, seen from a checkout that is on it.
// v is how that checkout was when it was looked at, which may be earlier.
func New(b memory.Branch, v View) Facts {
	f := Facts{On: true, Here: No, Default: No, Branch: Yes}
	switch {
	case b.HadWork() && v.Head == b.Head:
		f.Here = Yes
	case b.HadWork():
		f.Here = Unknown
	}
	if len(v.Default) == 0 {
		f.Default = Unknown
	}
	return f
}
