package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// errOrphaned is why bench stops that nobody waits for any more.
var errOrphaned = errors.New("what started bench has ended")

// untilStopped returns a context that ends when bench is told to stop. `make` and `go run` pass on no signal
// but that of a terminal, so it ends with them as well.
func untilStopped() context.Context {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for parent := os.Getppid(); ; {
			select {
			case s := <-signals:
				stop(errors.New("stopped by " + s.String()))
				return
			case <-time.After(200 * time.Millisecond):
				if os.Getppid() != parent {
					stop(errOrphaned)
					return
				}
			}
		}
	}()
	return ctx
}

// command returns a command that ends, with all that it has started, when bench is told to stop.
func (w *world) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
