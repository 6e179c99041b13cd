package host

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// effectLimit is how long the program may take to count what it would do.
const effectLimit = 4 * time.Second

func effect(e rules.Event) func(string, []string) (rules.Effect, error) {
	return func(dir string, args []string) (rules.Effect, error) {
		return effects(layout.Program(), e, dir, args)
	}
}

// effects asks the program what it would do if it were called with args, which say that it only looks. An
// exit code other than 0 is an error: the call itself may do something even so.
func effects(program string, e rules.Event, dir string, args []string) (out rules.Effect, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), effectLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = dir, effectLimit
	cmd.Env = os.Environ()
	if e.Session != "" {
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_SESSION_ID="+e.Session)
	}
	said, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case err != nil:
		return out, err
	}
	var in struct {
		Effect  *string
		Deletes int
	}
	if err := json.Unmarshal(said, &in); err != nil || in.Effect == nil {
		return out, fmt.Errorf("keepsake did not say what it would do: %w", err)
	}
	return rules.Effect{Says: *in.Effect, Deletes: in.Deletes}, nil
}
