package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
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

// saidNo tells a git that ran and answered no from one that failed: config and
// check-ignore end with 1 for no.
func saidNo(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}
