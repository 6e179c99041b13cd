package draft

import (
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

// A Statement is one finding to which drafts are assigned.
type Statement struct {
	Number   int // the number by which a draft's covers name it
	Category memory.Category
	Text     string
}

// Assign returns for each draft the numbers of the statements that it takes up, in order. A draft with covers
// takes up exactly these, of any category; numbers that no statement has are left out, see UnknownCovers. A
// draft without covers is compared with those statements of its category that are in no draft's covers:
//
//   - if there is one statement and one such draft, they belong together;
//   - a noop takes up all statements if it is the only draft of its category, else none;
//   - any other draft takes up the statements that it says too. If a statement has several clauses, each
//     choice in it must be in a draft.
//
// A statement that no draft takes up is still open.
func Assign(findings []Statement, drafts []Draft) [][]int {
	out := make([][]int, len(drafts))
	taken := map[int]bool{}
	for i, d := range drafts {
		for _, n := range d.Covers {
			if slices.ContainsFunc(findings, func(f Statement) bool { return f.Number == n }) &&
				!slices.Contains(out[i], n) {
				out[i] = append(out[i], n)
				taken[n] = true
			}
		}
	}
	for _, c := range memory.Categories() {
		assignByLikeness(c, findings, drafts, taken, out)
	}
	for i := range out {
		slices.Sort(out[i])
	}
	return out
}

// UnknownCovers returns the numbers in a draft's covers that no statement has.
func UnknownCovers(findings []Statement, d Draft) []int {
	var unknown []int
	for _, n := range d.Covers {
		if !slices.ContainsFunc(findings, func(f Statement) bool { return f.Number == n }) {
			unknown = append(unknown, n)
		}
	}
	return unknown
}

// assignByLikeness adds to out what the drafts of a category without covers take up.
func assignByLikeness(c memory.Category, findings []Statement, drafts []Draft, taken map[int]bool,
	out [][]int) {
	var mine []int // drafts without covers
	of, total := 0, 0
	for i, d := range drafts {
		if d.Category == c {
			of++
			if len(d.Covers) == 0 {
				mine = append(mine, i)
			}
		}
	}
	var open []Statement
	for _, f := range findings {
		if f.Category == c {
			total++
			if !taken[f.Number] {
				open = append(open, f)
			}
		}
	}
	if len(mine) == 0 || len(open) == 0 {
		return
	}
	if of == 1 && (total == 1 || drafts[mine[0]].Noop) {
		for _, f := range open {
			out[mine[0]] = append(out[mine[0]], f.Number)
		}
		return
	}
	mine = slices.DeleteFunc(mine, func(i int) bool { return drafts[i].Noop })
	if len(mine) == 0 {
		return
	}
	statements := make([]string, len(open))
	for i, f := range open {
		statements[i] = f.Text
	}
	texts := make([]alike.Text, len(mine))
	for i, d := range mine {
		d := drafts[d]
		texts[i] = alike.Text{Head: d.Title + "\n" + d.record().MainText(), All: textOfDraft(d)}
	}
	for i, takers := range alike.Takers(statements, texts) {
		for _, d := range takers {
			out[mine[d]] = append(out[mine[d]], open[i].Number)
		}
	}
}

// textOfDraft returns the whole text of a draft.
func textOfDraft(d Draft) string {
	return strings.Join([]string{d.Title, d.Summary, d.ChangeSummary, strings.Join(d.Tags, "\n"),
		strings.ReplaceAll(d.Target, "-", " "),
		d.record().Body()}, "\n")
}
