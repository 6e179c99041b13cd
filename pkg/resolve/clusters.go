package resolve

import "strings"

// clusters puts quotes about the same thing together, in the order of their
// first: what a person decided and what the agent repeated is one thing.
func clusters(quotes []string) [][]string {
	var out [][]string
	for _, q := range quotes {
		texts := make([]draftWords, len(out))
		for i, group := range out {
			text := clausesOf(strings.Join(group, "\n"))
			texts[i] = draftWords{bagOfWords(words(text)), words(text), bagOfWords(words(text))}
		}
		if len(out) > 0 {
			if into := takersOf(clausesOf(q), texts, nil); len(into) > 0 {
				out[into[0]] = append(out[into[0]], q)
				continue
			}
		}
		out = append(out, []string{q})
	}
	return out
}
