package alike

import (
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// Cluster groups quotes about the same thing, such as a person's decision and the agent's repetition of it.
// Groups are in the order of their first quotes.
func Cluster(quotes []string) [][]string {
	var out [][]string
	for _, q := range quotes {
		texts := make([]textWords, len(out))
		for i, group := range out {
			all := wordsOf(clausesOf(strings.Join(group, "\n")))
			texts[i] = textWords{bagOfWords(all), all, bagOfWords(all)}
		}
		if len(out) > 0 {
			into := takersOf(clausesOf(q), texts, nil)
			at := slices.IndexFunc(into, func(i int) bool {
				return !slices.ContainsFunc(out[i], func(other string) bool {
					return ofOtherThings(q, other)
				})
			})
			if at >= 0 {
				out[into[at]] = append(out[into[at]], q)
				continue
			}
		}
		out = append(out, []string{q})
	}
	return out
}

// ofOtherThings reports whether two quotes say nearly the same, but of two things: "we cache users for 5
// minutes" and "we cache orders for 5 minutes". Their reasons are ignored.
func ofOtherThings(a, b string) bool {
	return saidOfOthers(sentencesOf(beforeReasons(text.WithoutLeadIn(a))),
		sentencesOf(beforeReasons(text.WithoutLeadIn(b))))
}

// saidOfOthers is ofOtherThings for the sentences of two quotes.
func saidOfOthers(a, b []sentence) bool {
	differ := false
	for _, x := range a {
		for _, y := range b {
			places, same := differingPlaces(x, y)
			if same == 0 || 2*same < min(len(x), len(y), maxPieces) {
				continue // they are built differently, so their places cannot be compared
			}
			swapped := slices.ContainsFunc(places, func(p swap) bool {
				behind := len(p.before) > 0 && p.before[len(p.before)-1].role == preposition
				return namesBeyond(p.a, y, behind) && namesBeyond(p.b, x, behind)
			})
			if !swapped {
				return false
			}
			differ = true
		}
	}
	return differ
}

// namesBeyond reports whether a part of a sentence names something that the other sentence lacks. Verbs do
// not count, since many may fit. Behind a preposition a word that looks like a verb is a noun.
func namesBeyond(part, other sentence, behind bool) bool {
	for i, p := range part {
		noun := p.role == plainWord || p.role == bareNumber || p.role == quantity ||
			p.role == verb && behind && i == 0
		if noun && !slices.ContainsFunc(other, func(o piece) bool { return o.root == p.root }) {
			return true
		}
	}
	return false
}

// beforeReasons returns the lines of a text, each up to its reason.
func beforeReasons(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i], _, _ = CutReason(l)
	}
	return strings.Join(lines, "\n")
}
