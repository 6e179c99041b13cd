package memory

import (
	"slices"
	"time"

	"keepsake/pkg/text"
)

// A record's life:
//
//	active ──Retire──▶ retired ──(gc)──▶ gone, or archived
//	active ◀─Restore── retired
//	active ──Archive─▶ archived
//	active ◀Unarchive─ archived
//
// An archived record is not retired: it was put away to be kept.

// NoReason is written where nobody gave a reason.
const NoReason = "No reason provided"

// Moved is the result of a transition.
type Moved struct {
	Record
	Already bool // the record had that status before, and is unchanged
}

// Retire takes an active record out of what is recalled. Gc collects it after
// the grace period.
func (r Record) Retire(reason string, now time.Time) (Moved, error) {
	switch r.Status {
	case Retired:
		return Moved{r, true}, nil
	case Archived:
		return Moved{}, newRefusal(CodeRetire, "record_status", "an active record", "an archived one",
			"unarchive it first")
	}
	return r.moveTo(Retired, reason, now), nil
}

// Supersede takes an active record out of what is recalled because the record at by, a path below the store's
// root, takes its place.
func (r Record) Supersede(by, reason string, now time.Time) (Moved, error) {
	m, err := r.Retire(reason, now)
	if err == nil && !m.Already {
		m.SupersededBy = by
	}
	return m, err
}

// Archive takes an active record out of what is recalled and keeps it for good.
func (r Record) Archive(reason string, now time.Time) (Moved, error) {
	switch r.Status {
	case Archived:
		return Moved{r, true}, nil
	case Retired:
		return Moved{}, newRefusal(CodeArchive, "record_status", "an active record", "a retired one",
			"restore it first")
	}
	return r.moveTo(Archived, reason, now), nil
}

// Unarchive makes an archived record active again.
func (r Record) Unarchive(now time.Time) (Moved, error) {
	switch r.Status {
	case Active:
		return Moved{r, true}, nil
	case Retired:
		return Moved{}, newRefusal(CodeUnarchive, "record_status", "an archived record", "a retired one",
			"restore it instead")
	}
	return r.moveTo(Active, "Unarchived", now), nil
}

// Restore makes a retired record active again, however lately it was retired.
func (r Record) Restore(now time.Time) (Moved, error) {
	switch r.Status {
	case Active:
		return Moved{r, true}, nil
	case Archived:
		return Moved{}, newRefusal(CodeRestore, "record_status", "a retired record", "an archived one",
			"unarchive it instead")
	}
	return r.moveTo(Active, "Restored", now), nil
}

// Shelve archives a retired record instead of deleting it. Only gc does so, if delete.archive_retired is set.
func (r Record) Shelve(now time.Time) (Moved, error) {
	if r.Status != Retired {
		return Moved{}, newRefusal(CodeArchive, "record_status", "a retired record", string(r.Status), "")
	}
	why := "Grace period over"
	if r.RetiredReason != nil && *r.RetiredReason != "" {
		why += ": " + *r.RetiredReason
	}
	return r.moveTo(Archived, why, now), nil
}

// moveTo returns the record with a new status, the fields that belong to it, and one more change. Tags beyond
// MaxTags are dropped: a record of claude-memory may have more, and must still be able to change.
func (r Record) moveTo(to Status, reason string, now time.Time) Moved {
	stamp := Stamp(now)
	reason = text.Shorten(text.Clean(text.OneLine(reason)), MaxSummary)
	if reason == "" {
		reason = NoReason
	}
	old := r.Status
	r.Status, r.UpdatedAt = to, stamp
	r.RetiredAt, r.RetiredReason, r.ArchivedAt, r.ArchivedReason = nil, nil, nil, nil
	switch to {
	case Active:
		r.SchemaVersion = r.schema() // the version stays when fields are dropped
		r.SupersededBy = ""          // an active record is not superseded
	case Retired:
		r.RetiredAt, r.RetiredReason = &stamp, &reason
	case Archived:
		r.ArchivedAt, r.ArchivedReason = &stamp, &reason
	}
	if len(r.Tags) > MaxTags {
		r.Tags = CleanTags(r.Tags)
	}
	r.Changes = AppendChanges(r.Changes, Change{
		Date: stamp, Summary: reason, Field: "record_status", OldValue: string(old), NewValue: string(to),
	})
	return Moved{r, false}
}

// AppendChanges returns old with more at its end. Only the newest MaxChanges are kept; the store's history
// has the others.
func AppendChanges(old []Change, more ...Change) []Change {
	all := slices.Concat(old, more)
	return slices.Clone(all[max(0, len(all)-MaxChanges):])
}

// Resurrection is how long a new record may not take the name of a retired one, so that the next draft does
// not bring back what was just retired.
const Resurrection = 24 * time.Hour

// RetiredLately reports whether the record was retired within Resurrection of now. It assumes so if the time
// cannot be read or is in the future.
func (r Record) RetiredLately(now time.Time) bool {
	if r.Status != Retired || r.RetiredAt == nil {
		return false
	}
	at, ok := ParseStamp(*r.RetiredAt)
	return !ok || now.Sub(at) < Resurrection
}

// Then returns the record as it was at a time, by what it says of itself, and whether there was one. One that
// was retired or archived later was active. Of later changes of its text a record does not say what it said
// before.
func (r Record) Then(at time.Time) (then Record, was bool) {
	later := func(stamp string) bool {
		t, ok := ParseStamp(stamp)
		return ok && t.After(at)
	}
	if later(r.CreatedAt) {
		return r, false
	}
	ended := r.RetiredAt
	if ended == nil {
		ended = r.ArchivedAt
	}
	if r.Status != Active && ended != nil && later(*ended) {
		r.Status, r.SupersededBy = Active, ""
		r.RetiredAt, r.RetiredReason, r.ArchivedAt, r.ArchivedReason = nil, nil, nil, nil
	}
	return r, true
}
