package session

import (
	"errors"
	"time"

	"keepsake/pkg/stage"
)

// silent is how long a session whose client can't be checked may say nothing
// before it counts as ended. The runtime directory rarely lives longer.
const silent = 7 * 24 * time.Hour

// Sweep moves the work of sessions that ended without a word (a crash, a
// closed terminal) to pending. The session that is open now is left alone.
func (s *Session) Sweep() error {
	all, err := s.sessions().All()
	errs := []error{err}
	for _, st := range all {
		if st.Session == s.ID {
			continue
		}
		if !st.Client.Ended() && (st.Client.Start != "" || time.Since(st.Seen) < silent) {
			continue
		}
		if err := s.Pending().Take(st.Session, stage.Desk{Dir: st.Stage}); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
