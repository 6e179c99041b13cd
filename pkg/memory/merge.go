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

// ErrMarkers says that a record holds the conflict markers of a version control
// system: somebody has to choose between two versions of it.
var ErrMarkers = errors.New("has the conflict markers of a merge")

// Merged is two versions of a record joined.
type Merged struct {
	Record             // where the two say different things, what ours says
	Conflicts []string // where that is so, "content.decision"; empty for a whole merge

	theirs Record // where the two say different things, what theirs says
}

// Merge joins two versions of one record that both come from base, which is nil
// when each was made on its own. What only one side changed is taken. Where both
// did, the record's form gives an answer in most places:
//
//	changes          all, in order of their dates, each once; the newest MaxChanges
//	tags             those of both, less what one side took out
//	related_files    likewise, and so are lists in content, in their order
//	times_updated    the updates of both sides
//	created_at       the earlier; updated_at, provenance: the later
//	record_status    active if one side made it so, else archived, else retired
//	confidence       the lower
//	superseded_by    that of the side whose status it is
//	supersedes       like lists in content
//	ext              the members of both; of one that both changed, the later
//
// Two different texts for one field are a conflict, and so are two versions of
// one step of a runbook, which would contradict each other. Apart from what is
// ours and theirs in a conflict, and from the order of list entries that were
// added in one place, the sides can be exchanged. Versions of different records
// are an error.
func Merge(base *Record, ours, theirs Record) (Merged, error) {
	for _, v := range []*Record{base, &theirs} {
		if v != nil && (v.Category != ours.Category || v.ID != ours.ID) {
			return Merged{}, fmt.Errorf("%s and %s are not one record", Path(ours.Category, ours.ID), Path(v.Category, v.ID))
		}
	}
	if same(ours, theirs) {
		return Merged{Record: ours, theirs: ours}, nil
	}
	was := Record{TimesUpdated: -1}
	if base != nil {
		was = *base
		if same(was, ours) {
			return Merged{Record: theirs, theirs: theirs}, nil
		}
		if same(was, theirs) {
			return Merged{Record: ours, theirs: ours}, nil
		}
	}
	m := merger{left: ours, right: ours} // category and id
	l := &m.left
	l.SchemaVersion = ours.SchemaVersion
	if olderSchema(ours.schema(), theirs.schema()) {
		l.SchemaVersion = theirs.SchemaVersion
	}
	l.CreatedAt = three(was.CreatedAt, ours.CreatedAt, theirs.CreatedAt, earlier)
	l.UpdatedAt = three(was.UpdatedAt, ours.UpdatedAt, theirs.UpdatedAt, later)
	l.Tags = mergeTags(was.Tags, ours.Tags, theirs.Tags)
	l.RelatedFiles, _ = mergeList(was.RelatedFiles, ours.RelatedFiles, theirs.RelatedFiles)
	l.Confidence = three(was.Confidence, ours.Confidence, theirs.Confidence, lower)
	l.Changes = mergeChanges(ours.Changes, theirs.Changes)
	l.TimesUpdated = mergeCount(was, ours, theirs)
	l.Provenance = three(was.Provenance, ours.Provenance, theirs.Provenance, func(a, b *Provenance) *Provenance {
		return ofLater(a, b, ours, theirs)
	})
	l.Supersedes, _ = mergeList(was.Supersedes, ours.Supersedes, theirs.Supersedes)
	l.Ext = mergeMembers(was.Ext, ours.Ext, theirs.Ext, ours, theirs)
	l.Unknown = mergeMembers(was.Unknown, ours.Unknown, theirs.Unknown, ours, theirs)
	mergeStatus(l, was, ours, theirs)
	m.right = *l
	m.text("title", was.Title, ours.Title, theirs.Title, func(r *Record, s string) { r.Title = s })
	m.content(was.Content, ours.Content, theirs.Content)
	return Merged{Record: m.left, Conflicts: m.conflicts, theirs: m.right}, nil
}

