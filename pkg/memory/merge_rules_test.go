package memory

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMergeThree: in whatever order the versions of three people come together, they come to the same, up to
// the order of lists, if no text was changed on two sides.
func TestMergeThree(t *testing.T) {
	whole := 0
	rapid.Check(t, func(t *rapid.T) {
		d := draw{t}
		base := d.changed(d.record(rapid.SampledFrom(Categories()).Draw(t, "category"), "a"))
		a, b, c := d.changed(base), d.changed(base), d.changed(base)
		ab, bc := merge(t, &base, a, b), merge(t, &base, b, c)
		if len(ab.Conflicts)+len(bc.Conflicts)+len(merge(t, &base, a, c).Conflicts) > 0 {
			return
		}
		left, right := merge(t, &base, ab.Record, c), merge(t, &base, a, bc.Record)
		if len(left.Conflicts)+len(right.Conflicts) > 0 {
			t.Fatalf("no two of three are in conflict, and all are: %v, %v", left.Conflicts, right.Conflicts)
		}
		if len(left.Tags) == MaxTags || len(left.Changes) == MaxChanges {
			return // which of too many are kept is not the same
		}
		whole++
		if sameSecond(base, a, b, c) { // what was updated in one second counts as one update, or as two
			left.Record.TimesUpdated, right.Record.TimesUpdated = 0, 0
		}
		if x, y := flat(left.Record), flat(right.Record); x != y {
			t.Fatalf("base\n%s\na\n%s\nb\n%s\nc\n%s\n(a+b)+c\n%s\na+(b+c)\n%s", base.Encode(), a.Encode(),
				b.Encode(), c.Encode(), x, y)
		}
	})
	if whole == 0 {
		t.Error("every draw was a conflict: the test is blind")
	}
}

// sameSecond reports whether two versions were changed otherwise in the same second, after their base.
func sameSecond(base Record, versions ...Record) bool {
	at := map[string][]Change{} // by date, what the first version that has it says
	for _, v := range versions {
		own := map[string][]Change{}
		for _, c := range v.Changes {
			if !hasChange(base.Changes, c) {
				own[c.Date] = append(own[c.Date], c)
			}
		}
		for date, changes := range own {
			if first, taken := at[date]; taken && !reflect.DeepEqual(first, changes) {
				return true
			}
			at[date] = changes
		}
	}
	return false
}

// TestMergeInventsNothing: every text of the result, also of both sides of a conflict, is of one of the
// versions.
func TestMergeInventsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := branches(t)
		m := merge(t, base, ours, theirs)
		known := slices.Concat(texts(t, ours), texts(t, theirs))
		for _, r := range []Record{m.Record, m.theirs} {
			for _, s := range texts(t, r) {
				if !slices.Contains(known, s) && s != Untagged {
					t.Fatalf("%q is in no version", s)
				}
			}
		}
	})
}

// texts returns every text in a record's file.
func texts(t *rapid.T, r Record) (all []string) {
	var v any
	if err := json.Unmarshal(r.Encode(), &v); err != nil {
		t.Fatal(err)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			all = append(all, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	return all
}

// TestMergeOfWhatIsUnknown: a field of a newer version that both sides changed is a conflict. Nobody here can
// say which is right, and one of them would be lost.
func TestMergeOfWhatIsUnknown(t *testing.T) {
	file := func(rule string) []byte {
		return decided(func(r *Record) {
			r.SchemaVersion = "1.99"
			r.Unknown = map[string]json.RawMessage{"newer": json.RawMessage(`{"says": "` + rule + `"}`)}
		}).Encode()
	}
	m, ok := MergeFiles(file("old"), file("ours"), file("old"))
	if !ok || len(m.Conflicts) > 0 || !strings.Contains(string(m.Text()), `"ours"`) {
		t.Errorf("one side: %v %v\n%s", ok, m.Conflicts, m.Text())
	}
	m, ok = MergeFiles(file("old"), file("ours"), file("theirs"))
	text := string(m.Text())
	if !ok || !slices.Equal(m.Conflicts, []string{"newer"}) || !strings.Contains(choose(text, true), `"ours"`) ||
		!strings.Contains(choose(text, false), `"theirs"`) {
		t.Errorf("both sides: %v %v\n%s", ok, m.Conflicts, text)
	}
}
