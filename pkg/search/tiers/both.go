package tiers

import (
	"context"
	"path"
	"slices"
	"strings"

	"keepsake/pkg/search/records"
)

// Both asks QMD and the embedded search of files. A collection of QMD's has only Markdown unless somebody
// named other endings, so the code is found by the other one.
type Both struct {
	QMD   Finder
	Files Finder
}

// Find returns what both found, by turns, QMD's first: neither knows what the other's scores are worth. Of a
// file that both found it returns QMD's hit. Markdown that QMD did not find comes after the rest, and so does
// what surely has too little of the question. An error of either is an error.
func (b Both) Find(ctx context.Context, query string, n int) ([]Hit, error) {
	first, err := b.QMD.Find(ctx, query, n)
	if err != nil {
		return nil, err
	}
	second, err := b.Files.Find(ctx, query, n)
	if err != nil {
		return nil, err
	}
	var good, rest []Hit
	for _, h := range second {
		switch {
		case slices.ContainsFunc(first, func(x Hit) bool { return x.Path == h.Path }):
		case isMarkdown(h.Path) || h.Score < records.Floor:
			rest = append(rest, h)
		default:
			good = append(good, h)
		}
	}
	var all []ranked
	for i := range max(len(first), len(good)) {
		for _, hits := range [2][]Hit{first, good} {
			if i < len(hits) {
				all = append(all, ranked{Hit: hits[i]})
			}
		}
	}
	for _, h := range rest {
		all = append(all, ranked{Hit: h})
	}
	return inOrder(all[:min(n, len(all))]), nil
}

func isMarkdown(file string) bool {
	end := strings.ToLower(path.Ext(file))
	return end == ".md" || end == ".markdown" || end == ".mdx"
}
