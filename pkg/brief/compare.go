package brief

import (
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// maxCompared bounds the words of a text that are compared; longer ones are shown one below the other.
const maxCompared = 400

// Compare returns how one short text differs from another, word by word: words that only the old one has
// behind "- ", words that only the new one has behind "+ ", and what both have behind two blanks. If they
// share less than a third of their words, both are shown whole. What nobody would see is spelled out.
func Compare(old, new string) (lines []string) {
	a, b := strings.Fields(text.Safe(text.OneLine(old))), strings.Fields(text.Safe(text.OneLine(new)))
	keys := func(words []string) []string {
		all := make([]string, len(words))
		for i, w := range words {
			all[i] = strings.ToLower(strings.Trim(w, ".,;:!?\"'"))
		}
		return all
	}
	var common [][2]int
	if len(a) <= maxCompared && len(b) <= maxCompared {
		common = commonWords(keys(a), keys(b))
	}
	if 3*len(common) < max(len(a), len(b)) {
		common = nil
	}
	add := func(mark string, words []string) {
		if len(words) > 0 {
			lines = append(lines, mark+strings.Join(words, " "))
		}
	}
	i, j, same := 0, 0, []string(nil)
	for _, c := range append(common, [2]int{len(a), len(b)}) {
		if c[0] > i || c[1] > j || c[0] == len(a) {
			add("  ", same)
			same = nil
			add("- ", a[i:c[0]])
			add("+ ", b[j:c[1]])
		}
		if c[1] < len(b) {
			same = append(same, b[c[1]])
		}
		i, j = c[0]+1, c[1]+1
	}
	return lines
}

// commonWords returns the indexes of the words that two texts have in common, in one order: a longest common
// subsequence.
func commonWords(a, b []string) (common [][2]int) {
	length := make([][]int, len(a)+1) // of what a[i:] and b[j:] have in common
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i, x := range slices.Backward(a) {
		for j, y := range slices.Backward(b) {
			if x == y {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common = append(common, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return common
}
