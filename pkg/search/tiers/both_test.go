package tiers

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

type fixed struct {
	hits []Hit
	err  error
}

func (f fixed) Find(_ context.Context, _ string, n int) ([]Hit, error) {
	return f.hits[:min(n, len(f.hits))], f.err
}

func TestBoth(t *testing.T) {
	hit := func(path string, score float64) Hit { return Hit{Path: path, Score: score} }
	docs := fixed{hits: []Hit{hit("a.md", 0.9), hit("b.md", 0.9), hit("c.md", 0.8)}}
	code := fixed{hits: []Hit{hit("x.go", 0.8), hit("b.md", 0.8), hit("d.md", 0.7), hit("y.go", 0.4)}}
	broken := fixed{err: errors.New("broken")}
	for _, tt := range []struct {
		qmd, files fixed
		n          int
		want       string
	}{
		{docs, code, 9, "a.md 0.9, x.go 0.8, b.md 0.8, c.md 0.8, d.md 0.7, y.go 0.4, "},
		{docs, code, 2, "a.md 0.9, x.go 0.8, "},
		{fixed{}, code, 9, "x.go 0.8, b.md 0.8, d.md 0.7, y.go 0.4, "},
		{docs, fixed{}, 9, "a.md 0.9, b.md 0.9, c.md 0.8, "},
		{fixed{}, fixed{}, 9, ""},
		{broken, code, 9, "broken"},
		{docs, broken, 9, "broken"},
	} {
		got := ""
		hits, err := Both{tt.qmd, tt.files}.Find(t.Context(), "q", tt.n)
		for _, h := range hits {
			got += fmt.Sprintf("%s %.1f, ", h.Path, h.Score)
		}
		if err != nil {
			got += err.Error()
		}
		if got != tt.want {
			t.Errorf("%d: %q, want %q", tt.n, got, tt.want)
		}
	}
}
