package subagentstop

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/project/session"
)

// propose takes the last message of a memory-keeper as its document.
func propose(s *session.Session, in hook.SubagentStop) error {
	if strings.TrimSpace(in.LastAssistant) == "" {
		return errors.New("the memory-keeper's answer did not come with the event; hint: keepsake notes " +
			"candidates FILE takes it from a file")
	}
	now := time.Now()
	r, err := s.Propose(in.LastAssistant, startedAt(in.AgentTranscript, now), now)
	if err != nil {
		return err
	}
	return s.Update(func(st *stage.State) error {
		st.Keeper.Unread = 0
		st.Keeper.Taken += r.Taken()
		st.Keeper.Refused += len(r.Items) - r.Taken()
		return nil
	})
}

// startedAt returns when a subagent was started, by the first time in its transcript, or else now.
func startedAt(transcriptPath string, now time.Time) time.Time {
	f, err := session.OpenTranscript(transcriptPath)
	if err != nil {
		return now
	}
	defer f.Close()
	lines := bufio.NewReader(io.NewSectionReader(f, 0, promptRoom))
	for {
		line, err := lines.ReadBytes('\n')
		var record struct{ Timestamp time.Time }
		if json.Unmarshal(line, &record) == nil && !record.Timestamp.IsZero() &&
			record.Timestamp.Before(now) {
			return record.Timestamp
		}
		if err != nil {
			return now
		}
	}
}
