package memory

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"keepsake/pkg/text"
)

// CheckCreate says whether next may be written under a name that old, a
// readable record, has. It never may; the error says why and what to do.
func CheckCreate(old Record, now time.Time) error {
	if old.RetiredLately(now) && old.Category != SessionSummary {
		return refuse(CodeAntiResurrection, "id", "a name that was not retired within a day",
			fmt.Sprintf("%s, retired at %s", old.ID, valueOf(old.RetiredAt)),
			"use another title, wait until a day is over, or restore the old memory and update it")
	}
	return refuse(CodeOverwrite, "id", "a name that no memory has",
		fmt.Sprintf("%s, which is %s", old.ID, old.Status), "update the memory that is there, or use another title")
}

// CheckUpdate says whether a record may become next by an update. Only active
// records are updated, and what a record is stays: category, id, schema_version
// (which may only grow), created_at, record_status and what belongs to it. Tags
// give way only to others when there is no room; related files only when they
// are gone, which exists tells; changes are added at the end, at least one. The
// errors are *Refusal, joined: CodeUpdate for a record that takes no update,
// CodeMerge for what an update may not change.
func CheckUpdate(old, next Record, exists func(file string) bool) error {
	var errs []error
	if old.Status != Active {
		errs = append(errs, refuse(CodeUpdate, "record_status", "an active record", string(old.Status), "restore or unarchive it first"))
	}
	if next.Status != old.Status {
		errs = append(errs, refuse(CodeMerge, "record_status", string(old.Status), string(next.Status), "use retire, archive, unarchive or restore"))
	}
	for _, f := range []struct {
		name      string
		old, next *string
	}{
		{"retired_at", old.RetiredAt, next.RetiredAt}, {"retired_reason", old.RetiredReason, next.RetiredReason},
		{"archived_at", old.ArchivedAt, next.ArchivedAt}, {"archived_reason", old.ArchivedReason, next.ArchivedReason},
	} {
		if valueOf(f.old) != valueOf(f.next) {
			errs = append(errs, refuse(CodeMerge, f.name, quoted(f.old), quoted(f.next), "leave it as it is"))
		}
	}
	if old.SupersededBy != next.SupersededBy {
		errs = append(errs, refuse(CodeMerge, "superseded_by", quoted(&old.SupersededBy),
			quoted(&next.SupersededBy), "leave it as it is"))
	}
	if next.TimesUpdated <= old.TimesUpdated {
		errs = append(errs, refuse(CodeMerge, "times_updated", "more than "+strconv.Itoa(old.TimesUpdated), strconv.Itoa(next.TimesUpdated), "count this update"))
	}
	return errors.Join(append(errs, lasting(CodeMerge, old, next, exists)...)...)
}

// CheckMove says whether a record may become next by the transition whose
// refusals have that code. from are the statuses that the transition begins in.
// What CheckUpdate protects is protected here, but for the status itself.
func CheckMove(code Code, old, next Record, to Status, exists func(file string) bool, from ...Status) error {
	var errs []error
	if !slices.Contains(from, old.Status) {
		errs = append(errs, refuse(code, "record_status", fmt.Sprintf("a record that is %s", from[0]), string(old.Status), "look at the record again"))
	}
	if next.Status != to {
		errs = append(errs, refuse(code, "record_status", string(to), string(next.Status), ""))
	}
	for _, f := range []struct {
		name  string
		value *string
		want  bool
	}{
		{"retired_at", next.RetiredAt, to == Retired}, {"retired_reason", next.RetiredReason, to == Retired},
		{"archived_at", next.ArchivedAt, to == Archived}, {"archived_reason", next.ArchivedReason, to == Archived},
	} {
		switch {
		case f.want && valueOf(f.value) == "":
			errs = append(errs, refuse(code, f.name, "a text", "nothing", "set it"))
		case !f.want && f.value != nil:
			errs = append(errs, refuse(code, f.name, "nothing", quoted(f.value), "clear it"))
		}
	}
	switch {
	case to == Active && next.SupersededBy != "":
		errs = append(errs, refuse(code, "superseded_by", "nothing", quoted(&next.SupersededBy), "clear it"))
	case to == Archived && next.SupersededBy != old.SupersededBy:
		errs = append(errs, refuse(code, "superseded_by", quoted(&old.SupersededBy),
			quoted(&next.SupersededBy), "leave it as it is"))
	}
	if next.TimesUpdated < old.TimesUpdated {
		errs = append(errs, refuse(code, "times_updated", strconv.Itoa(old.TimesUpdated)+" or more", strconv.Itoa(next.TimesUpdated), ""))
	}
	return errors.Join(append(errs, lasting(code, old, next, exists)...)...)
}

