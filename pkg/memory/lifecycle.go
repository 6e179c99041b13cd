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
// What is archived is not retired: it was put away to be kept.

// NoReason stands for the reason that nobody gave.
const NoReason = "No reason provided"

// Moved is the outcome of a transition.
type Moved struct {
	Record
	Already bool // the record was there already, and is unchanged
}

// Retire takes an active record out of what is recalled. Gc collects it after
// the grace period.
func (r Record) Retire(reason string, now time.Time) (Moved, error) {
	switch r.Status {
	case Retired:
		return Moved{r, true}, nil
	case Archived:
		return Moved{}, refuse(CodeRetire, "record_status", "an active record", "an archived one", "unarchive it first")
	}
	return r.move(Retired, reason, now), nil
}

// Supersede takes an active record out of what is recalled because another one, at a
// path below the store's root, took its place.
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
		return Moved{}, refuse(CodeArchive, "record_status", "an active record", "a retired one", "restore it first")
	}
	return r.move(Archived, reason, now), nil
}

// Unarchive makes an archived record active again.
func (r Record) Unarchive(now time.Time) (Moved, error) {
	switch r.Status {
	case Active:
		return Moved{r, true}, nil
	case Retired:
		return Moved{}, refuse(CodeUnarchive, "record_status", "an archived record", "a retired one", "restore it instead")
	}
	return r.move(Active, "Unarchived", now), nil
}

// Restore makes a retired record active again, however lately it was retired.
func (r Record) Restore(now time.Time) (Moved, error) {
	switch r.Status {
	case Active:
		return Moved{r, true}, nil
	case Archived:
		return Moved{}, refuse(CodeRestore, "record_status", "a retired record", "an archived one", "unarchive it instead")
	}
	return r.move(Active, "Restored", now), nil
}

// Shelve archives a retired record in place of deleting it. Only gc does that,
// when delete.archive_retired says so.
func (r Record) Shelve(now time.Time) (Moved, error) {
	if r.Status != Retired {
		return Moved{}, refuse(CodeArchive, "record_status", "a retired record", string(r.Status), "")
	}
	why := "Grace period over"
	if r.RetiredReason != nil && *r.RetiredReason != "" {
		why += ": " + *r.RetiredReason
	}
	return r.move(Archived, why, now), nil
}

// move gives the record its new status, with the fields that go with it, a
// change, and no more tags than may be written: a record of the original's may
// have more, and must not be stuck because of it.
func (r Record) move(to Status, reason string, now time.Time) Moved {
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
		r.SchemaVersion = r.schema() // it does not go back with what it loses
		r.SupersededBy = ""          // it holds again
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

// AppendChanges returns the changes with more at their end, at most MaxChanges:
// the oldest give way. The store's history keeps what they said.
func AppendChanges(old []Change, more ...Change) []Change {
	all := slices.Concat(old, more)
	return slices.Clone(all[max(0, len(all)-MaxChanges):])
}

// Resurrection is how long the name of something that was retired is not given
// to a new record: what was just retired should not come back by the next
// draft. The day is seed 3's.
const Resurrection = 24 * time.Hour

// RetiredLately says whether the record was retired within Resurrection of now.
// A time that cannot be read, or lies ahead, is taken as lately.
func (r Record) RetiredLately(now time.Time) bool {
	if r.Status != Retired || r.RetiredAt == nil {
		return false
	}
	at, ok := ParseStamp(*r.RetiredAt)
	return !ok || now.Sub(at) < Resurrection
}
