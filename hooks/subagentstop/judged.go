package subagentstop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// saveLimit is how long the program may take to save what a digest found.
const saveLimit = 4 * time.Second

// saveDigest has the program save the answer of the agent of a digest. It ends the agent at once, so that
// the client does not hand over the answer by another request to a model.
func saveDigest(ctx context.Context, s *session.Session, in hook.SubagentStop) (hook.EndAnswer, error) {
	end := hook.EndAnswer{End: true}
	taken, err := s.KeepDigestAnswer(in.AgentID, in.LastAssistant)
	if err != nil || !taken {
		return end, err
	}
	program := layout.Program()
	if program == "" {
		return end,
			errors.New("keepsake's program is missing; hint: keepsake records digest judges again in a " +
				"terminal")
	}
	ctx, cancel := context.WithTimeout(ctx, saveLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--project", s.Root, "--session", s.ID, "digest", "--take")
	cmd.Dir, cmd.WaitDelay, cmd.Env = s.Root, 100*time.Millisecond, os.Environ()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return end, fmt.Errorf("%s: what the digest found is not saved: %w", brief.Line(first), err)
	}
	return end, nil
}
