package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"keepsake/pkg/brief"
	"keepsake/pkg/layout"
)

// sandboxHints returns what to do about an error of a write that the client's sandbox refused. The sandbox
// sets the variable in what it starts.
func sandboxHints(err error) []string {
	refused := errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
	if os.Getenv("SANDBOX_RUNTIME") == "" || !refused {
		return nil
	}
	return []string{"Claude Code's sandbox keeps Bash from writing there: a save is run outside of it " +
		"if it is one plain command that begins with " + brief.ShellWord(layout.Program()) +
		", all else is for the person in a terminal"}
}
