package memory

import "strings"

// IsChoice reports whether records of a category state what holds, so that two of them can be opposed.
func (c Category) IsChoice() bool { return c.ChoiceField() != "" }

// ChoiceField returns the field that states the choice of a record of a category, or "" if none does.
func (c Category) ChoiceField() string {
	switch c {
	case Decision:
		return "decision"
	case Preference:
		return "value"
	case Constraint:
		return "rule"
	}
	return ""
}

// MainText returns the one or two fields that say the most of a record.
func (r Record) MainText() string {
	fields := []string{r.Category.ChoiceField()}
	switch r.Category {
	case Preference:
		fields = []string{"topic", "value"}
	case TechDebt:
		fields = []string{"description"}
	case Runbook:
		fields = []string{"trigger"}
	case SessionSummary:
		fields = []string{"goal"}
	}
	var text []string
	for _, f := range fields {
		if s, _ := r.Content[f].(string); s != "" {
			text = append(text, s)
		}
	}
	return strings.Join(text, "\n")
}
