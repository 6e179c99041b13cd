package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// promotionLimit is how long the program may take to say what it would write. It
// compares it with what is kept, for at most 0.9 s.
const promotionLimit = 1500 * time.Millisecond

func promotion(e rules.Event) func([]string) (rules.Promotion, error) {
	return func(args []string) (rules.Promotion, error) {
		return promotes(layout.Program(), e, args)
	}
}

// promotes asks the program what it would write if it were called with args. The program that
// writes is the one that answers, so that both read notes, settings and back ends in the same way.
// It finds the project as it does in the agent's shell.
func promotes(program string, e rules.Event, args []string) (p rules.Promotion, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), promotionLimit)
	defer cancel()
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	cmd := exec.CommandContext(ctx, program,
		slices.Concat(args[:end], []string{"--dry-run", "--json"}, args[end:])...)
	cmd.Dir, cmd.WaitDelay = e.Cwd, promotionLimit
	cmd.Env = os.Environ()
	if e.Session != "" {
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_SESSION_ID="+e.Session)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if first, _, _ := strings.Cut(said.String(), "\nhint: "); errors.As(err, &exit) && ctx.Err() == nil &&
			first != "" {
			lines := strings.Split(strings.TrimSpace(first), "\n")
			return p, errors.New(strings.TrimPrefix(lines[len(lines)-1], "keepsake: "))
		}
		return p, fmt.Errorf("keepsake did not say what it would write: %w", err)
	}
	var in struct {
		Digest, To, Where string
		Words             []string
		Near              []struct{ Path, Text string }
		Unknown           string   `json:"not_compared"`
		Secrets           []string `json:"redacted"`
	}
	if err := json.Unmarshal(out, &in); err != nil || in.Digest == "" || len(in.Words) == 0 {
		return p, errors.New("keepsake did not say what it would write")
	}
	p = rules.Promotion{Digest: in.Digest, To: in.To, Where: in.Where, Program: program, Words: in.Words,
		Unknown: in.Unknown, Secrets: in.Secrets}
	for _, n := range in.Near {
		p.Near, p.Titles = append(p.Near, n.Path), append(p.Titles, n.Text)
	}
	return p, nil
}
