package memory

import (
	"unicode/utf8"

	"keepsake/pkg/text"
)

// Slug returns the id for a title: its text.Slug of at most MaxID runes and MaxIDBytes bytes.
func Slug(title string) string { return text.Slug(title, MaxID, MaxIDBytes) }

// ValidID reports whether s can be the id of a record. What Slug returns is valid, and so is every id that
// claude-memory made.
func ValidID(s string) bool {
	return len(s) <= MaxIDBytes && utf8.RuneCountInString(s) <= MaxID && text.IsSlug(s)
}
