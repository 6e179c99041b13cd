package memory

// Kind is the shape of a content field.
type Kind uint8

// The kinds, with the Go type of their values in Content.
const (
	Text         Kind = iota + 1 // string
	Enum                         // string, one of Field.Enum
	List                         // []string
	Flag                         // bool
	Alternatives                 // []map[string]string with keys option, rejected_reason
	Examples                     // map[string][]string with keys prefer, avoid
)

// Field is one row of a category's table.
type Field struct {
	Name       string   // the key in content
	Label      string   // as people read it
	Kind       Kind     // its shape
	Required   bool     // must be there
	Min        int      // least number of entries of a List; 0 for other kinds
	Enum       []string // the values of an Enum, nil otherwise
	Default    string   // value of a new record if the draft gives none; "" for no default
	Decisive   bool     // shown when the memory is recalled: a reader needs it to act
	Searchable bool     // part of the text that Record.Body returns
}

// Fields returns the content fields of a category in the order in which they are written, or nil for an
// unknown category. The caller must not change the slice.
//
// The names, the values and which fields are required are those of claude-memory. Only fields that say
// how far along or how serious something is have defaults, never those that say what it is.
func Fields(c Category) []Field {
	switch c {
	case SessionSummary:
		return sessionFields
	case Decision:
		return decisionFields
	case Runbook:
		return runbookFields
	case Constraint:
		return constraintFields
	case TechDebt:
		return techDebtFields
	case Preference:
		return preferenceFields
	}
	return nil
}

// The tables are slices of constants, so the linker lays them out and hooks start without building them.
var (
	sessionFields = []Field{
		{Name: "goal", Label: "Goal", Kind: Text, Required: true, Decisive: true, Searchable: true},
		{Name: "outcome", Label: "Outcome", Kind: Enum, Required: true, Enum: outcomes, Default: "partial",
			Decisive: true},
		{Name: "completed", Label: "Completed", Kind: List, Required: true, Searchable: true},
		{Name: "in_progress", Label: "In progress", Kind: List, Searchable: true},
		{Name: "blockers", Label: "Blockers", Kind: List, Decisive: true, Searchable: true},
		{Name: "next_actions", Label: "Next actions", Kind: List, Required: true, Decisive: true,
			Searchable: true},
		{Name: "key_changes", Label: "Key changes", Kind: List, Searchable: true},
	}
	decisionFields = []Field{
		{Name: "status", Label: "Status", Kind: Enum, Required: true, Enum: decisionStatuses,
			Default: "accepted"},
		{Name: "context", Label: "Context", Kind: Text, Required: true, Decisive: true, Searchable: true},
		{Name: "decision", Label: "Decision", Kind: Text, Required: true, Decisive: true, Searchable: true},
		{Name: "alternatives", Label: "Alternatives", Kind: Alternatives, Searchable: true},
		{Name: "rationale", Label: "Rationale", Kind: List, Required: true, Min: 1, Decisive: true,
			Searchable: true},
		{Name: "consequences", Label: "Consequences", Kind: List, Searchable: true},
	}
	runbookFields = []Field{
		{Name: "trigger", Label: "Trigger", Kind: Text, Required: true, Decisive: true, Searchable: true},
		{Name: "symptoms", Label: "Symptoms", Kind: List, Searchable: true},
		{Name: "steps", Label: "Steps", Kind: List, Required: true, Min: 1, Decisive: true, Searchable: true},
		{Name: "verification", Label: "Verification", Kind: Text, Required: true, Searchable: true},
		{Name: "root_cause", Label: "Root cause", Kind: Text, Decisive: true, Searchable: true},
		{Name: "environment", Label: "Environment", Kind: Text, Searchable: true},
	}
	constraintFields = []Field{
		{Name: "kind", Label: "Kind", Kind: Enum, Required: true, Enum: constraintKinds,
			Default: "technical"},
		{Name: "rule", Label: "Rule", Kind: Text, Required: true, Decisive: true, Searchable: true},
		{Name: "impact", Label: "Impact", Kind: List, Required: true, Min: 1, Decisive: true,
			Searchable: true},
		{Name: "workarounds", Label: "Workarounds", Kind: List, Decisive: true, Searchable: true},
		{Name: "severity", Label: "Severity", Kind: Enum, Required: true, Enum: severities,
			Default: "medium"},
		{Name: "active", Label: "Active", Kind: Flag, Required: true, Default: "true"},
		{Name: "expires", Label: "Expires", Kind: Text},
	}
	techDebtFields = []Field{
		{Name: "status", Label: "Status", Kind: Enum, Required: true, Enum: debtStatuses, Default: "open"},
		{Name: "priority", Label: "Priority", Kind: Enum, Required: true, Enum: priorities,
			Default: "medium"},
		{Name: "description", Label: "Description", Kind: Text, Required: true, Decisive: true,
			Searchable: true},
		{Name: "reason_deferred", Label: "Reason deferred", Kind: Text, Required: true, Decisive: true,
			Searchable: true},
		{Name: "impact", Label: "Impact", Kind: List, Searchable: true},
		{Name: "suggested_fix", Label: "Suggested fix", Kind: List, Decisive: true, Searchable: true},
		{Name: "acceptance_criteria", Label: "Acceptance criteria", Kind: List, Searchable: true},
	}
	preferenceFields = []Field{
		{Name: "topic", Label: "Topic", Kind: Text, Required: true, Decisive: true, Searchable: true},
		{Name: "value", Label: "Value", Kind: Text, Required: true, Decisive: true, Searchable: true},
		{Name: "reason", Label: "Reason", Kind: Text, Required: true, Decisive: true, Searchable: true},
		{Name: "strength", Label: "Strength", Kind: Enum, Required: true, Enum: strengths,
			Default: "default"},
		{Name: "examples", Label: "Examples", Kind: Examples, Searchable: true},
	}

	outcomes         = []string{"success", "partial", "blocked", "abandoned"}
	decisionStatuses = []string{"proposed", "accepted", "deprecated", "superseded"}
	constraintKinds  = []string{"limitation", "gap", "policy", "technical"}
	severities       = []string{"high", "medium", "low"}
	debtStatuses     = []string{"open", "in_progress", "resolved", "wont_fix"}
	priorities       = []string{"critical", "high", "medium", "low"}
	strengths        = []string{"strong", "default", "soft"}

	// alternativeKeys and exampleKeys are the keys of the two compound kinds,
	// in the order in which they are written.
	alternativeKeys = []string{"option", "rejected_reason"}
	exampleKeys     = []string{"prefer", "avoid"}
)
