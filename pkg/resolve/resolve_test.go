package resolve

import "keepsake/pkg/plan"

func digest(b []byte) string { return plan.DigestOf(b) }
