package rules

import "slices"

// A Point describes one checkpoint to people, with its setting and its rules.
type Point struct {
	Name    string `json:"checkpoint"`
	Guards  string `json:"guards"`
	Passes  string `json:"passes"`
	Setting string `json:"setting"` // the setting that changes its answer
	Rules   []Row  `json:"rules"`   // in the order of the table
}

// Row is a row of the rule table. Answer is its answer where a person can be asked; elsewhere ask becomes
// deny.
type Row struct {
	Name    string `json:"rule"`
	Answer  string `json:"answer"` // allow, ask or deny; pass if only a setting makes it more
	Matches string `json:"matches"`
}

// noKey begins the Setting of a checkpoint that no setting changes.
const noKey = "none: "

// key begins the Setting of a checkpoint that a key changes.
const key = "off, ask or deny by gate."

// points are the checkpoints in the order in which they are shown.
var points = [...]Point{
	{
		Name:   MemPalaceWrite,
		Guards: "what is written into a MemPalace, by any route",
		Passes: "Reads: MCP tools and commands that MemPalace documents as reads, with arguments checked " +
			"strictly; looking at a palace's files; and calls that only name a palace.",
		Setting: "ask or deny by gate.before_mempalace_write, ask by default; it cannot be turned off " +
			"by a file or a variable, not even by KEEPSAKE=off",
	},
	{
		Name: MemoryWrite,
		Guards: "what is written into the memory store, or into Keepsake's own files, by anything but " +
			"keepsake",
		Passes: "Reads, git, copies out of the store, and the file memory-config.json, for which the " +
			"client has its own dialog.",
		Setting: key + "before_memory_write, ask by default",
	},
	{
		Name:    PlanningWrite,
		Guards:  "task_plan.md, findings.md and progress.md, which belong to the person's planning",
		Passes:  "By default every change by an agent other than Keepsake's own.",
		Setting: key + "before_planning_write, off by default",
	},
	{
		Name:    AutoMemoryWrite,
		Guards:  "the client's own auto memory",
		Passes:  "Reads; by default every write.",
		Setting: key + "before_auto_memory_write, off by default",
	},
	{
		Name:    AppendOnlyWrite,
		Guards:  "events and cases of a memory directory, which are only ever added to",
		Passes:  "New files, and files that are no notes (*.md).",
		Setting: key + "before_append_only_write, ask by default",
	},
	{
		Name:    TopicWrite,
		Guards:  "the topic files of a memory directory",
		Passes:  "Edits in place, entries added at the end, new files.",
		Setting: key + "before_topic_write, ask by default",
	},
	{
		Name:    CircuitBreaker,
		Guards:  "how often memories are rewritten, removed, moved or renamed after one prompt",
		Passes:  "The first three such calls, and whatever adds or edits.",
		Setting: key + "circuit_breaker, deny by default",
	},
	{
		Name:    KeepsakeRoad,
		Guards:  "what a save needs, so that no dialog is shown",
		Passes:  "A call that is not exactly one of these is not decided here.",
		Setting: noKey + "KEEPSAKE=off gives every call back to the client",
	},
	{
		Name:    DrafterBounds,
		Guards:  "what a drafter, a verifier or a memory-keeper of Keepsake may touch",
		Passes:  "The client's own tools that neither read nor write files.",
		Setting: noKey + "KEEPSAKE=off silences it",
	},
}

// All returns every checkpoint with its rules.
func All() []Point {
	all := slices.Clone(points[:])
	for _, r := range rules {
		for i := range all {
			if all[i].Name == r.Checkpoint {
				all[i].Rules = append(all[i].Rules, Row{r.Name, r.Answer.String(), r.Matches})
			}
		}
	}
	return all
}
