package exchange

import (
	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
)

// Redact takes secrets out of all that an offer says, and out of a name that was made from it
// or is one.
func (o *Offer) Redact() {
	named := o.ID == memory.Slug(o.Title) || secret.Redact(o.ID) != o.ID
	o.Record = o.Record.Rewrite(secret.Redact)
	if named {
		o.ID = memory.Slug(o.Title)
	}
}
