package store

import (
	"context"
	"errors"
	"fmt"

	"keepsake/pkg/disk"
)

// turnName is the lock of those who read files, make a plan of them and apply it.
const turnName = "turn.lock"

// Turn waits until those who came before, to plan and to write, are done, so that of many at once none is
// refused because another one wrote. Call end when the plan is applied. Somebody else, such as the client,
// can still write meanwhile. Who waited for Options.LockWait goes on out of turn.
func (s *Store) Turn(ctx context.Context) (end func(), err error) {
	if err := disk.MakeDir(s.own, 0o700); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	wait, cancel := context.WithTimeout(ctx, s.opt.LockWait)
	defer cancel()
	turn, err := disk.Exclusive(wait, s.ownFile(turnName))
	switch {
	case ctx.Err() != nil:
		return nil, stopped(ctx)
	case err == nil:
		return func() { turn.Unlock() }, nil
	case errors.Is(err, disk.ErrLocked):
		return func() {}, nil
	}
	return nil, fmt.Errorf("store: %w", err)
}

// PlanInTurn is PlanAgain for a plan that is written: in turn.
func (s *Store) PlanInTurn(ctx context.Context, do func() error) error {
	end, err := s.Turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	return PlanAgain(do)
}
