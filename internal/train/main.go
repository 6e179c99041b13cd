// Command train fits the weights of pkg/capture/score on labelled sessions.
//
//	go run ./internal/train -licence 'NAME: MIT' -o pkg/capture/score/weights.bin DIR...
//	go run ./internal/train -cv session -run run.json DIR...
//
// Each DIR has labels.jsonl and transcripts, in the form that docs/quality.md tells. Beside the weights it
// writes weights.md, which says what they were fitted on; -licence is wanted once for each DIR, by its last
// name. With -cv nothing is written but the run: every session is judged by a model that was fitted on
// others, and keepsake dev eval triage run.json prints the figures.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"

	"keepsake/pkg/capture/score"
	"keepsake/pkg/eval"
)

// folds is how many parts a cross-validation over sessions makes.
const folds = 5

func main() {
	out := flag.String("o", "", "write the weights to this `file`, and weights.md beside it")
	cv := flag.String("cv", "",
		"cross-validate by `what`: a fifth of the sessions is kept back, or a repo or a lang")
	run := flag.String("run", "", "with -cv, write what was heard to this `file`")
	named := flag.Float64("named", 32, "how strongly the weights of named features are drawn to zero")
	words := flag.Float64("words", 32, "the same for words")
	of := licences{}
	flag.Var(of, "licence", "with -o, under which licences the data of a DIR is: `NAME: TEXT`")
	flag.Parse()
	if err := train(*out, *cv, *run, pulls{*named, *words}, of, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func train(out, cv, run string, p pulls, of licences, dirs []string) error {
	switch {
	case len(dirs) == 0:
		return errors.New("name the directories of labelled sessions (docs/quality.md)")
	case (out == "") == (cv == ""):
		return errors.New("want -o FILE to fit the weights, or -cv to measure how good they are")
	}
	var sessions []eval.Session
	var sets []dataSet
	for _, dir := range dirs {
		some, err := eval.ReadSessions(dir)
		if err != nil {
			return err
		}
		sessions = append(sessions, some...)
		if out == "" {
			continue
		}
		d, err := describe(dir, some, of)
		if err != nil {
			return err
		}
		sets = append(sets, d)
	}
	all, err := read(sessions)
	if err != nil {
		return err
	}
	items, stating := 0, 0
	for _, s := range sessions {
		items += worthKeeping(s)
	}
	for _, x := range all {
		if x.column > 0 {
			stating++
		}
	}
	fmt.Printf("%d sessions, %d items, %d statements, %d of them state one\n", len(sessions), items, len(all),
		stating)
	if cv != "" {
		return validate(sessions, all, cv, run, p)
	}
	m := fit(all, p)
	if err := os.WriteFile(out, m.Encode(), 0o644); err != nil {
		return err
	}
	said := about(m, sets, len(all), stating, p)
	return os.WriteFile(filepath.Join(filepath.Dir(out), aboutFile), []byte(said), 0o644)
}

// validate fits a model for each part of the sessions on the others, and ranks what the part says by it.
func validate(sessions []eval.Session, all []example, by, run string, p pulls) error {
	part := make([]string, len(sessions))
	for i, s := range sessions {
		switch by {
		case "session":
			h := fnv.New32a()
			h.Write([]byte(s.File))
			part[i] = fmt.Sprint(h.Sum32() % folds)
		case "repo":
			part[i] = s.Repo
			if s.Lang != "en" && s.Repo == "" {
				part[i] = "written"
			}
		case "lang":
			part[i] = s.Lang
		default:
			return fmt.Errorf("-cv %s: it is session, repo or lang", by)
		}
	}
	odds := make([]float64, len(all))
	parts := slices.Compact(slices.Sorted(slices.Values(part)))
	if len(parts) < 2 {
		return fmt.Errorf("-cv %s: all sessions are in one part, and none is left to fit on", by)
	}
	var results []*eval.Result
	for _, back := range parts {
		var kept []example
		for _, x := range all {
			if part[x.session] != back && x.weight > 0 {
				kept = append(kept, x)
			}
		}
		m := fit(kept, p)
		for i, x := range all {
			if part[x.session] == back {
				odds[i] = m.Worth(x.named, x.words, x.share)
			}
		}
		if run == "" {
			continue
		}
		restore := score.Use(m)
		var some []eval.Session
		for i, s := range sessions {
			if part[i] == back {
				some = append(some, s)
			}
		}
		r, err := eval.Run(some, eval.Options{})
		restore()
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	for _, lang := range []string{"en", ""} {
		rank(sessions, all, odds, lang)
	}
	if run == "" {
		return nil
	}
	b, err := eval.Merge(results...).Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(run, b, 0o644)
}

// rank prints which share of the items the best statements of each session state.
func rank(sessions []eval.Session, all []example, odds []float64, lang string) {
	for _, k := range []int{3, 5, 8, 12, 20} {
		items, decisions, found, hit := 0, 0, 0, 0
		for n, s := range sessions {
			if (s.Lang == "en") != (lang == "en") {
				continue
			}
			var mine []int
			for i, x := range all {
				if x.session == n {
					mine = append(mine, i)
				}
			}
			slices.SortStableFunc(mine, func(i, j int) int { return cmp.Compare(odds[j], odds[i]) })
			got := map[int]bool{}
			for _, i := range mine[:min(k, len(mine))] {
				for _, item := range all[i].items {
					got[item] = true
				}
			}
			for i, item := range s.Items {
				if !item.Counts() {
					continue
				}
				items++
				if item.Category == "decision" {
					decisions++
				}
				if got[i] {
					found++
					if item.Category == "decision" {
						hit++
					}
				}
			}
		}
		if items > 0 {
			fmt.Printf("lang %-3s top %2d: items %.3f, decisions %.3f\n", cmp.Or(lang, "other"), k,
				float64(found)/float64(items), float64(hit)/float64(max(1, decisions)))
		}
	}
}
