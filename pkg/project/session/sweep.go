package session

import (
	"errors"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory/usage"
)

// silent is how long a session may run no hook before it counts as ended, if its client can't be checked.
// The runtime directory rarely lives longer.
const silent = 7 * 24 * time.Hour

// forgotten is how long a session's state is kept after its last hook. One that is resumed later is
// read from its last turn on.
const forgotten = 90 * 24 * time.Hour

// awake is how many sessions that are over are not put to rest: those seen last, which know what the person
// was told last.
const awake = 16

// sweeping is how long a session's start may read the transcripts of dead sessions. The next start reads
// the rest.
const sweeping = time.Second

// Sweep finishes the sessions that ended without a SessionEnd (a crash, a closed terminal), once each,
// puts all but the last of them to rest, and deletes the state of those long gone. It leaves out the session
// that is open now. It also deletes questions of the gate that are too old to be answered, even if the gate
// asks nothing more.
func (s *Session) Sweep() error {
	begun := time.Now()
	all, err := s.Sessions().Recent()
	errs := []error{err, s.approvals().Sweep(begun), s.Sessions().ForgetRested(begun.Add(-forgotten))}
	for i, st := range all {
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
		switch {
		case time.Since(st.Seen) > forgotten:
			errs = append(errs, s.Sessions().Remove(st.Session))
		case i >= awake && (st.Result == nil || st.Result.Told):
			errs = append(errs, s.Sessions().Rest(st))
		}
	}
	return errors.Join(errs...)
}

// leftAge is how old a file must be to count as left half written by a killed process.
const leftAge = time.Hour

// SweepLeftovers removes what killed processes left half written outside of the memories, which do it
// themselves.
func (fl *InFlight) SweepLeftovers(now time.Time) {
	for _, dir := range []string{string(fl.state()), fl.Dirs.ProjectCached(fl.Home, ""),
		filepath.Dir(fl.Desk.Dir), layout.Approvals(fl.ClientConfig())} {
		if dir != "" && dir != "." {
			disk.Sweep(dir, now.Add(-leftAge))
		}
	}
}

// finishOther does for another session what its SessionEnd would have done. It does nothing if the
// session's transcript has not grown, its desk is empty and what it was given is noted.
func (s *Session) finishOther(st stage.State) error {
	names, err := stage.Desk{Dir: st.Stage}.Files()
	if err != nil {
		return err
	}
	noted := !slices.ContainsFunc(st.Given, func(g usage.Given) bool { return !g.Noted })
	if len(names) == 0 && noted && !hasNewLines(st) {
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
