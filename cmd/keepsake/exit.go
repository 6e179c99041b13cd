package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/config"
	"keepsake/pkg/store"
)

// Exit codes of keepsake. docs/cli.md has the same table, and a test holds the
// two together: skills and scripts decide by these numbers.
const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitConflict = 3
	exitPerson   = 4
	exitDrafts   = 5
)

// exits says what each code means to whoever reads it.
var exits = []struct {
	code    int
	meaning string
}{
	{exitDone, "done"},
	{exitFailed, "failed, or found something that needs attention"},
	{exitUsage, "used wrongly: the command line makes no sense"},
	{exitConflict, "conflict: a memory changed since the plan was made; plan again"},
	{exitPerson, "waits for a person"},
	{exitDrafts, "drafts are missing while their drafters may still run"},
}

// failure is an error that knows its exit code and what to do next.
type failure struct {
	code  int
	err   error
	hints []string // each one sentence or one command line
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// failed returns an error with exit code 1 and hints.
func failed(err error, hints ...string) error { return &failure{exitFailed, err, hints} }

// quiet is a non-zero exit whose reason the output has already told.
type quiet struct{ code int }

func (q quiet) Error() string { return fmt.Sprintf("exit %d", q.code) }

// codeOf maps an error to an exit code and to what should be said with it.
func codeOf(err error) (code int, hints []string) {
	var f *failure
	var q quiet
	var unsaved *save.Error
	switch {
	case err == nil:
		return exitDone, nil
	case errors.As(err, &q):
		return q.code, nil
	case errors.As(err, &f):
		return f.code, f.hints
	case errors.As(err, &unsaved):
		return exitOf[unsaved.Why], unsaved.Hints
	case config.IsMistake(err), errors.Is(err, store.ErrUnnamed):
		return exitUsage, nil
	}
	return exitFailed, nil
}

// exitOf has the exit code for each reason for which nothing is saved.
var exitOf = [...]int{
	save.Refused: exitFailed, save.Conflict: exitConflict, save.Undrafted: exitDrafts,
	save.Misused: exitUsage,
}

func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// exitTable renders exits for --help.
func exitTable() string {
	var b strings.Builder
	b.WriteString("Exit codes:\n")
	for _, e := range exits {
		fmt.Fprintf(&b, "  %d  %s\n", e.code, e.meaning)
	}
	return b.String()
}
