package sessionstart

import (
	"context"
	"time"

	"keepsake/pkg/git"
	"keepsake/pkg/project/checks"
)

// gitLimit is how long a session start waits for git.
const gitLimit = time.Second

// check finds out which memories have a check that fails by now. They are told with that from the next prompt
// on.
func (s start) check(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, gitLimit)
	defer stop()
	err := checks.Records(s.Session, s.now, func(commit string) (bool, error) {
		return git.HasCommit(ctx, s.Root, commit)
	})
	if err != nil {
		s.Fault("sessionstart", "the checks of memories could not be evaluated", err)
	}
}
