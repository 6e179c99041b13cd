package session

import (
	"errors"
	"io/fs"

	"keepsake/pkg/config"
	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/stage"
)

// Finish hands over what a session that is over leaves: the work on its desk,
// and what is worth keeping of a turn that no Stop has seen because it was
// interrupted or the terminal went away. All of it goes to pending, with a
// summary made of the person's own requests when enough was done for one.
// Handing over the desk is tried even when the looking failed.
func (s *Session) Finish() error {
	var looked error
	if s.Listens() {
		looked = s.lookOnce()
	}
	return errors.Join(looked, s.Pending().Take(s.ID, s.Desk))
}

// Listens tells whether the settings have the session listened to.
func (s *Session) Listens() bool {
	return s.Config.Triage.Enabled && s.Config.Capture.OnStop != config.Off
}

func (s *Session) lookOnce() error {
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
	return s.Update(func(st *stage.State) error {
		u, err := s.unheard(st, file, s.Pressed(*st))
		if err != nil {
			return err
		}
		summary, requests, enough := s.Summary(st, file, false)
		if enough {
			u.contexts = append(u.contexts, summary)
		}
		for _, c := range u.contexts {
			if err := s.Pending().Add(s.ID, c); err != nil {
				return err
			}
		}
		if err := s.Pending().Note(s.ID, u.moments...); err != nil {
			return err
		}
		st.Mark, st.Fresh = stage.Watermark(u.span.Next), false
		if len(u.span.Entries) > 0 {
			s.Log(Scored("sessionend", u.notice, u.entries, s.Full(*st).At))
		}
		if !enough {
			return nil
		}
		st.Activity = stage.Activity{From: st.Mark.Offset}
		if draft, ok := resolve.Extract(memory.SessionSummary, requests, st.Seen); ok {
			return s.Pending().Draft(s.ID, stage.IntentName(memory.SessionSummary), draft)
		}
		return nil
	})
}
