package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/exchange"
)

// A reader takes memories out of Markdown: bin/libexec/reading, a program of its own
// because its parsers would slow every start of this one. The first text starts it.
type reader struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	cmd    *exec.Cmd
	in     *json.Encoder
	out    *json.Decoder
	left   *io.LimitedReader // what it may still print
	said   strings.Builder
}

// Bounds of what the program does with one text: how long it may take, and how much
// it may print, in bytes.
const (
	readWithin = 30 * time.Second
	maxReading = 64 << 20
)

const rebuild = "reinstall the plugin, or run make build in its source"

// read returns what a text has.
func (r *reader) read(t exchange.Text) (exchange.Reading, error) {
	if r.cmd == nil {
		if err := r.start(); err != nil {
			return exchange.Reading{}, err
		}
	}
	late := time.AfterFunc(readWithin, func() { r.cancel(fmt.Errorf("was not read within %v", readWithin)) })
	defer late.Stop()
	r.left.N = maxReading
	var out exchange.Reading
	err := r.in.Encode(t)
	if err == nil {
		err = r.out.Decode(&out)
	}
	if err != nil {
		return exchange.Reading{}, fmt.Errorf("%s: %w", t.File, r.why(err))
	}
	return out, nil
}

func (r *reader) start() error {
	var ctx context.Context
	ctx, r.cancel = context.WithCancelCause(r.ctx)
	cmd := exec.CommandContext(ctx, libexec("reading"))
	cmd.Stderr, cmd.WaitDelay = &r.said, 200*time.Millisecond
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for this program to answer
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); errors.Is(err, os.ErrNotExist) {
		return failed(fmt.Errorf("%s, which reads Markdown, is missing", cmd.Path), rebuild)
	} else if err != nil {
		return failed(fmt.Errorf("the program that reads Markdown: %w", err), rebuild)
	}
	r.ctx, r.cmd, r.left = ctx, cmd, &io.LimitedReader{R: out}
	r.in, r.out = json.NewEncoder(in), json.NewDecoder(r.left)
	return nil
}

// why ends the program and says why it gave no answer.
func (r *reader) why(err error) error {
	stopped := context.Cause(r.ctx)
	ended := r.end()
	line, _, _ := strings.Cut(strings.TrimSpace(r.said.String()), "\n")
	switch {
	case stopped != nil:
		return stopped
	case r.left.N <= 0:
		return fmt.Errorf("more than %d MB came of it", maxReading>>20)
	case line != "":
		return failed(fmt.Errorf("the program that reads Markdown: %w: %s", ended, line), rebuild)
	}
	return failed(fmt.Errorf("the program that reads Markdown gave no answer: %w", err), rebuild)
}

// end ends the program, which has nothing left to read.
func (r *reader) end() error {
	if r.cmd == nil {
		return nil
	}
	r.cancel(nil)
	err := r.cmd.Wait()
	r.cmd = nil
	return err
}
