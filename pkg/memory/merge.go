package memory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// ErrMarkers is the error for a record with the conflict markers of a version control system. A person
// has to choose between its two versions.
var ErrMarkers = errors.New("has the conflict markers of a merge")

// Merged is the merge of two versions of a record.
type Merged struct {
	Record             // in a conflict it has what ours says
	Conflicts []string // fields in conflict, such as "content.decision"; empty for a clean merge
	Unguarded bool     // both sides changed the guard, and it has none

	theirs Record // the same, but in a conflict with what theirs says
}

// Merge merges two versions of one record that come from base, which is nil if each was made on its own. A
// change on one side is taken. If both sides changed a field, the result is mostly determined by the field:
//
//	changes          all, in order of their dates, each once; the newest MaxChanges
//	tags             those of both sides, without those that one side removed
//	related_files    likewise, and so are lists in content, in their order
//	times_updated    the updates of both sides
//	created_at       the earlier; updated_at, provenance: the later
//	record_status    active if one side made it so, else archived, else retired
//	confidence       the lower
//	guard            none, and an entry of changes says so: a person proposes it anew
//	verify           those of both sides, without those that one side removed; at most MaxChecks
//	branch           the later, none if one side took it away
//	superseded_by    that of the side whose status it is
//	supersedes       like lists in content
//	ext              the members of both; of one that both changed, the later
//
// Two different texts for one field are a conflict. So are two versions of one step of a runbook, which would
// contradict each other, and of a field of a newer schema, which nobody here can read. Merge is symmetric
// except for what is ours and theirs in a conflict, and for the order of list entries that both sides added
// in one place. Versions of different records are an error.
func Merge(base *Record, ours, theirs Record) (Merged, error) {
	for _, v := range []*Record{base, &theirs} {
		if v != nil && (v.Category != ours.Category || v.ID != ours.ID) {
			return Merged{}, fmt.Errorf("%s and %s are not one record", Path(ours.Category, ours.ID),
				Path(v.Category, v.ID))
		}
	}
	if sameRecord(ours, theirs) {
		return Merged{Record: ours, theirs: ours}, nil
	}
	was := Record{TimesUpdated: -1}
	if base != nil {
		was = *base
		if sameRecord(was, ours) {
			return Merged{Record: theirs, theirs: theirs}, nil
		}
		if sameRecord(was, theirs) {
			return Merged{Record: ours, theirs: ours}, nil
		}
	}
	m := merger{left: ours, right: ours} // category and id
	l := &m.left
	l.SchemaVersion = ours.schema()
	if theirs := theirs.schema(); olderSchema(l.SchemaVersion, theirs) {
		l.SchemaVersion = theirs
	}
	l.CreatedAt = merge3(was.CreatedAt, ours.CreatedAt, theirs.CreatedAt, earlierTime)
	l.UpdatedAt = merge3(was.UpdatedAt, ours.UpdatedAt, theirs.UpdatedAt, laterTime)
	l.Tags = mergeTags(was.Tags, ours.Tags, theirs.Tags)
	l.RelatedFiles, _ = mergeList(was.RelatedFiles, ours.RelatedFiles, theirs.RelatedFiles)
	l.Confidence = merge3(was.Confidence, ours.Confidence, theirs.Confidence, lowerConfidence)
	l.Changes = mergeChanges(ours.Changes, theirs.Changes)
	l.TimesUpdated = mergeCount(was, ours, theirs)
	l.Provenance = merge3(was.Provenance, ours.Provenance, theirs.Provenance,
		func(a, b *Provenance) *Provenance {
			return ofLater(a, b, ours, theirs)
		})
	unguarded := false
	l.Guard = merge3(was.Guard, ours.Guard, theirs.Guard, func(_, _ *Guard) *Guard {
		unguarded = true
		return nil
	})
	if unguarded {
		left := Change{Date: l.UpdatedAt, Field: "guard",
			Summary: "left out the guard, which both sides of a merge had changed"}
		if !hasChange(l.Changes, left) {
			l.Changes = append(l.Changes, left)
		}
		l.Changes = l.Changes[max(0, len(l.Changes)-MaxChanges):]
	}
	l.Verify = merge3(was.Verify, ours.Verify, theirs.Verify, func(a, b []string) []string {
		return mergeChecks(was.Verify, a, b)
	})
	l.Branch = mergeBranches(was.Branch, ours.Branch, theirs.Branch, ours, theirs)
	l.Supersedes, _ = mergeList(was.Supersedes, ours.Supersedes, theirs.Supersedes)
	l.Ext = mergeMembers(was.Ext, ours.Ext, theirs.Ext, ours, theirs)
	l.Unknown = mergeMembers(was.Unknown, ours.Unknown, theirs.Unknown, ours, theirs)
	mergeStatus(l, was, ours, theirs)
	m.right = *l
	m.mergeUnknown(was.Unknown, ours.Unknown, theirs.Unknown)
	m.mergeText("title", was.Title, ours.Title, theirs.Title, func(r *Record, s string) { r.Title = s })
	m.mergeContent(was.Content, ours.Content, theirs.Content)
	return Merged{Record: m.left, Conflicts: m.conflicts, Unguarded: unguarded, theirs: m.right}, nil
}

