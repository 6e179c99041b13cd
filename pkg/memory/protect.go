package memory

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/text"
)

// CheckCreate returns why no new record may take the name of old, a readable record, and what to do instead.
// It never returns nil.
func CheckCreate(old Record, now time.Time) error {
	if old.RetiredLately(now) && old.Category != SessionSummary {
		return newRefusal(CodeAntiResurrection, "id", "a name that was not retired within a day",
			fmt.Sprintf("%s, retired at %s", old.ID, valueOf(old.RetiredAt)),
			"use another title, wait until a day is over, or restore the old memory and update it")
	}
	return newRefusal(CodeOverwrite, "id", "a name that no memory has",
		fmt.Sprintf("%s, which is %s", old.ID, old.Status),
		"update the memory that is there, or use another title")
}

// CheckUpdate returns an error unless an update may change old to next. Only active records are updated. The
// category, id, created_at and record_status with its fields stay; schema_version may only grow. Tags are
// dropped only to make room for others, and related files only if exists says that they are gone. At least
// one change is added, at the end. The errors are *Refusal, joined: CodeUpdate for a record that takes no
// update, CodeMerge for a part that an update may not change.
func CheckUpdate(old, next Record, exists func(file string) bool) error {
	var errs []error
	if old.Status != Active {
		errs = append(errs, newRefusal(CodeUpdate, "record_status", "an active record", string(old.Status),
			"restore or unarchive it first"))
	}
	if next.Status != old.Status {
		errs = append(errs, newRefusal(CodeMerge, "record_status", string(old.Status), string(next.Status),
			"use retire, archive, unarchive or restore"))
	}
	for _, f := range []struct {
		name      string
		old, next *string
	}{
		{"retired_at", old.RetiredAt, next.RetiredAt},
		{"retired_reason", old.RetiredReason, next.RetiredReason},
		{"archived_at", old.ArchivedAt, next.ArchivedAt},
		{"archived_reason", old.ArchivedReason, next.ArchivedReason},
	} {
		if valueOf(f.old) != valueOf(f.next) {
			errs = append(errs, newRefusal(CodeMerge, f.name, quotedOrNone(f.old), quotedOrNone(f.next),
				"leave it as it is"))
		}
	}
	if old.SupersededBy != next.SupersededBy {
		errs = append(errs, newRefusal(CodeMerge, "superseded_by", quotedOrNone(&old.SupersededBy),
			quotedOrNone(&next.SupersededBy), "leave it as it is"))
	}
	if next.TimesUpdated <= old.TimesUpdated {
		errs = append(errs, newRefusal(CodeMerge, "times_updated", "more than "+
			strconv.Itoa(old.TimesUpdated),
			strconv.Itoa(next.TimesUpdated), "count this update"))
	}
	return errors.Join(append(errs, checkLasting(CodeMerge, old, next, exists)...)...)
}

// CheckMove returns an error unless a transition from one of the statuses from may change old to next.
// Refusals have the given code. All that CheckUpdate protects is protected here, except the status.
func CheckMove(code Code, old, next Record, to Status, exists func(file string) bool, from ...Status) error {
	var errs []error
	if !slices.Contains(from, old.Status) {
		errs = append(errs, newRefusal(code, "record_status", fmt.Sprintf("a record that is %s", from[0]),
			string(old.Status), "look at the record again"))
	}
	if next.Status != to {
		errs = append(errs, newRefusal(code, "record_status", string(to), string(next.Status), ""))
	}
	for _, f := range []struct {
		name  string
		value *string
		want  bool
	}{
		{"retired_at", next.RetiredAt, to == Retired}, {"retired_reason", next.RetiredReason, to == Retired},
		{"archived_at", next.ArchivedAt, to == Archived},
		{"archived_reason", next.ArchivedReason, to == Archived},
	} {
		switch {
		case f.want && valueOf(f.value) == "":
			errs = append(errs, newRefusal(code, f.name, "a text", "nothing", "set it"))
		case !f.want && f.value != nil:
			errs = append(errs, newRefusal(code, f.name, "nothing", quotedOrNone(f.value), "clear it"))
		}
	}
	switch {
	case to == Active && next.SupersededBy != "":
		errs = append(errs, newRefusal(code, "superseded_by", "nothing", quotedOrNone(&next.SupersededBy),
			"clear it"))
	case to == Archived && next.SupersededBy != old.SupersededBy:
		errs = append(errs, newRefusal(code, "superseded_by", quotedOrNone(&old.SupersededBy),
			quotedOrNone(&next.SupersededBy), "leave it as it is"))
	}
	if next.TimesUpdated < old.TimesUpdated {
		errs = append(errs, newRefusal(code, "times_updated", strconv.Itoa(old.TimesUpdated)+" or more",
			strconv.Itoa(next.TimesUpdated), ""))
	}
	return errors.Join(append(errs, checkLasting(code, old, next, exists)...)...)
}

