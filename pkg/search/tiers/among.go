package tiers

import (
	"fmt"
	"strconv"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
	"keepsake/pkg/secret"
)

// A match is one of some texts that a question is about.
type match struct {
	at    int // of the text
	score float64
}

// among returns at most limit of some texts that a question is about, best first, scored as
// memories are. It keeps no index.
func among(texts []string, question string, limit int) (found []match, err error) {
	if len(texts) == 0 {
		return nil, nil
	}
	change := records.New().Change()
	for i, t := range texts {
		change.Put(memory.Stored{Path: fmt.Sprintf("%08d", i), Record: asRecord(t)})
	}
	ix, err := change.Index()
	if err != nil {
		return nil, err
	}
	hits, err := ix.Search(records.Query{Text: question, Limit: limit})
	for _, h := range hits {
		at, _ := strconv.Atoi(h.Path)
		found = append(found, match{at, h.Score})
	}
	return found, err
}

// passage returns the line of a text that says most of what a question asks, from 1, and
// what it says, without secrets. Where none has a word of it, that is the first line.
func passage(text, question string) (line int, says string) {
	if line, says = records.Passage(text, question, len(text)); line == 0 {
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return 1, oneLine(first)
	}
	says = secret.Redact(says) // before anything is cut off it
	if at, short := records.Passage(says, question, textRunes); at > 0 {
		return line, short
	}
	return line, oneLine(says)
}