// MergeFiles merges the files of records; ok is false if ours or theirs is no record. If base is no record,
// since there was none or git made it by a merge with a conflict, each side counts as written on its own.
func MergeFiles(base, ours, theirs []byte) (m Merged, ok bool) {
	o, err1 := Decode(ours)
	t, err2 := Decode(theirs)
	if err1 != nil || err2 != nil {
		return m, false
	}
	var was *Record
	if b, err := Decode(base); err == nil {
		was = &b
	}
	m, err := Merge(was, o, t)
	return m, err == nil
}

// Text returns the file of the merged record. In a conflict the lines that differ stand between git's
// markers, and until a person has chosen Decode returns ErrMarkers.
func (m Merged) Text() []byte {
	if len(m.Conflicts) == 0 {
		return m.Encode()
	}
	a, b := splitLines(m.Encode()), splitLines(m.theirs.Encode())
	var out bytes.Buffer
	i, j := 0, 0
	hunk := func(toI, toJ int) {
		if i == toI && j == toJ {
			return
		}
		out.WriteString("<<<<<<< ours\n" + strings.Join(a[i:toI], "") + "=======\n" +
			strings.Join(b[j:toJ], "") + ">>>>>>> theirs\n")
	}
	for _, p := range commonSubsequence(a, b) {
		hunk(p.a, p.b)
		out.WriteString(a[p.a])
		i, j = p.a+1, p.b+1
	}
	hunk(len(a), len(b))
	return out.Bytes()
}

func splitLines(b []byte) []string { return slices.Collect(strings.Lines(string(b))) }

// hasMarkers reports whether b holds conflict markers.
func hasMarkers(b []byte) bool {
	at := func(mark string) bool {
		return bytes.HasPrefix(b, []byte(mark)) || bytes.Contains(b, []byte("\n"+mark))
	}
	return at("<<<<<<< ") && at("=======") && at(">>>>>>> ")
}

func sameRecord(a, b Record) bool { return bytes.Equal(a.Encode(), b.Encode()) }

// merge3 returns the value of the side that changed it, or, if both did, what both returns.
func merge3[T any](base, ours, theirs T, both func(ours, theirs T) T) T {
	switch {
	case reflect.DeepEqual(ours, theirs), reflect.DeepEqual(base, theirs):
		return ours
	case reflect.DeepEqual(base, ours):
		return theirs
	}
	return both(ours, theirs)
}

// compareTimes orders times of records. A string that is not a time is compared as text.
func compareTimes(a, b string) int {
	s, ok1 := ParseStamp(a)
	t, ok2 := ParseStamp(b)
	if ok1 && ok2 && !s.Equal(t) {
		return s.Compare(t)
	}
	return strings.Compare(a, b)
}

func earlierTime(a, b string) string {
	if compareTimes(a, b) <= 0 {
		return a
	}
	return b
}

func laterTime(a, b string) string {
	if compareTimes(a, b) >= 0 {
		return a
	}
	return b
}

