package memory

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// words are few, so that sides collide.
var mergeWords = []string{"redis", "postgres", "kafka", "sqlite", "jobs", "<<<<<<< ours", "=======", "é\"\\"}

// A draw makes records and changes to them.
type draw struct{ *rapid.T }

func (d draw) of(list []string, what string) string { return rapid.SampledFrom(list).Draw(d.T, what) }
func (d draw) word() string                         { return d.of(mergeWords, "word") }
func (d draw) few(least int) []string {
	return append([]string{}, rapid.SliceOfN(rapid.SampledFrom(mergeWords), least, 5).Draw(d.T, "list")...)
}
func (d draw) yes() bool { return rapid.Bool().Draw(d.T, "coin") }
func (d draw) stamp() string {
	return Stamp(time.Unix(1_763_000_000+int64(rapid.IntRange(0, 9).Draw(d.T, "second")), 0))
}

func (d draw) value(f Field) any {
	switch f.Kind {
	case Enum:
		return d.of(f.Enum, f.Name)
	case Flag:
		return d.yes()
	case List:
		return d.few(f.Min)
	case Alternatives:
		list := []map[string]string{}
		for _, o := range d.few(0) {
			if !slices.ContainsFunc(list, func(m map[string]string) bool {
				return m["option"] == o
			}) || d.yes() {
				list = append(list, map[string]string{"option": o, "rejected_reason": d.word()})
			}
		}
		return list
	case Examples:
		return map[string][]string{"prefer": d.few(0), "avoid": d.few(0)}
	}
	return d.word()
}

func (d draw) tags() []string {
	var tags []string
	for i := range rapid.IntRange(0, 14).Draw(d.T, "tags") {
		if d.yes() {
			tags = append(tags, fmt.Sprintf("t%d", i))
		}
	}
	return CleanTags(tags)
}

func (d draw) record(c Category, id string) Record {
	r := Record{Category: c, ID: id, Title: CleanTitle(d.word()), Status: Active, CreatedAt: d.stamp(),
		Tags: d.tags(), Content: Content{}}
	r.UpdatedAt = r.CreatedAt
	for _, f := range Fields(c) {
		if f.Required || d.yes() {
			r.Content[f.Name] = d.value(f)
		}
	}
	if d.yes() {
		r.Provenance = &Provenance{Origin: "drafter", Branch: d.word()}
	}
	if d.yes() {
		r.Branch = anyBranch(d.T)
	}
	if d.yes() {
		r.Verify = []string{anyCheck(d.T)}
	}
	return r
}

// changed returns a record after the changes of a branch.
func (d draw) changed(r Record) Record {
	for range rapid.IntRange(0, 3).Draw(d.T, "updates") {
		at := d.stamp()
		now, _ := time.Parse(time.RFC3339, at)
		switch rapid.IntRange(0, 5).Draw(d.T, "what") {
		case 0:
			m, err := r.Retire(d.word(), now)
			if err == nil {
				r = m.Record
			}
			continue
		case 1:
			m, err := r.Archive(d.word(), now)
			if err == nil {
				r = m.Record
			}
			continue
		case 2:
			m, err := r.Restore(now)
			if err == nil {
				r = m.Record
			}
			continue
		}
		if r.Status != Active {
			continue // only active records are updated
		}
		if d.yes() {
			r.Branch = nil
		}
		r.Title = CleanTitle(d.word())
		r.Tags = CleanTags(append(slices.Clone(r.Tags), d.tags()...))
		r.RelatedFiles = append(slices.Clone(r.RelatedFiles), d.word())
		c := rapid.Float64Range(0, 1).Draw(d.T, "confidence")
		r.Confidence = &c
		content := Content{}
		maps.Copy(content, r.Content)
		f := rapid.SampledFrom(Fields(r.Category)).Draw(d.T, "field")
		if !f.Required && d.yes() {
			delete(content, f.Name)
		} else if list, ok := content[f.Name].([]string); ok && len(list) > 0 {
			list = slices.Clone(list)
			switch i := rapid.IntRange(0, len(list)-1).Draw(d.T, "at"); rapid.IntRange(0, 2).Draw(d.T,
				"how") {
			case 0:
				list[i] = d.word()
			case 1:
				list = slices.Insert(list, i, d.word())
			default:
				if len(list) > f.Min {
					list = slices.Delete(list, i, i+1)
				}
			}
			content[f.Name] = list
		} else {
			content[f.Name] = d.value(f)
		}
		r.Content, r.UpdatedAt = content, at
		r.TimesUpdated++
		r.Changes = AppendChanges(r.Changes, Change{Date: at, Summary: d.word(), Field: "content." + f.Name,
			NewValue: d.word()})
	}
	return r
}

