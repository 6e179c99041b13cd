package main

import (
	"errors"
	"io/fs"
	"slices"

	"keepsake/pkg/config"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
)

// An ending is one session that is over.
type ending struct{ *session.Session }

// leave stages what the last Stop did not see and hands the desk over. The
// handing over happens even when the looking failed.
func (e ending) leave() error {
	var looked error
	if e.Config.Triage.Enabled && e.Config.Capture.OnStop != config.Off {
		looked = e.look()
	}
	return errors.Join(looked, e.Pending().Take(e.ID, e.Desk))
}

func (e ending) look() error {
	file, err := session.OpenTranscript(e.State.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was said
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return e.Update(func(st *stage.State) error {
		span, err := e.Listen(file, *st, "")
		if err != nil {
			return err
		}
		heard := span.Entries
		if st.Saving || st.Applied {
			heard = slices.DeleteFunc(slices.Clone(heard), func(x transcript.Entry) bool { return x.Who != transcript.Person })
		}
		_, contexts := e.Notice(session.Passages(heard))
		for _, c := range contexts {
			if err := e.Desk.Put(c); err != nil {
				return err
			}
		}
		session.Count(&st.Activity, heard)
		st.Mark, st.Fresh = stage.Watermark(span.Next), false
		return e.Summarise(st, file, true)
	})
}
