package text

import (
	"crypto/sha256"
	"strings"
)

// idLetters are Crockford's base 32 in lower case: no i, l, o or u.
const idLetters = "0123456789abcdefghjkmnpqrstvwxyz"

// ShortID returns an id that a person can read aloud and type: n letters, at most 32, of a digest of whatever
// tells what is named from all else. The same is always named the same.
func ShortID(about string, n int) string {
	sum := sha256.Sum256([]byte(about))
	b := make([]byte, n)
	for i := range b {
		b[i] = idLetters[sum[i]&31]
	}
	return string(b)
}

// IsShortID reports whether s is made of the letters of a ShortID only, and so can also name a file.
func IsShortID(s string) bool { return s != "" && strings.Trim(s, idLetters) == "" }
