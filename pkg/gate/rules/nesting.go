package rules

// MaxNesting is how deep brackets may nest: far deeper than in any real call, and far less than recursive
// readers of JSON or shell can take.
const MaxNesting = 512

// Shallow reports whether brackets outside strings nest at most MaxNesting deep.
func Shallow(b []byte) bool {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > MaxNesting {
				return false
			}
		case '}', ']':
			depth--
		}
	}
	return true
}
