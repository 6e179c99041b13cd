// Package git asks git about a folder. Verbs that a person or an agent runs start git. Of the hooks the one
// of a session's start does, where something has moved on which a memory rests, and the one that lists or
// answers several stopped calls for the person. No other prompt waits for git.
package git

import (
	"bytes"
	"context"
	"crypto/sha1" // which names git's objects, and guards nothing here
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/layout"
)

// errNoGit is the error if PATH has no git but perhaps one in the project, which is not run.
var errNoGit = errors.New("it is nowhere on PATH outside of the project")

// command returns a run of git in a folder. It runs no git of the project there or here. What a clone left
// out is not fetched, since the repository says where from and by which program.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	here, _ := os.Getwd()
	in, by := layout.Project(dir, here), layout.Project(here, here)
	program := layout.FirstOnPath("git", in.Dir, in.Home, in.Top, by.Dir, by.Home, by.Top)
	// The configuration of a repository may name programs for fsmonitor and for signatures.
	cmd := exec.CommandContext(ctx, program, append([]string{"--no-pager", "-C", dir,
		"-c", "core.fsmonitor=false", "-c", "log.showSignature=false"}, args...)...)
	if program == "" {
		cmd.Err = errNoGit
	}
	// Where git runs a hook or an alias it names a repository in the environment: here the folder does.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GIT_")
	}),
		"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
		"GIT_NO_REPLACE_OBJECTS=1")
	return cmd
}

// Run runs git in a folder and returns what it printed, without the last line break. Where ctx has no end,
// git has maxGitTime: it waits for ever for what is no file, such as a pipe in the place of .gitignore.
func Run(ctx context.Context, dir string, args ...string) (string, error) {
	if _, ends := ctx.Deadline(); !ends {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, maxGitTime)
		defer stop()
	}
	out, err := command(ctx, dir, args...).Output()
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("git %s in %s takes too long; hint: look whether git status answers there",
			args[0], dir)
	case errors.As(err, &exit):
		why, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, why)
	case err != nil:
		return "", fmt.Errorf("git: %w", err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// How long git may take to look for words, and how much of what it prints is read, in bytes.
const (
	maxGitTime = 5 * time.Second
	maxGitSaid = 64 << 20
)

// Committed returns a reader of what was committed in the checkout of a folder. An answer that takes too long
// or is too long is cut.
func Committed(dir string) func(args ...string) ([]byte, error) {
	return func(args ...string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), maxGitTime)
		defer cancel()
		said, cut, err := read(ctx, cancel, dir, args)
		if cut && len(said) > 0 {
			err = nil
		}
		return said, err
	}
}

// Reader is Committed for whoever needs whole answers: one that is cut is an error. All of its calls together
// end with ctx.
func Reader(ctx context.Context, dir string) func(args ...string) ([]byte, error) {
	return func(args ...string) ([]byte, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		said, _, err := read(ctx, cancel, dir, args)
		return said, err
	}
}

// read returns what git prints of what was committed. An answer that is cut has an error; that git says no is
// none.
func read(ctx context.Context, stop func(), dir string, args []string) (said []byte, cut bool, err error) {
	cmd := command(ctx, dir, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, false, err
	}
	if err := cmd.Start(); err != nil {
		return nil, false, err
	}
	said, rerr := io.ReadAll(io.LimitReader(out, maxGitSaid))
	if cut = len(said) == maxGitSaid; cut {
		stop()
	}
	err = cmd.Wait()
	cut = cut || ctx.Err() != nil
	switch {
	case cut:
		err = fmt.Errorf("git %s: takes too long or says too much", args[0])
	case SaidNo(err):
		err = nil
	case err != nil:
		err = fmt.Errorf("git %s: %w", args[0], err)
	}
	return said, cut, errors.Join(rerr, err)
}

// IsBlob reports whether git knows a text by the name of a blob, as it is or with the line ends of git's own.
func IsBlob(name string, text []byte) bool {
	for _, t := range [][]byte{text, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))} {
		whole := append(fmt.Appendf(nil, "blob %d\x00", len(t)), t...)
		if name == fmt.Sprintf("%x", sha1.Sum(whole)) || name == fmt.Sprintf("%x", sha256.Sum256(whole)) {
			return true
		}
	}
	return false
}

// SaidNo reports whether git ran and answered no: config and check-ignore end with 1 for that.
func SaidNo(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}

// takesTime is how long git may take to say whether it ignores a file.
const takesTime = time.Second

// Takes reports whether a file lies in a checkout in which nothing has git ignore it: a commit of everything
// takes it in. The error says why git can't tell; outside of a checkout there is none.
func Takes(ctx context.Context, path string) (bool, error) {
	dir := filepath.Dir(path)
	if layout.Project(dir, dir).Top == "" {
		return false, nil
	}
	ctx, stop := context.WithTimeout(ctx, takesTime)
	defer stop()
	_, err := Run(ctx, dir, "check-ignore", "-q", "--", "./"+filepath.Base(path))
	if SaidNo(err) {
		return true, nil
	}
	return false, err
}

// ProjectName returns a name of the project in a folder that all clones of its repository share, and no other
// repository: the first commit, and the folder below the root of the checkout. A merge of another history
// changes nothing, since only the first parents are followed.
func ProjectName(ctx context.Context, dir string) (string, error) {
	shallow, err := Run(ctx, dir, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return "", err
	}
	if shallow == "true" {
		return "", fmt.Errorf("%s: is a shallow clone, so the repository's first commit is not known; hint: "+
			"git fetch --unshallow", dir)
	}
	first, err := Run(ctx, dir, "rev-list", "--first-parent", "--max-parents=0", "HEAD")
	if err != nil {
		return "", err
	}
	below, err := Run(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	if below = strings.TrimSuffix(below, "/"); below != "" {
		below = ":" + below
	}
	return first + below, nil
}
