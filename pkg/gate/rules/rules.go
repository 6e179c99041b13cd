package rules

// The checkpoints. Their names stand in settings, approvals and the log. Those of the roads and of
// the drafter's bounds are only reported.
const (
	MemPalaceWrite  = "before_mempalace_write"
	MemoryWrite     = "before_memory_write"
	PlanningWrite   = "before_planning_write"
	AutoMemoryWrite = "before_auto_memory_write"
	AppendOnlyWrite = "before_append_only_write"
	TopicWrite      = "before_topic_write"
	CircuitBreaker  = "circuit_breaker"
	KeepsakeRoad    = "keepsake_road"
	DrafterBounds   = "drafter_bounds"
)

// Settable reports whether a person's settings decide the answer of a checkpoint.
func Settable(checkpoint string) bool {
	switch checkpoint {
	case MemPalaceWrite, MemoryWrite, PlanningWrite, AutoMemoryWrite, AppendOnlyWrite, TopicWrite,
		CircuitBreaker:
		return true
	}
	return false
}

// A Rule is a row of the table: its checkpoint, what it matches, what it answers and what it says. An answer
// of ask becomes deny if nobody can be asked. If the checkpoint has a setting, the answer is the default.
type Rule struct {
	Name       string
	Checkpoint string
	Matches    string // for people who read the table
	Answer     Decision
	Fixed      bool   // no setting changes the answer
	Says       string // first line of the reason, before the subject
	Because    string // last line when a person is asked
	Remedy     string // last lines when the call is denied
}

// A RuleID is the index of a rule in the table.
type RuleID uint8

// Rule returns the rule with this id.
func (id RuleID) Rule() Rule { return rules[id] }

// The rules, in the order of the table.

const (
	RulePalaceTool RuleID = iota
	RulePalaceGateway
	RulePalaceCommand
	RulePalaceFile
	RuleUndecided
	RuleStoreFile
	RuleStoreCommand
	RuleForget
	RuleBringBack
	RuleOwnFile
	RuleApproval
	RuleLocked
	RuleSpoken
	RuleSettings
	RuleLater
	RulePromote
	RuleRouter
	RulePlanningOwn
	RulePlanning
	RuleAutoMemory
	RuleAppendOnly
	RuleTopic
	RuleReorganise
	RuleBreaker
	RuleDrafter
	RuleKeeper
	RuleSkill
	RuleBinary
	RuleStageFile
	RuleDrafterStart
)

const (
	palaceBecause = "A MemPalace keeps this for good. Answer No and nothing is stored or changed."
	palaceRemedy  = "Nothing was stored: only a person can approve this, and no dialog is shown here.\n" +
		"hint: tell the person what you wanted to keep; in a terminal session they can approve it"
	storeBecause = "keepsake itself writes the records, so that each is checked and none is lost."
	storeRemedy  = "Nothing was written: keepsake itself writes the records, so that each is checked.\n" +
		"hint: use the skill keepsake:save"
)

