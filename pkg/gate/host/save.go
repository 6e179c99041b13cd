package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/client/permissions"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// SaveLimit is how long a save may take that the hook runs. It mostly takes some 20 ms; in a large store that
// others write to it takes seconds.
const SaveLimit = time.Minute

// endTime is how long a save that is told to end may take for it.
const endTime = 2 * time.Second

// maxSaid is how much of a save's output is handed on, in bytes. The client shows a model 30,000 characters.
const maxSaid = 32 << 10

// Sandboxed reports whether the client runs a session's Bash in its sandbox, by any of the settings, and
// no rule there is about Bash as a whole or about Keepsake's commands. That a stronger file switches the
// sandbox off again makes no difference: outside of a sandbox the same command does the same. Of Codex CLI
// every session counts, as its events don't say which sandbox it has.
func Sandboxed(e rules.Event) bool {
	if layout.IsCodex(e.Transcript) {
		return true
	}
	var call struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(e.Args, &call) != nil {
		return false
	}
	on := false
	for _, file := range layout.SettingsOf(layout.Client(e.Transcript), e.ProjectDir) {
		b, ok := ReadSmall(file)
		if !ok {
			continue
		}
		if permissions.Restricts(b, "keepsake", call.Command) {
			return false
		}
		on = on || permissions.Sandboxed(b)
	}
	return on
}

// Walled reports whether the client runs all of a session's Bash in its sandbox, or not at all: it is on, the
// client does not start without it, and nothing runs outside. Of Codex CLI every session counts.
func Walled(e rules.Event) bool {
	if layout.IsCodex(e.Transcript) {
		return true
	}
	var all permissions.Sandbox
	for _, file := range layout.SettingsOf(layout.Client(e.Transcript), e.ProjectDir) {
		if b, ok := ReadSmall(file); ok {
			all = all.Over(permissions.ReadSandbox(b))
		}
	}
	return len(all.Off()) == 0 && len(all.Excluded) == 0
}

// Save runs a save outside of the client's sandbox and returns a tool_input in place of the call's own: a
// command that prints what the save printed and ends as it ended. It returns nil if the save did not start.
func Save(ctx context.Context, e rules.Event, save rules.Command) ([]byte, error) {
	return runSave(ctx, layout.Program(), e, save)
}

func runSave(ctx context.Context, program string, e rules.Event, save rules.Command) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, save.Args...)
	cmd.Dir, cmd.WaitDelay = e.Cwd, endTime
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env = append(slices.Clip(os.Environ()), "CLAUDECODE=1", // as in the agent's shell
		"PATH="+searched(e, save))
	if e.Session != "" {
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_SESSION_ID="+e.Session)
	}
	cmd.Stdin = strings.NewReader(save.Stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return nil, nil // it ends in the same way in the agent's shell, which says so
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the save took longer than %v and was ended", SaveLimit)
	case err != nil && !errors.As(err, &exit):
		return nil, err
	case err != nil && exit.ExitCode() < 0:
		return nil, fmt.Errorf("the save was ended: %w", err)
	}
	return replayed(e.Args, out.String(), errs.String(), cmd.ProcessState.ExitCode())
}

// searched returns where a save looks for other programs, which is for git: nowhere in the project, since
// whatever runs in the sandbox may have made a program there.
func searched(e rules.Event, save rules.Command) string {
	if save.Alone {
		return ""
	}
	place := layout.Project(e.ProjectDir, e.Cwd)
	dirs := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool {
		return !filepath.IsAbs(dir) || layout.Inside(dir, e.ProjectDir, e.Cwd, place.Dir, place.Home)
	})
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// replayed returns the tool_input of a call of Bash with another command, which prints these texts and ends
// with this code.
func replayed(args []byte, out, errs string, code int) ([]byte, error) {
	command := "printf %s " + rules.Quote(cutSaid(out))
	if errs != "" {
		command += "; printf %s " + rules.Quote(cutSaid(errs)) + " >&2"
	}
	if code != 0 {
		command += fmt.Sprintf("; (exit %d)", code)
	}
	var had struct {
		Description string          `json:"description,omitempty"`
		Timeout     json.RawMessage `json:"timeout,omitempty"`
		Command     string          `json:"command"`
	}
	if err := json.Unmarshal(args, &had); err != nil {
		return nil, err
	}
	had.Command = command
	return json.Marshal(had)
}

func cutSaid(s string) string {
	if len(s) <= maxSaid {
		return s
	}
	return strings.ToValidUTF8(s[:maxSaid], "") + fmt.Sprintf("\n… %d bytes more\n", len(s)-maxSaid)
}
