package tiers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/files"
	"keepsake/pkg/search/records"
	"keepsake/pkg/text"
)

// QMD is the back end of that name (github.com/tobi/qmd), asked by its command
// line. Only `qmd search` is run, its search by words, which needs no model;
// `qmd query` loads three and can take minutes.
type QMD struct {
	Root        string   // of the project, absolute
	Collections []string // that are searched; see Collections
	// Warn is called if all files that were found are gone; nil ignores that.
	Warn func(error)
}

const (
	// qmdDeadline is how long one question may take, with all that are tried
	// for it. An answer takes a third of a second.
	qmdDeadline = 5 * time.Second
	// qmdOutput is the most that is read of an answer, in bytes.
	qmdOutput = 4 << 20
	// elsewhere is how many more results are asked for than are wanted: some are of
	// files that are gone.
	elsewhere = 10
	// everywhere is how many are asked for where that was not enough: of a collection
	// above the project most results can be of its neighbours.
	everywhere = 500
)

// instead is the hint for when QMD doesn't work.
const instead = "keepsake config set tiers.where embedded uses the search that needs no other program"

// install is the hint for installing QMD.
const install = "npm install -g @tobilu/qmd@2.8.3, with Node 22 or newer; hint: " + instead

// Find answers where something is. It tries what Ladder makes of the question.
func (q QMD) Find(ctx context.Context, query string, n int) ([]Hit, error) {
	bin, err := qmdPath(q.Root)
	if err != nil {
		return nil, err
	}
	if len(q.Collections) == 0 {
		return nil, noCollection(q.Root)
	}
	if n <= 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, qmdDeadline)
	defer cancel()
	gone, asked := 0, 0
	for _, words := range files.Ladder(query) {
		asked = max(asked, len(strings.Fields(words)))
		got, err := q.search(ctx, bin, words, n+elsewhere)
		if err == nil && got.cut && len(got.hits) < n && n < everywhere {
			got, err = q.search(ctx, bin, words, everywhere)
		}
		if err != nil || len(got.hits) > 0 {
			// A file that it finds has all of the words. How rare they are it doesn't say.
			rarity := func(words int) float64 { return float64(words) * records.Rarity(1, 0) }
			for i := range got.hits {
				got.hits[i].Score = records.Score(rarity(len(strings.Fields(words))), rarity(asked), 0)
			}
			return got.hits[:min(n, len(got.hits))], err
		}
		gone = max(gone, got.gone)
	}
	if gone > 0 && q.Warn != nil {
		q.Warn(fmt.Errorf("qmd: what it found is gone (%d of its files); hint: qmd update has it look again",
			gone))
	}
	return nil, nil
}

// A qmdAnswer is the output of QMD for some words.
type qmdAnswer struct {
	hits []Hit // of the project
	gone int   // results whose file is not there any more
	cut  bool  // there may be more
}

// search asks for n results.
func (q QMD) search(ctx context.Context, bin, words string, n int) (a qmdAnswer, err error) {
	args := []string{"search", words, "--json", "--full-path", "-n", strconv.Itoa(n)}
	for _, c := range q.Collections {
		args = append(args, "-c", c)
	}
	out, err := q.run(ctx, bin, args)
	if err != nil {
		return a, err
	}
	a, all, err := q.read(out, words)
	a.cut = all >= n
	return a, err
}

// qmdPath returns the path of QMD's program. A program that came with the project is never run, since no
// person agreed to it.
func qmdPath(root string) (string, error) {
	bin, err := exec.LookPath("qmd")
	if err != nil {
		return "", fmt.Errorf("qmd: is not installed; hint: %s", install)
	}
	if layout.Belongs(bin, root) {
		return "", fmt.Errorf("qmd: %s belongs to the project, so it is not run; hint: %s", bin, install)
	}
	return bin, nil
}

func noCollection(root string) error {
	return fmt.Errorf("qmd: has no collection of %s; hint: qmd collection add '%s' --name %s --mask "+
		"'**/*.{md,go,ts,py}', with the endings of your files; hint: %s",
		root, strings.ReplaceAll(root, "'", `'\''`), cmp.Or(memory.Slug(filepath.Base(root)), "project"),
		instead)
}

