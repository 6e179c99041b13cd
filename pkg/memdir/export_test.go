package memdir

// Spots are the relative dates of a line, as bounds.
func Spots(text string) (out [][2]int) {
	for _, s := range spots(text) {
		out = append(out, [2]int{s.from, s.to})
	}
	return out
}

// Vague says that a text tells nothing.
func Vague(s string) bool { return vague(s) }
