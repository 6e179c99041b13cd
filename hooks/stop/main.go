// Command stop is the hook that runs when a turn has ended. It reads what is
// new in the transcript, stages what is worth keeping, and tells the agent of
// it in a few lines or not at all. It never keeps the agent from stopping.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/hook"
	"keepsake/pkg/session"
)

func main() {
	if session.Off() {
		return
	}
	os.Exit(hook.RunStop(hook.Options{Fault: fault}, answer))
}

func answer(_ context.Context, in hook.Stop) (hook.ContextAnswer, error) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return hook.ContextAnswer{}, err
	}
	said, err := turn{Session: s, in: in, attended: session.Attended(), now: time.Now().UTC()}.end()
	if errors.Is(err, disk.ErrLocked) {
		return hook.ContextAnswer{}, nil // nothing is lost: the next turn looks again from the same place
	}
	return hook.ContextAnswer{Context: said}, err
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Cwd: f.Common.Cwd}, hookName, "this turn was not looked at", f.Err)
}
