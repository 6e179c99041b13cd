package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/session"
)

// git runs git in a folder and returns what it printed, without the last line
// break. Only verbs that a person runs start git; hooks never do.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	// fsmonitor is a program that a repository's configuration may name.
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), ofRepository), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		why, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, why)
	case err != nil:
		return "", fmt.Errorf("git: %w", err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// ofRepository tells the variables by which git, where it runs a hook or an
// alias, names a repository: here the folder does.
func ofRepository(env string) bool {
	name, _, _ := strings.Cut(env, "=")
	return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"}, name)
}

// How long git may take to look for words, and how much of what it prints is read.
const (
	maxGitTime = 5 * time.Second
	maxGitSaid = 64 << 20
)

// gitOf asks git about what was committed in the checkout of a folder, and for nothing
// else: what a clone left out is not fetched. An answer that takes too long or is too
// long is cut.
func gitOf(dir string) session.Git {
	return func(args ...string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), maxGitTime)
		defer cancel()
		cmd := exec.CommandContext(ctx, "git",
			append([]string{"--no-pager", "-C", dir, "-c", "core.fsmonitor=false"},
				args...)...)
		// Whoever runs this says nothing of which repository or objects it asks.
		env := slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "GIT_") })
		cmd.Env = append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
			"GIT_ALLOW_PROTOCOL=none",
			"GIT_NO_REPLACE_OBJECTS=1")
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		said, rerr := io.ReadAll(io.LimitReader(out, maxGitSaid))
		if len(said) == maxGitSaid {
			cancel()
		}
		err = cmd.Wait()
		switch {
		case saidNo(err), len(said) == maxGitSaid, ctx.Err() != nil && len(said) > 0:
			err = nil
		case err != nil:
			err = fmt.Errorf("git %s: %w", args[0], err)
		}
		return said, errors.Join(rerr, err)
	}
}

// saidNo tells a git that ran and answered no from one that failed: config and
// check-ignore end with 1 for no.
func saidNo(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}
