package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"keepsake/pkg/brief"
	"keepsake/pkg/layout"
	"keepsake/pkg/verbs"
)

// inSandbox reports whether a client's sandbox may run this. Claude Code's sets a variable in what it starts.
// Codex CLI's sets none that all of its sandboxes have, so there whatever an agent starts counts.
func inSandbox() bool {
	return os.Getenv("SANDBOX_RUNTIME") != "" || os.Getenv("CODEX_THREAD_ID") != ""
}

// halfWritten returns an error where the client's sandbox would let a verb write only half of what it has to:
// the memories of the project, but not what is known of them in the state home.
func halfWritten(parsed *kong.Context) error {
	if !inSandbox() {
		return nil
	}
	v, _ := verbs.Find(strings.Fields(parsed.Selected().Path()))
	if v == nil {
		return nil
	}
	flag := func(name string) bool {
		f := parsed.Selected().Target.FieldByName(name)
		return f.IsValid() && f.Bool()
	}
	if v.Does == verbs.Records && os.Getenv("SANDBOX_RUNTIME") == "" {
		return nil // in Codex CLI a save keeps the memories, even where it can keep nothing else
	}
	switch v.Does {
	case verbs.Records, verbs.Forgets, verbs.BringsBack, verbs.Undoes, verbs.ForGood, verbs.Markdown,
		verbs.Reorganises:
		if v.Looks != "" && flag("DryRun") || v.With == "--write" && !flag("Write") {
			return nil
		}
	default:
		return nil
	}
	const mayWrite = 2
	for dir := layout.Load().State; dir != ""; dir = filepath.Dir(dir) {
		err := syscall.Access(dir, mayWrite)
		if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
			continue
		}
		if isRefused(err) {
			return &fs.PathError{Op: "write", Path: dir, Err: err}
		}
		break
	}
	return nil
}

// isRefused reports whether an error is that of a sandbox which lets nothing be written.
func isRefused(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

// sandboxHints returns what to do about an error of a write that the client's sandbox refused.
func sandboxHints(err error) []string {
	if !inSandbox() || !isRefused(err) {
		return nil
	}
	return []string{"the client's sandbox keeps Bash from writing there: a save is run outside of it " +
		"if it is one plain command that begins with " + brief.ShellWord(layout.CommandPath()) +
		", all else is for the person in a terminal"}
}
