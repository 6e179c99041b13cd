package session

import (
	"errors"
	"io/fs"
	"slices"

	"keepsake/pkg/config"
	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
)

// Finish hands over what a session that is over leaves: the work on its desk,
// and what is worth keeping of a turn that no Stop has seen because it was
// interrupted or the terminal went away. All of it goes to pending, with a
// summary made of the person's own requests when enough was done for one.
// Handing over the desk is tried even when the looking failed.
func (s *Session) Finish() error {
	var looked error
	if s.Config.Triage.Enabled && s.Config.Capture.OnStop != config.Off {
		looked = s.lookOnce()
	}
	return errors.Join(looked, s.Pending().Take(s.ID, s.Desk))
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
		span, err := s.Listen(file, *st, "")
		if err != nil {
			return err
		}
		heard := slices.DeleteFunc(slices.Clone(span.Entries), func(x transcript.Entry) bool {
			return (st.Saving || st.Applied) && x.Who != transcript.Person || Ours(x, st.Applied)
		})
		notice, contexts := s.Notice(Passages(heard))
		Count(&st.Activity, heard)
		summary, requests, enough := s.Summary(st, file)
		if enough {
			contexts = append(contexts, summary)
		}
		for _, c := range contexts {
			if err := s.Pending().Add(s.ID, c); err != nil {
				return err
			}
		}
		st.Mark, st.Fresh = stage.Watermark(span.Next), false
		if len(span.Entries) > 0 {
			s.Log(Scored("sessionend", notice, len(heard)))
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
