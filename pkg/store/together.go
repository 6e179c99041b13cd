package store

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// hands is how many things are done at once. It is more than there are processors, as most of the time is
// spent waiting for a disk, which combines several writes.
const hands = 16

// together calls do for 0 to n-1, several at once, until one fails or ctx ends. It returns the error of the
// lowest number, or ErrStopped. A panic of do is raised again in the goroutine of the caller.
func together(ctx context.Context, n int, do func(i int) error) error {
	var (
		wg     sync.WaitGroup
		next   atomic.Int64
		failed atomic.Bool
		broken atomic.Pointer[any]
		errs   = make([]error, n)
	)
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				broken.CompareAndSwap(nil, &p)
				failed.Store(true)
			}
		}()
		for ctx.Err() == nil && !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if errs[i] = do(i); errs[i] != nil {
				failed.Store(true)
			}
		}
	}
	for range min(n, hands) {
		wg.Go(work)
	}
	wg.Wait()
	if p := broken.Load(); p != nil {
		panic(*p)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return stopped(ctx)
}

// stopped returns the error for a ctx that has ended.
func stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: the plan %w: %w", ErrStopped, err)
	}
	return nil
}
