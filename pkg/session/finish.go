package session

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"keepsake/pkg/config"
	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/stage"
)

// Finish hands over what a session that is over leaves. What is worth keeping of a
// turn that no Stop has seen, because it was interrupted or the terminal went away,
// goes into the journal; drafts and a summary made of the person's own requests, when
// enough was done for one, go to pending. Handing over the desk is tried even when
// the looking failed.
func (s *Session) Finish() error {
	var looked error
	if s.Listens() {
		looked = s.lookOnce(finishing)
	}
	return errors.Join(looked, s.leaveDesk(), s.Pending().Take(s.ID, s.Desk))
}

// leaveDesk takes the contexts off the desk that the journal has and nobody drafted.
func (s *Session) leaveDesk() error {
	names, err := s.Desk.Files()
	if err != nil || len(names) == 0 {
		return err
	}
	contexts, _ := s.Desk.Contexts() // one that can't be read goes to pending as it is
	var done []string
	for _, c := range contexts {
		if c.Numbered() && !slices.Contains(names, stage.IntentName(c.Category)) && !slices.Contains(names, stage.HandName(c.Category)) {
			done = append(done, c.Name())
		}
	}
	_, err = s.Desk.Remove(done...)
	return err
}

// A long turn is looked at in pieces, so that none of it is looked at twice when the
// time is over; the start of another session goes on with the rest.
const (
	finishing = 500 * time.Millisecond
	piece     = 8 << 20 // bytes of transcript
)

// Listens tells whether the settings have the session listened to.
func (s *Session) Listens() bool {
	return s.Config.Triage.Enabled && s.Config.Capture.OnStop != config.Off
}

// lookOnce listens to what no Stop has heard: to a piece, and to more of it as long as
// there is time.
func (s *Session) lookOnce(within time.Duration) error {
	if s.State.Transcript == "" {
		return nil
	}
	file, err := OpenTranscript(s.State.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was said
	}
	if err != nil {
		return err
	}
	defer file.Close()
	for begun := time.Now(); ; {
		more := false
		err := s.Update(func(st *stage.State) (err error) {
			more, err = s.lookAt(st, file)
			return err
		})
		if err != nil || !more || time.Since(begun) >= within {
			return err
		}
	}
}

// lookAt listens to the next piece and reports whether there is another. What is
// summed up is the whole.
func (s *Session) lookAt(st *stage.State, file Transcript) (more bool, err error) {
	u, err := s.unheard(st, file, piece)
	if err != nil {
		return false, err
	}
	enough := false
	var requests []string
	if !u.span.More {
		var summary stage.Context
		if summary, requests, enough = s.Summary(st, file, false); enough {
			if err := s.Pending().Add(s.ID, summary); err != nil {
				return false, err
			}
		}
	}
	if _, err := s.AddFindings(st, u.span.Next, u.noticed.Findings, time.Now().UTC()); err != nil {
		return false, err
	}
	if len(u.span.Entries) > 0 {
		s.Log(Scored("sessionend", u.noticed, u.entries, s.Full(*st).At))
	}
	if !enough {
		return u.span.More, nil
	}
	st.Activity = stage.Activity{From: st.Mark.Offset}
	if draft, ok := resolve.Extract(memory.SessionSummary, requests, st.Seen); ok {
		return false, s.Pending().Draft(s.ID, stage.IntentName(memory.SessionSummary), draft)
	}
	return false, nil
}
