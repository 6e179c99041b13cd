// Package precompact answers PreCompact, the event before a conversation is compacted. It stages what no
// Stop has listened to, and tells whoever writes the summary what must survive: decisions and their
// reasons, pending items, open threads, and what is noticed and unsaved. SessionStart brings the
// unsaved part back afterwards.
package precompact

import (
	"context"
	"errors"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/disk"
	"keepsake/pkg/project/session"
)

const hookName = "precompact"

// Run answers one PreCompact and returns the exit code.
func Run() int {
	return hook.RunPreCompact(hook.Options{Fault: fault}, answer)
}

func answer(_ context.Context, in hook.PreCompact) (hook.TextAnswer, error) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil || session.Off() || !s.Listens() {
		return "", err
	}
	// What could not be listened to is read by the next Stop; the summary is now.
	if err := s.Hold(hookName); err != nil && !errors.Is(err, disk.ErrLocked) {
		s.Fault(hookName, "the conversation was not looked at before it was compacted", err)
	}
	waiting, err := s.Unsaved()
	if err != nil {
		s.Fault(hookName, "what waits to be saved could not be named to the summary", err)
	}
	return hook.TextAnswer(brief.Survive(waiting)), nil
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd},
		hookName, "the summary was not told what must survive", f.Err)
}
