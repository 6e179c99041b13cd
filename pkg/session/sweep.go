package session

import (
	"errors"
	"time"

	"keepsake/pkg/stage"
)

// silent is how long a session whose client can't be checked may say nothing
// before it counts as ended. The runtime directory rarely lives longer.
const silent = 7 * 24 * time.Hour

// forgotten is how long a session's state is kept after its last hook. One that
// is resumed later than that is read from its last turn on.
const forgotten = 90 * 24 * time.Hour

// Sweep moves the work of sessions that ended without a word (a crash, a
// closed terminal) to pending, and forgets the state of those long gone. The
// session that is open now is left alone.
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
			continue
		}
		if time.Since(st.Seen) > forgotten {
			errs = append(errs, s.sessions().Remove(st.Session))
		}
	}
	return errors.Join(errs...)
}
