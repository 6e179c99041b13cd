// Package save turns what was noticed and drafted into memories. It reads drafts, compares them with the
// findings that they cover and with the memories that exist, makes a plan, works out whose words are in it,
// applies it, and settles what it covered. Verbs and hooks call the same functions, and print the results
// in their own way.
package save

import (
	"context"
	"errors"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/evidence"
	"keepsake/pkg/project/session"
)

// A Saver saves for one session.
type Saver struct {
	*session.Session
	Cwd    string       // the checkout whose branch and commit stand in what is saved
	Inside bool         // the session's own agent runs it
	Alone  func() error // returns nil where a person at a terminal runs it
	Git    evidence.Git // is asked what was committed
	// Check returns the checks with which a draft's memory is saved, and notes about those that are left out;
	// nil leaves all out.
	Check func(d draft.Draft) (verify, notes []string)
	Now   func() time.Time
	Note  func(format string, args ...any) // takes messages of one line about faults that stop nothing
}

// person reports whether a person at a terminal runs it.
func (w *Saver) person() bool { return w.Alone() == nil }

// settler returns who settles findings by what is saved now.
func (w *Saver) settler() string {
	if w.Inside {
		return "agent"
	}
	return "person"
}

// A Why is the kind of reason why nothing was saved.
type Why int

// The reasons. Any other error is an error of the system.
const (
	Refused   Why = iota // it can't be saved as it is
	Conflict             // something else changed since it was planned
	Undrafted            // drafts are missing
	Misused              // what is asked for makes no sense
)

// An Error is the reason why nothing was saved, with hints for what to do next.
type Error struct {
	Why   Why
	Err   error
	Hints []string // each one sentence or one command line
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// refused returns an error of what can't be saved as it is.
func refused(err error, hints ...string) error { return &Error{Refused, err, hints} }

// conflict returns an error of what changed since it was planned.
func conflict(err error, hints ...string) error { return &Error{Conflict, err, hints} }

// isConflict reports whether the memories changed after a plan was made, and nothing of
// it was written.
func isConflict(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Why == Conflict
}

// tries is how often a plan is made before Commit gives up: each time another session
// has saved between the plan and its end.
const tries = 5

// Commit plans and applies. When another session saves meanwhile it plans again, in turn with all others to
// which that happened, so that of many at once none gives up. shown, which may be nil, is given each plan
// before it is applied.
func (w *Saver) Commit(ctx context.Context, o Options, shown func(Plan)) (p Plan, r Result, err error) {
	for try := 1; ; try++ {
		if p, err = w.Plan(o); err == nil && !p.direct {
			err = w.Stage(p)
		}
		if err == nil {
			if shown != nil {
				shown(p)
			}
			if o.Agree != nil {
				if err = o.Agree(p); err != nil {
					return p, r, err
				}
			}
			r, err = w.Apply(ctx, p)
		}
		if try == tries || !isConflict(err) {
			return p, r, err
		}
		if !p.direct {
			w.Note("another session saved meanwhile, and nothing of this was written; planned again")
		}
		if try == 1 {
			end, terr := w.Store().Turn(ctx)
			if terr != nil {
				return p, r, err
			}
			defer end()
		}
	}
}
