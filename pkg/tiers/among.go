package tiers

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
	"keepsake/pkg/secret"
)

// A match is one of some texts that a question is about.
type match struct {
	at    int // of the text
	score float64
}

// among returns those of some texts that a question is about, best first, scored as
// memories are. It keeps no index.
func among(texts []string, question string) (found []match, err error) {
	if len(texts) == 0 {
		return nil, nil
	}
	ix, err := recall.Open(nil, 0, nil)
	if err != nil {
		return nil, err
	}
	change := ix.Change()
	for i, t := range texts {
		change.Put(memory.Stored{Path: fmt.Sprintf("%08d", i), Record: asRecord(t)})
	}
	base, delta, err := change.Done()
	if err != nil {
		return nil, err
	}
	if ix, err = recall.Open(bytes.NewReader(base), int64(len(base)), delta); err != nil {
		return nil, err
	}
	hits, err := ix.Search(recall.Query{Text: question, Limit: len(texts)})
	for _, h := range hits {
		at, _ := strconv.Atoi(h.Path)
		found = append(found, match{at, h.Score})
	}
	return found, err
}

// passage returns the line of a text that says most of what a question asks, from 1, and
// what it says, without secrets. Where none has a word of it, that is the first line.
func passage(text, question string) (line int, says string) {
	if line, says = recall.Passage(text, question, len(text)); line == 0 {
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return 1, oneLine(first)
	}
	says = secret.Redact(says) // before anything is cut off it
	if at, short := recall.Passage(says, question, textRunes); at > 0 {
		return line, short
	}
	return line, oneLine(says)
}
