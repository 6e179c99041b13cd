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
// the activity: to all of it, or to a piece of so many bytes. While a save is under
// way only the person's words count. The mark stays where it is.
func (s *Session) unheard(st *stage.State, file Transcript, piece int64) (u unheard, err error) {
	if err := s.Resume(st); err != nil {
		return u, err
	}
	r := s.request(file, *st, "")
	r.Piece = piece
	if u.span, err = transcript.Read(file, r); err != nil {
		return u, err
	}
	heard := slices.DeleteFunc(slices.Clone(u.span.Entries), func(x transcript.Entry) bool {
		return (st.Saving || st.Applied) && x.Who != transcript.Person || Ours(x, st.Applied) ||
			s.Noted(x)
	})
	u.entries = len(heard)
	u.noticed = s.Notice(Before(file, st.Mark, u.span.Counted), heard)
	Count(&st.Activity, heard)
	return u, nil
}
