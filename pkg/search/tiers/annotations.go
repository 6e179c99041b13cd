package tiers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/disk"
	"keepsake/pkg/scratch"
	"keepsake/pkg/secret"
)

const (
	// annotationsFolder and annotationsName are where a checkout keeps what was said
	// of where things are, below the project's folder.
	annotationsFolder = ".agents/memory"
	annotationsName   = "where.md"
	// AnnotationsFile is the whole path, with slashes.
	AnnotationsFile = annotationsFolder + "/" + annotationsName

	// maxAnnotation is the longest annotation, in characters: recall shows it whole.
	maxAnnotation = textRunes
	// maxAnnotations is the largest file that is added to, in bytes: some 700 of them.
	maxAnnotations = 64 << 10
	// annotationsAnHour is how many are taken in an hour: who notes down every file
	// that it opens would bury what is worth noting, and the search finds those too.
	annotationsAnHour = 20
)

// Annotations are notes about where things are in one checkout, a line each in AnnotationsFile. They last
// as long as the project, and are shown before what a back end finds.
type Annotations struct {
	Root string // the project's folder in this checkout, absolute
	// Warn is called for a file that could not be read and is passed over.
	Warn func(error)
}

// Annotated is the result of a save.
type Annotated struct {
	Path    string   `json:"path"` // below the project's folder, with slashes
	Line    int      `json:"line"` // from 1
	At      string   `json:"at"`   // RFC 3339; of one that was there its own time, or ""
	Already bool     `json:"already"`
	Gone    string   `json:"gone"`     // the path that it names and that is not there, or ""
	Secrets []string `json:"redacted"` // the kinds of secrets that were taken out
}

// Save appends one annotation, durably and whole; one that is there already is not
// added again. What stands in the file is not touched. Secrets are redacted. A
// text that is empty, longer than a line of a terminal allows or more than one
// line, more annotations in an hour than somebody can want, a file that is full,
// and a link or anything else that is no folder or file in its place are errors,
// and nothing is written.
func (a Annotations) Save(ctx context.Context, text string, now time.Time) (Annotated, error) {
	kinds := secret.Kinds(text)
	text, err := annotationOf(secret.Redact(text))
	if err != nil {
		return Annotated{}, err
	}
	dir, err := disk.MakeBelow(a.Root, annotationsFolder, 0o755)
	if err != nil {
		return Annotated{}, err
	}
	ctx, stop := context.WithTimeout(ctx, saveWait)
	defer stop()
	now = now.UTC().Truncate(time.Second)
	out := Annotated{Path: AnnotationsFile, Gone: a.gone(text), Secrets: append([]string{}, kinds...)}
	err = grow(ctx, filepath.Join(dir, annotationsName), func(f io.ReaderAt, size int64) ([]byte, error) {
		if size > maxAnnotations {
			return nil, annotationsFull()
		}
		file := make([]byte, size)
		if _, err := f.ReadAt(file, 0); err != nil && err != io.EOF {
			return nil, err
		}
		known := parseAnnotations(file)
		if i := slices.IndexFunc(known, func(k annotation) bool {
			return sameAnnotation(k.text, text)
		}); i >= 0 {
			out.Line, out.At, out.Already = known[i].line, stamp(known[i].at), true
			return nil, nil
		}
		if err := enough(known, now); err != nil {
			return nil, err
		}
		var more []byte
		switch {
		case size == 0:
			more = []byte("# Where things are\n\n")
		case file[size-1] != '\n':
			more = []byte("\n")
		}
		more = append(more, encodeAnnotation(annotation{at: now, text: text})...)
		if size+int64(len(more)) > maxAnnotations {
			return nil, annotationsFull()
		}
		out.At, out.Line = stamp(now), strings.Count(string(file)+string(more), "\n")
		return more, nil
	})
	if err != nil {
		return Annotated{}, err
	}
	return out, nil
}

func annotationsFull() error {
	return fmt.Errorf("%s is full (at most %d bytes), and nothing was written; hint: take out the lines "+
		"that recall shows as stale, and those that nobody asks for; hint: without --tier where it becomes "+
		"a note", AnnotationsFile, maxAnnotations)
}

// enough returns an error if there are too many annotations of the last hour. Annotations that somebody
// wrote by hand have no time and don't count.
func enough(known []annotation, now time.Time) error {
	recent := 0
	oldest := now
	for _, k := range known {
		if k.at.After(now.Add(-time.Hour)) && !k.at.After(now) {
			recent++
			if k.at.Before(oldest) {
				oldest = k.at
			}
		}
	}
	if recent < annotationsAnHour {
		return nil
	}
	wait := oldest.Add(time.Hour).Sub(now) + time.Minute - time.Second // whole minutes, rounded up
	return fmt.Errorf("%s got %d annotations in the last hour, which is the limit, and nothing was "+
		"written; hint: what the search finds by itself needs none; hint: try again in %d minutes; hint: "+
		"without --tier where it becomes a note", AnnotationsFile, recent, wait/time.Minute)
}