// lowerConfidence returns the lower of two confidences. A missing one is the lowest.
func lowerConfidence(a, b *float64) *float64 {
	if a == nil || b != nil && *a <= *b {
		return a
	}
	return b
}

// ofLater returns the value of the side that was updated later.
func ofLater[T any](a, b *T, ours, theirs Record) *T {
	key := func(v *T) string { b, _ := json.Marshal(v); return string(b) }
	if cmp.Or(compareTimes(ours.UpdatedAt, theirs.UpdatedAt), strings.Compare(key(a), key(b))) >= 0 {
		return a
	}
	return b
}

// mergeTags returns the three-way union, sorted. If there are too many, tags that both sides have go first.
func mergeTags(base, ours, theirs []string) []string {
	var both, one []string
	for _, t := range slices.Concat(ours, theirs) {
		o, s := slices.Contains(ours, t), slices.Contains(theirs, t)
		switch {
		case t == Untagged || slices.Contains(both, t) || slices.Contains(one, t):
		case o && s:
			both = append(both, t)
		case !slices.Contains(base, t):
			one = append(one, t)
		}
	}
	slices.Sort(both)
	slices.Sort(one)
	all := slices.Concat(both, one)
	if len(all) == 0 {
		return []string{Untagged}
	}
	// A record of claude-memory may have more than MaxTags, and keeps them.
	all = all[:min(len(all), max(MaxTags, len(both)))]
	slices.Sort(all)
	return all
}

// mergeCount returns how often the record was updated on both sides together. An update that both sides have,
// as after a cherry-pick, counts once: its changes have the same date. A change of status is no update.
func mergeCount(base, ours, theirs Record) int {
	if base.TimesUpdated < 0 || ours.TimesUpdated < base.TimesUpdated ||
		theirs.TimesUpdated < base.TimesUpdated {
		return max(ours.TimesUpdated, theirs.TimesUpdated)
	}
	shared := map[string]bool{}
	for _, c := range ours.Changes {
		if c.Field != "record_status" && hasChange(theirs.Changes, c) && !hasChange(base.Changes, c) {
			shared[c.Date] = true
		}
	}
	sum := ours.TimesUpdated + theirs.TimesUpdated - base.TimesUpdated - len(shared)
	return max(sum, ours.TimesUpdated, theirs.TimesUpdated)
}

func hasChange(changes []Change, c Change) bool {
	return slices.ContainsFunc(changes, func(d Change) bool { return reflect.DeepEqual(c, d) })
}

// mergeStatus sets the status that one side gave, and the fields that belong to it. If both sides gave one,
// active wins over archived and archived over retired.
func mergeStatus(out *Record, base, ours, theirs Record) {
	out.Status = merge3(base.Status, ours.Status, theirs.Status, func(a, b Status) Status {
		for _, s := range []Status{Active, Archived} {
			if a == s || b == s {
				return s
			}
		}
		return Retired
	})
	from := ours
	stamp := func(r Record) string { return valueOf(r.RetiredAt) + valueOf(r.ArchivedAt) }
	why := func(r Record) string { return valueOf(r.RetiredReason) + valueOf(r.ArchivedReason) }
	if ours.Status != out.Status || theirs.Status == out.Status &&
		cmp.Or(compareTimes(stamp(ours), stamp(theirs)), strings.Compare(why(ours), why(theirs))) < 0 {
		from = theirs
	}
	out.RetiredAt, out.RetiredReason = from.RetiredAt, from.RetiredReason
	out.ArchivedAt, out.ArchivedReason = from.ArchivedAt, from.ArchivedReason
	out.SupersededBy = from.SupersededBy
}

