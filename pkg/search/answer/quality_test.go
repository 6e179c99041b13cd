package answer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
)

// A corpus is one file of questions with known answers; see package recall.
type corpus struct {
	Name        string
	Collections []struct {
		Docs []struct {
			ID, Title, Body string
			Tags            []string
		}
		Queries []struct {
			Text string
			Rel  []string
		}
	}
}

// TestPrecedenceCostsLittle puts the documents of each store into five tiers by chance, so
// that the tier says nothing of the answer, and merges what each tier has by its place. What
// is lost of the mean reciprocal rank, within the first five, is the price of step: no more
// than its standard error.
func TestPrecedenceCostsLittle(t *testing.T) {
	dir := os.Getenv("KEEPSAKE_QUALITY")
	if dir == "" {
		t.Skip("no development data; set KEEPSAKE_QUALITY to its folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "recall_*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no recall_*.json", err)
	}
	steps := []float64{1, 0.95, step, 0.85, 0.8, 0.7, 0.5, 0.25}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var c corpus
		if err := json.Unmarshal(b, &c); err != nil {
			t.Fatal(err)
		}
		var ranks, losses, squares [8]float64
		n := 0.0
		for split := range 3 {
			for q := range c.questions(t, split) {
				n++
				whole := q.reciprocal(1)
				for i, by := range steps {
					r := q.reciprocal(by)
					ranks[i] += r
					losses[i] += whole - r
					squares[i] += (whole - r) * (whole - r)
				}
			}
		}
		for i, by := range steps {
			loss := losses[i] / n
			// The splits put the same questions: n/3 of them are independent.
			noise := math.Sqrt((squares[i]/n - loss*loss) / (n / 3))
			t.Logf("%-15s step %.2f: MRR@5 %.3f, lost %.4f of ±%.4f", c.Name, by, ranks[i]/n, loss, noise)
			if by == step && loss > noise {
				t.Errorf("%s: a place costs %.4f, more than its error %.4f", c.Name, loss, noise)
			}
		}
	}
}

// asking is a question with what each tier found.
type asking struct {
	found []Result
	right []string
}

// questions yields the questions of a corpus whose documents are split by chance.
func (c corpus) questions(t *testing.T, split int) func(func(asking) bool) {
	return func(yield func(asking) bool) {
		for _, col := range c.Collections {
			parts := map[string][]memory.Stored{}
			for _, d := range col.Docs {
				h := fnv.New64a()
				fmt.Fprint(h, split, d.ID)
				at := precedence[h.Sum64()>>16%uint64(len(precedence))]
				parts[at] = append(parts[at], memory.Stored{Path: d.ID, Record: memory.Record{
					Category: memory.Constraint, ID: d.ID, Title: d.Title, Status: memory.Active,
					Tags:    d.Tags,
					Content: memory.Content{"impact": d.Body}}})
			}
			indexes := map[string]*records.Index{}
			for at, records := range parts {
				indexes[at] = indexOf(t, records)
			}
			for _, q := range col.Queries {
				ask := asking{right: q.Rel}
				for _, at := range precedence {
					if indexes[at] == nil {
						continue
					}
					hits, err := indexes[at].Search(records.Query{Text: q.Text, Limit: 5})
					if err != nil {
						t.Fatal(err)
					}
					for _, h := range hits {
						ask.found = append(ask.found, Result{Path: h.Path, Score: h.Score, Source: at,
							Weak: h.Score < records.Floor})
					}
				}
				if !yield(ask) {
					return
				}
			}
		}
	}
}

func indexOf(t *testing.T, all []memory.Stored) *records.Index {
	t.Helper()
	change := records.New().Change()
	for _, r := range all {
		change.Put(r)
	}
	ix, err := change.Index()
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// reciprocal is one over the rank of the first right answer, 0 below the fifth.
func (q asking) reciprocal(by float64) float64 {
	found := slices.Clone(q.found)
	if by == step {
		inOrder(found, Any)
	} else {
		slices.SortStableFunc(found, func(a, b Result) int {
			odds := func(r Result) float64 {
				return r.Score / (1 - r.Score) * math.Pow(by, float64(slices.Index(precedence, r.Source)))
			}
			return cmp.Or(a.group(Any)-b.group(Any), cmp.Compare(odds(b), odds(a)))
		})
	}
	for i, r := range found[:min(5, len(found))] {
		if slices.Contains(q.right, r.Path) {
			return 1 / float64(i+1)
		}
	}
	return 0
}