// CheckDelete says whether a record may be deleted: only what was retired is.
func CheckDelete(old Record) error {
	if old.Status != Retired {
		return refuse(CodeDelete, "record_status", "a retired record", string(old.Status), "retire it first; gc deletes it when its grace period is over")
	}
	return nil
}

// lasting holds next against what every change to a record keeps.
func lasting(code Code, old, next Record, exists func(string) bool) (errs []error) {
	for _, f := range []struct{ name, old, next string }{
		{"category", string(old.Category), string(next.Category)},
		{"id", old.ID, next.ID},
		{"created_at", old.CreatedAt, next.CreatedAt},
	} {
		if f.old != f.next {
			errs = append(errs, refuse(code, f.name, strconv.Quote(f.old), strconv.Quote(f.next), "it cannot change"))
		}
	}
	if olderSchema(next.schema(), old.schema()) {
		errs = append(errs, refuse(code, "schema_version", strconv.Quote(old.schema()), strconv.Quote(next.schema()), "it cannot go back"))
	}
	for _, path := range old.Supersedes {
		if !slices.Contains(next.Supersedes, path) {
			errs = append(errs, refuse(code, "supersedes", strconv.Quote(text.Shorten(path, 80)),
				"no such entry", "keep it"))
		}
	}
	for _, name := range sortedKeys(old.Ext) {
		if _, ok := next.Ext[name]; !ok {
			errs = append(errs, refuse(code, "ext."+text.Shorten(name, 40), "what it is", "nothing", "keep it"))
		}
	}
	if gone := lostTags(old.Tags, next.Tags); len(gone) > 0 && len(next.Tags) < MaxTags {
		errs = append(errs, refuse(code, "tags", "the tags that there were, while there is room", "none of "+list(gone), "keep them"))
	}
	for _, file := range old.RelatedFiles {
		if !slices.Contains(next.RelatedFiles, file) && exists(file) {
			errs = append(errs, refuse(code, "related_files", strconv.Quote(text.Shorten(file, 80)), "no such entry", "keep it: the file exists"))
		}
	}
	if !grown(old.Changes, next.Changes) {
		errs = append(errs, refuse(code, "changes", fmt.Sprintf("the %d entries that there were and at least one more", len(old.Changes)),
			fmt.Sprintf("%d entries", len(next.Changes)), fmt.Sprintf("add entries at the end; only above %d do the oldest go", MaxChanges)))
	}
	return errs
}

// lostTags are the tags of old that next does not have, however they are
// written. The one that stands for none is no loss.
func lostTags(old, next []string) (gone []string) {
	has := make(map[string]bool, len(next))
	for _, t := range next {
		has[CleanTag(t)] = true
	}
	for _, t := range old {
		if c := CleanTag(t); c != "" && c != Untagged && !has[c] {
			gone = append(gone, t)
		}
	}
	return gone
}

// grown says whether next is old with at least one entry added, less as many of
// the oldest as it takes to have no more than MaxChanges. One of the old ones
// must be left, since otherwise nothing tells adding from replacing.
func grown(old, next []Change) bool {
	switch {
	case len(old) == 0:
		return len(next) > 0
	case len(next) < MaxChanges:
		return len(next) > len(old) && reflect.DeepEqual(old, next[:len(old)])
	}
	for dropped := max(0, len(old)-MaxChanges+1); dropped < len(old); dropped++ {
		if kept := old[dropped:]; reflect.DeepEqual(kept, next[:len(kept)]) {
			return true
		}
	}
	return false
}

func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func quoted(s *string) string {
	if s == nil || *s == "" {
		return "nothing"
	}
	return strconv.Quote(text.Shorten(*s, 60))
}

func list(items []string) string {
	var s string
	for i, item := range items {
		if i > 0 {
			s += ", "
		}
		s += strconv.Quote(text.Shorten(item, 40))
	}
	return s
}
