package resolve

import (
	"slices"
	"strings"

	"keepsake/pkg/memory"
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
	in := map[string]int{} // how many statements have a word
	texts := make([][]clause, len(open))
	for i, f := range open {
		texts[i] = clausesOf(f.Text)
		for root := range bagOfWords(wordsOf(texts[i])) {
			in[root]++
		}
	}
	against := make([]draftWords, len(mine))
	for i, d := range mine {
		against[i] = wordsOfDraft(drafts[d])
	}
	for i, f := range open {
		for _, d := range takersOf(texts[i], against, in) {
			out[mine[d]] = append(out[mine[d]], f.Number)
		}
	}
}

const (
	// takenScore is how well a draft must match a clause to take it up. TestAssignParaphrases determines it.
	takenScore = 0.5
	// nearBest is how near a draft must come to the best match to take up a clause too.
	nearBest = 0.85
	// leastWeight is how much a statement must say to be compared with anything.
	leastWeight = 0.6
)

// takersOf returns the indexes of the drafts that take up a statement; none if a choice in it is in no draft.
func takersOf(said []clause, drafts []draftWords, in map[string]int) []int {
	whole := bagOfWords(wordsOf(said))
	if whole.weight() < leastWeight {
		return []int{0} // it says nothing that could be lost, and goes to the first draft
	}
	var takers []int
	for _, c := range said {
		scores := make([]float64, len(drafts))
		best := 0.0
		for i, d := range drafts {
			scores[i] = d.takes(c, whole, in)
			best = max(best, scores[i])
		}
		if best < takenScore {
			if namesNone(c, drafts) {
				return nil
			}
			continue
		}
		for i, s := range scores {
			if s >= takenScore && s >= nearBest*best && !slices.Contains(takers, i) {
				takers = append(takers, i)
			}
		}
	}
	return takers
}

// namesNone reports whether a clause chooses something that no draft names.
func namesNone(c clause, drafts []draftWords) bool {
	for _, w := range c {
		if !isChosen(w) {
			continue
		}
		if !slices.ContainsFunc(drafts, func(d draftWords) bool { _, ok := d.all.find(w); return ok }) {
			return true
		}
	}
	return false
}

// isChosen reports whether a word is a name or number that a text speaks for.
func isChosen(w word) bool { return (w.name || w.number) && !w.denied && !w.reason }

// draftWords are the words of a draft: of all of it, and of its main field.
type draftWords struct {
	all  bag
	head []word
	main bag // of head
}

func wordsOfDraft(d Draft) draftWords {
	head := wordsOf(clausesOf(d.Title + "\n" + mainText(d.Category, d.Content)))
	return draftWords{bagOf(textOfDraft(d)), head, bagOfWords(head)}
}

// textOfDraft returns the whole text of a draft.
func textOfDraft(d Draft) string {
	return strings.Join([]string{d.Title, d.Summary, d.ChangeSummary, strings.Join(d.Tags, "\n"),
		strings.ReplaceAll(d.Target, "-", " "),
		memory.Record{Category: d.Category, Content: d.Content}.Body()}, "\n")
}

// mainText returns the one or two fields that say the most of a record.
func mainText(c memory.Category, content memory.Content) string {
	var fields []string
	switch c {
	case memory.Decision:
		fields = []string{"decision"}
	case memory.Preference:
		fields = []string{"topic", "value"}
	case memory.Constraint:
		fields = []string{"rule"}
	case memory.TechDebt:
		fields = []string{"description"}
	case memory.Runbook:
		fields = []string{"trigger"}
	case memory.SessionSummary:
		fields = []string{"goal"}
	}
	var text []string
	for _, f := range fields {
		if s, _ := content[f].(string); s != "" {
			text = append(text, s)
		}
	}
	return strings.Join(text, "\n")
}

// takes returns how much a draft is about a clause of a statement, from how much of the clause the draft says
// and how much of the draft's main text the statement says. It is 0 if the draft chooses something else, has
// another number or says the opposite.
func (d draftWords) takes(c clause, whole bag, in map[string]int) float64 {
	var named, found, agreed int
	said, against := false, false
	for _, w := range c {
		if w.reason {
			continue
		}
		said = said || !w.denied
		if isChosen(w) {
			named++
			if _, ok := d.all.find(w); ok {
				found++
			} else if w.number {
				return 0
			}
		}
		if !w.name {
			continue
		}
		if other, ok := d.main.find(w); ok && !other.reason {
			if other.denied != w.denied {
				against = true
			} else if !w.denied {
				agreed++
			}
		}
	}
	if against && agreed == 0 {
		return 0
	}
	if named > 0 && found == 0 {
		return 0
	}
	allDenied := func(list []word) bool {
		return !slices.ContainsFunc(list, func(w word) bool { return !w.denied && !w.reason })
	}
	if len(d.head) > 0 && (!said && allDenied(c)) != allDenied(d.head) &&
		!slices.ContainsFunc(d.head, func(w word) bool { return w.denied == !said }) {
		return 0
	}
	own := 0
	for _, w := range d.main {
		if _, ok := whole.find(w); !ok && isChosen(w) && w.number {
			return 0
		} else if !ok && isChosen(w) {
			own++
		}
	}
	var main []word
	for _, w := range c {
		if !w.reason {
			main = append(main, w)
		}
	}
	if len(main) == 0 {
		main = c
	}
	forth := d.all.share(main, in)
	back := whole.share(d.head, nil)
	score := 0.65*forth + 0.35*back
	if named > 0 && own > 0 && found < named {
		score /= 2 // each names something that the other does not
	}
	return score
}
