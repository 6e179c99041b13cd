package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/eval"
	"keepsake/pkg/memory"
)

// An example is a statement with what it was labelled as.
type example struct {
	session int
	column  int // of the model
	weight  float64
	items   []int // that it states, worth keeping
	text    string

	named []score.Value
	words []uint32
	share float32
}

// read returns the examples of sessions: every statement that the Stop hook would judge, turn by turn.
func read(sessions []eval.Session) (all []example, err error) {
	for n, s := range sessions {
		some, err := readSession(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.File, err)
		}
		for i := range some {
			some[i].session = n
		}
		all = append(all, some...)
	}
	return all, nil
}

func readSession(s eval.Session) (all []example, err error) {
	raw, err := os.ReadFile(s.Path)
	if err != nil {
		return nil, err
	}
	span, err := transcript.Read(bytes.NewReader(raw), transcript.Request{Whole: true})
	if err != nil {
		return nil, err
	}
	line := func(offset int64) int { return 1 + bytes.Count(raw[:max(0, offset)], []byte("\n")) }
	from := 0
	for to := 1; to <= len(span.Entries); to++ {
		if to < len(span.Entries) && !begins(span.Entries, to) {
			continue
		}
		before := func(int) []transcript.Entry { return slices.Clip(span.Entries[:from]) }
		for _, u := range explain.Units(before, span.Entries[from:to], triage.Options{}) {
			var lines []int
			for _, at := range u.Offsets {
				lines = append(lines, line(at))
			}
			all = append(all, newExample(s, u, lines))
		}
		from = to
	}
	return all, nil
}

// begins reports whether a turn begins with an entry.
func begins(all []transcript.Entry, at int) bool {
	prompts := func(e transcript.Entry) bool {
		return e.Who == transcript.Person && e.Asked == nil && e.Call == nil && (e.Plan == "" || e.Text != "")
	}
	return prompts(all[at]) && !prompts(all[at-1])
}

func newExample(s eval.Session, u explain.Unit, lines []int) example {
	var f score.Features
	f.Extract(&u.Input)
	x := example{weight: 1, text: u.Text, named: f.Named, words: f.Words, share: f.Share}
	states := s.StatesAny(lines, u.Text)
	for _, i := range states {
		item := s.Items[i]
		if !item.Counts() {
			continue
		}
		if x.items = append(x.items, i); x.column == 0 {
			x.column = 1 + slices.IndexFunc(score.Categories[:], func(c memory.Category) bool {
				return string(c) == item.Category
			})
		}
	}
	if len(states) > 0 && x.column == 0 {
		x.weight = 0 // what is marginal teaches nothing
	}
	return x
}
