package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/eval"
	"keepsake/pkg/memory"
)

// aboutFile is written beside the weights, and says what they were fitted on.
const aboutFile = "weights.md"

// topFeatures is how many features of a category aboutFile names.
const topFeatures = 12

// A dataSet is a directory of labelled sessions, as aboutFile names it.
type dataSet struct {
	name     string
	licence  string
	digest   string
	sessions int
	items    int // worth keeping
}

// licences are what -licence says of data sets, by name.
type licences map[string]string

// String returns them as flags.
func (l licences) String() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(l)) {
		all = append(all, name+": "+l[name])
	}
	return strings.Join(all, "; ")
}

// Set reads "NAME: TEXT".
func (l licences) Set(s string) error {
	name, said, ok := strings.Cut(s, ":")
	if name, said = strings.TrimSpace(name), strings.TrimSpace(said); !ok || name == "" || said == "" {
		return errors.New("it is the name of a DIR, a colon and the licences of its data")
	}
	l[name] = said
	return nil
}

// describe returns what there is to say of a directory of labelled sessions. Weights whose data has no known
// licence cannot be given away, so it is an error if nobody said one.
func describe(dir string, sessions []eval.Session, of licences) (d dataSet, err error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return d, err
	}
	d = dataSet{name: filepath.Base(whole), sessions: len(sessions)}
	if d.licence = of[d.name]; d.licence == "" {
		return d, fmt.Errorf("say under which licence the data is: -licence %q", d.name+": ...")
	}
	for _, s := range sessions {
		d.items += worthKeeping(s)
	}
	d.digest, err = eval.Digest(dir)
	return d, err
}

// worthKeeping returns how many items of a session count.
func worthKeeping(s eval.Session) (n int) {
	for _, i := range s.Items {
		if i.Counts() {
			n++
		}
	}
	return n
}

// about returns aboutFile's text: it is the same whenever the same data is fitted.
func about(m *score.Model, sets []dataSet, statements, stating int, p pulls) string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	line("# What weights.bin was fitted on")
	line("")
	line("Written by `internal/train` beside the weights; don't edit it. The recipe \"Retrain the model\" in")
	line("CONTRIBUTING.md says how to write both again.")
	line("")
	line("| data | sessions | items | licences | SHA-256 of labels and transcripts |")
	line("| --- | --- | --- | --- | --- |")
	for _, d := range sets {
		line("| %s | %d | %d | %s | `%s` |", d.name, d.sessions, d.items, d.licence, d.digest)
	}
	line("")
	line("%d statements, %d of which state an item.", statements, stating)
	line("Weights are drawn to zero by %g (named features) and %g (words).", p.named, p.words)
	line("")
	line("## What speaks most for a category")
	line("")
	line("Weights of named features against none: what each adds to the log odds where it is fully there.")
	line("Words have weights of their own, by hash. `keepsake dev eval triage --explain` shows what speaks")
	line("for one statement.")
	for _, c := range score.Categories {
		line("")
		line("**%s**: %s.", c, strings.Join(strongest(m, c), "; "))
	}
	return b.String()
}

// strongest returns the names and weights of the features that speak most for a category.
func strongest(m *score.Model, c memory.Category) (all []string) {
	for _, r := range explain.Strongest(m, c, topFeatures) {
		all = append(all, fmt.Sprintf("%s %.1f", r.Name, r.Adds))
	}
	return all
}