// Text is the file of the merged record. With conflicts, the lines that differ
// stand between markers as git writes them, and the file is no record until
// somebody has chosen: Decode says ErrMarkers.
func (m Merged) Text() []byte {
	if len(m.Conflicts) == 0 {
		return m.Encode()
	}
	a, b := lines(m.Encode()), lines(m.theirs.Encode())
	var out bytes.Buffer
	i, j := 0, 0
	hunk := func(toI, toJ int) {
		if i == toI && j == toJ {
			return
		}
		out.WriteString("<<<<<<< ours\n" + strings.Join(a[i:toI], "") + "=======\n" + strings.Join(b[j:toJ], "") + ">>>>>>> theirs\n")
	}
	for _, p := range common(a, b) {
		hunk(p.a, p.b)
		out.WriteString(a[p.a])
		i, j = p.a+1, p.b+1
	}
	hunk(len(a), len(b))
	return out.Bytes()
}

func lines(b []byte) []string { return slices.Collect(strings.Lines(string(b))) }

// hasMarkers says whether b is a file as a merge with a conflict leaves it.
func hasMarkers(b []byte) bool {
	at := func(mark string) bool {
		return bytes.HasPrefix(b, []byte(mark)) || bytes.Contains(b, []byte("\n"+mark))
	}
	return at("<<<<<<< ") && at("=======") && at(">>>>>>> ")
}

func same(a, b Record) bool { return bytes.Equal(a.Encode(), b.Encode()) }

// three is the value that one side changed, or what both makes of two changes.
func three[T any](base, ours, theirs T, both func(ours, theirs T) T) T {
	switch {
	case reflect.DeepEqual(ours, theirs), reflect.DeepEqual(base, theirs):
		return ours
	case reflect.DeepEqual(base, ours):
		return theirs
	}
	return both(ours, theirs)
}

// before orders times as records have them. What is no time is compared as text.
func before(a, b string) int {
	s, ok1 := ParseStamp(a)
	t, ok2 := ParseStamp(b)
	if ok1 && ok2 && !s.Equal(t) {
		return s.Compare(t)
	}
	return strings.Compare(a, b)
}

func earlier(a, b string) string {
	if before(a, b) <= 0 {
		return a
	}
	return b
}

func later(a, b string) string {
	if before(a, b) >= 0 {
		return a
	}
	return b
}

// lower is the more careful confidence. None is less than any.
func lower(a, b *float64) *float64 {
	if a == nil || b != nil && *a <= *b {
		return a
	}
	return b
}

// ofLater is the one of the side that was updated later.
func ofLater(a, b *Provenance, ours, theirs Record) *Provenance {
	key := func(p *Provenance) string { b, _ := json.Marshal(p); return string(b) }
	if cmp.Or(before(ours.UpdatedAt, theirs.UpdatedAt), strings.Compare(key(a), key(b))) >= 0 {
		return a
	}
	return b
}

// mergeTags is a three-way union, sorted. Without room for all, those that both
// have go first.
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
	// A record of the original's may have more than are written; it keeps them.
	all = all[:min(len(all), max(MaxTags, len(both)))]
	slices.Sort(all)
	return all
}

// mergeCount is how often the record was updated on both sides together. An
// update that reached both, as by a cherry-pick, counts once: its changes have
// the date that it was made at.
func mergeCount(base, ours, theirs Record) int {
	if base.TimesUpdated < 0 || ours.TimesUpdated < base.TimesUpdated || theirs.TimesUpdated < base.TimesUpdated {
		return max(ours.TimesUpdated, theirs.TimesUpdated)
	}
	shared := map[string]bool{}
	for _, c := range ours.Changes {
		if has(theirs.Changes, c) && !has(base.Changes, c) {
			shared[c.Date] = true
		}
	}
	sum := ours.TimesUpdated + theirs.TimesUpdated - base.TimesUpdated - len(shared)
	return max(sum, ours.TimesUpdated, theirs.TimesUpdated)
}

func has(changes []Change, c Change) bool {
	return slices.ContainsFunc(changes, func(d Change) bool { return reflect.DeepEqual(c, d) })
}

