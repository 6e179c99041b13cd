package answer

import (
	"strings"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/tiers"
)

func TestInOrder(t *testing.T) {
	note := func(path string, score float64, at string) Result {
		return Result{Source: "scratch", Path: path, Score: score, UpdatedAt: at}
	}
	record := func(path string, score float64) Result {
		return Result{Source: "project", Path: path, Score: score}
	}
	place := func(path string, score float64, at string) Result {
		return Result{Source: "WHERE", Path: path, Score: score, UpdatedAt: at}
	}
	places := func() []Result {
		return []Result{place("1", 0.9, ""), place("2", 0.9, ""), place("3", 0.9, "")}
	}
	const said = tiers.AnnotationsFile
	decision := record("decision", 0.7)
	decision.Category = memory.Decision
	drawer := Result{Source: "WHY", Path: "drawer", Score: 0.9}
	gone := place("gone", 0.99, "")
	gone.Gone = "src/gone.go"
	weak := func(r Result) Result { r.Weak = true; return r }
	for name, tt := range map[string]struct {
		tier  Tier
		limit int
		found []Result
		want  string
	}{
		"what answers best":        {Any, 9, []Result{note("a", 0.7, ""), record("b", 0.9)}, "b a"},
		"of equal ones the source": {Any, 9, []Result{record("b", 0.9), note("a", 0.9, "")}, "a b"},
		"then the date": {Any, 9,
			[]Result{note("a", 0.9, "2026-01-01"), note("b", 0.9, "2026-01-02")}, "b a"},
		"a file's date says nothing": {Where, 9,
			[]Result{place("a", 0.9, "2026-01-01"), place("b", 0.9, "2026-01-02")}, "a b"},
		"what is named": {Where, 9, []Result{record("b", 0.99), place("a", 0.7, "")}, "a b"},
		"what somebody said of it": {Where, 9, []Result{place("a", 0.9991, ""), place(said, 0.999, "")},
			said + " a"},
		"but not of half of it": {Where, 9, []Result{place("a", 0.9991, ""), place(said, 0.8, "")},
			"a " + said},
		"but not where it is weak": {Where, 9, []Result{place("a", 0.7, ""), weak(place(said, 0.5, ""))},
			"a " + said},
		"drawers and decisions": {Why, 9, []Result{record("b", 0.99), decision, drawer},
			"drawer decision b"},
		"what leads nowhere": {Where, 9, []Result{gone, weak(place("w", 0.5, "")), record("b", 0.7)},
			"b gone w"},
		"what is weak": {Any, 9, []Result{weak(note("a", 0.59, "")), record("b", 0.6)}, "b a"},
		"weak of what is named": {Where, 9, []Result{weak(place("a", 0.5, "")), record("b", 0.7)},
			"b a"},
		"what is certain":             {Any, 9, []Result{note("a", 1, "2026-01-01"), record("b", 1)}, "a b"},
		"the limit":                   {Any, 1, []Result{note("a", 0.9, ""), record("b", 0.7)}, "a"},
		"room beside what is named":   {Where, 3, append(places(), record("b", 0.7)), "1 2 b"},
		"none for what is weak":       {Where, 3, append(places(), weak(record("b", 0.5))), "1 2 3"},
		"nothing":                     {Why, 3, nil, ""},
		"what was promoted, unnamed":  {Project, 3, []Result{record("b", 0.7)}, "b"},
		"a memory that is a decision": {Any, 3, []Result{decision, record("b", 0.8)}, "b decision"},
	} {
		inOrder(tt.found, tt.tier)
		var got []string
		for _, r := range cut(tt.found, tt.tier, tt.limit) {
			got = append(got, r.Path)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", name, got, tt.want)
		}
	}
}
