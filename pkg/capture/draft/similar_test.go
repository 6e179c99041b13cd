package draft

import (
	"encoding/json"
	"os"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

// pair is two records and whether they are about the same thing.
type pair struct {
	Name     string
	Category memory.Category
	Same     bool
	A, B     struct {
		Title   string
		Tags    []string
		Content map[string]any
	}
}

func loadPairs(t *testing.T) []pair {
	t.Helper()
	b, err := os.ReadFile("testdata/pairs.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []pair
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSimilarity checks the threshold with pairs of memories as projects have them: no two different ones may
// be taken for the same, and few that are the same may be missed. Each pair is compared in an empty store and
// in one with all the others, since words weigh less the more records have them.
func TestSimilarity(t *testing.T) {
	all := loadPairs(t)
	var crowd []memory.Stored
	for _, p := range all {
		crowd = append(crowd, stored(record(p.Category, p.Name, p.A.Tags, typed(p.Category, p.A.Content))))
		crowd[len(crowd)-1].Title = p.A.Title
	}
	for _, store := range []string{"alone", "in a crowd"} {
		missed, highest, lowest := 0, 0.0, 1.0
		for i, p := range all {
			old := stored(record(p.Category, "old", p.A.Tags, typed(p.Category, p.A.Content)))
			old.Title = p.A.Title
			existing := []memory.Stored{old}
			if store == "in a crowd" {
				for j, c := range crowd {
					// Others may be about the same thing as the pair.
					if j != i && c.Title != p.A.Title {
						existing = append(existing, c)
					}
				}
			}
			d := Draft{Category: p.Category, Title: p.B.Title, Tags: p.B.Tags,
				Content: typed(p.Category, p.B.Content)}
			var got alike.Candidate
			for _, c := range alike.Candidates(d.record(), existing, len(existing)) {
				if c.Path == old.Path {
					got = c
				} else if c.Same && !p.Same {
					t.Errorf("%s, %s: merges into %q with %.2f", p.Name, store, c.Title, c.Score)
				}
			}
			t.Logf("%-35s %-10s same=%-5v score %.2f -> %v", p.Name, store, p.Same, got.Score, got.Same)
			switch {
			case !p.Same:
				highest = max(highest, got.Score)
				if got.Same {
					t.Errorf("%s, %s: different memories are taken for one (%.2f)", p.Name, store, got.Score)
				}
			case !got.Same:
				missed++
			default:
				lowest = min(lowest, got.Score)
			}
		}
		t.Logf("%s: different ones score at most %.2f, same ones that are found at least %.2f, %d missed",
			store, highest, lowest, missed)
		if missed > 2 {
			t.Errorf("%s: %d pairs of one memory are not recognised, at most 2 may be", store, missed)
		}
	}
}

// record returns a valid active record.
func record(c memory.Category, id string, tags []string, content memory.Content) memory.Record {
	full, _, _ := completeContent(c, content)
	return memory.Record{
		Category: c, ID: memory.Slug(id), Title: id, Status: memory.Active,
		CreatedAt: "2026-11-01T09:00:00Z", UpdatedAt: "2026-11-01T09:00:00Z",
		Tags: tags, Content: full,
	}
}

// stored returns a record as a store would give it.
func stored(r memory.Record) memory.Stored {
	b := r.Encode()
	back, err := memory.Decode(b)
	if err != nil {
		panic(err)
	}
	return memory.Stored{Record: back, Path: memory.Path(r.Category, r.ID), Digest: digest(b)}
}

// typed returns content out of JSON with the types of the schema.
func typed(c memory.Category, raw map[string]any) memory.Content {
	p := new(coercer)
	return p.content(c, map[string]any{"content": raw})
}

// TestFormsOfAWord: all forms of a word count as the word, as in recall.
func TestFormsOfAWord(t *testing.T) {
	for _, forms := range [][2]string{
		{"Log slow queries of the billing database", "Logging a slow query of the billing database"},
		{"Retries need a dependency policy", "Retry: policy for dependencies"},
		{"Cache compiled policies", "Caching compiled policy"},
	} {
		content := func(s string) memory.Content {
			return typed(memory.Preference, map[string]any{"topic": s, "value": s, "reason": s})
		}
		old := stored(record(memory.Preference, "old", []string{"x"}, content(forms[0])))
		old.Title = forms[0]
		d := Draft{Category: memory.Preference, Title: forms[1], Tags: []string{"x"},
			Content: content(forms[1])}
		if got := alike.Candidates(d.record(), []memory.Stored{old}, 1); len(got) != 1 || got[0].Score < 0.8 {
			t.Errorf("%q and %q: %+v", forms[0], forms[1], got)
		}
	}
}
