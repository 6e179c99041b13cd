package session

import (
	"errors"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
)

// silent is how long a session may run no hook before it counts as ended, if its client can't be checked.
// The runtime directory rarely lives longer.
const silent = 7 * 24 * time.Hour

// forgotten is how long a session's state is kept after its last hook. One that is resumed later is
// read from its last turn on.
const forgotten = 90 * 24 * time.Hour

// sweeping is how long a session's start may read the transcripts of dead sessions. The next start reads
// the rest.
const sweeping = time.Second

// Sweep finishes the sessions that ended without a SessionEnd (a crash, a closed terminal), once each,
// and deletes the state of those long gone. It leaves out the session that is open now. It also deletes
// questions of the gate that are too old to be answered, even if the gate asks nothing more.
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
		if err := s.finishOther(st); err != nil {
			errs = append(errs, err)
			continue
		}
		if time.Since(st.Seen) > forgotten {
			errs = append(errs, s.Sessions().Remove(st.Session))
		}
	}
	return errors.Join(errs...)
}

// finishOther does for another session what its SessionEnd would have done. It does nothing if the
// session's transcript has not grown and its desk is empty.
func (s *Session) finishOther(st stage.State) error {
	names, err := stage.Desk{Dir: st.Stage}.Files()
	if err != nil {
		return err
	}
	if len(names) == 0 && !hasNewLines(st) {
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

// hasNewLines reports whether the transcript has a whole line that nobody has read.
func hasNewLines(st stage.State) bool {
	file, err := OpenTranscript(st.Transcript)
	if err != nil {
		return false
	}
	defer file.Close()
	return file.hasLineAfter(st.Mark.Offset)
}

// approvals returns the folder of approvals, or "" if the client's folder is unknown.
func (fl *InFlight) approvals() approval.Dir {
	return approval.Dir(layout.Approvals(layout.Client(fl.State.Transcript)))
}

// SettleRejected settles the calls that a person said No to in a dialog, as the transcripts have it. A turn
// may be under way: the newer client reports a prompt that is typed while the agent works.
func (fl *InFlight) SettleRejected() {
	dir := fl.approvals()
	if dir == "" {
		return
	}
	if err := dir.SettleRejected(time.Now()); err != nil {
		fl.Fault("gate", "what became of a call that a person was asked about was not written down", err)
	}
}

// Over records that no turn of this session is under way. So if a person was asked about a call and it
// has not run, they said No.
func (fl *InFlight) Over() {
	dir := fl.approvals()
	if dir == "" {
		return
	}
	if err := dir.Over(fl.ID, time.Now()); err != nil {
		fl.Fault("gate", "what became of a call that a person was asked about was not written down", err)
	}
}
