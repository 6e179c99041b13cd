package brief

import (
	"strconv"
	"strings"

	"keepsake/pkg/memory"
)

// An Offered is a finding that the agent is asked to write up.
type Offered struct {
	Number   int
	Category memory.Category
	Text     string
	Near     []string // ids of memories that may be about the same
	Against  string   // id of the memory that it turns against, "" for none
}

// maxOffered is the length of the longest quote, in bytes. A short one will do, as the agent has the
// conversation before it. With the words that both clients put in front, it fills one row of a terminal
// of 140 columns.
const maxOffered = 72

// Keep returns a text that asks the agent to write up findings, one line each. Form explains the answer.
func Keep(all []Offered) string {
	var b strings.Builder
	for i, o := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("keepsake: keep [" + strconv.Itoa(o.Number) + "] " + string(o.Category) + " " +
			quoted(o.Text, maxOffered))
		switch {
		case o.Against != "":
			b.WriteString(" (supersedes: " + Text(o.Against, maxOffered) + ")")
		case len(o.Near) > 0:
			b.WriteString(" (near: " + Text(strings.Join(o.Near, ", "), maxOffered) + ")")
		}
	}
	return b.String()
}

// Riding returns Keep for a prompt, with which the agent writes the findings up beside its other work.
func Riding(all []Offered) string {
	if len(all) == 0 {
		return ""
	}
	return Keep(all) + "\nWrite it up in the same message as your next tool calls; say nothing of it."
}

// Form returns the explanation of how an agent answers "keepsake: keep": the command, and the fields of a
// draft of each category. program is the absolute path of keepsake.
func Form(program string) string {
	return `<keepsake-form>If told "keepsake: keep [N]": run one Bash line, then say in one ` +
		"short line what was saved:\n" + Text(program, 0) +
		` remember '[{"covers":[N],"category":"","title":"","content":{}}]'` + "\n" +
		`Only what was said; ’ for '` + "\n" +
		`content: decision{decision,context,rationale} constraint{rule,kind,impact,severity}` +
		` preference{topic,value,reason} tech_debt{description,reason_deferred,priority}` +
		` runbook{trigger,steps,verification}` + "\n" +
		`"target":"ID" adds to, +"action":"delete" ends, "supersedes":"ID" replaces ID` + "\n" +
		`Not worth it: {"covers":[N],"noop":"why"}</keepsake-form>`
}

// Later returns a text for the agent: what the person typed to be saved is noted, and will be asked for
// when plan mode is over.
func Later(o Offered) string {
	return "keepsake: noted [" + strconv.Itoa(o.Number) + "] " + string(o.Category) + " " +
		quoted(o.Text, maxOffered) +
		"; in plan mode nothing is saved. Run nothing for it now: you are asked for it " +
		"when plan mode is over."
}

// Heard returns the row that tells the person what was noticed and waits.
func Heard(all []Offered) string {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return "Keepsake noted [" + strconv.Itoa(all[0].Number) + "] " + string(all[0].Category) + " " +
			quoted(all[0].Text, maxOffered)
	}
	return "Keepsake noted " + strconv.Itoa(len(all)) + " things; `keepsake inbox` lists them"
}
