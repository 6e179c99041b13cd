package session

import (
	"strings"

	"keepsake/pkg/transcript"
)

// Ours tells what a person typed behind the name of one of Keepsake's own skills:
// it is for Keepsake, and nothing to notice. What was to be saved counts until a
// save was applied.
func Ours(e transcript.Entry, applied bool) bool {
	skill, ours := strings.CutPrefix(e.Called, "/keepsake:")
	return ours && (applied || skill != "save")
}
