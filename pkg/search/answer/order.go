package answer

import (
	"cmp"
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
)

// named are the sources that a question of a tier names: what they have that is good enough
// comes first. sourceDecision are the memories that are decisions.
var named = map[Tier][]string{
	Where: {"WHERE"},
	Why:   {"WHY", sourceDecision},
}

// precedence is the order of the sources if the question names none, and of the sources that it doesn't
// name.
var precedence = []string{"scratch", "project", SourceHeard, "markdown", "WHERE"}

const sourceDecision = "decision"

// step is the factor on the odds of a text's answering for each place that its source is further down. It
// is the strongest factor that costs no more than chance if the source says nothing about the answer;
// `keepsake dev eval recall` measures that. See docs/adr/0026.
const step = 0.9

// sure is the score above which an answer is as good as certain: the scores of two answers that are right
// 99 times of 100 don't rank them. A text with half of a question's words has less.
const sure = 0.99

// answered reports whether anything good enough was found, apart from findings that nobody has written up.
func (a *asked) answered() bool {
	return slices.ContainsFunc(a.found, func(r Result) bool { return !r.Weak && r.Source != SourceHeard })
}

// heard reports whether a finding that nobody has written up is good enough.
func (a *asked) heard() bool {
	return slices.ContainsFunc(a.found, func(r Result) bool { return !r.Weak && r.Source == SourceHeard })
}

// Merged returns what several sources found for a question that names none of them, in the order in which it
// is answered.
func Merged(found []Result) []Result {
	inOrder(found, Any)
	return found
}

// Sources returns the sources of results in their order of precedence.
func Sources() []string { return slices.Clone(precedence) }

// inOrder sorts the results for a question of a tier. First come those of the tier, then other good ones,
// then those that lead nowhere, and last the weak ones. In each group the most likely answer comes first,
// and of equal ones the newest. For a question where something is, an annotation that is as good as certain
// comes before all others.
func inOrder(found []Result, tier Tier) {
	told := func(r Result) int {
		if tier == Where && r.group(tier) == 0 && r.Path == tiers.AnnotationsFile && r.Score >= sure {
			return 0
		}
		return 1
	}
	past := func(r Result) int { // what is comes before what was
		if r.Past {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(found, func(a, b Result) int {
		return cmp.Or(a.group(tier)-b.group(tier), told(a)-told(b), past(a)-past(b),
			cmp.Compare(b.odds(), a.odds()),
			strings.Compare(b.when(), a.when()))
	})
}

func (r Result) group(tier Tier) int {
	switch {
	case r.Weak:
		return 3
	case r.Gone != "":
		return 2
	case slices.Contains(named[tier], r.Source),
		r.Category == memory.Decision && r.Source == string(Project) &&
			slices.Contains(named[tier], sourceDecision):
		return 0
	}
	return 1
}

// cut leaves so many of the results in their order. Where something else is good enough too,
// what the question names takes half of the room at most, rounded up.
func cut(found []Result, tier Tier, limit int) []Result {
	count := [4]int{}
	for _, r := range found {
		count[r.group(tier)]++
	}
	first := min(count[0], max(limit-count[1], (limit+1)/2))
	found = slices.Concat(found[:first], found[count[0]:])
	return found[:min(len(found), limit)]
}

// odds returns the odds that a result answers the question, by its score and its source.
func (r Result) odds() float64 {
	score := r.Score
	if r.Idle {
		score = session.SunkScore(score)
	}
	odds := score / (1 - score)
	for range max(0, slices.Index(precedence, r.Source)) {
		odds *= step
	}
	return odds
}

// when returns the date of a result. A place in a file has none, as the file's date isn't that of the
// place.
func (r Result) when() string {
	if r.Source == "WHERE" {
		return ""
	}
	return r.UpdatedAt
}
