package memory

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func stored(id, title string, status Status, tags ...string) Stored {
	return Stored{Path: Path(Decision, id),
		Record: Record{Category: Decision, ID: id, Title: title, Status: status, Tags: tags}}
}

// TestSpliceIndex: an index.md that was changed line by line is the one that is
// made of all records.
func TestSpliceIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		titles := rapid.SampledFrom([]string{"Use Redis", "use redis", "Zebra",
			"- [DECISION] no -> way #tags:x", "", "数据库", "[x]", "a] b"})
		one := func() Stored {
			return stored(fmt.Sprint("r", rapid.IntRange(0, 20).Draw(t, "id")), titles.Draw(t, "title"),
				rapid.SampledFrom([]Status{Active, Active, Retired, Archived}).Draw(t, "status"),
				titles.Draw(t, "tag"))
		}
		all := map[string]Stored{}
		for range rapid.IntRange(0, 15).Draw(t, "records") {
			r := one()
			all[r.Path] = r
		}
		text := Index(slices.Collect(values(all)))
		for range rapid.IntRange(1, 4).Draw(t, "saves") {
			var gone []string
			var put []Stored
			for range rapid.IntRange(0, 5).Draw(t, "edits") {
				r := one()
				if slices.Contains(gone, r.Path) {
					continue
				}
				gone = append(gone, r.Path)
				delete(all, r.Path)
				if rapid.Bool().Draw(t, "put") {
					put = append(put, r)
					all[r.Path] = r
				}
			}
			if rapid.Bool().Draw(t, "many") {
				for i := range fewPaths + 1 {
					gone = append(gone, Path(Decision, fmt.Sprint("none", i)))
				}
			}
			next, ok := SpliceIndex(text, gone, put)
			if want := Index(slices.Collect(values(all))); !ok || !bytes.Equal(next, want) {
				t.Fatalf("%t:\n%s\nwant:\n%s", ok, next, want)
			}
			text = next
		}
	})
}

func values(m map[string]Stored) func(func(Stored) bool) {
	return func(yield func(Stored) bool) {
		for _, k := range sortedKeys(m) {
			if !yield(m[k]) {
				return
			}
		}
	}
}

func FuzzSpliceIndex(f *testing.F) {
	f.Add(Index([]Stored{stored("a", "A", Active, "x")}), "b", "B")
	f.Add([]byte(indexHead+"- [DECISION] A -> .claude/memory/decisions/a.json #tags:x"), "a", "A")
	f.Add([]byte(indexHead+"\n\n"), "a", "A")
	f.Fuzz(func(t *testing.T, text []byte, id, title string) {
		SpliceIndex(text, []string{Path(Decision, id)}, []Stored{stored(id, title, Active)})
		CompareIndex(text, []Stored{stored(id, title, Active)})
	})
}

func TestCompareIndex(t *testing.T) {
	records := []Stored{stored("a", "A", Active, "x"), stored("b", "B", Active, "x"),
		stored("c", "C", Active, "x"), stored("old", "Old", Retired, "x")}
	text := string(Index([]Stored{records[0], stored("b", "Another", Active, "x"),
		stored("old", "Old", Active, "x"), stored("gone", "Gone", Active, "x")}))
	tests := map[string]struct {
		text                  string
		missing, stale, wrong string
	}{
		"the right one": {string(Index(records)), "", "", ""},
		"all faults":    {text, "c", "gone old", "b"},
		"none":          {"", "a b c", "", ""},
		"garbage":       {"\x00- [", "a b c", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			missing, stale, wrong := CompareIndex([]byte(tt.text), records)
			for what, got := range map[string][2]string{"missing": {ids(missing), tt.missing},
				"stale": {ids(stale), tt.stale}, "wrong": {ids(wrong), tt.wrong}} {
				if got[0] != got[1] {
					t.Errorf("%s: %q, want %q", what, got[0], got[1])
				}
			}
		})
	}
}

func ids(paths []string) string {
	for i, p := range paths {
		paths[i] = strings.TrimSuffix(strings.TrimPrefix(p, "decisions/"), ".json")
	}
	return strings.Join(paths, " ")
}
