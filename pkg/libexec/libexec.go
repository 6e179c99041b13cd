// Package libexec starts the programs in bin/libexec. They are programs of their own because what they
// link would slow every start of the others.
package libexec

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

	"keepsake/pkg/layout"
)

// A Program answers one JSON object after the other. The first question starts it.
type Program struct {
	Ctx  context.Context
	Name string
	Task string // its argument
	Does string // what it does, for errors
	Most int64  // bytes of one answer
	// Person reports that it asks the person at the terminal, so that it stays in the foreground and may take
	// as long as they do.
	Person bool

	cancel context.CancelCauseFunc
	cmd    *exec.Cmd
	in     *json.Encoder
	out    *json.Decoder
	left   *io.LimitedReader // how many bytes it may still print
	said   strings.Builder
}

// answersWithin is how long a program may take for one answer.
const answersWithin = 30 * time.Second

// Rebuild is the hint for a program that is missing or gives no answer.
const Rebuild = "; hint: reinstall the plugin, or run make build in its source"

// Ask sends a question and decodes the answer into answer. about names the question in an error.
func (p *Program) Ask(about string, question, answer any) error {
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return err
		}
	}
	if !p.Person {
		late := time.AfterFunc(answersWithin, func() {
			p.cancel(fmt.Errorf("the program that %s gave no answer within %v", p.Does, answersWithin))
		})
		defer late.Stop()
	}
	p.left.N = p.Most
	err := p.in.Encode(question)
	if err == nil {
		err = p.out.Decode(answer)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", about, p.why(err))
	}
	return nil
}

func (p *Program) start() error {
	var ctx context.Context
	ctx, p.cancel = context.WithCancelCause(p.Ctx)
	cmd := exec.CommandContext(ctx, layout.Libexec(p.Name), p.Task)
	cmd.Stderr, cmd.WaitDelay = &p.said, 200*time.Millisecond
	if p.Person {
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it restores the terminal
		cmd.WaitDelay = 2 * time.Second
	} else {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for this program to answer
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s, which %s, is missing"+Rebuild, cmd.Path, p.Does)
	} else if err != nil {
		return fmt.Errorf("the program that %s: %w"+Rebuild, p.Does, err)
	}
	p.Ctx, p.cmd, p.left = ctx, cmd, &io.LimitedReader{R: out}
	p.in, p.out = json.NewEncoder(in), json.NewDecoder(p.left)
	return nil
}

// why ends the program and returns why it gave no answer.
func (p *Program) why(err error) error {
	stopped := context.Cause(p.Ctx)
	ended := p.End()
	line, _, _ := strings.Cut(strings.TrimSpace(p.said.String()), "\n")
	switch {
	case stopped != nil:
		return stopped
	case p.left.N <= 0:
		return fmt.Errorf("the program that %s answered with more than %d MB", p.Does, p.Most>>20)
	case line != "":
		return fmt.Errorf("the program that %s: %w: %s"+Rebuild, p.Does, ended, line)
	}
	return fmt.Errorf("the program that %s gave no answer: %w"+Rebuild, p.Does, err)
}

// End ends the program, which has nothing left to answer.
func (p *Program) End() error {
	if p.cmd == nil {
		return nil
	}
	p.cancel(nil)
	err := p.cmd.Wait()
	p.cmd = nil
	return err
}
