package store

import "errors"

// tries is how often a plan is made because somebody else, the client or another agent, wrote there at
// the same time.
const tries = 8

// PlanAgain calls a function that reads files, makes a plan of them and applies it, and calls it again where
// somebody else wrote first.
func PlanAgain(do func() error) (err error) {
	for range tries {
		if err = do(); !errors.Is(err, ErrConflict) && !errors.Is(err, ErrExists) &&
			!errors.Is(err, ErrByHand) {
			break
		}
	}
	return err
}
