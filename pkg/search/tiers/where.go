package tiers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/search/files"
	"keepsake/pkg/search/kept"
	"keepsake/pkg/search/segment"
	"keepsake/pkg/secret"
)

// Where is the embedded back end for where things are: a lexical index of the
// files that git tracks, or of those that a bounded walk finds where there is no
// git. The index is a cache, made on the first question and brought up to date by
// each one; a file's line is looked up in the file itself.
type Where struct {
	Root string // of the project, absolute
	Dir  string // of the project in the cache home; "" keeps no index
	// Git runs git in a folder and returns what it prints; it is nil if there is no git.
	Git func(ctx context.Context, dir string, args ...string) (string, error)
	// Note is called with messages about what takes long or was left out; nil ignores them.
	Note func(format string, args ...any)
}

const (
	// maxText is the largest file whose text is read, in bytes: what is larger is
	// data, found by its path.
	maxText = 512 << 10
	// candidates are the files whose lines are looked at for one answer.
	candidates = 24
	// textRunes is the longest text of a hit.
	textRunes = 160
	// readFor bounds how long one question reads files into the index. The next
	// one goes on where it ended.
	readFor = 20 * time.Second
	// worthSaying is the least number of files whose reading is announced.
	worthSaying = 3000
)

// Find answers where something is: Path and Line of the place, Text the line.
func (w *Where) Find(ctx context.Context, query string, n int) ([]Hit, error) {
	q := files.Ask(query)
	if q.Empty() || n <= 0 {
		return nil, nil
	}
	found, err := w.search(ctx, &q, max(candidates, n))
	if errors.Is(err, segment.ErrCorrupt) { // made anew, once
		kept.Forget(w.file())
		q = files.Ask(query)
		found, err = w.search(ctx, &q, max(candidates, n))
	}
	if err != nil {
		return nil, err
	}
	var hits []ranked
	for _, f := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, info, err := disk.ReadInfo(filepath.Join(w.Root, filepath.FromSlash(f.Path)), maxText)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrNotRegular) {
			continue // gone since it was looked at
		}
		h := ranked{Hit{Source: "WHERE", Path: f.Path, Line: 1, Score: f.Score}, f.Rank * 0.4}
		if err == nil {
			h.Date = info.ModTime().UTC().Format(time.RFC3339)
			if !binary(text) {
				line := q.Best(f.Path, text)
				h.Line, h.Text, h.rank = line.Number, oneLine(line.Text), f.Rank*(0.4+line.Score)
			}
		}
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	return inOrder(hits[:min(n, len(hits))]), nil
}

func (w *Where) search(ctx context.Context, q *files.Query, n int) ([]files.Found, error) {
	ix, hidden, err := w.fresh(ctx)
	if err != nil {
		return nil, err
	}
	return q.Search(n, ix, hidden)
}

// A ranked hit stands in an order of its back end.
type ranked struct {
	Hit
	rank float64
}

// inOrder returns hits whose scores keep their order: none answers more surely than one
// that its back end ranks above it.
func inOrder(ranked []ranked) (hits []Hit) {
	for _, r := range ranked {
		if n := len(hits); n > 0 {
			r.Score = min(r.Score, hits[n-1].Score)
		}
		hits = append(hits, r.Hit)
	}
	return hits
}

// oneLine returns a line as a hit shows it: redacted, on one line, and at most textRunes characters long.
func oneLine(s string) string {
	s = secret.Redact(strings.Join(strings.Fields(s), " "))
	if r := []rune(s); len(r) > textRunes {
		s = strings.TrimRight(string(r[:textRunes-1]), " ") + "…"
	}
	return s
}

// binary reports whether a file is binary, by git's rule: it has a zero byte near its beginning.
func binary(text []byte) bool {
	return bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0
}

func (w *Where) note(format string, args ...any) {
	if w.Note != nil {
		w.Note(format, args...)
	}
}

// file returns the path of the index's file, "" if no index is kept.
func (w *Where) file() string {
	if w.Dir == "" {
		return ""
	}
	return filepath.Join(w.Dir, indexName)
}
