package draft

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// maxValue is how many bytes of JSON an old or new value may have to be written into a change. The store's
// history has the larger ones.
const maxValue = 2000

// amend returns the record with the draft applied. It also returns how the two relate (duplicate, news or
// conflict), and in which fields a person's words stay. The category, id, status and creation date stay.
// Content fields are replaced, but keep what a person said and the draft leaves out, and the grounds of a
// choice. Tags and related files are united, but files that no longer exist go if the draft names others.
// Every change is logged in the record. A changed confidence alone is no change.
func amend(old memory.Record, d Draft, stamp string, exists func(file string) bool,
	k keeper) (r memory.Record, says store, stay []string) {
	r, says = old, news
	var changes []memory.Change
	note := func(field string, before, after any) {
		c := memory.Change{Date: stamp, Summary: field + " changed", Field: field}
		if isSmall(before) && isSmall(after) {
			c.OldValue, c.NewValue = before, after
		}
		changes = append(changes, c)
	}
	switch {
	case d.Title == "" || d.Title == old.Title:
	case k.title(d.Title):
		note("title", old.Title, d.Title)
		r.Title = d.Title
	default:
		stay = append(stay, "title")
	}
	r.Content = maps.Clone(old.Content)
	content := endedContent(d)
	for _, f := range memory.Fields(old.Category) {
		v, ok := content[f.Name]
		if !ok {
			continue
		}
		if isGround(old.Category, f.Name) {
			v = withAdded(old.Content[f.Name], v)
		}
		v, kept := k.value(f, old.Content[f.Name], v)
		if kept {
			stay = append(stay, "content."+f.Name)
		}
		if reflect.DeepEqual(v, old.Content[f.Name]) {
			continue
		}
		if contradicts(f.Kind, old.Content[f.Name], v) {
			says = conflict
		}
		note("content."+f.Name, old.Content[f.Name], v)
		r.Content[f.Name] = v
	}
	if tags, ok := uniteTags(old.Tags, d.Tags); ok {
		note("tags", old.Tags, tags)
		r.Tags = tags
	}
	if files := uniteFiles(old.RelatedFiles, d.RelatedFiles, exists); !slices.Equal(files, old.RelatedFiles) {
		note("related_files", old.RelatedFiles, files)
		r.RelatedFiles = files
	}
	if checks := uniteChecks(old.Verify, d, exists); (len(changes) > 0 || d.Checks) &&
		!slices.Equal(checks, old.Verify) {
		note("verify", old.Verify, checks)
		r.Verify = checks
	}
	if len(changes) == 0 {
		return old, duplicate, stay
	}
	if d.Confidence != nil {
		r.Confidence = d.Confidence
	}
	r.UpdatedAt = stamp
	r.TimesUpdated++
	if len(r.Tags) > memory.MaxTags { // somebody else wrote the record
		r.Tags = memory.CleanTags(old.Tags)
		note("tags", old.Tags, r.Tags)
	}
	r.Changes = withChanges(old.Changes, append([]memory.Change{{Date: stamp, Summary: changeSummary(d)}},
		changes...))
	return r, says, stay
}

// isGround reports whether a field gives the reasons or circumstances of a choice. An update adds to these,
// since the choice still stands.
func isGround(c memory.Category, field string) bool {
	switch c {
	case memory.Decision:
		return field == "context" || field == "rationale"
	case memory.Constraint:
		return field == "impact"
	case memory.Preference:
		return field == "reason"
	}
	return false
}

// withAdded returns a text or a list with what only the old one says put before the new one. If that is too
// long, it returns the new one alone.
func withAdded(old, now any) any {
	says := func(now, old string) bool {
		return old == "" || old == Unsaid || statesWords(now, old) ||
			alike.SayingOf(now).Says(alike.SayingOf(old))
	}
	switch was := old.(type) {
	case string:
		new, ok := now.(string)
		if !ok || says(new, was) {
			return now
		}
		if joined := withEnd(was) + " " + new; len(joined) <= maxGround {
			return joined
		}
	case []string:
		new, ok := now.([]string)
		if !ok {
			return now
		}
		left := slices.DeleteFunc(slices.Clone(was), func(o string) bool {
			return slices.ContainsFunc(new, func(n string) bool { return says(n, o) })
		})
		if len(left)+len(new) <= maxGrounds {
			return slices.Concat(left, new)
		}
	}
	return now
}

// maxGround and maxGrounds limit what an update may add to, in bytes and in items, so that a record updated
// every week does not grow for ever.
const (
	maxGround  = 1000
	maxGrounds = 8
)

// contradicts reports whether a new value drops what the old one said. A longer list, a text that contains
// the old one, and a change of progress do not.
func contradicts(k memory.Kind, before, now any) bool {
	switch old := before.(type) {
	case string:
		said, _ := now.(string)
		return k == memory.Text && old != "" && !strings.Contains(said, old)
	case []string:
		list, _ := now.([]string)
		return slices.ContainsFunc(old, func(s string) bool { return !slices.Contains(list, s) })
	case nil, bool:
		return false
	}
	return true
}

