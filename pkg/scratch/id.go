package scratch

import (
	"path"
	"strings"
	"time"

	"keepsake/pkg/text"
)

// ID returns a short name of an entry of a topic for people to type: "s" and five letters of its topic,
// time and text. It stays the same when the entry is marked as promoted, and changes with the text.
func (e Entry) ID(topic string) string {
	at := ""
	if !e.At.IsZero() {
		at = e.At.UTC().Format(time.RFC3339)
	}
	return "s" + text.ShortID(topic+"\x00"+at+"\x00"+e.Text, 5)
}

// TopicOf returns the topic of a file of notes, from its path with slashes.
func TopicOf(file string) string { return strings.TrimSuffix(path.Base(file), ".md") }

// IsID reports whether s has the form of an entry's id.
func IsID(s string) bool {
	return len(s) == 6 && s[0] == 's' && text.IsShortID(s[1:])
}
