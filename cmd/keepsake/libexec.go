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

	"keepsake/pkg/paths"
)

// A sibling is a program in bin/libexec that answers one JSON object after the other. It
// is one of its own because what it links would slow every start of this one. The first
// question starts it.
type sibling struct {
	ctx  context.Context
	name string // of the program
	does string // what it does, for errors
	most int64  // bytes of one answer

	cancel context.CancelCauseFunc
	cmd    *exec.Cmd
	in     *json.Encoder
	out    *json.Decoder
	left   *io.LimitedReader // what it may still print
	said   strings.Builder
}

// answersWithin is how long a sibling may take for one answer.
const answersWithin = 30 * time.Second

const rebuild = "reinstall the plugin, or run make build in its source"

// ask reads the answer to a question. About names the question in an error.
func (s *sibling) ask(about string, question, answer any) error {
	if s.cmd == nil {
		if err := s.start(); err != nil {
			return err
		}
	}
	late := time.AfterFunc(answersWithin, func() { s.cancel(fmt.Errorf("the program that %s gave no answer within %v", s.does, answersWithin)) })
	defer late.Stop()
	s.left.N = s.most
	err := s.in.Encode(question)
	if err == nil {
		err = s.out.Decode(answer)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", about, s.why(err))
	}
	return nil
}

func (s *sibling) start() error {
	var ctx context.Context
	ctx, s.cancel = context.WithCancelCause(s.ctx)
	cmd := exec.CommandContext(ctx, paths.Libexec(s.name))
	cmd.Stderr, cmd.WaitDelay = &s.said, 200*time.Millisecond
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
		return failed(fmt.Errorf("%s, which %s, is missing", cmd.Path, s.does), rebuild)
	} else if err != nil {
		return failed(fmt.Errorf("the program that %s: %w", s.does, err), rebuild)
	}
	s.ctx, s.cmd, s.left = ctx, cmd, &io.LimitedReader{R: out}
	s.in, s.out = json.NewEncoder(in), json.NewDecoder(s.left)
	return nil
}

// why ends the program and says why it gave no answer.
func (s *sibling) why(err error) error {
	stopped := context.Cause(s.ctx)
	ended := s.end()
	line, _, _ := strings.Cut(strings.TrimSpace(s.said.String()), "\n")
	switch {
	case stopped != nil:
		return stopped
	case s.left.N <= 0:
		return fmt.Errorf("the program that %s answered with more than %d MB", s.does, s.most>>20)
	case line != "":
		return failed(fmt.Errorf("the program that %s: %w: %s", s.does, ended, line), rebuild)
	}
	return failed(fmt.Errorf("the program that %s gave no answer: %w", s.does, err), rebuild)
}

// end ends the program, which has nothing left to answer.
func (s *sibling) end() error {
	if s.cmd == nil {
		return nil
	}
	s.cancel(nil)
	err := s.cmd.Wait()
	s.cmd = nil
	return err
}
