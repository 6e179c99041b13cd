package digest

import (
	"cmp"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/text"
)

// mark notes in the lines which findings stand in them, and returns those that do. A
// finding may go over several lines, and several may stand in one.
func mark(lines []Line, candidates []finding.Status) (marked []finding.Status) {
	for _, f := range candidates {
		words := wordsOf(f.Text)
		if words == "" {
			continue
		}
		at := place(lines, words, func(l Line) bool { return f.Record != "" && l.Record == f.Record })
		if at == nil { // a sentence that was said before stands where it was said first
			at = place(lines, words, func(Line) bool { return true })
		}
		if at == nil {
			continue
		}
		for _, i := range at {
			lines[i].Candidates = append(lines[i].Candidates, f.Number)
		}
		marked = append(marked, f)
	}
	return marked
}

// place returns the indexes of the lines that hold words, among those wanted: of the
// first entry that has them whole.
func place(lines []Line, words string, wanted func(Line) bool) (at []int) {
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && lines[to].entry == lines[from].entry {
			to++
		}
		if wanted(lines[from]) {
			if at := within(lines[from:to], words); at != nil {
				for i := range at {
					at[i] += from
				}
				return at
			}
		}
		from = to
	}
	return nil
}

// within returns the indexes of the lines of one entry that hold words.
func within(lines []Line, words string) (at []int) {
	var all strings.Builder
	ends := make([]int, len(lines))
	for i, l := range lines {
		all.WriteString(wordsOf(l.Text))
		ends[i] = all.Len()
	}
	found := strings.Index(all.String(), words)
	if found < 0 {
		return nil
	}
	for i, end := range ends {
		begin := 0
		if i > 0 {
			begin = ends[i-1]
		}
		if begin < found+len(words) && end > found {
			at = append(at, i)
		}
	}
	return at
}

// What lines weigh when not all can be shown.
const (
	candidateWeight = 10.0
	choiceWeight    = 5.0 // an answer, a plan
	personWeight    = 4.0
	pastedWeight    = 1.0 // what a person sent behind the first lines of a long text
	askedWeight     = 3.0
	failedWeight    = 2.0
	lastWeight      = 1.5 // the end of what the agent said in a turn
	agentWeight     = 0.7
	fade            = 0.5 // of a line's weight goes to its neighbours, and half of that to theirs
	reach           = 4   // lines
	typedLines      = 12  // of a text; what follows counts as pasted
)

// weigh returns how much each line matters, with regard to the lines around it.
func weigh(lines []Line, marked []finding.Status) []float64 {
	scores := map[int]float64{}
	for _, f := range marked {
		scores[f.Number] = f.Score
	}
	own := make([]float64, len(lines))
	nth := 0 // line of its entry
	for i, l := range lines {
		if i == 0 || lines[i-1].entry != l.entry {
			nth = 0
		}
		nth++
		ends := i+1 == len(lines) || lines[i+1].By.Person()
		switch {
		case l.Role == finding.Answer, l.Role == finding.Plan && nth <= typedLines:
			own[i] = choiceWeight
		case l.Role == finding.Question:
			own[i] = askedWeight
		case l.Role == finding.Failed, l.Role == finding.Passed:
			own[i] = failedWeight
		case l.By.Person() && nth <= typedLines:
			own[i] = personWeight
		case l.By.Person():
			own[i] = pastedWeight
		case ends:
			own[i] = lastWeight
		default:
			own[i] = agentWeight
		}
		for _, n := range l.Candidates {
			own[i] = max(own[i], candidateWeight*(1+scores[n]))
		}
	}
	all := slices.Clone(own)
	for i := range own {
		for d, share := 1, fade; d <= reach; d, share = d+1, share*fade {
			for _, j := range [...]int{i - d, i + d} {
				if j >= 0 && j < len(own) {
					all[j] = max(all[j], own[j]+share*own[i])
				}
			}
		}
	}
	return all
}

// show chooses the lines that are shown, by weight as long as they fit.
func (e *Excerpt) show(weights []float64, budget int) {
	order := make([]int, len(e.Lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(weights[j], weights[i]) })
	left := budget - text.ModelTokens(openTag+closeTag) - text.ModelTokens(e.Project) - 8
	for _, goal := range e.goals {
		left -= text.ModelTokens(text.Shorten(goal.Text, maxGoal)) + 16
	}
	whole := left
	for _, l := range e.Lines {
		whole -= l.tokens()
	}
	for _, i := range order {
		cost := e.Lines[i].tokens()
		if whole < 0 {
			cost += 2 // perhaps a gap beside it
		}
		if left < cost {
			continue
		}
		left -= cost
		e.Lines[i].Shown = true
	}
}

func (l Line) tokens() int { return text.ModelTokens(l.row()) + 1 }