// branches returns two versions of a record and, mostly, their base.
func branches(t *rapid.T) (base *Record, ours, theirs Record) {
	d := draw{t}
	c := rapid.SampledFrom(Categories()).Draw(t, "category")
	r := d.changed(d.record(c, "a"))
	if rapid.IntRange(0, 4).Draw(t, "based") > 0 {
		return &r, d.changed(r), d.changed(r)
	}
	return nil, r, d.changed(d.record(c, "a"))
}

func merge(t rapid.TB, base *Record, ours, theirs Record) Merged {
	t.Helper()
	m, err := Merge(base, ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMergeWithItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, _ := branches(t)
		is := func(what string, m Merged) {
			if got, want := string(m.Text()), string(ours.Encode()); got != want || len(m.Conflicts) > 0 {
				t.Fatalf("%s: conflicts %v\n%s\nwant\n%s", what, m.Conflicts, got, want)
			}
		}
		is("both sides alike", merge(t, base, ours, ours))
		if base != nil {
			is("theirs unchanged", merge(t, base, ours, *base))
			is("ours unchanged", merge(t, base, *base, ours))
		}
	})
}

// flat returns a record for comparison, with lists as sets.
func flat(r Record) string {
	r.Changes = slices.Clone(r.Changes)
	slices.SortFunc(r.Changes, func(a, b Change) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	set := func(l []string) []string { l = slices.Clone(l); slices.Sort(l); return slices.Compact(l) }
	r.RelatedFiles = set(r.RelatedFiles)
	content := Content{}
	for k, v := range r.Content {
		switch v := v.(type) {
		case []string:
			content[k] = set(v)
		case []map[string]string:
			var all []string
			for _, m := range v {
				all = append(all, fmt.Sprint(m))
			}
			content[k] = set(all)
		case map[string][]string:
			for _, key := range exampleKeys {
				content[k+key] = set(v[key])
			}
		default:
			content[k] = v
		}
	}
	r.Content = content
	return string(r.Encode())
}

func TestMergeExchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := branches(t)
		a, b := merge(t, base, ours, theirs), merge(t, base, theirs, ours)
		slices.Sort(a.Conflicts)
		slices.Sort(b.Conflicts)
		if !slices.Equal(a.Conflicts, b.Conflicts) {
			t.Fatalf("conflicts %v and %v", a.Conflicts, b.Conflicts)
		}
		if flat(a.Record) != flat(b.theirs) || flat(a.theirs) != flat(b.Record) {
			t.Fatalf("ours of one:\n%s\ntheirs of the other:\n%s", flat(a.Record), flat(b.theirs))
		}
	})
}

func TestMergeLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := branches(t)
		m := merge(t, base, ours, theirs)
		var was Record
		if base != nil {
			was = *base
		}
		for _, side := range []Record{ours, theirs} {
			for _, c := range side.Changes {
				if !hasChange(m.Changes, c) && len(m.Changes) < MaxChanges {
					t.Fatalf("change %v is gone", c)
				}
			}
			for _, tag := range side.Tags {
				if tag != Untagged && !slices.Contains(was.Tags, tag) && !slices.Contains(m.Tags, tag) &&
					len(m.Tags) < MaxTags {
					t.Fatalf("tag %s is gone from %v", tag, m.Tags)
				}
			}
			for _, f := range side.RelatedFiles {
				if !slices.Contains(m.RelatedFiles, f) {
					t.Fatalf("related file %s is gone", f)
				}
			}
			for _, f := range Fields(side.Category) {
				// A text that only one side wrote is in one of the two versions.
				for _, s := range said(side.Content[f.Name]) {
					if slices.Contains(said(was.Content[f.Name]), s) || f.Kind == Flag {
						continue
					}
					if !slices.Contains(said(m.Content[f.Name]), s) &&
						!slices.Contains(said(m.theirs.Content[f.Name]), s) {
						t.Fatalf("%s: %q is gone from %v", f.Name, s, m.Content[f.Name])
					}
				}
			}
		}
		if n := m.TimesUpdated; n < max(ours.TimesUpdated, theirs.TimesUpdated) || n > ours.TimesUpdated+
			theirs.TimesUpdated {
			t.Fatalf("%d updates of %d and %d", n, ours.TimesUpdated, theirs.TimesUpdated)
		}
	})
}

func said(v any) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []map[string]string:
		for _, m := range v {
			out = append(out, m["option"])
		}
	case map[string][]string:
		return slices.Concat(v["prefer"], v["avoid"])
	}
	return out
}

func TestMergeKeepsBothSidesWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := branches(t)
		m := merge(t, base, ours, theirs)
		for _, r := range []Record{m.Record, m.theirs} {
			if err := r.Validate(); err != nil {
				t.Fatal(err)
			}
			if _, err := Decode(r.Encode()); err != nil {
				t.Fatal(err)
			}
		}
		text := m.Text()
		if len(m.Conflicts) == 0 {
			if string(text) != string(m.theirs.Encode()) {
				t.Fatalf("no conflict, and two versions\n%s\n%s", text, m.theirs.Encode())
			}
			return
		}
		if _, err := Decode(text); !errors.Is(err, ErrMarkers) {
			t.Fatalf("conflict %v decodes: %v\n%s", m.Conflicts, err, text)
		}
		if got := choose(string(text), true); got != string(m.Encode()) {
			t.Fatalf("ours of\n%s\nis not\n%s", text, m.Encode())
		}
		if got := choose(string(text), false); got != string(m.theirs.Encode()) {
			t.Fatalf("theirs of\n%s\nis not\n%s", text, m.theirs.Encode())
		}
	})
}

// choose resolves every conflict to one side.
func choose(text string, ours bool) string {
	var b strings.Builder
	keep := true
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "<<<<<<< "):
			keep = ours
		case strings.HasPrefix(line, "======="):
			keep = !ours
		case strings.HasPrefix(line, ">>>>>>> "):
			keep = true
		case keep:
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestMergeIndexIsDerived: merging two index.md files is the same as merging the records and printing them.
func TestMergeIndexIsDerived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw{t}
		var base, ours, theirs, merged []Stored
		put := func(to *[]Stored, r Record) {
			*to = append(*to, Stored{Record: r, Path: Path(r.Category, r.ID)})
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "records") {
			r := d.record(rapid.SampledFrom(Categories()).Draw(t, "category"), fmt.Sprintf("r%d", i))
			o, s := d.changed(r), d.changed(r)
			switch rapid.IntRange(0, 3).Draw(t, "where") {
			case 0: // new in ours
				put(&ours, o)
				put(&merged, o)
			case 1: // new in theirs
				put(&theirs, s)
				put(&merged, s)
			case 2: // new in both; only active ones are in the index
				o.Status, s.Status = Active, Active
				put(&ours, o)
				put(&theirs, s)
				put(&merged, merge(t, nil, o, s).Record)
			default:
				put(&base, r)
				put(&ours, o)
				put(&theirs, s)
				put(&merged, merge(t, &r, o, s).Record)
			}
		}
		got, want := string(MergeIndex(Index(base), Index(ours), Index(theirs))), string(Index(merged))
		if got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	})
}

func TestMergeList(t *testing.T) {
	for name, c := range map[string]struct {
		base, ours, theirs, want string
		clash                    bool
	}{
		"both add at the end":               {"a b", "a b c", "a b d", "a b c d", false},
		"both add the same":                 {"a", "a c", "a c", "a c", false},
		"one takes out, one adds":           {"a b c", "a c", "a b c d", "a c d", false},
		"both take out different ones":      {"a b c", "b c", "a b", "b", false},
		"neighbours changed":                {"a b c d", "a x c d", "a b y d", "a x y d", false},
		"one entry changed twice":           {"a b c", "a x c", "a y c", "a x y c", true},
		"one changes what one takes out":    {"a b c", "a x c", "a c", "a x c", true},
		"ours moves, theirs adds":           {"a b", "b a", "a b c", "b a c", false},
		"both move, differently":            {"a b c", "c a b", "b c a", "c b a", true},
		"without a base":                    {"", "a b", "b c", "a b c", false},
		"twice the same stays twice":        {"a a", "a a b", "a a", "a a b", false},
		"all gone on one side, grown there": {"a b", "", "a b c", "c", true},
	} {
		got, clash := mergeList(strings.Fields(c.base), strings.Fields(c.ours), strings.Fields(c.theirs))
		if strings.Join(got, " ") != c.want || clash != c.clash {
			t.Errorf("%s: %v %t, want %s %t", name, got, clash, c.want, c.clash)
		}
	}
}

// decided is a small record for tables.
func decided(change func(*Record)) Record {
	r := Record{
		Category: Decision, ID: "queue", Title: "Queue", Status: Active, CreatedAt: "2026-11-01T00:00:00Z",
		UpdatedAt: "2026-11-01T00:00:00Z", Tags: []string{"queue"},
		Content: Content{"status": "accepted", "context": "c", "decision": "d", "rationale": []string{"r"}},
	}
	change(&r)
	return r
}

