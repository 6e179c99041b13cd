package session

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
)

// Ours tells what a person typed behind the name of one of Keepsake's own skills:
// it is for Keepsake, and nothing to notice. What was to be saved counts until a
// save was applied.
func Ours(e transcript.Entry, applied bool) bool {
	skill, ours := strings.CutPrefix(e.Called, "/keepsake:")
	return ours && (applied || skill != "save")
}

// Heard returns the entries of a stretch of the conversation that count, and whether it
// ends in our own doing. What the agent says between our asking it to save something and
// the person's next prompt is about the save, as is what it says on a skill of ours that
// saved: there only the person counts. Everything else counts, in a turn in which the
// agent saved something too. begun says that the turn was begun by a hook: what the
// person types meanwhile is no prompt of its own.
func Heard(st stage.State, entries []transcript.Entry, begun bool) (heard []transcript.Entry, ours bool) {
	ours = st.Saving
	heard = slices.DeleteFunc(slices.Clone(entries), func(e transcript.Entry) bool {
		skill := Ours(e, st.Applied)
		if e.Who == transcript.Person && e.Asked == nil && e.Plan == "" && !(begun && st.Saving) {
			ours = skill && st.Applied
		}
		return skill || ours && e.Who != transcript.Person
	})
	return heard, ours
}

// Besides returns the findings that say something else than the records that the agent
// saved in the stretch in which they were noticed. Those that a record says are known by
// it, so that nobody is asked to save them a second time.
func (s *Session) Besides(saved []string, added []finding.Finding, now time.Time) ([]finding.Finding, error) {
	if len(saved) == 0 || len(added) == 0 {
		return added, nil
	}
	var records []memory.Stored
	for _, path := range saved {
		if r, err := s.Store().Read(path); err == nil { // one that is gone again says nothing
			records = append(records, r)
		}
	}
	var moves []finding.Move
	left := slices.DeleteFunc(slices.Clone(added), func(f finding.Finding) bool {
		i := slices.IndexFunc(records, func(r memory.Stored) bool { return saidBy(r.Record, f) })
		if i >= 0 {
			moves = append(moves, finding.Move{At: now, Act: finding.Know, Numbers: []int{f.Number},
				To: records[i].Path, By: "keepsake"})
		}
		return i >= 0
	})
	if err := s.MoveFindings(moves...); err != nil {
		return added, err
	}
	return left, nil
}

// saidBy reports whether a record says all that a finding says.
func saidBy(r memory.Record, f finding.Finding) bool {
	if f.Category == "" || f.Kind == finding.Change {
		return false
	}
	// A second statement, of nothing, has the first one held against the record's words:
	// an only one would go with it.
	return resolve.RecordSaying(r).Says(resolve.SayingOf(f.Text))
}
