package main

import (
	"os"
	"strconv"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/project/session"
)

// excerptFor returns the part of the excerpt that this entry of hooks.json brings: the
// client takes no longer text of one, so there are several, told apart by their
// argument. The one without brings the first.
func excerptFor(in hook.SubagentStart) (string, error) {
	part := 1
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil {
			return "", err
		}
		part = n
	}
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return "", err
	}
	return s.DigestPart(in.AgentID, part, hook.MaxContext, time.Now())
}
