package records

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"keepsake/pkg/memory"

	"pgregory.net/rapid"
)

// TestChangedIsRebuilt: after any sequence of changes an index finds what one
// that was built at once finds, with the same scores, and merged it is the same
// to the byte.
func TestChangedIsRebuilt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{
			"postgres", "postgresql", "database", "databank", "billing", "deploy", "deployment",
			"deployments", "deployed", "rabbitmq", "queue", "MAX_RETRY_COUNT", "parseHTTPHeader", "v1.2.3",
			"代码評審", "テスト", "зависимость", "зависимости", "fix", "test",
		}), 0, 6)
		base := build(nil)
		var delta []byte
		truth := map[string]memory.Stored{}
		rebuilt := func() *Index {
			var all []memory.Stored
			for _, r := range truth {
				all = append(all, r)
			}
			return openBase(t, build(all))
		}
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			ix, err := Open(bytes.NewReader(base), int64(len(base)), delta)
			if err != nil {
				t.Fatal(err)
			}
			c := ix.Change()
			if rapid.Bool().Draw(t, "large") {
				c.puts = maxDelta + 1
			}
			for range rapid.IntRange(0, 40).Draw(t, "edits") {
				path := fmt.Sprintf("%s/%d", rapid.SampledFrom([]string{"decisions", "runbooks"}).Draw(t,
					"folder"), rapid.IntRange(0, 30).Draw(t, "n"))
				what := rapid.IntRange(0, 5).Draw(t, "what")
				if what == 0 {
					c.Remove(path + ".json")
					delete(truth, path+".json")
					continue
				}
				r := record(path, strings.Join(words.Draw(t, "title"), " "),
					strings.Join(words.Draw(t, "tags"), ", "), strings.Join(words.Draw(t, "body"), " "))
				had, ok := truth[path+".json"]
				if ok && what <= 2 {
					r = had
				}
				r.Status = rapid.SampledFrom([]memory.Status{memory.Active, memory.Active, memory.Retired,
					memory.Archived}).Draw(t, "status")
				r.File = memory.File{Time: rapid.Int64().Draw(t, "time"), Size: 7}
				if truth[r.Path] = r; ok && what <= 2 {
					c.PutStatus(r, had.File)
				} else {
					c.Put(r)
				}
			}
			newBase, newDelta, err := c.Done()
			if err != nil {
				t.Fatal(err)
			}
			if delta = newDelta; newBase != nil {
				base = newBase
			}
			merged, err := c.to.Merged()
			if err != nil {
				t.Fatal(err)
			}
			var all []memory.Stored
			for _, r := range truth {
				all = append(all, r)
			}
			if !bytes.Equal(merged, build(all)) {
				t.Fatal("merged it is another than built")
			}
		}
		ix, err := Open(bytes.NewReader(base), int64(len(base)), delta)
		if err != nil {
			t.Fatal(err)
		}
		other := rebuilt()
		for range 10 {
			q := Query{
				Text: strings.Join(words.Draw(t, "query"), " "), Limit: rapid.IntRange(1, 8).Draw(t, "limit"),
				Retired: rapid.Bool().Draw(t, "retired"),
				Category: rapid.SampledFrom([]memory.Category{"", memory.Decision, memory.Runbook,
					memory.Preference}).Draw(t, "category"),
			}
			for _, floor := range []float64{0, Floor} {
				q.Floor = floor
				got, err := ix.Search(q)
				if err != nil {
					t.Fatal(err)
				}
				want, err := other.Search(q)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v:\nchanged %+v\nrebuilt %+v", q, got, want)
				}
			}
			draft := memory.Record{Category: memory.Decision, Title: q.Text,
				Tags: words.Draw(t, "draft tags"), Content: memory.Content{"context": q.Text}}
			got, err1 := ix.Similar(draft, q.Limit, q.Retired)
			want, err2 := other.Similar(draft, q.Limit, q.Retired)
			if err1 != nil || err2 != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("similar to %+v:\nchanged %+v %v\nrebuilt %+v %v", draft, got, err1, want, err2)
			}
		}
		if ix.Len() != other.Len() {
			t.Fatalf("Len %d, rebuilt %d", ix.Len(), other.Len())
		}
		var got, want []Entry
		if err := ix.Each(func(e Entry) bool { got = append(got, e); return true }); err != nil {
			t.Fatal(err)
		}
		if err := other.Each(func(e Entry) bool { want = append(want, e); return true }); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) || len(got) != len(truth) {
			t.Fatalf("Each: %v, want %v", got, want)
		}
		for _, c := range memory.Categories() {
			got, err1 := ix.List(c, 0)
			want, err2 := other.List(c, 0)
			if err1 != nil || err2 != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("List %s: %v %v, want %v %v", c, got, err1, want, err2)
			}
		}
	})
}

// TestPutStatusOfAnother: the status of a record is not put where the index has another text, or none.
func TestPutStatusOfAnother(t *testing.T) {
	r := record("decisions/a", "Use Postgres", "billing", "")
	r.File = memory.File{Time: 1, Size: 7}
	ix := openBase(t, build([]memory.Stored{r}))
	for path, was := range map[string]memory.File{r.Path: {Time: 2, Size: 7}, "decisions/b.json": r.File} {
		c := ix.Change()
		c.puts = maxDelta + 1
		next := r
		next.Path, next.Status = path, memory.Archived
		c.PutStatus(next, was)
		if _, _, err := c.Done(); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
