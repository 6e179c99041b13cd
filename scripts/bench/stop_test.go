package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStopped: a bench that is told to stop leaves no process of its own behind, nor what these have started.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	w := &world{ctx: ctx, dir: t.TempDir(), project: t.TempDir()}
	file := filepath.Join(w.dir, "started")
	why := errors.New("enough")
	go func() {
		for {
			if b, _ := os.ReadFile(file); strings.HasSuffix(string(b), "\n") {
				stop(why)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, _, err := w.once([]string{"/bin/sh", "-c", `sleep 600 & echo $! >"$0"; wait`, file}, nil)
	if !errors.Is(err, why) {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 { // until somebody has waited for it
		if err = syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) || isZombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs: %v", pid, err)
}

// isZombie reports whether a process has ended and nobody has waited for it, as in a container.
func isZombie(pid int) bool {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	_, state, _ := strings.Cut(string(b), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}
