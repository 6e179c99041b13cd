package sessionstart

import (
	"context"

	"keepsake/pkg/brief"
)

// upkeep returns due, a proposal to archive old daily logs, at most once a day. If the person's settings
// allow it, it archives them itself and returns done, a message for the person.
func (s start) upkeep(ctx context.Context) (due, done string) {
	if s.source != "startup" && s.source != "clear" {
		return "", ""
	}
	if !s.Config.Upkeep.Auto {
		n, err := s.DueLogs(s.now)
		if err != nil {
			s.Fault("sessionstart", "the daily logs among the client's memory files could not be counted",
				err)
		}
		return brief.DueLogs(n), ""
	}
	acts, digest, err := s.Upkeep(ctx, s.now)
	if err != nil {
		s.Fault("sessionstart", "old daily logs and finished topics were not archived", err)
	}
	return "", brief.Archived(acts, digest)
}