// rules is the table. A row is added here and matched in pkg/gate/shell: in mcp.go for MCP calls,
// files.go for file tools, shell.go for commands, and roads.go for what is allowed.
var rules = [...]Rule{
	RulePalaceTool: {
		Name: "mempalace-tool", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a tool of a MemPalace server, under any server name, that is not on the list of reads",
		Says:    "permanent memory write", Because: palaceBecause, Remedy: palaceRemedy,
	},
	RulePalaceGateway: {
		Name: "mempalace-gateway", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "another MCP tool that carries the name of a MemPalace write in its arguments",
		Says:    "permanent memory write through another tool", Because: palaceBecause, Remedy: palaceRemedy,
	},
	RulePalaceCommand: {
		Name: "mempalace-command", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a shell command that runs MemPalace for anything but a read, or starts its server",
		Says:    "permanent memory write", Because: palaceBecause, Remedy: palaceRemedy,
	},
	RulePalaceFile: {
		Name: "mempalace-file", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a change to a file of a palace, by a command or an SQL shell; by a file tool it is " +
			"denied, since the client's dialog would not say what it is",
		Says: "permanent memory write into the files of a palace",
		Because: "A palace, MemPalace's or Keepsake's own, keeps this for good. Answer No and nothing " +
			"changes.", Remedy: palaceRemedy,
	},
	RuleUndecided: {
		Name: "mempalace-undecided", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a call that names a palace and whose effect cannot be known before it runs",
		Says:    "permanent memory write, perhaps",
		Because: "This names a MemPalace, and what it does cannot be told before it runs.",
		Remedy: "Nothing was run: it names a MemPalace, and what it does cannot be told before it runs.\n" +
			"hint: write the command out plainly, or tell the person what you wanted to keep",
	},
	RuleStoreFile: {
		Name: "memory-file", Checkpoint: MemoryWrite, Answer: Ask,
		Matches: "Write, Edit or NotebookEdit inside a .claude/memory folder, memory-config.json excepted",
		Says:    "direct write into the memory store", Because: storeBecause, Remedy: storeRemedy,
	},
	RuleStoreCommand: {
		Name: "memory-command", Checkpoint: MemoryWrite, Answer: Ask,
		Matches: "a shell command that changes files inside a .claude/memory folder",
		Says:    "direct write into the memory store", Because: storeBecause, Remedy: storeRemedy,
	},
	RuleForget: {
		Name: "forget", Checkpoint: MemoryWrite, Answer: Ask, Fixed: true,
		Matches: "keepsake forget, retire, archive, gc or undo, which take back a memory or what was " +
			"noticed, put it away or delete it; an undo of only Markdown memories (--dir) does not count",
		Says:    "taking back what is remembered",
		Because: "Answer No and all stays as it is. Only what is deleted for good can't be brought back.",
		Remedy: "Nothing was taken back: only a person can say so, and no dialog is shown here.\n" +
			"hint: tell the person what should go; they can run the command in a terminal",
	},
	RuleBringBack: {
		Name: "bring-back", Checkpoint: MemoryWrite, Answer: Ask, Fixed: true,
		Matches: "keepsake records restore or unarchive, which bring back a memory that was put away",
		Says:    "bringing back what was put away",
		Because: "Answer No and it stays put away. After a yes agents are shown it again.",
		Remedy: "Nothing was brought back: only a person can say so, and no dialog is shown here.\n" +
			"hint: tell the person what should come back; they can run the command in a terminal",
	},
	RuleOwnFile: {
		Name: "keepsake-file", Checkpoint: MemoryWrite, Answer: Ask,
		Matches: "a change to Keepsake's own files: stage, session state, ledger, settings, approvals",
		Says:    "write into Keepsake's own files",
		Because: "They hold work in flight and what a person approved; keepsake itself looks after them.",
		Remedy: "Nothing was written. Keepsake itself looks after its own files.\n" +
			"hint: use the keepsake command, or ask the person to change the file",
	},
	RuleApproval: {
		Name: "approval-by-agent", Checkpoint: MemPalaceWrite, Answer: Deny,
		Matches: "a command, a scheduled prompt or a message that would approve or reject in the person's " +
			"place, or change the lock in the client's settings",
		Says:   "only the person approves",
		Remedy: "Nothing was approved.\nhint: tell the person what waits, and let them answer it",
	},
	RuleLocked: {
		Name: "gate-file", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a change to the approvals, or to the gate's own programs and hooks",
		Says:    "write into what the gate itself rests on",
		Because: "Approvals and the gate's programs decide what may be kept for good.",
		Remedy: "Nothing was written: only a person changes approvals and the gate's own programs.\n" +
			"hint: tell the person what should change; they can do it themselves",
	},
	RuleSpoken: {
		Name: "said-file", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a change to the client's transcripts, or to what Keepsake wrote down of who said what, " +
			"also by code that is led to them; a scheduled prompt or message that would type " +
			"/keepsake:save with a text; a command of Keepsake's that writes memories and is cut loose " +
			"from its client",
		Says:    "write into the record of what was said",
		Because: "This record shows who said what. Edited, it could make words look like yours.",
		Remedy: "Nothing was written: this is the record of who said what, and nobody edits it.\n" +
			"hint: read it as much as you like; tell the person what should change",
	},
	RuleSettings: {
		Name: "gate-settings", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a change of the client's settings, hooks or servers that switches the gate off, answers " +
			"for the person, or starts a MemPalace",
		Says:    "change of the client's settings",
		Because: "With it, permanent memory could be written without anybody being asked.",
		Remedy: "Nothing was changed: with it, permanent memory could be written without anybody being " +
			"asked.\nhint: tell the person which line you would change; they can do it themselves",
	},
	RuleLater: {
		Name: "mempalace-later", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a git hook, Makefile, package script, start-up file, scheduled job, service, agent or " +
			"skill that gets a command which writes a MemPalace",
		Says:    "permanent memory writes later, without asking",
		Because: "What is put there runs by itself, and nobody is asked then.",
		Remedy: "Nothing was written: what is put there runs by itself, and nobody is asked then.\n" +
			"hint: tell the person which command you would put where; they can do it themselves",
	},
	RulePromote: {
		Name: "keepsake-promote", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "keepsake notes promote, or keepsake notes save --tier why, by any path of the program; " +
			"inside another command, or with an approval of its own, it is denied",
		Says:    "permanent memory write",
		Because: "This is kept for good, byte for byte as shown. Answer No and nothing is stored.",
		Remedy:  palaceRemedy,
	},
	RuleRouter: {
		Name: "router-skill", Checkpoint: MemPalaceWrite, Answer: Ask,
		Matches: "a skill that leads to a MemPalace (memory-router, code-memory-router, mempalace), called " +
			"to save",
		Says: "permanent memory write through a skill", Because: palaceBecause, Remedy: palaceRemedy,
	},
	RulePlanningOwn: {
		Name: "planning-file-own", Checkpoint: PlanningWrite, Answer: Deny, Fixed: true,
		Matches: "one of Keepsake's own agents that changes task_plan.md, findings.md or progress.md",
		Says:    "planning files belong to the person's planning",
		Remedy:  "hint: leave them as they are; memory is a separate file space",
	},
	RulePlanning: {
		Name: "planning-file", Checkpoint: PlanningWrite, Answer: Pass,
		Matches: "any agent that changes task_plan.md, findings.md or progress.md",
		Says:    "write into a planning file",
		Because: "The settings say to ask before planning files change (gate.before_planning_write).",
		Remedy: "Nothing was written: the settings keep agents from planning files " +
			"(gate.before_planning_write).\nhint: tell the person what should change there",
	},
	RuleAutoMemory: {
		Name: "auto-memory", Checkpoint: AutoMemoryWrite, Answer: Pass,
		Matches: "a change in the client's own auto memory directory",
		Says:    "write into the client's auto memory",
		Because: "The settings say to ask before auto memory changes (gate.before_auto_memory_write).",
		Remedy: "Nothing was written: the settings keep agents from auto memory " +
			"(gate.before_auto_memory_write).\nhint: tell the person what you wanted to keep",
	},
	RuleAppendOnly: {
		Name: "append-only", Checkpoint: AppendOnlyWrite, Answer: Ask,
		Matches: "a change of a file that exists under events or cases of a memory directory",
		Says:    "change of an event or a case",
		Because: "Events and cases are written once: what is new goes into a new file.",
		Remedy: "Nothing was changed: events and cases are written once.\n" +
			"hint: write what is new into a new file beside it, and say there what it corrects",
	},
	RuleTopic: {
		Name: "topic-rewrite", Checkpoint: TopicWrite, Answer: Ask,
		Matches: "a topic file of a memory directory that is written anew as a whole",
		Says:    "rewrite of a whole memory file",
		Because: "What is in it now would be gone; an entry is added at the end or edited in place.",
		Remedy: "Nothing was written: a rewrite loses what is in the file now.\n" +
			"hint: edit the entry in place with Edit, or append to the file",
	},
	RuleReorganise: {
		Name: "reorganisation", Checkpoint: AutoMemoryWrite, Answer: Ask, Fixed: true,
		Matches: "keepsake md fix -w, md upkeep -w, md tidy apply or md snapshot restore that changes " +
			"files: with what it would do, counted by a dry run; where nobody can be asked only one that " +
			"takes something away, or may",
		Says:    "reorganising memories",
		Because: "Answer No and all stays as it is. After a yes, keepsake undo takes it back whole.",
		Remedy: "Nothing was changed: it takes something away, or may; only a person can say so.\n" +
			"hint: show the person what it would do; they can run the command in a terminal",
	},
	RuleBreaker: {
		Name: "circuit-breaker", Checkpoint: CircuitBreaker, Answer: Deny,
		Matches: "the fourth call after one prompt that rewrites, removes, moves or renames memories",
		Says:    "more than 3 reorganisations of memories after one prompt",
		Because: "It may be a loop. Answer No to stop it; with your next prompt the count starts anew.",
		Remedy: "Nothing was changed: it may be a loop.\n" +
			"hint: say what you have done and what is left; with the person's next prompt the count starts " +
			"anew",
	},
	RuleDrafter: {
		Name: "drafter-elsewhere", Checkpoint: DrafterBounds, Answer: Deny,
		Matches: "a drafter or verifier that reaches for anything but its files on this session's stage",
		Says:    "a drafter or verifier keeps to the files of its prompt",
		Remedy:  "hint: use the exact paths of the prompt",
	},
	RuleKeeper: {
		Name: "keeper-writes", Checkpoint: DrafterBounds, Answer: Deny,
		Matches: "a memory-keeper that does anything but read, with Read, Glob or Grep",
		Says:    "a memory-keeper only reads",
		Remedy:  "hint: answer with the document; a person decides what is kept",
	},
	RuleSkill: {
		Name: "keepsake-skill", Checkpoint: KeepsakeRoad, Answer: Allow,
		Matches: "the Skill tool with one of Keepsake's own skills",
	},
	RuleBinary: {
		Name: "keepsake-command", Checkpoint: KeepsakeRoad, Answer: Allow,
		Matches: "one plain command that is this plugin's own bin/keepsake, by its absolute path, with an " +
			"everyday verb",
	},
	RuleStageFile: {
		Name: "stage-file", Checkpoint: KeepsakeRoad, Answer: Allow,
		Matches: "Read or Write of exactly the named files of this session's stage, no links",
	},
	RuleDrafterStart: {
		Name: "keepsake-drafter", Checkpoint: KeepsakeRoad, Answer: Allow,
		Matches: "the start of a drafter or a verifier with a context and a draft of this session's stage, " +
			"or of a memory-keeper on the notes",
	},
}
