package stage

import (
	"errors"
	"syscall"
)

// A Process is the client that a session runs in. Start distinguishes it from a later process with the same
// number; it is empty if the start isn't known.
type Process struct {
	PID   int
	Start string
}

// Ended reports whether the process is surely gone. If that isn't known, it is false.
func (p Process) Ended() bool {
	if p.PID <= 1 {
		return false
	}
	if errors.Is(syscall.Kill(p.PID, 0), syscall.ESRCH) {
		return true
	}
	now := startOf(p.PID)
	return p.Start != "" && now != "" && now != p.Start
}

// ProcessOf describes a running process.
func ProcessOf(pid int) Process { return Process{PID: pid, Start: startOf(pid)} }
