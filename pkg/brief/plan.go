package brief

import (
	"keepsake/pkg/plan"
	"keepsake/pkg/resolve"
)

// Plan prints p for a person: its digest, what each edit does, and the change of
// each file as a unified diff. Before returns what a file of the store holds now,
// nil when it is absent.
func Plan(p plan.Plan, before func(path string) []byte) string { return "" }

// Saved is the one line that a save ends with, "Saved: decision (update),
// runbook (create)"; "Saved: nothing" when no draft was stored.
func Saved(outcomes []resolve.Outcome) string { return "" }

// Outcomes is one line for each draft: where it went, or why it did not.
func Outcomes(outcomes []resolve.Outcome) string { return "" }
