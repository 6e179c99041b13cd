package sessionstart

import (
	"context"
	"time"

	"keepsake/pkg/brief"
)

// waits returns a row for the person about how much of earlier sessions waits for them. The model is not
// told: it saves only what its own session said.
func (s start) waits() string {
	if !s.Attended() || !s.Listens() || s.source == "compact" {
		return ""
	}
	w, err := s.EarlierFindings(s.now)
	if err != nil {
		s.Fault("sessionstart", "what waits of earlier sessions could not be counted", err)
	}
	return w.Row()
}

// signedTime is how long a session's start may wait for ssh-keygen.
const signedTime = time.Second

// takeSigned accepts the memories that the accepted approvers signed, and returns a row for the person.
func (s start) takeSigned(ctx context.Context) (row string) {
	if s.source == "compact" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, signedTime)
	defer cancel()
	taken, err := s.TakeSigned(ctx, s.now)
	if err != nil {
		s.Fault("sessionstart", "what approvers signed could not be checked, and is held", err)
	}
	for _, t := range taken {
		row = join(row, brief.SignedRow(t.Memories, t.By))
	}
	return row
}

// came returns a row for the person about memories that came with the repository and wait for their yes.
func (s start) came() string {
	if !s.Attended() || s.source == "compact" {
		return ""
	}
	n, more, err := s.Unaccepted()
	if err != nil {
		s.Fault("sessionstart", "what came with the repository could not be counted", err)
	}
	a, err := s.Approvers()
	if err != nil {
		s.Fault("sessionstart", "the approvers of memories could not be read", err)
	}
	return brief.CameRow(n, more, a.Waits())
}
