package text

import "strings"

// AnyOf returns words as a choice: "a, b or c".
func AnyOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// OneOf reports whether a word is in a list, whose words are divided by blanks.
func OneOf(w, list string) bool {
	for from := 0; w != ""; {
		i := strings.Index(list[from:], w)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(w)
		if (i == 0 || list[i-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		from = end
	}
	return false
}