// mergeMembers merges two objects that nothing here reads, member by member.
func mergeMembers[V any](base, ours, theirs map[string]V, a, b Record) map[string]V {
	var out map[string]V
	names := slices.Concat(sortedKeys(ours), sortedKeys(theirs))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		w, inBase := base[name]
		x, inOurs := ours[name]
		y, inTheirs := theirs[name]
		switch {
		case inBase && (!inOurs && reflect.DeepEqual(w, y) || !inTheirs && reflect.DeepEqual(w, x)):
			continue // one side removed it
		case !inOurs:
			x = y
		case inTheirs:
			x = merge3(w, x, y, func(x, y V) V {
				key := func(v V) string { b, _ := json.Marshal(v); return string(b) }
				if cmp.Or(compareTimes(a.UpdatedAt, b.UpdatedAt), strings.Compare(key(x), key(y))) >= 0 {
					return x
				}
				return y
			})
		}
		if out == nil {
			out = map[string]V{}
		}
		out[name] = x
	}
	return out
}

// mergeChanges merges two histories with a common beginning. Each side keeps its order; dates order the
// entries of one side among those of the other.
func mergeChanges(ours, theirs []Change) []Change {
	key := func(c Change) string { b, _ := json.Marshal(c); return c.Date + "\x00" + string(b) }
	keys := func(changes []Change) []string {
		out := make([]string, len(changes))
		for i, c := range changes {
			out[i] = key(c)
		}
		return out
	}
	a, b := keys(ours), keys(theirs)
	var out []Change
	i, j := 0, 0
	upTo := func(toI, toJ int) {
		for i < toI || j < toJ {
			switch {
			case j == toJ, i < toI &&
				cmp.Or(compareTimes(ours[i].Date, theirs[j].Date), strings.Compare(a[i], b[j])) <= 0:
				out = append(out, ours[i])
				i++
			default:
				out = append(out, theirs[j])
				j++
			}
		}
	}
	for _, p := range commonSubsequence(a, b) {
		upTo(p.a, p.b)
		out = append(out, ours[p.a])
		i, j = p.a+1, p.b+1
	}
	upTo(len(a), len(b))
	out = uniqueBy(out, key)
	// A side may have dropped its oldest entries. Those that the other side still has come first, and are
	// dropped first.
	return slices.Clone(out[max(0, len(out)-MaxChanges):])
}

// uniqueBy drops entries whose key has occurred before.
func uniqueBy[T any](list []T, key func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(x T) bool {
		k := key(x)
		was := seen[k]
		seen[k] = true
		return was
	})
}

// merger merges the fields that can conflict, in two versions of the result.
type merger struct {
	left, right Record
	conflicts   []string
}

// mergeText merges a text. If one side removed it and the other changed it, it stays.
func (m *merger) mergeText(name, base, ours, theirs string, set func(*Record, string)) {
	a := merge3(base, ours, theirs, func(a, b string) string {
		if a == "" {
			return b
		}
		return a
	})
	b := merge3(base, ours, theirs, func(a, b string) string {
		if b == "" {
			return a
		}
		return b
	})
	if a != b {
		m.conflicts = append(m.conflicts, name)
	}
	set(&m.left, a)
	set(&m.right, b)
}

// mergeUnknown makes a conflict of each field of a newer schema that both sides changed.
func (m *merger) mergeUnknown(base, ours, theirs map[string]json.RawMessage) {
	m.left.Unknown, m.right.Unknown = maps.Clone(m.left.Unknown), maps.Clone(m.left.Unknown)
	for _, name := range sortedKeys(ours) {
		x, y, w := ours[name], theirs[name], base[name]
		if y == nil || bytes.Equal(x, y) || bytes.Equal(w, x) || bytes.Equal(w, y) {
			continue
		}
		m.left.Unknown[name], m.right.Unknown[name] = x, y
		m.conflicts = append(m.conflicts, name)
	}
}

