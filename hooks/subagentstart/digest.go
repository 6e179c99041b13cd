package subagentstart

import (
	"strconv"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/project/session"
)

// excerptFor returns the part of the excerpt that this entry of hooks.json brings. The client takes
// no longer text from one entry, so there are several, told apart by their argument. The one
// without an argument brings the first part.
func excerptFor(in hook.SubagentStart, args []string) (string, error) {
	part := 1
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
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
