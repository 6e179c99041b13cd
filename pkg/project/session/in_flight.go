package session

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"keepsake/pkg/capture/stage"
)

// InFlight is the work of a session: its state and its desk.
type InFlight struct {
	*Place
	State stage.State // as it was when the session was opened; Update changes it
	Known bool        // a state file was there
	Desk  stage.Desk

	tier   string // of the staging base; "" when the state already named the desk
	unread error  // why the session's state file could not be used, if there is one
}

// load finds Keepsake's folders and reads the session's state there. It returns the folders that do
// not count. asked is as with dirsFor.
func (fl *InFlight) load(transcript string) (refused []string, asked bool, err error) {
	fl.State, fl.Known, fl.Desk, fl.unread = stage.State{}, false, stage.Desk{}, nil
	fl.Dirs, refused, asked = dirsFor(fl.Place.Place, transcript)
	if fl.Dirs.State == "" {
		if len(refused) > 0 {
			return nil, asked, fmt.Errorf("%w: %s lies in the project, or git tracks it; "+
				"hint: take it out of git, or set XDG_STATE_HOME to another folder", ErrNoState,
				strings.Join(refused, ", "))
		}
		return nil, asked, fmt.Errorf("%w: neither HOME nor XDG_STATE_HOME is set; hint: set HOME to your "+
			"folder", ErrNoState)
	}
	st, err := fl.Sessions().Load(fl.ID)
	switch {
	case err == nil:
		fl.State, fl.Known = st, true
		fl.Desk = stage.Desk{Dir: st.Stage}
	case !errors.Is(err, fs.ErrNotExist):
		fl.unread = err // recall and the gate work without it; Update replaces it
	}
	return refused, asked, nil
}

// Update changes the session's state file under its lock, and fl.State with it. When change fails
// nothing is written.
func (fl *InFlight) Update(change func(*stage.State) error) error {
	fresh := fl.State
	if fresh.Started.IsZero() {
		fresh.Started = time.Now().UTC()
	}
	return fl.Sessions().Update(fl.ID, fresh, func(st *stage.State) error {
		st.Root, st.Home, st.Stage = fl.Root, fl.Home, fl.Desk.Dir
		if fl.State.Transcript != "" {
			st.Transcript = fl.State.Transcript
		}
		st.Seen = later(st.Seen, time.Now().UTC())
		NoteVersion(st)
		if err := change(st); err != nil {
			return err
		}
		fl.State, fl.Known = *st, true
		if fl.unread != nil { // the state of a newer version never gets here: Sessions.Update leaves it alone
			fl.Fault("session", "a session's state could not be read, was put aside and begun anew",
				fl.unread)
			fl.unread = nil
		}
		return nil
	})
}

// later returns the later of two times, so that a clock that was set back makes no session look
// older.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Put puts a context on the desk and reports whether the desk has it. If the desk can't be written, a
// context of numbered findings is made again from the journal later, and any other goes to pending, which
// is on another disk.
func (fl *InFlight) Put(c stage.Context) (told bool, err error) {
	derr := fl.Desk.Put(c)
	if derr == nil {
		return true, nil
	}
	if !c.Numbered() {
		if err := fl.Pending().Add(fl.ID, c); err != nil {
			return false, errors.Join(derr, err)
		}
	}
	fl.Fault("stage", "what was noticed is kept for a later session, since the stage can't be written", derr)
	return false, nil
}
