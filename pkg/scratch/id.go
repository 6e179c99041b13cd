package scratch

import (
	"crypto/sha256"
	"strings"
	"time"
)

// letters are Crockford's base 32 in lower case: no i, l, o or u, so that an id
// can be read aloud and typed.
const letters = "0123456789abcdefghjkmnpqrstvwxyz"

// ID names an entry of a topic for people to type: "s" and five letters of its
// topic, time and text. It stays when the entry is marked as promoted, and is
// another one when somebody edits the text.
func (e Entry) ID(topic string) string {
	at := ""
	if !e.At.IsZero() {
		at = e.At.UTC().Format(time.RFC3339)
	}
	sum := sha256.Sum256([]byte(topic + "\x00" + at + "\x00" + e.Text))
	b := []byte("s.....")
	for i := range b[1:] {
		b[i+1] = letters[sum[i]&31]
	}
	return string(b)
}

// IsID says that s has the form of an entry's id.
func IsID(s string) bool {
	return len(s) == 6 && s[0] == 's' && strings.Trim(s[1:], letters) == ""
}