func TestMergeStatus(t *testing.T) {
	ten, nine := "2026-11-10T00:00:00Z", "2026-11-09T00:00:00Z"
	retired := func(at, why string) func(*Record) {
		return func(r *Record) { r.Status, r.RetiredAt, r.RetiredReason = Retired, &at, &why }
	}
	archived := func(at, why string) func(*Record) {
		return func(r *Record) { r.Status, r.ArchivedAt, r.ArchivedReason = Archived, &at, &why }
	}
	active := func(*Record) {}
	for name, c := range map[string]struct {
		base, ours, theirs, want func(*Record)
	}{
		"one retires, one edits": {active, func(r *Record) {
			r.Title = "Other"
		}, retired(ten, "gone"), retired(ten, "gone")},
		"one retires, one archives": {active, retired(ten, "gone"), archived(nine, "keep"),
			archived(nine, "keep")},
		"both retire": {active, retired(nine, "a"), retired(ten, "b"),
			retired(ten, "b")},
		"one restores":                       {retired(nine, "a"), active, retired(nine, "a"), active},
		"one restores, gc shelves":           {retired(nine, "a"), active, archived(ten, "grace"), active},
		"made on both sides, one retired it": {nil, active, retired(ten, "x"), active},
	} {
		t.Run(name, func(t *testing.T) {
			var base *Record
			if c.base != nil {
				r := decided(c.base)
				base = &r
			}
			want := decided(c.want)
			for _, m := range []Merged{merge(t, base, decided(c.ours), decided(c.theirs)),
				merge(t, base, decided(c.theirs), decided(c.ours))} {
				if m.Status != want.Status || valueOf(m.RetiredReason) != valueOf(want.RetiredReason) ||
					valueOf(m.ArchivedReason) != valueOf(want.ArchivedReason) ||
					valueOf(m.RetiredAt) != valueOf(want.RetiredAt) {
					t.Errorf("%s", m.Encode())
				}
			}
		})
	}
}

func TestMergeCountsACherryPickOnce(t *testing.T) {
	pick := Change{Date: "2026-11-05T00:00:00Z", Summary: "picked"}
	base := decided(func(r *Record) { r.TimesUpdated = 3 })
	ours := decided(func(r *Record) { r.TimesUpdated, r.Changes = 4, []Change{pick} })
	theirs := decided(func(r *Record) {
		r.TimesUpdated, r.Changes = 5, []Change{pick, {Date: "2026-11-06T00:00:00Z", Summary: "more"}}
	})
	if m := merge(t, &base, ours, theirs); m.TimesUpdated != 5 || len(m.Changes) != 2 {
		t.Errorf("%d updates, %v", m.TimesUpdated, m.Changes)
	}
}

func TestMergeChangesByDate(t *testing.T) {
	at := func(days ...int) (out []Change) {
		for _, d := range days {
			out = append(out, Change{Date: fmt.Sprintf("2026-11-%02dT00:00:00Z", d), Summary: fmt.Sprint(d)})
		}
		return out
	}
	var full []int
	for i := range MaxChanges {
		full = append(full, 10+i)
	}
	for _, c := range []struct{ ours, theirs, want []Change }{
		{at(1, 2, 5), at(1, 2, 3, 4), at(1, 2, 3, 4, 5)},
		{nil, at(1), at(1)},
		{at(9, 1), at(9, 3), at(9, 1, 3)}, // entries out of order stay where they are
	} {
		if got := mergeChanges(c.ours, c.theirs); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v and %v: %v, want %v", c.ours, c.theirs, got, c.want)
		}
	}
	got := mergeChanges(at(full...), at(70, 71))
	if len(got) != MaxChanges || got[MaxChanges-1].Summary != "71" {
		t.Errorf("%d changes, the last %v", len(got), got[len(got)-1])
	}
}

func TestMergeDifferentRecords(t *testing.T) {
	if _, err := Merge(nil, decided(func(*Record) {}), decided(func(r *Record) {
		r.ID = "other"
	})); err == nil {
		t.Error("merged two records")
	}
}

func FuzzMergeIndex(f *testing.F) {
	f.Add("- [DECISION] a -> .claude/memory/decisions/a.json #tags:x,y\n", "", "- [X] -> -> b #tags:\r\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		once := MergeIndex([]byte(base), []byte(ours), []byte(theirs))
		if again := MergeIndex(once, once, once); string(again) != string(once) {
			t.Fatalf("not a fixed point:\n%s\n%s", once, again)
		}
	})
}
