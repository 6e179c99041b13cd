package transcript

import (
	"strings"

	"keepsake/pkg/secret"
)

// public is text without what its speaker put between <private> and </private>:
// no reader of a transcript is given that, nor what follows a tag that is not
// closed. It comes before the text is cut to its length, which could take one of
// the two tags away.
func public(text string) string {
	if kept, cut := secret.WithoutPrivate(text); cut {
		return strings.TrimSpace(kept)
	}
	return text
}
