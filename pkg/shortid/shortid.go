// Package shortid makes the ids that a person reads aloud and types: a few letters
// of a digest of what they name. The same is always named the same.
package shortid

import (
	"crypto/sha256"
	"strings"
)

// letters are Crockford's base 32 in lower case: no i, l, o or u.
const letters = "0123456789abcdefghjkmnpqrstvwxyz"

// Of is n letters, at most 32, of whatever tells what is named from all else.
func Of(about string, n int) string {
	sum := sha256.Sum256([]byte(about))
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[sum[i]&31]
	}
	return string(b)
}

// Is says that s is made of these letters only, and so can also name a file.
func Is(s string) bool { return s != "" && strings.Trim(s, letters) == "" }
