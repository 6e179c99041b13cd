package session

import (
	"slices"

	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
)

// unheard is what a stretch of the conversation holds that no Stop has listened to.
type unheard struct {
	span    transcript.Span
	entries int // that counted
	noticed Noticed
}

// unheard listens to what is new in the transcript, outside of a Stop, and counts
// the activity: to all of it, or to a piece of so many bytes. The mark stays where it is.
func (s *Session) unheard(st *stage.State, file Transcript, piece int64) (u unheard, err error) {
	if err := s.Resume(st); err != nil {
		return u, err
	}
	r := s.request(file, *st, "")
	r.Piece = piece
	if u.span, err = transcript.Read(file, r); err != nil {
		return u, err
	}
	heard, _ := Heard(*st, u.span.Entries, false)
	heard = slices.DeleteFunc(heard, s.Noted)
	u.entries = len(heard)
	u.noticed = s.Notice(Before(file, st.Mark, u.span.Counted), heard)
	Count(&st.Activity, heard)
	return u, nil
}
