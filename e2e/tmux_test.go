//go:build e2e

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
)

// tmuxControl is a client of one tmux server that takes command after command. The suite looks at its screens
// some thirty times a second: with a process for each look, it would cost a quarter of what the clients do.
type tmuxControl struct {
	mu  sync.Mutex
	in  io.WriteCloser
	out *bufio.Reader
	end func() // waits until the process has ended
}

// newTmuxControl attaches to the one session of a server. The session keeps its size.
func newTmuxControl(socket string, env []string) (*tmuxControl, error) {
	cmd := exec.Command("tmux", "-S", socket, "-C",
		"attach-session", "-f", "no-output,ignore-size", "-t", "c")
	cmd.Env = env
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &tmuxControl{in: in, out: bufio.NewReader(out), end: func() { _ = cmd.Wait() }}
	if _, err := c.answer(); err != nil { // to the attaching itself
		in.Close()
		c.end()
		return nil, err
	}
	return c, nil
}

// run runs one command of tmux and returns what it prints. It fails once the server is gone.
func (c *tmuxControl) run(args ...string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var line strings.Builder
	for _, a := range args {
		if strings.ContainsAny(a, "\r\n") {
			return "", fmt.Errorf("tmux %s: %q has a line break, which ends a command", args[0], a)
		}
		line.WriteString(quote(a) + " ")
	}
	if _, err := io.WriteString(c.in, line.String()+"\n"); err != nil {
		return "", fmt.Errorf("tmux %s: %w", args[0], err)
	}
	out, err := c.answer()
	if err != nil {
		return out, fmt.Errorf("tmux %s: %w", args[0], err)
	}
	return out, nil
}

// answer reads what the next command prints. Between answers tmux tells of what happens to its windows.
func (c *tmuxControl) answer() (string, error) {
	var text strings.Builder
	number, begun := "", false
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return text.String(), err
		}
		head, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case !begun:
			number, begun = rest, head == "%begin"
		case head == "%end" && rest == number:
			return text.String(), nil
		case head == "%error" && rest == number:
			return text.String(), errors.New(strings.TrimSpace(text.String()))
		default:
			text.WriteString(line)
		}
	}
}

// close detaches.
func (c *tmuxControl) close() {
	c.in.Close()
	c.end()
}
