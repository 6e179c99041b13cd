package text

import "strings"

// IsDenial reports whether an English word, in lower case, denies what a statement says: "never", "doesn't".
func IsDenial(low string) bool {
	return OneOf(low, "not no never none nobody nothing without cannot avoid") ||
		strings.HasSuffix(low, "n't") || strings.HasSuffix(low, "n’t")
}
