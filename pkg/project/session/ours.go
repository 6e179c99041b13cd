package session

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

// IsOurs reports whether a person typed the entry behind the name of one of Keepsake's own skills. It is
// meant for Keepsake, so nothing is noticed in it. What was typed to be saved is only left out once a
// save was applied.
func IsOurs(e transcript.Entry, applied bool) bool {
	skill, ours := strings.CutPrefix(e.Called, "/keepsake:")
	return ours && (applied || skill != "save")
}

// A Stretch is the part of a session's transcript that was added since the last reading.
type Stretch struct {
	transcript.Span
	Heard []transcript.Entry // the entries in which something may be noticed
	Own   bool               // it ends with the agent's work for Keepsake

	file Transcript
}

// A Part is how much of a transcript is read, and what the hook's event adds to it.
type Part struct {
	Last  string // the agent's last message, which the file may not have yet
	Begun bool   // a hook made the agent go on, so that a person's entry begins no new turn
	Bytes int64  // about how many bytes are read; 0 for all
}

// ReadOn reads what is new in the session's transcript. It sets the state's mark to what the journal has,
// and not behind what it read.
func (ca *Capture) ReadOn(st *stage.State, file Transcript, p Part) (x Stretch, err error) {
	if err := ca.Resume(st); err != nil {
		return x, err
	}
	x.file = file
	r := ca.request(file, *st, p.Last)
	r.Piece = p.Bytes
	if x.Span, err = transcript.Read(file, r); err != nil {
		return x, err
	}
	x.Heard, x.Own = countingEntries(st.Phase(), x.Entries, p.Begun)
	x.Heard = without(x.Heard, ca.Noted)
	return x, nil
}

// countingEntries returns the entries of a stretch that count. own reports whether the stretch ends with
// the agent's work for Keepsake. That begins when Keepsake asks the agent to save, or when a skill of
// Keepsake's has saved, and ends with the person's next prompt. Within it only the person's entries
// count. Everything else counts, even in a turn in which the agent saved something.
func countingEntries(p stage.Phase, entries []transcript.Entry, begun bool) (heard []transcript.Entry,
	own bool) {
	saving := p == stage.Saving || p == stage.Applied
	applied := p == stage.Applied || p == stage.Beside
	own = saving
	heard = without(entries, func(e transcript.Entry) bool {
		skill := IsOurs(e, applied)
		if e.Who == transcript.Person && e.Asked == nil && e.Plan == "" && !(begun && saving) {
			own = skill && applied
		}
		return skill || own && e.Who != transcript.Person
	})
	return heard, own
}

// without returns entries without those that drop reports: the same ones if there are none.
func without(entries []transcript.Entry, drop func(transcript.Entry) bool) []transcript.Entry {
	at := slices.IndexFunc(entries, drop)
	if at < 0 {
		return entries
	}
	kept := append(make([]transcript.Entry, 0, len(entries)-1), entries[:at]...)
	for _, e := range entries[at+1:] {
		if !drop(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// Follow notes in the state how full the model's context window is after a stretch, and whether it was
// compacted.
func (fl *InFlight) Follow(st *stage.State, x Stretch) {
	for _, e := range x.Entries {
		if e.Boundary {
			st.Compacted(e.Time)
		}
	}
	fl.noteFill(st, x.Span)
}

// NoteStretch adds the findings of a stretch to the journal, moves the state's mark behind the stretch, and
// notes what became of memories in it. It returns the new findings except those that a record or a file has
// that the client loads.
func (ca *Capture) NoteStretch(st *stage.State, x Stretch, n Noticed, now time.Time) ([]finding.Finding,
	error) {
	added, err := ca.AddFindings(st, x.Next, n.Findings, now)
	if err != nil {
		return nil, err
	}
	if err := ca.MoveFindings(n.Turned...); err != nil {
		return nil, err
	}
	ca.noteUsage(st, x, added, false, now)
	if added, err = ca.settleSaved(st.Saved, added, now); err != nil {
		return added, err
	}
	return ca.settleKnown(added, now)
}

// settleSaved returns the new findings that none of the saved records has. The others it settles with
// their record, so that nobody is asked to save them again.
func (ca *Capture) settleSaved(saved []string, added []finding.Finding, now time.Time) ([]finding.Finding,
	error) {
	if len(saved) == 0 || len(added) == 0 {
		return added, nil
	}
	var records []memory.Stored
	for _, path := range saved {
		if r, err := ca.Store().Read(path); err == nil { // a record that is gone again has nothing
			records = append(records, r)
		}
	}
	var moves []finding.Move
	left := slices.DeleteFunc(slices.Clone(added), func(f finding.Finding) bool {
		i := slices.IndexFunc(records, func(r memory.Stored) bool { return recordSays(r.Record, f) })
		if i >= 0 {
			moves = append(moves, finding.Move{At: now, Act: finding.Know, Numbers: []int{f.Number},
				To: records[i].Path, By: "keepsake"})
		}
		return i >= 0
	})
	if err := ca.MoveFindings(moves...); err != nil {
		return added, err
	}
	return left, nil
}

// recordSays reports whether a record has everything that a finding says.
func recordSays(r memory.Record, f finding.Finding) bool {
	if f.Category == "" || f.Kind == finding.Change {
		return false
	}
	return alike.RecordSaying(r).Says(alike.SayingOf(f.Text))
}
