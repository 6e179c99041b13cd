package session

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/config"
	"keepsake/pkg/stage"
)

// Hold stages what no Stop has listened to, before the conversation is compacted,
// also what only comes near its threshold: what is left out of the summary can't
// be asked for again. It drafts nothing and says nothing. A second call finds
// nothing new. While a save is under way it leaves everything to the Stop that
// ends it.
func (s *Session) Hold(hook string) error {
	if s.State.Transcript == "" || s.State.Phase() != stage.Working {
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
		u, err := s.unheard(st, file, 0)
		if err != nil {
			return err
		}
		s.Follow(st, u.Stretch)
		added, err := s.NoteStretch(st, u.Stretch, u.noticed, time.Now().UTC())
		if err != nil {
			return err
		}
		told := slices.ContainsFunc(added,
			func(f finding.Finding) bool { return f.Level == finding.Sure && f.Moment != "" })
		due := false
		for _, c := range s.Contexts(u.noticed, added, true) {
			told, err := s.Put(c)
			if err != nil {
				return err
			}
			due = due || told
		}
		// The budget is full again after the compaction, which may not come.
		if (due || told) && Attended() && s.Config.Capture.OnStop == config.Save && st.Saves < s.Config.Capture.MaxSaves {
			st.Due = true
		}
		if len(u.Entries) > 0 {
			s.Log(Scored(hook, u.noticed, len(u.Heard), s.Full(*st).At))
		}
		return nil
	})
}
