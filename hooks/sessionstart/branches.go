package sessionstart

import (
	"context"

	"keepsake/pkg/git"
)

// branches finds out which memories belong to a branch that this checkout does not have. git is started only
// if a memory was made on a branch, and something has changed since it was last asked.
func (s start) branches(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, gitLimit)
	defer stop()
	if err := s.LookAtBranches(ctx, git.Reader(ctx, s.Top), s.now); err != nil {
		s.Fault("sessionstart", "which memories belong to another branch could not be found out", err)
	}
}

// merged returns a question to the person about memories that came with a merge, once.
func (s start) merged(ctx context.Context) string {
	if !s.Attended() || s.source != "startup" && s.source != "clear" {
		return ""
	}
	question, err := s.AskMerged(ctx)
	if err != nil {
		s.Fault("sessionstart", "which memories came with a merge could not be told", err)
	}
	return question
}
