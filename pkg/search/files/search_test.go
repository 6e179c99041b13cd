package files

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"

	"pgregory.net/rapid"
)

// indexOf returns an index of files.
func indexOf(t interface{ Fatal(...any) }, all ...File) *segment.Index {
	var b Builder
	for _, f := range all {
		b.Add(f)
	}
	base := b.Pack()
	ix, err := segment.Open(bytes.NewReader(base), int64(len(base)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// TestChangedFindsTheSame: files find the same whether they were indexed at once, or
// change by change; what is hidden is not found.
func TestChangedFindsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom(strings.Fields("login handler store parse parser config auth session the " +
			"table invoice loginHandler 検索機能 x"))
		truth := map[string]File{}
		ix := segment.New()
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			change := ix.Change()
			var b Builder
			for range rapid.IntRange(0, 40).Draw(t, "files") {
				path := fmt.Sprintf("%s/%s.go", word.Draw(t, "dir"), word.Draw(t, "name"))
				if change.Removed(path) {
					continue
				}
				change.Remove(path)
				delete(truth, path)
				if rapid.IntRange(0, 3).Draw(t, "gone") > 0 {
					words := rapid.SliceOfN(word, 0, 12).Draw(t, "text")
					truth[path] = File{Path: path, Stat: memory.File{Time: 7, Size: 1},
						Text: []byte("func " + strings.Join(words, "\n// "))}
					b.Add(truth[path])
				}
			}
			change.Add(b.Pack())
			base, delta, err := change.Done(30)
			if err != nil {
				t.Fatal(err)
			}
			if ix, err = ix.With(base, delta); err != nil {
				t.Fatal(err)
			}
		}
		once := indexOf(t, slices.Collect(maps.Values(truth))...)
		for path := range truth {
			hidden := map[string]bool{}
			if rapid.Bool().Draw(t, "hidden") {
				hidden[word.Draw(t, "dir")+"/"+word.Draw(t, "name")+".go"] = true
			}
			q := Ask(path)
			got, err := q.Search(len(truth), ix, hidden)
			if err != nil {
				t.Fatal(err)
			}
			if !hidden[path] && len(got) == 0 || slices.ContainsFunc(got, func(f Found) bool {
				return hidden[f.Path]
			}) {
				t.Fatalf("%s found %v without %v", path, got, hidden)
			}
			q = Ask(path)
			if want, err := q.Search(len(truth), once, hidden); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s found %v, want %v, %v", path, got, want, err)
			}
		}
	})
}

func FuzzBest(f *testing.F) {
	f.Add("a.go", "func Login() {\n\treturn\n}", "where is login")
	f.Add("a.md", "# x\n```\n# y", "y")
	f.Add("Makefile", ":\n\xff\n=\r\n", "\xff")
	f.Fuzz(func(t *testing.T, path, text, question string) {
		q := Ask(question)
		if _, err := q.Search(3, indexOf(t, File{Path: path, Text: []byte(text)}), nil); err != nil {
			t.Fatal(err)
		}
		l := q.Best(path, []byte(text))
		if lines := strings.Count(text, "\n") + 1; l.Number < 1 || l.Number > lines {
			t.Fatalf("line %d of %d", l.Number, lines)
		}
	})
}
