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

// IsOurs reports whether an entry is what a person typed behind the name of one of Keepsake's own
// skills. That is for Keepsake, and nothing to notice. What was to be saved counts until a save was
// applied.
func IsOurs(e transcript.Entry, applied bool) bool {
	skill, ours := strings.CutPrefix(e.Called, "/keepsake:")
	return ours && (applied || skill != "save")
}

// A Stretch is what was added to a session's transcript since it was last read.
type Stretch struct {
	transcript.Span
	Heard []transcript.Entry // those of its entries that count
	Own   bool               // it ends with what the agent did for Keepsake
}

// A Part says how much of a transcript is read, and what is known of it from the hook's event.
type Part struct {
	Last  string // the agent's last message, which the file may not have yet
	Begun bool   // a hook made the agent go on, so what the person types meanwhile begins no new turn
	Bytes int64  // about how many are read; 0: all
}

// ReadOn reads what is new in the session's transcript. It makes the state's mark agree with the
// journal, but does not move it behind what it read.
func (ca *Capture) ReadOn(st *stage.State, file Transcript, p Part) (x Stretch, err error) {
	if err := ca.Resume(st); err != nil {
		return x, err
	}
	r := ca.request(file, *st, p.Last)
	r.Piece = p.Bytes
	if x.Span, err = transcript.Read(file, r); err != nil {
		return x, err
	}
	x.Heard, x.Own = countingEntries(st.Phase(), x.Entries, p.Begun)
	x.Heard = slices.DeleteFunc(x.Heard, ca.Noted)
	return x, nil
}

// countingEntries returns the entries of a stretch that count, and whether the stretch ends with
// what the agent did for Keepsake. After Keepsake asked the agent to save something, what the agent
// says is about the save until the person's next prompt. So it is after a skill of Keepsake's that
// saved. There only the person's entries count. Everything else counts, also in a turn in which the
// agent saved something.
func countingEntries(p stage.Phase, entries []transcript.Entry, begun bool) (heard []transcript.Entry, own bool) {
	saving := p == stage.Saving || p == stage.Applied
	applied := p == stage.Applied || p == stage.Beside
	own = saving
	heard = slices.DeleteFunc(slices.Clone(entries), func(e transcript.Entry) bool {
		skill := IsOurs(e, applied)
		if e.Who == transcript.Person && e.Asked == nil && e.Plan == "" && !(begun && saving) {
			own = skill && applied
		}
		return skill || own && e.Who != transcript.Person
	})
	return heard, own
}

// Follow notes in the state what a stretch says of the model's context window: how full it is, and
// that it was compacted.
func (fl *InFlight) Follow(st *stage.State, x Stretch) {
	for _, e := range x.Entries {
		if e.Boundary {
			st.Compacted(e.Time)
		}
	}
	fl.noteFill(st, x.Span)
}

// NoteStretch puts what was noticed in a stretch into the journal, and moves the state's mark
// behind it. It returns the new findings that say something else than the records which the agent
// saved in the same stretch.
func (ca *Capture) NoteStretch(st *stage.State, x Stretch, n Noticed, now time.Time) ([]finding.Finding,
	error) {
	added, err := ca.AddFindings(st, x.Next, n.Findings, now)
	if err != nil {
		return nil, err
	}
	if err := ca.MoveFindings(n.Turned...); err != nil {
		return nil, err
	}
	return ca.settleSaved(st.Saved, added, now)
}

// settleSaved returns the findings that say something else than the records that the agent saved in
// the stretch in which they were noticed. The other findings are moved to those records, so that
// nobody is asked to save them a second time.
func (ca *Capture) settleSaved(saved []string, added []finding.Finding, now time.Time) ([]finding.Finding,
	error) {
	if len(saved) == 0 || len(added) == 0 {
		return added, nil
	}
	var records []memory.Stored
	for _, path := range saved {
		if r, err := ca.Store().Read(path); err == nil { // one that is gone again says nothing
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

// recordSays reports whether a record says all that a finding says.
func recordSays(r memory.Record, f finding.Finding) bool {
	if f.Category == "" || f.Kind == finding.Change {
		return false
	}
	return alike.RecordSaying(r).Says(alike.SayingOf(f.Text))
}
