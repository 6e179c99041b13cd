// Package eval measures Keepsake's judgement on labelled data: what triage hears in sessions whose items are
// known, what single statements trigger, and what a prompt brings back. It reads directories of data and runs
// the code that the hooks run; docs/quality.md says what the data looks like and what the figures mean.
package eval

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Session is a session of the client with everything in it that is worth keeping.
type Session struct {
	Set  string `json:"set,omitempty"` // name of its directory
	File string `json:"file"`          // name of its transcript
	Repo string `json:"repo"`
	Lang string `json:"lang"`
	Path string `json:"-"` // of its transcript

	Items []Item `json:"items"`

	tokens []itemTokens // of Items, see States
}

// An Item is one thing in a session that somebody labelled.
type Item struct {
	Category string `json:"category"`
	By       string `json:"by"`               // PERSON, AGENT, TOOL or ANSWER
	Quote    string `json:"quote"`            // stands in its line word for word
	Quote2   string `json:"quote2,omitempty"` // its reason, its fix, or what was picked
	Form     string `json:"form"`             // how it is said: plan, pick, fix, ...
	Memory   string `json:"memory"`           // what a good memory would say
	Worth    int    `json:"worth"`            // 3 surely keep, 2 worth keeping, 1 marginal
	Line     int    `json:"line"`             // of the transcript, from 1
	Line2    int    `json:"line2,omitempty"`  // of Quote2; 0 if it has none
	Also     []int  `json:"also,omitempty"`   // lines that say it again
}

// Counts reports whether an item is worth keeping. A marginal one counts neither as found nor as missed.
func (i Item) Counts() bool { return i.Worth >= leastWorth }

// leastWorth is the least worth of an item that counts.
const leastWorth = 2

// The files of a directory of labelled sessions.
const (
	labelsFile    = "labels.jsonl"
	transcriptDir = "transcripts"
)

// ReadSessions returns the labelled sessions of a directory, in the order of its labels. Each must have a
// transcript.
func ReadSessions(dir string) ([]Session, error) {
	all, err := readLines[Session](filepath.Join(dir, labelsFile))
	if err != nil {
		return nil, fmt.Errorf("labelled sessions: %w", err)
	}
	for i := range all {
		s := &all[i]
		if !filepath.IsLocal(s.File) {
			return nil, fmt.Errorf("%s: %q is no name of a file in %s", filepath.Join(dir, labelsFile),
				s.File, transcriptDir)
		}
		s.Set, s.Path = nameOf(dir), filepath.Join(dir, transcriptDir, s.File)
		if _, err := os.Stat(s.Path); err != nil {
			return nil, fmt.Errorf("labelled sessions: %w", err)
		}
		s.tokens = tokensOf(s.Items)
	}
	return all, nil
}

// HasSessions reports whether a directory has labelled sessions.
func HasSessions(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, labelsFile))
	return err == nil
}

// Digest returns a SHA-256 over the labels of a directory and their transcripts, in hexadecimal. It names the
// data that weights were fitted to and that a run was measured on.
func Digest(dir string) (string, error) {
	all, err := ReadSessions(dir)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	names := []string{labelsFile}
	for _, s := range all {
		names = append(names, filepath.Join(transcriptDir, s.File))
	}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(name), len(b))
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// readLines returns the values of a file of JSON, one a line.
func readLines[T any](path string) (all []T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewReaderSize(f, 64<<10)
	for n := 1; ; n++ {
		line, rerr := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var v T
			if err := json.Unmarshal(line, &v); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, n, err)
			}
			all = append(all, v)
		}
		if errors.Is(rerr, io.EOF) {
			return all, nil
		}
		if rerr != nil {
			return nil, rerr
		}
	}
}

// isMissing reports whether an error says that a file is not there.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// nameOf returns the short name of a data file or directory, for tables.
func nameOf(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return strings.TrimSuffix(filepath.Base(path), ".json")
}
