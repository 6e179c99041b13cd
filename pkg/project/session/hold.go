package session

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/project/config"
)

// Hold stages what no Stop has listened to, before the conversation is compacted. It also stages
// what only comes near its threshold, since what the summary leaves out can't be asked for again.
// It drafts nothing and says nothing, and a second call finds nothing new. While a save is under
// way it leaves everything to the Stop that ends the save.
func (ca *Capture) Hold(hook string) error {
	if ca.State.Transcript == "" || ca.State.Phase() != stage.Working {
		return nil
	}
	file, err := OpenTranscript(ca.State.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was said
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if ca.Known && file.Size() == ca.State.Mark.Offset {
		return nil
	}
	return ca.Update(func(st *stage.State) error {
		u, err := ca.listenOn(st, file, 0)
		if err != nil {
			return err
		}
		ca.Follow(st, u.Stretch)
		added, err := ca.NoteStretch(st, u.Stretch, u.noticed, time.Now().UTC())
		if err != nil {
			return err
		}
		told := slices.ContainsFunc(added,
			func(f finding.Finding) bool { return f.Level == finding.Sure && f.Moment != "" })
		due := false
		for _, c := range ca.Contexts(u.noticed, added, true) {
			told, err := ca.Put(c)
			if err != nil {
				return err
			}
			due = due || told
		}
		// The compaction, which may not come, makes the whole budget available again.
		if (due || told) && ca.Attended() && ca.Config.Capture.OnStop == config.Save &&
			st.Saves < ca.Config.Capture.MaxSaves {
			st.Due = true
		}
		if len(u.Entries) > 0 {
			ca.Log(Scored(hook, u.noticed, len(u.Heard), ca.Full(*st).At))
		}
		return nil
	})
}

// unheard is a stretch of the conversation that no Stop has read.
type unheard struct {
	Stretch
	noticed Noticed
}

// listenOn reads what is new in the transcript outside of a Stop, and counts the activity. It reads at
// most about piece bytes; 0 reads all. The mark stays where it is.
func (ca *Capture) listenOn(st *stage.State, file Transcript, piece int64) (u unheard, err error) {
	if u.Stretch, err = ca.ReadOn(st, file, Part{Bytes: piece}); err != nil {
		return u, err
	}
	u.noticed = ca.Notice(Before(file, st.Mark, u.Counted), u.Heard)
	Count(&st.Activity, u.Heard)
	return u, nil
}