// run runs qmd in the project and returns what it printed. Its whole process
// group is killed at the deadline: it starts a second Node.
func (q QMD) run(ctx context.Context, bin string, args []string) ([]byte, error) {
	out, said, err := program{path: bin, args: args, dir: q.Root, limit: qmdOutput}.run(ctx)
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil,
			fmt.Errorf("qmd: did not answer within %s and was stopped; hint: try it by hand: qmd search "+
				"%q; hint: %s", qmdDeadline, args[1], instead)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit):
		return nil, qmdFailed(exit, string(said.text))
	case err != nil:
		return nil, fmt.Errorf("qmd: %w; hint: %s", err, install)
	case out.over:
		return nil, fmt.Errorf("qmd: answered with more than %d MB; hint: %s", qmdOutput>>20, instead)
	}
	return out.text, nil
}

// qmdFailed returns an error with the reason why qmd failed, as far as it is known.
func qmdFailed(exit *exec.ExitError, said string) error {
	status, _ := exit.Sys().(syscall.WaitStatus)
	code := exit.ExitCode()
	if status.Signaled() {
		code = 128 + int(status.Signal())
	}
	said = strings.TrimSpace(said)
	line := complaint(said)
	switch {
	case code == 128+int(syscall.SIGSEGV):
		return fmt.Errorf("qmd: crashed, as it does with a Node older than 22; hint: install Node 22 or "+
			"newer; hint: %s", instead)
	case code == 127, strings.Contains(said, "bun: not found"),
		strings.Contains(said, "bun: command not found"):
		return fmt.Errorf("qmd: can't start: %s; hint: %s", line, install)
	case strings.HasPrefix(line, "Collection not found"):
		return fmt.Errorf("qmd: %s; hint: qmd collection list; hint: %s", line, instead)
	}
	if code > 128 {
		return fmt.Errorf("qmd: was stopped by a signal (%s); hint: qmd status; hint: %s",
			syscall.Signal(code-128), instead)
	}
	return fmt.Errorf("qmd: failed with exit code %d: %s; hint: qmd status; hint: %s", code, line, instead)
}

// complaint returns the line of an output that names the error, else its first line. Node prints the
// failing code above that line.
func complaint(said string) string {
	for line := range strings.SplitSeq(said, "\n") {
		if kind, _, ok := strings.Cut(line, ": "); ok && strings.HasSuffix(kind, "Error") &&
			!strings.Contains(kind, " ") {
			return line
		}
	}
	line, _, _ := strings.Cut(said, "\n")
	return cmp.Or(line, "it said nothing")
}

// qmdResult is a hit in the output of `qmd search --json --full-path`.
type qmdResult struct {
	File    *string `json:"file"`
	Line    int     `json:"line"`
	Title   string  `json:"title"`
	Snippet string  `json:"snippet"`
}

// read reads an answer of so many results. Files that are gone, which qmd shows
// until its next update, and files outside of the project are no hits.
func (q QMD) read(out []byte, words string) (a qmdAnswer, all int, err error) {
	var results []qmdResult
	err = json.Unmarshal(out, &results)
	if err == nil && results == nil {
		err = errors.New("null")
	}
	for i := 0; err == nil && i < len(results); i++ {
		if results[i].File == nil {
			err = errors.New("a result without a file")
		}
	}
	if err != nil {
		begins := text.OneLine(text.CutBytes(string(out), 80))
		return a, 0,
			fmt.Errorf("qmd: answered %q, which is no list of results (%v); hint: it is tested with "+
				"version 2.8.3; hint: %s", begins, err, instead)
	}
	for _, r := range results {
		if strings.HasPrefix(*r.File, "qmd://") { // it has no path for it
			a.gone++
			continue
		}
		path, info := q.inside(*r.File)
		if info == nil {
			continue
		}
		a.hits = append(a.hits,
			Hit{Source: "WHERE", Path: path, Line: max(r.Line, 0), Text: telling(r.Snippet, r.Title, words),
				Date: info.ModTime().UTC().Format(time.RFC3339)})
	}
	return a, len(results), nil
}

// inside returns the path of a result below the project, and its file; "" if there is no such file.
func (q QMD) inside(file string) (string, os.FileInfo) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(q.Root, file)
	}
	file = layout.Resolved(file)
	rel, ok := layout.Relative(layout.Resolved(q.Root), file)
	if !ok || hasTier(rel) {
		return "", nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", nil
	}
	return rel, info
}

// telling returns the line of a snippet that says most of what was asked, else the title.
func telling(snippet, title, words string) string {
	var text strings.Builder
	for line := range strings.Lines(snippet) {
		if !strings.HasPrefix(line, "@@ ") {
			text.WriteString(line)
		}
	}
	_, says := passage(text.String(), words)
	return cmp.Or(says, oneLine(title))
}
