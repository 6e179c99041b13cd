package session

import "keepsake/pkg/capture/stage"

// unheard is a stretch of the conversation that no Stop has listened to.
type unheard struct {
	Stretch
	noticed Noticed
}

// unheard listens to what is new in the transcript, outside of a Stop, and counts
// the activity: to all of it, or to a piece of so many bytes. The mark stays where it is.
func (ca *Capture) unheard(st *stage.State, file Transcript, piece int64) (u unheard, err error) {
	if u.Stretch, err = ca.ReadOn(st, file, Part{Bytes: piece}); err != nil {
		return u, err
	}
	u.noticed = ca.Notice(Before(file, st.Mark, u.Counted), u.Heard)
	Count(&st.Activity, u.Heard)
	return u, nil
}