// mergeStatus gives out the status that one side gave, and what belongs to it.
// Where both did, a record that somebody wanted back stays, and what was put
// away to be kept is not thrown away.
func mergeStatus(out *Record, base, ours, theirs Record) {
	out.Status = three(base.Status, ours.Status, theirs.Status, func(a, b Status) Status {
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
		cmp.Or(before(stamp(ours), stamp(theirs)), strings.Compare(why(ours), why(theirs))) < 0 {
		from = theirs
	}
	out.RetiredAt, out.RetiredReason = from.RetiredAt, from.RetiredReason
	out.ArchivedAt, out.ArchivedReason = from.ArchivedAt, from.ArchivedReason
	out.SupersededBy = from.SupersededBy
}

// mergeMembers joins the members of two objects that nothing here reads.
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
			continue // one side took it out
		case !inOurs:
			x = y
		case inTheirs:
			x = three(w, x, y, func(x, y V) V {
				key := func(v V) string { b, _ := json.Marshal(v); return string(b) }
				if cmp.Or(before(a.UpdatedAt, b.UpdatedAt), strings.Compare(key(x), key(y))) >= 0 {
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

// mergeChanges unites two histories that begin alike. Each side keeps its own
// order; between them the dates decide.
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
			case j == toJ, i < toI && cmp.Or(before(ours[i].Date, theirs[j].Date), strings.Compare(a[i], b[j])) <= 0:
				out = append(out, ours[i])
				i++
			default:
				out = append(out, theirs[j])
				j++
			}
		}
	}
	for _, p := range common(a, b) {
		upTo(p.a, p.b)
		out = append(out, ours[p.a])
		i, j = p.a+1, p.b+1
	}
	upTo(len(a), len(b))
	out = once(out, key)
	// A side may have dropped the oldest to make room; what the other still has
	// of them comes first again, and gives way again.
	return slices.Clone(out[max(0, len(out)-MaxChanges):])
}

// once drops what has stood before.
func once[T any](list []T, key func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(x T) bool {
		k := key(x)
		was := seen[k]
		seen[k] = true
		return was
	})
}

// merger joins what can conflict, in two versions of the result.
type merger struct {
	left, right Record
	conflicts   []string
}

// text joins a text. One that a side took away while the other changed it stays.
func (m *merger) text(name, base, ours, theirs string, set func(*Record, string)) {
	a := three(base, ours, theirs, func(a, b string) string {
		if a == "" {
			return b
		}
		return a
	})
	b := three(base, ours, theirs, func(a, b string) string {
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

func (m *merger) content(base, ours, theirs Content) {
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
			// One side has no such field: it took it away, or the other added it.
			v := three(b, o, t, func(o, t any) any {
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
			m.text(name, textOf(b), textOf(o), textOf(t), func(r *Record, s string) { put(r, s) })
		case f.Kind == List:
			m.list(f, name, listOf(b), listOf(o), listOf(t))
		case f.Kind == Alternatives:
			m.alternatives(f, name, altsOf(b), altsOf(o), altsOf(t))
		case f.Kind == Examples:
			v := mergeExamples(examplesOf(b), examplesOf(o), examplesOf(t))
			put(&m.left, v)
			put(&m.right, v)
		default:
			put(&m.left, three(b, o, t, func(o, _ any) any { return o }))
			put(&m.right, three(b, o, t, func(_, t any) any { return t }))
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

// sequence says whether a list says something by its order, so that two
// versions of one entry cannot both stand.
func sequence(f Field) bool { return f.Name == "steps" }

func (m *merger) list(f Field, name string, base, ours, theirs []string) {
	merged, clash := mergeList(base, ours, theirs)
	if clash && sequence(f) {
		m.conflicts = append(m.conflicts, name)
		m.left.Content[f.Name], m.right.Content[f.Name] = ours, theirs
		return
	}
	if len(merged) < f.Min { // the sides took away different ones
		merged, _ = mergeList(nil, ours, theirs)
	}
	m.left.Content[f.Name], m.right.Content[f.Name] = merged, merged
}

// alternatives joins by option.
func (m *merger) alternatives(f Field, name string, base, ours, theirs []map[string]string) {
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
	if len(oWhy) < len(o) || len(tWhy) < len(t) { // an option twice: nothing to join by
		merged := slices.Clone(ours)
		for _, a := range theirs {
			if !slices.ContainsFunc(merged, func(b map[string]string) bool { return maps.Equal(a, b) }) {
				merged = append(merged, a)
			}
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
		m.text(name+"."+text.Shorten(n, 40), bWhy[n], x, y, func(r *Record, s string) {
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