// CheckDelete returns an error unless the record is retired.
func CheckDelete(old Record) error {
	if old.Status != Retired {
		return newRefusal(CodeDelete, "record_status", "a retired record", string(old.Status),
			"retire it first; gc deletes it when its grace period is over")
	}
	return nil
}

// checkLasting checks the parts of a record that no change may touch.
func checkLasting(code Code, old, next Record, exists func(string) bool) (errs []error) {
	for _, f := range []struct{ name, old, next string }{
		{"category", string(old.Category), string(next.Category)},
		{"id", old.ID, next.ID},
		{"created_at", old.CreatedAt, next.CreatedAt},
	} {
		if f.old != f.next {
			errs = append(errs, newRefusal(code, f.name, strconv.Quote(f.old), strconv.Quote(f.next),
				"it cannot change"))
		}
	}
	if olderSchema(next.schema(), old.schema()) {
		errs = append(errs, newRefusal(code, "schema_version", strconv.Quote(old.schema()),
			strconv.Quote(next.schema()), "it cannot go back"))
	}
	if next.Branch != nil && (old.Branch == nil || *next.Branch != *old.Branch) {
		errs = append(errs, newRefusal(code, "branch", "the branch that it was made on, or none",
			strconv.Quote(text.Shorten(next.Branch.Name, 60)), "leave it as it is"))
	}
	for _, path := range old.Supersedes {
		if !slices.Contains(next.Supersedes, path) {
			errs = append(errs, newRefusal(code, "supersedes", strconv.Quote(text.Shorten(path, 80)),
				"no such entry", "keep it"))
		}
	}
	for _, name := range sortedKeys(old.Ext) {
		if _, ok := next.Ext[name]; !ok {
			errs = append(errs, newRefusal(code, "ext."+text.Shorten(name, 40), "what it is", "nothing",
				"keep it"))
		}
	}
	if gone := lostTags(old.Tags, next.Tags); len(gone) > 0 && len(next.Tags) < MaxTags {
		errs = append(errs, newRefusal(code, "tags", "the tags that there were, while there is room",
			"none of "+joinList(gone), "keep them"))
	}
	for _, file := range old.RelatedFiles {
		if !slices.Contains(next.RelatedFiles, file) && exists(file) {
			errs = append(errs, newRefusal(code, "related_files", strconv.Quote(text.Shorten(file, 80)),
				"no such entry",
				"keep it: the file exists"))
		}
	}
	if !hasGrown(old.Changes, next.Changes) {
		errs = append(errs, newRefusal(code, "changes",
			fmt.Sprintf("the %d entries that there were and at least one more", len(old.Changes)),
			fmt.Sprintf("%d entries", len(next.Changes)),
			fmt.Sprintf("add entries at the end; only above %d do the oldest go", MaxChanges)))
	}
	return errs
}

// lostTags returns the tags of old that next lacks, however they are written. Untagged is no loss.
func lostTags(old, next []string) (gone []string) {
	if slices.Equal(old, next) {
		return nil
	}
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

// hasGrown reports whether next is old with at least one entry added at the end and only as many of the
// oldest dropped as MaxChanges demands. One old entry must be left: without it, adding cannot be told from
// replacing.
func hasGrown(old, next []Change) bool {
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

func quotedOrNone(s *string) string {
	if s == nil || *s == "" {
		return "nothing"
	}
	return strconv.Quote(text.Shorten(*s, 60))
}

func joinList(items []string) string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = strconv.Quote(text.Shorten(item, 40))
	}
	return strings.Join(quoted, ", ")
}
