package tidy

import (
	"strconv"
	"strings"
)

// circles refuses to delete statements that are each to be superseded by the other:
// nothing would be left of either.
func (w *planner) circles(answers []Answer) map[int]string {
	why := map[int]string{}
	at := map[place]int{}
	by := map[int]place{}
	for i, a := range answers {
		if a.Action != "delete" {
			continue
		}
		if s, no := w.find(a.Place); no == "" {
			at[place{s.File, s.Line}] = i
			if p, ok := w.named(a.By); ok {
				by[i] = p
			}
		}
	}
	for i := range by {
		seen := map[int]bool{}
		for j, ok := i, true; ok && !seen[j]; j, ok = next(at, by, j) {
			seen[j] = true
			if p := by[j]; at[p] == i && (p == place{answers[i].File, w.lineOf(answers[i])}) {
				why[i] = "what supersedes it is deleted as well, because of this one: one of them must stay"
				break
			}
		}
	}
	return why
}

func next(at map[place]int, by map[int]place, i int) (int, bool) {
	p, ok := by[i]
	if !ok {
		return 0, false
	}
	j, ok := at[p]
	return j, ok
}

func (w *planner) lineOf(a Answer) int {
	s, _ := w.find(a.Place)
	return s.Line
}

// named returns the statement that FILE:LINE at the beginning of a text names.
func (w *planner) named(by string) (p place, ok bool) {
	word, _, _ := strings.Cut(by, " ")
	file, line, ok := strings.Cut(strings.Trim(word, "`,;()"), ".md:")
	f := w.files[file+".md"]
	if !ok || f == nil {
		return p, false
	}
	n, err := strconv.Atoi(strings.Trim(line, ":,;."))
	if err != nil {
		return p, false
	}
	for _, s := range f.said {
		if n >= s.Line && n <= s.last {
			return place{s.File, s.Line}, true
		}
	}
	return p, false
}
