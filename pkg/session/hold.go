package session

import (
	"errors"
	"io/fs"

	"keepsake/pkg/config"
	"keepsake/pkg/stage"
)

// Hold stages what no Stop has listened to, before the conversation is compacted,
// also what only comes near its threshold: what is left out of the summary can't
// be asked for again. It drafts nothing and says nothing. A second call finds
// nothing new. While a save is under way it leaves everything to the Stop that
// ends it.
func (s *Session) Hold(hook string) error {
	if s.State.Transcript == "" || s.State.Saving || s.State.Applied {
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
	if s.Known && file.Size() == s.State.Mark.Offset {
		return nil
	}
	return s.Update(func(st *stage.State) error {
		u, err := s.unheard(st, file, true, 0)
		if err != nil {
			return err
		}
		for _, e := range u.span.Entries {
			if e.Boundary {
				st.Compacted(e.Time)
			}
		}
		s.Fill(st, u.span)
		due := false
		for _, c := range u.contexts {
			told, err := s.Put(c)
			if err != nil {
				return err
			}
			due = due || told
		}
		told, err := s.Note(u.moments)
		if err != nil {
			return err
		}
		// The budget is full again after the compaction, which may not come.
		if (due || told) && Attended() && s.Config.Capture.OnStop == config.Save && st.Saves < s.Config.Capture.MaxSaves {
			st.Due = true
		}
		st.Mark, st.Fresh = stage.Watermark(u.span.Next), false
		if len(u.span.Entries) > 0 {
			s.Log(Scored(hook, u.notice, u.entries, s.Full(*st).At))
		}
		return nil
	})
}
