package session

import (
	"errors"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
)

// silent is how long a session whose client can't be checked may say nothing
// before it counts as ended. The runtime directory rarely lives longer.
const silent = 7 * 24 * time.Hour

// forgotten is how long a session's state is kept after its last hook. One that
// is resumed later than that is read from its last turn on.
const forgotten = 90 * 24 * time.Hour

// sweeping is how long a session's start reads what dead sessions left. What it does
// not get to, the next one reads.
const sweeping = time.Second

// Sweep finishes the sessions that ended without a word (a crash, a closed
// terminal), once each, and forgets the state of those long gone. The
// session that is open now is left alone. What the gate asked a person longer ago
// than counts is deleted with it, also when nothing is asked again.
func (s *Session) Sweep() error {
	all, err := s.Sessions().All()
	errs := []error{err, s.approvals().Sweep(time.Now())}
	begun := time.Now()
	for _, st := range all {
		if time.Since(begun) > sweeping {
			break
		}
		if st.Session == s.ID {
			continue
		}
		if !st.Client.Ended() && (st.Client.Start != "" || time.Since(st.Seen) < silent) {
			continue
		}
		if err := s.finish(st); err != nil {
			errs = append(errs, err)
			continue
		}
		if time.Since(st.Seen) > forgotten {
			errs = append(errs, s.Sessions().Remove(st.Session))
		}
	}
	return errors.Join(errs...)
}

// finish does for another session what its SessionEnd would have done, unless
// that was done: then its transcript has not grown and its desk is empty.
func (s *Session) finish(st stage.State) error {
	names, err := stage.Desk{Dir: st.Stage}.Files()
	if err != nil {
		return err
	}
	if len(names) == 0 && !grown(st) {
		return nil
	}
	dead, err := open(placeOfState(st), st.Session, "")
	if err != nil {
		return err
	}
	if dead.state() == s.state() {
		dead.read = s.read
	}
	return dead.Finish()
}

// grown says that a whole line stands in the transcript that nobody has read.
func grown(st stage.State) bool {
	file, err := OpenTranscript(st.Transcript)
	if err != nil {
		return false
	}
	defer file.Close()
	return file.hasLineAfter(st.Mark.Offset)
}

// approvals is where the gate keeps what it asks a person, "" where nothing says where the client is.
func (fl *InFlight) approvals() approval.Dir {
	return approval.Dir(layout.Approvals(layout.Client(fl.State.Transcript)))
}

// Over is called when no turn of this session is under way: a call that a person
// was asked about and that has not run by now was answered No.
func (fl *InFlight) Over() {
	dir := fl.approvals()
	if dir == "" {
		return
	}
	if err := dir.Over(fl.ID, time.Now()); err != nil {
		fl.Fault("gate", "what became of a call that a person was asked about was not written down", err)
	}
}
