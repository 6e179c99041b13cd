package checkpoint

// MaxNesting is far beyond any real call and far below what a recursive reader
// of JSON or shell can bear.
const MaxNesting = 512

// Shallow says that brackets outside strings nest at most MaxNesting deep.
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
