package eval

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
)

// Overview returns the main figures of all data in a directory and in those directly below it, one line for
// each set, and what was skipped for want of data.
func Overview(dir string, o Options) (lines []string, err error) {
	if dir == "" {
		return []string{"skipped all: no directory of data"}, nil
	}
	below, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	dirs := []string{dir}
	for _, e := range below {
		if e.IsDir() {
			dirs = append(dirs, filepath.Join(dir, e.Name()))
		}
	}
	triage, units, recall := &Result{}, &Result{}, &Result{}
	for _, d := range dirs {
		sessions, questions := HasSessions(d), hasQuestions(d)
		if sessions {
			r, err := RunDir(d, o)
			if err != nil {
				return nil, err
			}
			triage = Merge(triage, r)
		}
		if sessions || questions {
			r, err := RunRecall(d)
			if err != nil {
				return nil, err
			}
			recall = Merge(recall, r)
		}
		if _, err := os.Stat(filepath.Join(d, unitsFile)); err == nil {
			r, err := RunUnits(d, o)
			if err != nil {
				return nil, err
			}
			units = Merge(units, r)
		}
	}
	var skipped []string
	for _, part := range []struct {
		name, wants string
		lines       []string
	}{
		{"triage", labelsFile + " and " + transcriptDir, triage.triageOverview()},
		{"units", unitsFile, units.unitsOverview()},
		{"recall", "recall_*.json or " + labelsFile, recall.recallOverview()},
	} {
		if len(part.lines) < 2 {
			skipped = append(skipped, fmt.Sprintf("skipped %s: no %s in %s", part.name, part.wants, dir))
			continue
		}
		lines = append(lines, append(part.lines, "")...)
	}
	return append(lines, skipped...), nil
}

func hasQuestions(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "recall_*.json"))
	return err == nil && len(files) > 0
}

// cells returns a line of a table: a name and values under headings of the same widths.
func cells(name string, values ...any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s", name)
	for _, v := range values {
		switch v := v.(type) {
		case float64:
			fmt.Fprintf(&b, "%11s", short(v))
		default:
			fmt.Fprintf(&b, "%11v", v)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// setsOf returns the different sets of some runs, sorted.
func setsOf[T any](runs []T, set func(T) string) []string {
	all := map[string]bool{}
	for _, r := range runs {
		all[set(r)] = true
	}
	return slices.Sorted(maps.Keys(all))
}

func (r *Result) triageOverview() []string {
	lines := []string{cells("triage", "sessions", "items", "found @12", "decisions", "found @20",
		"sure state", "sure find", "notices", "F1 sure", "F1 all")}
	decisions := func(i Item) bool { return i.Category == "decision" }
	for _, set := range setsOf(r.Sessions, func(s SessionRun) string { return s.Set }) {
		x := r.Filter(func(s SessionRun) bool { return s.Set == set })
		value := func(m metric) float64 { return x.sum(m).value() }
		lines = append(lines, cells(set, len(x.Sessions), int(x.sum(itemsFound(atAll, nil)).all),
			value(itemsFound(12, nil)), value(itemsFound(12, decisions)), value(itemsFound(20, nil)),
			value(precision(atSure, func(f Found) bool { return f.Level == string(finding.Sure) })),
			value(itemsFound(atSure, nil)), value(perSession(func(s *SessionRun) int { return s.Notices })),
			value(sessionLevel(atSure, nil, outcome.f1)), value(sessionLevel(atAll, nil, outcome.f1))))
	}
	// Weights know the sessions that they were fitted on, so these figures flatter them.
	return append(lines,
		"of sets that the weights were fitted on (pkg/capture/score/weights.md) this is in-sample;",
		"docs/quality.md has the cross-validated figures")
}

func (r *Result) unitsOverview() []string {
	lines := []string{cells("units", "units", "right", "wrong", "missed", "P", "R", "F1")}
	for _, set := range setsOf(r.Units, func(u UnitRun) string { return u.Set }) {
		var o outcome
		n := 0
		for _, u := range r.Units {
			if u.Set == set {
				x := u.outcome("")
				o.right, o.wrong, o.missed = o.right+x.right, o.wrong+x.wrong, o.missed+x.missed
				n++
			}
		}
		lines = append(lines, cells(set, n, int(o.right), int(o.wrong), int(o.missed), o.precision().value(),
			o.recall().value(), o.f1().value()))
	}
	return lines
}

func (r *Result) recallOverview() []string {
	lines := []string{cells("recall", "questions", "R@3", "R@5", "R@10", "hit@3", "MRR", "shown hit",
		"of shown", "others", "own")}
	for _, set := range setsOf(r.Prompts, func(p PromptRun) string { return p.Set }) {
		value := func(kind string, of func(PromptRun) share) float64 {
			var s share
			for _, p := range r.Prompts {
				if p.Set == set && p.Kind == kind {
					x := of(p)
					s.of, s.all = s.of+x.of, s.all+x.all
				}
			}
			return s.value()
		}
		at := func(n int) float64 {
			return value(answered, func(p PromptRun) share { return p.recall(n) })
		}
		n := 0
		for _, p := range r.Prompts {
			if p.Set == set && p.Kind == answered {
				n++
			}
		}
		lines = append(lines, cells(set, n, at(3), at(5), at(10),
			value(answered, func(p PromptRun) share { return whether(p.within(3) > 0) }),
			value(answered, PromptRun.reciprocal),
			value(answered, func(p PromptRun) share { return whether(p.right() > 0) }),
			value(answered, PromptRun.relevant), value(others, PromptRun.shows),
			value(unasked, PromptRun.shows)))
	}
	return lines
}
