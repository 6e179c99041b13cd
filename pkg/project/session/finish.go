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

// Finish hands over the work of a session that is over. A turn that no Stop has seen, since it was
// interrupted or its terminal closed, is read: what is worth keeping goes into the journal. Drafts go to
// pending, and so does a summary made of the person's own requests, if enough was done for one. If a
// person attended, the summary is saved at once. Finish hands over the desk even if reading the
// transcript failed.
func (s *Session) Finish() error {
	if !s.Listens() {
		return errors.Join(s.clearDesk(), s.Pending().Take(s.ID, s.Desk), s.end())
	}
	alone := !s.summaryWaits()
	summary, err := s.noticeRest(finishing)
	err = errors.Join(err, s.Desk.Adopt(s.ID, false, adopter{s, time.Now().UTC()}), s.clearDesk(),
		s.Pending().Take(s.ID, s.Desk))
	if summary != nil && alone && s.Attended() {
		if err := s.saveSummary(summary, time.Now().UTC()); err != nil {
			s.Fault("sessionend", "the session's summary waits as a draft", err)
		}
	}
	return errors.Join(err, s.end())
}

// end notes in the session's state that it is over, and what became of the memories that it was given.
func (s *Session) end() error {
	if !s.Known {
		return nil
	}
	return s.Update(func(st *stage.State) error {
		st.Over = true
		s.noteUsage(st, Stretch{}, nil, true, time.Now().UTC())
		return nil
	})
}

// clearDesk removes the contexts from the desk that nobody drafted and whose findings the journal has.
func (fl *InFlight) clearDesk() error {
	names, err := fl.Desk.Files()
	if err != nil || len(names) == 0 {
		return err
	}
	contexts, _ := fl.Desk.Contexts() // a context that can't be read goes to pending as it is
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

// A long turn is read in pieces, so that no part is read twice if the time runs out. The start of another
// session reads the rest.
const (
	finishing = 500 * time.Millisecond
	piece     = 8 << 20 // bytes of transcript
)

// noticeRest reads the part of the transcript that no Stop has read: one piece, and more while there is
// time. It returns the draft of a summary of the person's work, or nil. The draft is also on the way to
// pending.
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

// noticePiece reads the next piece, and reports whether there is another. The summary is of all pieces.
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
