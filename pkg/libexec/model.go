package libexec

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/text"
)

// How long a model may take, and how much it may answer.
const (
	modelLimit = 3 * time.Minute
	maxModel   = 256 << 10 // bytes
	reason     = 300       // of what the client says of a failure, in runes
)

// AskModel sends one request to a model by the client, and returns the answer. The client runs in an
// empty folder and in safe mode: without settings of a project, hooks and tools, and without keeping a
// transcript.
func AskModel(ctx context.Context, model, system, request string) (answer string, err error) {
	const unchanged = "; hint: nothing was changed"
	client, err := exec.LookPath("claude")
	if err != nil {
		return "", fmt.Errorf("the client is not on PATH: %w; hint: install Claude Code, or put "+
			"its folder on PATH; hint: inside a session /keepsake:digest needs no program", err)
	}
	dir, err := os.MkdirTemp("", "keepsake-digest-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, modelLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, client, "-p", "--model", model, "--safe-mode",
		"--system-prompt", system, "--tools", "", "--no-session-persistence")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Stdin = strings.NewReader(request)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C ends it by way of this program
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	var out, said bounded
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	switch {
	case context.Cause(ctx) == context.DeadlineExceeded:
		return "", fmt.Errorf("%s gave no answer within %v"+unchanged+"; run it again", client, modelLimit)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		why := strings.TrimSpace(said.kept.String())
		if why == "" {
			why = strings.TrimSpace(out.kept.String())
		}
		first, _, _ := strings.Cut(why, "\n")
		return "", fmt.Errorf("%s: %w: %s"+unchanged+"; hint: it wants a client that knows "+
			"--safe-mode, and a login: try claude -p hello", client, err, text.Shorten(first, reason))
	case out.over:
		return "", fmt.Errorf("%s answered with more than %d KiB"+unchanged+"; run it again", client,
			maxModel>>10)
	}
	return out.kept.String(), nil
}

// bounded keeps the beginning of what a program prints. Its buffer is no part of its
// own methods: io.Copy would fill it past the bound.
type bounded struct {
	kept bytes.Buffer
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := maxModel - b.kept.Len()
	b.over = b.over || len(p) > room
	b.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}
