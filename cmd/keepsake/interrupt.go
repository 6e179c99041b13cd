package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interruptible is a context that ends with Ctrl-C. The first one stops where
// nothing is half done, the second at once. It listens from when it is first
// asked: that takes a thread and 0.2 ms, and what never asks may as well be cut
// short anywhere.
type interruptible struct {
	context.Context
	listen func() context.Context
}

func newInterruptible() interruptible {
	return interruptible{context.Background(), sync.OnceValue(func() context.Context {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(ctx, stop)
		return ctx
	})}
}

func (i interruptible) Done() <-chan struct{} { return i.listen().Done() }
func (i interruptible) Err() error            { return i.listen().Err() }
