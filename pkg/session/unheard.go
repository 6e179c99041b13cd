package session

import (
	"slices"

	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
)

// unheard is what a stretch of the conversation holds that no Stop has listened to.
type unheard struct {
	span     transcript.Span
	entries  int // that counted
	notice   triage.Notice
	contexts []stage.Context
	moments  []stage.Moment
}

// unheard listens to what is new in the transcript, outside of a Stop, and counts
// the activity: to all of it, or to a piece of so many bytes. While a save is under
// way only the person's words count. The mark stays where it is.
func (s *Session) unheard(st *stage.State, file Transcript, near bool, piece int64) (u unheard, err error) {
	r := s.request(file, *st, "")
	r.Piece = piece
	if u.span, err = transcript.Read(file, r); err != nil {
		return u, err
	}
	heard := slices.DeleteFunc(slices.Clone(u.span.Entries), func(x transcript.Entry) bool {
		return (st.Saving || st.Applied) && x.Who != transcript.Person || Ours(x, st.Applied)
	})
	u.entries = len(heard)
	u.notice, u.contexts = s.Notice(Passages(heard), near)
	u.moments = Moments(u.notice)
	Count(&st.Activity, heard)
	return u, nil
}
