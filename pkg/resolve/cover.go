package resolve

import (
	"strings"

	"keepsake/pkg/memory"
)

// coveredShare is how much of a quote's words a draft must say for the quote to
// be taken care of. A draft words things anew, so it is a share of the words
// and not the sentence; two quotes about different things share far less.
const coveredShare = 0.4

// Uncovered returns the quotes that no draft takes care of: those a drafter left
// out without a word. A draft that says there is nothing worth keeping covers
// whatever the others don't. Without drafts nothing is covered.
func Uncovered(quotes []string, drafts []Draft) []string {
	var said []map[string]float64
	for _, d := range drafts {
		if d.Noop {
			return nil
		}
		said = append(said, count(strings.Join([]string{d.Title, d.Summary, d.ChangeSummary, strings.Join(d.Tags, " "),
			memory.Record{Category: d.Category, Content: d.Content}.Body()}, "\n")))
	}
	var left []string
	for _, q := range quotes {
		if !covered(count(q), said) {
			left = append(left, q)
		}
	}
	return left
}

// covered looks at the words of four letters and more, and at names and numbers
// as they are: the short ones say nothing about what a sentence is about.
func covered(quote map[string]float64, said []map[string]float64) bool {
	total := 0
	hits := make([]int, len(said))
	for w := range quote {
		if len([]rune(w)) < 4 && !dense(w) || asking(w) {
			continue
		}
		total++
		for i := range said {
			if said[i][w] > 0 {
				hits[i]++
			}
		}
	}
	for _, n := range hits {
		if float64(n) >= coveredShare*float64(total) {
			return true
		}
	}
	return false
}

// asking are the words, as count has them, that ask for something to be kept and
// say nothing of what.
func asking(w string) bool {
	for _, a := range [...]string{"please", "remember", "save", "store", "update", "memory", "this", "that", "these", "everything", "what", "have", "keep"} {
		if w == stem(a) {
			return true
		}
	}
	return false
}

// dense tells the word of a script without blanks, which count cuts into pairs.
func dense(w string) bool { return len(w) > len([]rune(w))*2 }

// clusters puts quotes about the same thing together, in the order of their
// first: what a person decided and what the agent repeated is one thing.
func clusters(quotes []string) [][]string {
	var out [][]string
	for _, q := range quotes {
		words := count(q)
		found := false
		for i := range out {
			if covered(words, []map[string]float64{count(strings.Join(out[i], "\n"))}) {
				out[i] = append(out[i], q)
				found = true
				break
			}
		}
		if !found {
			out = append(out, []string{q})
		}
	}
	return out
}
