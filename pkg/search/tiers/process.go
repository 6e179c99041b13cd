package tiers

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// complaints is the most that is kept of what a program prints as errors, in bytes.
const complaints = 4 << 10

// program is another program, run for one answer.
type program struct {
	path  string
	args  []string
	dir   string // the folder that it runs in
	in    []byte // what it reads; nil is nothing, at once
	limit int    // the most that is kept of what it prints, in bytes
}

// run runs it to its end and returns what it printed. It has a process group of
// its own, and none of that group is left afterwards: it is killed when ctx ends,
// and what it left behind when it ends by itself. With something to read, its
// input stays open until then, so that it can tell when nobody waits any more.
func (p program) run(ctx context.Context) (out, errs *capped, err error) {
	cmd := exec.CommandContext(ctx, p.path, p.args...)
	cmd.Dir = p.dir
	out, errs = &capped{limit: p.limit}, &capped{limit: complaints}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = kill
	cmd.WaitDelay = 200 * time.Millisecond
	in, err := cmd.StdinPipe()
	if err != nil {
		return out, errs, err
	}
	if err := cmd.Start(); err != nil {
		return out, errs, err
	}
	defer kill()
	if p.in == nil {
		in.Close()
	} else {
		// An error is of no interest: a program that does not read its input reports why, or ends.
		go in.Write(p.in)
	}
	return out, errs, cmd.Wait()
}

// capped takes what a program prints, up to a limit, and lets it print on.
type capped struct {
	text  []byte
	limit int
	over  bool
}

func (c *capped) Write(p []byte) (int, error) {
	room := min(c.limit-len(c.text), len(p))
	c.over = c.over || room < len(p)
	c.text = append(c.text, p[:room]...)
	return len(p), nil
}