// Find returns the annotations that have anything of the question: those that lead
// somewhere first, then those that answer best, then the latest. A file that can't be read
// goes to Warn. Secrets in a line, which somebody wrote by hand, are redacted.
func (a Annotations) Find(ctx context.Context, query string, n int) ([]Hit, error) {
	dir, there, err := disk.Below(a.Root, annotationsFolder)
	if err != nil || !there {
		return nil, err
	}
	file, err := disk.Read(filepath.Join(dir, annotationsName), scratch.MaxFile)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && a.Warn != nil {
			a.Warn(err)
		}
		return nil, nil
	}
	all := parseAnnotations(file)
	texts := make([]string, len(all))
	for i, k := range all {
		texts[i] = k.text
	}
	found, err := among(texts, query, len(texts))
	if err != nil {
		return nil, err
	}
	var hits []Hit
	for _, m := range found {
		k := all[m.at]
		hits = append(hits, Hit{Source: "WHERE", Path: AnnotationsFile, Line: k.line, Text: oneLine(k.text),
			Date: stamp(k.at), Score: m.score, Gone: a.gone(k.text)})
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(min(len(a.Gone), 1), min(len(b.Gone), 1)), cmp.Compare(b.Score, a.Score),
			strings.Compare(b.Date, a.Date), cmp.Compare(b.Line, a.Line))
	})
	return hits[:min(n, len(hits))], ctx.Err()
}

// gone returns the first missing path that an annotation names. It is "" if one of its paths exists. A word
// counts as a path only if it can hardly be anything else.
func (a Annotations) gone(text string) string {
	there := func(path string) bool {
		_, err := os.Lstat(filepath.Join(a.Root, filepath.FromSlash(path)))
		return filepath.IsLocal(path) && !errors.Is(err, fs.ErrNotExist)
	}
	first := ""
	if _, last, ok := strings.Cut(text, ": "); ok && there(last) { // also one with blanks
		return ""
	}
	for _, path := range pathsNamed(text) {
		folder, _, _ := strings.Cut(path, "/")
		symbol := strings.TrimSuffix(path, filepath.Ext(path)) // pkg/http.Retry
		switch {
		case there(path), there(symbol):
			return ""
		case strings.Contains(path, "/") && !there(folder) &&
			(filepath.Ext(path) == "" && !strings.HasSuffix(path, "/") || strings.Index(folder, ".") > 0):
			// "read/write" and "example.com/index.html" are no paths of the project.
		case first == "":
			first = path
		}
	}
	return first
}

// An annotation is one line of the file.
type annotation struct {
	at   time.Time // UTC, to the second; zero where somebody wrote none
	text string
	line int // from 1
}

// annotationOf makes one line that encodeAnnotation can keep out of a typed text. If it can't, the error
// has the reason.
func annotationOf(text string) (string, error) {
	const form = "keepsake notes save --tier where 'retry logic: pkg/http/retry.go'"
	text = scratch.Clean(text)
	if strings.TrimSpace(text) == "" {
		return "", errors.New("nothing to save: the text is empty; hint: " + form)
	}
	if n := strings.Count(text, "\n"); n > 0 {
		return "",
			fmt.Errorf("the text has %d lines, an annotation is one line; hint: %s; hint: without --tier "+
				"where it becomes a note, which may have more", n+1, form)
	}
	text = strings.Join(strings.Fields(text), " ")
	if n := utf8.RuneCountInString(text); n > maxAnnotation {
		return "",
			fmt.Errorf("the text has %d characters, an annotation at most %d; hint: %s; hint: without "+
				"--tier where it becomes a note, which may have more", n, maxAnnotation, form)
	}
	return text, nil
}

// sameAnnotation reports whether two annotations have the same text, apart from case and the full stop.
func sameAnnotation(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(a, ". "), strings.TrimRight(b, ". "))
}

// encodeAnnotation prints an annotation as it stands in the file.
func encodeAnnotation(a annotation) []byte {
	return []byte("- " + stamp(a.at) + " " + a.text + "\n")
}

// parseAnnotations reads the file: the items of its lists. What else is in it is
// somebody's own.
func parseAnnotations(file []byte) (all []annotation) {
	n := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(string(file), "\uFEFF"), "\n") {
		n++
		line = strings.TrimSpace(line)
		rest, ok := strings.CutPrefix(line, "- ")
		if !ok {
			if rest, ok = strings.CutPrefix(line, "* "); !ok {
				continue
			}
		}
		a := annotation{line: n, text: strings.TrimSpace(rest)}
		if first, after, ok := strings.Cut(a.text, " "); ok {
			if at, err := time.Parse(time.RFC3339, first); err == nil && !at.IsZero() {
				a.at, a.text = at.UTC().Truncate(time.Second), strings.TrimSpace(after)
			}
		}
		if a.text != "" {
			all = append(all, a)
		}
	}
	return all
}

// stamp prints a time, "" for none.
func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(time.RFC3339)
}

// pathsNamed returns the words of a text that look like paths below the project's folder, without a line or
// a symbol behind them. They have a slash, or they have an ending and stand in backquotes or with a line
// number.
func pathsNamed(text string) (paths []string) {
	for word := range strings.FieldsSeq(text) {
		if _, target, ok := strings.Cut(word, "]("); ok { // a link of Markdown
			word = target
		}
		quoted := strings.Contains(word, "`")
		const marks = "`'\"“”‘’()[]<>,;:!?"
		word = strings.TrimRight(strings.Trim(word, marks), marks+".")
		if strings.Contains(word, "://") || strings.ContainsAny(word, "*?{}$<>|\\=@") ||
			strings.HasPrefix(word, "~") {
			continue
		}
		path := word
		if end := strings.IndexAny(word, "#:"); end > 0 {
			path = word[:end]
		}
		pointed := quoted || len(path) < len(word) && strings.Trim(word[len(path):], ":-0123456789") == "" &&
			word[len(path)] == ':'
		switch {
		case !filepath.IsLocal(path):
		case strings.Contains(path, "/"), pointed && filepath.Ext(path) != "":
			paths = append(paths, path)
		}
	}
	return paths
}