func (m *merger) mergeContent(base, ours, theirs Content) {
	m.left.Content, m.right.Content = Content{}, Content{}
	for _, f := range Fields(m.left.Category) {
		name := "content." + f.Name
		b, o, t := base[f.Name], ours[f.Name], theirs[f.Name]
		if o == nil && t == nil {
			continue
		}
		put := func(r *Record, v any) { r.Content[f.Name] = v }
		switch {
		case o == nil || t == nil:
			// A side without the field removed it, or the other side added it.
			v := merge3(b, o, t, func(o, t any) any {
				if o == nil {
					return t
				}
				return o
			})
			if v != nil {
				put(&m.left, v)
				put(&m.right, v)
			}
		case f.Kind == Text, f.Kind == Enum:
			m.mergeText(name, textOf(b), textOf(o), textOf(t), func(r *Record, s string) { put(r, s) })
		case f.Kind == List:
			m.mergeListField(f, name, listOf(b), listOf(o), listOf(t))
		case f.Kind == Alternatives:
			m.mergeAlternatives(f, name, altsOf(b), altsOf(o), altsOf(t))
		case f.Kind == Examples:
			v := mergeExamples(examplesOf(b), examplesOf(o), examplesOf(t))
			put(&m.left, v)
			put(&m.right, v)
		default:
			put(&m.left, merge3(b, o, t, func(o, _ any) any { return o }))
			put(&m.right, merge3(b, o, t, func(_, t any) any { return t }))
			if !reflect.DeepEqual(m.left.Content[f.Name], m.right.Content[f.Name]) {
				m.conflicts = append(m.conflicts, name)
			}
		}
	}
}

func textOf(v any) string                  { s, _ := v.(string); return s }
func listOf(v any) []string                { l, _ := v.([]string); return l }
func altsOf(v any) []map[string]string     { l, _ := v.([]map[string]string); return l }
func examplesOf(v any) map[string][]string { m, _ := v.(map[string][]string); return m }

// isSequence reports whether the order of a list's entries carries meaning, so that two versions of one entry
// cannot both stay.
func isSequence(f Field) bool { return f.Name == "steps" }

func (m *merger) mergeListField(f Field, name string, base, ours, theirs []string) {
	merged, clash := mergeList(base, ours, theirs)
	if clash && isSequence(f) {
		m.conflicts = append(m.conflicts, name)
		m.left.Content[f.Name], m.right.Content[f.Name] = ours, theirs
		return
	}
	if len(merged) < f.Min { // the sides removed different entries
		merged, _ = mergeList(nil, ours, theirs)
	}
	m.left.Content[f.Name], m.right.Content[f.Name] = merged, merged
}

// mergeAlternatives merges alternatives by option.
func (m *merger) mergeAlternatives(f Field, name string, base, ours, theirs []map[string]string) {
	options := func(list []map[string]string) (names []string, why map[string]string) {
		why = map[string]string{}
		for _, a := range list {
			names = append(names, a["option"])
			why[a["option"]] = a["rejected_reason"]
		}
		return names, why
	}
	b, bWhy := options(base)
	o, oWhy := options(ours)
	t, tWhy := options(theirs)
	if len(oWhy) < len(o) || len(tWhy) < len(t) { // an option occurs twice, so it is no key: each is whole
		entries := map[string]map[string]string{}
		keys := func(list []map[string]string) (all []string) {
			for _, a := range list {
				key := a["option"] + "\x00" + a["rejected_reason"]
				entries[key] = a
				all = append(all, key)
			}
			return all
		}
		merged := []map[string]string{}
		whole, _ := mergeList(keys(base), keys(ours), keys(theirs))
		for _, key := range whole {
			merged = append(merged, entries[key])
		}
		m.left.Content[f.Name], m.right.Content[f.Name] = merged, merged
		return
	}
	names, _ := mergeList(b, o, t)
	left, right := []map[string]string{}, []map[string]string{}
	for _, n := range names {
		x, inOurs := oWhy[n]
		y, inTheirs := tWhy[n]
		if !inOurs {
			x = y
		} else if !inTheirs {
			y = x
		}
		m.mergeText(name+"."+text.Shorten(n, 40), bWhy[n], x, y, func(r *Record, s string) {
			entry := map[string]string{"option": n, "rejected_reason": s}
			if r == &m.left {
				left = append(left, entry)
			} else {
				right = append(right, entry)
			}
		})
	}
	m.left.Content[f.Name], m.right.Content[f.Name] = left, right
}

func mergeExamples(base, ours, theirs map[string][]string) map[string][]string {
	out := map[string][]string{}
	for _, k := range exampleKeys {
		_, o := ours[k]
		_, t := theirs[k]
		if o || t {
			out[k], _ = mergeList(base[k], ours[k], theirs[k])
		}
	}
	return out
}
