package transcript

import (
	"strings"

	"keepsake/pkg/secret"
)

// withoutPrivate returns text without what its speaker put between <private> and </private>, or after a
// <private> that is not closed. No reader of a transcript gets that. It must be called before the text is
// cut, as cutting could remove one of the tags.
func withoutPrivate(text string) string {
	if kept, cut := secret.WithoutPrivate(text); cut {
		return strings.TrimSpace(kept)
	}
	return text
}
