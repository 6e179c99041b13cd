package store

import (
	"context"
	"errors"
	"fmt"

	"keepsake/pkg/disk"
)

// turnName is the lock of those who read files, make a plan of them and apply it.
const turnName = "turn.lock"

// PlanInTurn is PlanAgain for a plan that is written. Of several callers, each waits until those before it
// are done, so that none of them is refused because another one wrote. Somebody else, such as the client, can
// still write meanwhile. Who waited for Options.LockWait goes on out of turn.
func (s *Store) PlanInTurn(ctx context.Context, do func() error) error {
	if err := disk.MakeDir(s.own, 0o700); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	wait, cancel := context.WithTimeout(ctx, s.opt.LockWait)
	defer cancel()
	turn, err := disk.Exclusive(wait, s.ownFile(turnName))
	switch {
	case ctx.Err() != nil:
		return stopped(ctx)
	case err == nil:
		defer turn.Unlock()
	case !errors.Is(err, disk.ErrLocked):
		return fmt.Errorf("store: %w", err)
	}
	return PlanAgain(do)
}
