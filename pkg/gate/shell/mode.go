package shell

import "keepsake/pkg/gate/rules"

// noDialog reports whether the client's dialog is not the place to ask about a call of this tool,
// since it answers itself in this mode or does not say what is asked.
// Where a call writes what the client protects by itself (.claude, .git, start-up files and more),
// the client's own question takes the place of the hook's. Two modes answer that one without a
// person: bypassPermissions says yes, and auto has a model decide. A redirect into such a file,
// added to any command, is enough, and which commands the client takes for such writes can't be
// told from outside. So a call of a shell or file tool is denied there, with the ways to approve
// it; e2e/story_approval_mode_test.go has the runs. The modes that are known to ask are listed, and
// any other counts as one that does not.
// A file tool's dialog shows none of our words in any mode. Nobody would see there that a palace's
// own file keeps something for good, so that is denied. Other tools have no question of their own,
// and the client puts our question to the person.
func noDialog(mode, tool string, r rules.RuleID) bool {
	if r == rules.RulePalaceFile && (tool == "Write" || tool == "Edit" || tool == "MultiEdit" ||
		tool == "NotebookEdit") {
		return true
	}
	switch mode {
	case "", "default", "acceptEdits", planMode, "dontAsk":
		return false
	}
	switch tool {
	case "Bash", "Monitor", "Write", "Edit", "MultiEdit", "NotebookEdit":
	default:
		return false
	}
	// What these guard is never among the client's own, and they guard against
	// mistakes, not against a way around.
	switch r.Rule().Checkpoint {
	case rules.CircuitBreaker, rules.PlanningWrite, rules.AutoMemoryWrite:
		return false
	}
	return true
}
