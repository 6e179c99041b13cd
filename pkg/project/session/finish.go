package session

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
)

// Finish hands over what a session that is over leaves. What is worth keeping of a turn that no
// Stop has seen goes into the journal, and drafts go to pending. Such a turn was interrupted, or
// its terminal was closed. A summary made of the person's own requests goes to pending too, when
// enough was done for one. Where a person attended, it is saved at once. Finish hands over the desk
// even when reading the transcript failed.
func (s *Session) Finish() error {
	if !s.Listens() {
		return errors.Join(s.clearDesk(), s.Pending().Take(s.ID, s.Desk))
	}
	alone := !s.summaryWaits()
	summary, err := s.noticeRest(finishing)
	err = errors.Join(err, s.Desk.Adopt(s.ID, false, adopter{s, time.Now().UTC()}), s.clearDesk(),
		s.Pending().Take(s.ID, s.Desk))
	if summary != nil && alone && Attended() {
		if err := s.saveSummary(summary, time.Now().UTC()); err != nil {
			s.Fault("sessionend", "the session's summary waits as a draft", err)
		}
	}
	if s.Known {
		err = errors.Join(err, s.Update(func(st *stage.State) error { st.Over = true; return nil }))
	}
	return err
}

// clearDesk removes the contexts from the desk that the journal has and nobody drafted.
func (fl *InFlight) clearDesk() error {
	names, err := fl.Desk.Files()
	if err != nil || len(names) == 0 {
		return err
	}
	contexts, _ := fl.Desk.Contexts() // one that can't be read goes to pending as it is
	var done []string
	for _, c := range contexts {
		if c.Numbered() && !slices.Contains(names, stage.IntentName(c.Category)) &&
			!slices.Contains(names, stage.HandName(c.Category)) {
			done = append(done, c.Name())
		}
	}
	_, err = fl.Desk.Remove(done...)
	return err
}

// A long turn is read in pieces, so that no part is read twice when the time is over. The start of
// another session goes on with the rest.
const (
	finishing = 500 * time.Millisecond
	piece     = 8 << 20 // bytes of transcript
)

// noticeRest listens to what no Stop has heard: to one piece, and to more as long as there is time.
// It returns the draft of a summary of what a person worked on, nil for none. The draft also waits
// among what the session leaves.
func (ca *Capture) noticeRest(within time.Duration) (summary []byte, err error) {
	if ca.State.Transcript == "" {
		return nil, nil
	}
	file, err := OpenTranscript(ca.State.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nothing was said
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for begun := time.Now(); ; {
		more := false
		err := ca.Update(func(st *stage.State) (err error) {
			more, summary, err = ca.noticePiece(st, file)
			return err
		})
		if err != nil || !more || time.Since(begun) >= within {
			return summary, err
		}
	}
}

// noticePiece listens to the next piece, and reports whether there is another. The summary is of
// the whole.
func (ca *Capture) noticePiece(st *stage.State, file Transcript) (more bool, intent []byte, err error) {
	u, err := ca.listenOn(st, file, piece)
	if err != nil {
		return false, nil, err
	}
	enough := false
	var requests []string
	if !u.More {
		var summary stage.Context
		if summary, requests, enough = ca.Summary(st, file, false); enough {
			if err := ca.Pending().Add(ca.ID, summary); err != nil {
				return false, nil, err
			}
		}
	}
	if _, err := ca.NoteStretch(st, u.Stretch, u.noticed, time.Now().UTC()); err != nil {
		return false, nil, err
	}
	if len(u.Entries) > 0 {
		ca.Log(Scored("sessionend", u.noticed, len(u.Heard), ca.Full(*st).At))
	}
	if !enough {
		return u.More, nil, nil
	}
	said := EntriesSince(file, st.Activity.From)
	var ended time.Time
	for _, e := range said {
		ended = later(ended, e.Time)
	}
	if ended.IsZero() {
		ended = st.Seen
	}
	st.Activity = stage.Activity{From: st.Mark.Offset}
	intent, ok := draft.Extract(memory.SessionSummary, requests, draft.Quoted, ended)
	if !ok {
		return false, nil, nil
	}
	err = ca.Pending().Draft(ca.ID, stage.IntentName(memory.SessionSummary), intent)
	if !hasPerson(said) {
		intent = nil
	}
	return false, intent, err
}