// endedContent returns the content of a draft with what its lifecycle hints say about a field that it leaves
// out: a debt is resolved, a constraint was removed. A decision that is stated again has not ended.
func endedContent(d Draft) memory.Content {
	field, value := "", any(nil)
	for _, h := range d.Hints {
		switch {
		case d.Category == memory.TechDebt && (h == "resolved" || h == "removed"):
			field, value = "status", "resolved"
		case d.Category == memory.TechDebt:
			field, value = "status", "wont_fix"
		case d.Category == memory.Constraint:
			field, value = "active", false
		case d.Category == memory.Decision && d.Content["decision"] != nil:
		case d.Category == memory.Decision && (h == "superseded" || h == "reversed"):
			field, value = "status", "superseded"
		case d.Category == memory.Decision:
			field, value = "status", "deprecated"
		}
	}
	if _, said := d.Content[field]; field == "" || said {
		return d.Content
	}
	content := maps.Clone(d.Content)
	if content == nil {
		content = memory.Content{}
	}
	content[field] = value
	return content
}

// retiredRecord returns the record as retired.
func retiredRecord(old memory.Record, d Draft, stamp string) memory.Record {
	r := old
	reason := text.Shorten(d.Summary, memory.MaxSummary)
	if reason == "" {
		reason = memory.NoReason
	}
	r.Status = memory.Retired
	r.RetiredAt, r.RetiredReason = &stamp, &reason
	r.ArchivedAt, r.ArchivedReason = nil, nil
	r.UpdatedAt = stamp
	if len(old.Tags) > memory.MaxTags { // somebody else wrote the record
		r.Tags = memory.CleanTags(old.Tags)
	}
	r.Changes = withChanges(old.Changes, []memory.Change{{
		Date: stamp, Summary: changeSummary(d),
		Field: "record_status", OldValue: string(old.Status), NewValue: string(memory.Retired),
	}})
	return r
}

// withChanges appends changes and drops the oldest above the limit.
func withChanges(old, more []memory.Change) []memory.Change {
	all := slices.Concat(old, more)
	return slices.Clone(all[max(0, len(all)-memory.MaxChanges):])
}

// uniteTags returns the tags of an updated record, and whether the draft added one. Present tags stay; new
// ones are added while there is room.
func uniteTags(old, draft []string) ([]string, bool) {
	if len(leftOut(old, draft)) == 0 || len(old) >= memory.MaxTags && !slices.Contains(old, memory.Untagged) {
		return old, false
	}
	return memory.CleanTags(slices.Concat(old, draft)), true
}

// leftOut returns the tags of a draft that a record does not have.
func leftOut(tags, draft []string) (out []string) {
	for _, t := range draft {
		if t != memory.Untagged && !slices.Contains(tags, t) {
			out = append(out, t)
		}
	}
	return out
}

// uniteFiles returns the related files of an updated record. A draft that names files knows which exist:
// files that it leaves out and that do not exist are removed. An entry that is no path, such as an address,
// stays.
func uniteFiles(old, draft []string, exists func(file string) bool) []string {
	kept := old
	if len(draft) > 0 && exists != nil {
		kept = slices.DeleteFunc(slices.Clone(old), func(f string) bool {
			return !slices.Contains(draft, f) && !strings.Contains(f, "://") && !exists(f)
		})
	}
	all := slices.Concat(kept, draft)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == len(old) && len(kept) == len(old) {
		return old // at most the order differs
	}
	return all
}

// uniteChecks returns the checks of a record after a draft. A draft that names files drops the checks for
// those
// that are gone, as uniteFiles drops the files; a check of the draft takes the place of one that asks for the
// same with another answer.
func uniteChecks(old []string, d Draft, exists func(file string) bool) []string {
	about := func(c memory.Check) memory.Check {
		c.AtLeast, c.Below, c.Date = "", "", ""
		return c
	}
	isNew := map[memory.Check]bool{}
	for _, line := range d.Verify {
		if c, err := memory.ParseCheck(line); err == nil {
			isNew[about(c)] = true
		}
	}
	all := slices.DeleteFunc(slices.Clone(old), func(line string) bool {
		c, err := memory.ParseCheck(line)
		return err != nil || isNew[about(c)] || c.Path != "" && len(d.RelatedFiles) > 0 && exists != nil &&
			!exists(c.Path)
	})
	all = append(all, d.Verify...)
	return all[max(0, len(all)-memory.MaxChecks):]
}

// isSmall reports whether a value is short enough for a change.
func isSmall(v any) bool {
	b, err := json.Marshal(v)
	return err == nil && len(b) <= maxValue
}
