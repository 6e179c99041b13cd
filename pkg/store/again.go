package store

import "errors"

// tries is how often a plan is made if somebody else, such as the client or another agent, writes there
// at the same time.
const tries = 8

// PlanAgain calls do, which reads files, makes a plan of them and applies it. It calls do again if
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
