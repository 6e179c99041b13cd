package gate

// Checkpoints, as seed 0 names them. The roads and the drafter's bounds are
// Keepsake's own.
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

// settable says that a person's settings decide what a checkpoint answers.
func settable(checkpoint string) bool {
	switch checkpoint {
	case MemPalaceWrite, MemoryWrite, PlanningWrite, AutoMemoryWrite, AppendOnlyWrite, TopicWrite, CircuitBreaker:
		return true
	}
	return false
}

// A rule is one row of the table: at which checkpoint, what it matches, what it
// answers and what it says. The answer of a row that asks becomes deny where
// nobody can be asked; that of a checkpoint with a setting is the default.
type rule struct {
	name       string
	checkpoint string
	matches    string // for people who read the table
	answer     Decision
	fixed      bool   // no setting changes the answer
	says       string // first line of the reason, before the subject
	because    string // last line when a person is asked
	remedy     string // last lines when the call is denied
}

type ruleID uint8

const (
	rulePalaceTool ruleID = iota
	rulePalaceGateway
	rulePalaceCommand
	rulePalaceFile
	ruleUndecided
	ruleStoreFile
	ruleStoreCommand
	ruleOwnFile
	ruleApproval
	ruleLocked
	ruleSettings
	ruleLater
	rulePromote
	ruleRouter
	rulePlanningOwn
	rulePlanning
	ruleAutoMemory
	ruleAppendOnly
	ruleTopic
	ruleBreaker
	ruleDrafter
	ruleKeeper
	ruleSkill
	ruleBinary
	ruleStageFile
	ruleDrafterStart
)

const (
	palaceBecause = "A MemPalace keeps this for good. Answer No and nothing is stored or changed."
	palaceRemedy  = "Nothing was stored: only a person can approve this, and no dialog is shown here.\n" +
		"hint: tell the person what you wanted to keep; in a terminal session they can approve it"
	storeBecause = "keepsake itself writes the records, so that each is checked and none is lost."
	storeRemedy  = "Nothing was written: keepsake itself writes the records, so that each is checked.\n" +
		"hint: use the skill keepsake:save"
)

// RulePromote is the name of the rule for Keepsake's own promotions.
const RulePromote = "keepsake-promote"

// rules is the table. A row is added here and found by one of the readers:
// mcp.go for MCP calls, files.go for the file tools, shell.go for commands,
// roads.go for what is allowed.
var rules = [...]rule{
	rulePalaceTool: {
		name: "mempalace-tool", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "a tool of a MemPalace server, under any server name, that is not on the list of reads",
		says:    "permanent memory write", because: palaceBecause, remedy: palaceRemedy,
	},
	rulePalaceGateway: {
		name: "mempalace-gateway", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "another MCP tool that carries the name of a MemPalace write in its arguments",
		says:    "permanent memory write through another tool", because: palaceBecause, remedy: palaceRemedy,
	},
	rulePalaceCommand: {
		name: "mempalace-command", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "a shell command that runs MemPalace for anything but a read, or starts its server",
		says:    "permanent memory write", because: palaceBecause, remedy: palaceRemedy,
	},
	rulePalaceFile: {
		name: "mempalace-file", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "a change to a file of a palace, by a command or an SQL shell; by a file tool it is denied, since the client's dialog would not say what it is",
		says:    "permanent memory write into the files of a palace", because: "A palace, MemPalace's or Keepsake's own, keeps this for good. Answer No and nothing changes.", remedy: palaceRemedy,
	},
	ruleUndecided: {
		name: "mempalace-undecided", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "a call that names a palace and whose effect cannot be known before it runs",
		says:    "permanent memory write, perhaps", because: "This names a MemPalace, and what it does cannot be told before it runs.",
		remedy: "Nothing was run: it names a MemPalace, and what it does cannot be told before it runs.\n" +
			"hint: write the command out plainly, or tell the person what you wanted to keep",
	},
	ruleStoreFile: {
		name: "memory-file", checkpoint: MemoryWrite, answer: Ask,
		matches: "Write, Edit or NotebookEdit inside a .claude/memory folder, memory-config.json excepted",
		says:    "direct write into the memory store", because: storeBecause, remedy: storeRemedy,
	},
	ruleStoreCommand: {
		name: "memory-command", checkpoint: MemoryWrite, answer: Ask,
		matches: "a shell command that changes files inside a .claude/memory folder",
		says:    "direct write into the memory store", because: storeBecause, remedy: storeRemedy,
	},
	ruleOwnFile: {
		name: "keepsake-file", checkpoint: MemoryWrite, answer: Ask,
		matches: "a change to Keepsake's own files: stage, session state, ledger, settings, approvals",
		says:    "write into Keepsake's own files", because: "They hold work in flight and what a person approved; keepsake itself looks after them.",
		remedy: "Nothing was written. Keepsake itself looks after its own files.\n" +
			"hint: use the keepsake command, or ask the person to change the file",
	},
	ruleApproval: {
		name: "approval-by-agent", checkpoint: MemPalaceWrite, answer: Deny,
		matches: "a command, a scheduled prompt or a message that would approve or reject in the person's place, or change the lock in the client's settings",
		says:    "only the person approves", remedy: "Nothing was approved.\nhint: tell the person what waits, and let them answer it",
	},
	ruleLocked: {
		name: "gate-file", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "a change to the approvals, or to the gate's own programs and hooks",
		says:    "write into what the gate itself rests on", because: "Approvals and the gate's programs decide what may be kept for good.",
		remedy: "Nothing was written: approvals are a person's, and so are the gate's own programs.\n" +
			"hint: tell the person what should change; they can do it themselves",
	},
	ruleSettings: {
		name: "gate-settings", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "a change of the client's settings, hooks or servers that switches the gate off, answers for the person, or starts a MemPalace",
		says:    "change of the client's settings", because: "With it, permanent memory could be written without anybody being asked.",
		remedy: "Nothing was changed: with it, permanent memory could be written without anybody being asked.\n" +
			"hint: tell the person which line you would change; they can do it themselves",
	},
	ruleLater: {
		name: "mempalace-later", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "a git hook, Makefile, package script, start-up file, scheduled job, service, agent or skill that gets a command which writes a MemPalace",
		says:    "permanent memory writes later, without asking", because: "What is put there runs by itself, and nobody is asked then.",
		remedy: "Nothing was written: what is put there runs by itself, and nobody is asked then.\n" +
			"hint: tell the person which command you would put where; they can do it themselves",
	},
	rulePromote: {
		name: RulePromote, checkpoint: MemPalaceWrite, answer: Ask,
		matches: "keepsake promote, or keepsake save --tier why, by any path of the program; inside another command, or with an approval of its own, it is denied",
		says:    "permanent memory write", because: "This is kept for good, byte for byte as shown. Answer No and nothing is stored.", remedy: palaceRemedy,
	},
	ruleRouter: {
		name: "router-skill", checkpoint: MemPalaceWrite, answer: Ask,
		matches: "a skill that leads to a MemPalace (memory-router, code-memory-router, mempalace), called to save",
		says:    "permanent memory write through a skill", because: palaceBecause, remedy: palaceRemedy,
	},
	rulePlanningOwn: {
		name: "planning-file-own", checkpoint: PlanningWrite, answer: Deny, fixed: true,
		matches: "one of Keepsake's own agents that changes task_plan.md, findings.md or progress.md",
		says:    "planning files belong to the person's planning", remedy: "hint: leave them as they are; memory is a separate file space",
	},
	rulePlanning: {
		name: "planning-file", checkpoint: PlanningWrite, answer: Pass,
		matches: "any agent that changes task_plan.md, findings.md or progress.md",
		says:    "write into a planning file", because: "The settings say to ask before planning files change (gate.before_planning_write).",
		remedy: "Nothing was written: the settings keep agents from planning files (gate.before_planning_write).\n" +
			"hint: tell the person what should change there",
	},
	ruleAutoMemory: {
		name: "auto-memory", checkpoint: AutoMemoryWrite, answer: Pass,
		matches: "a change in the client's own auto memory directory",
		says:    "write into the client's auto memory", because: "The settings say to ask before auto memory changes (gate.before_auto_memory_write).",
		remedy: "Nothing was written: the settings keep agents from auto memory (gate.before_auto_memory_write).\n" +
			"hint: tell the person what you wanted to keep",
	},
	ruleAppendOnly: {
		name: "append-only", checkpoint: AppendOnlyWrite, answer: Ask,
		matches: "a change of a file that exists under events or cases of a memory directory",
		says:    "change of a memory that is only ever added", because: "Events and cases are written once: what is new goes into a new file.",
		remedy: "Nothing was changed: events and cases are written once.\n" +
			"hint: write what is new into a new file beside it, and say there what it corrects",
	},
	ruleTopic: {
		name: "topic-rewrite", checkpoint: TopicWrite, answer: Ask,
		matches: "a topic file of a memory directory that is written anew as a whole",
		says:    "rewrite of a whole memory file", because: "What is in it now would be gone; an entry is added at the end or edited in place.",
		remedy: "Nothing was written: a rewrite loses what is in the file now.\n" +
			"hint: edit the entry in place with Edit, or append to the file",
	},
	ruleBreaker: {
		name: "circuit-breaker", checkpoint: CircuitBreaker, answer: Deny,
		matches: "the fourth call after one prompt that rewrites, removes, moves or renames memories",
		says:    "more than 3 reorganisations of memories after one prompt",
		because: "It may be a loop. Answer No to stop it; with your next prompt the count starts anew.",
		remedy: "Nothing was changed: it may be a loop.\n" +
			"hint: say what you have done and what is left; with the person's next prompt the count starts anew",
	},
	ruleDrafter: {
		name: "drafter-elsewhere", checkpoint: DrafterBounds, answer: Deny,
		matches: "a drafter or verifier that reaches for anything but its files on this session's stage",
		says:    "a drafter or verifier keeps to the files of its prompt",
		remedy:  "hint: use the exact paths of the prompt",
	},
	ruleKeeper: {
		name: "keeper-writes", checkpoint: DrafterBounds, answer: Deny,
		matches: "a memory-keeper that does anything but read, with Read, Glob or Grep",
		says:    "a memory-keeper only reads",
		remedy:  "hint: answer with the document; a person decides what is kept",
	},
	ruleSkill: {
		name: "keepsake-skill", checkpoint: KeepsakeRoad, answer: Allow,
		matches: "the Skill tool with one of Keepsake's own skills",
	},
	ruleBinary: {
		name: "keepsake-command", checkpoint: KeepsakeRoad, answer: Allow,
		matches: "one plain command that is this plugin's own bin/keepsake, by its absolute path, with an everyday verb",
	},
	ruleStageFile: {
		name: "stage-file", checkpoint: KeepsakeRoad, answer: Allow,
		matches: "Read or Write of exactly the named files of this session's stage, no links",
	},
	ruleDrafterStart: {
		name: "keepsake-drafter", checkpoint: KeepsakeRoad, answer: Allow,
		matches: "the start of a drafter or a verifier with a context and a draft of this session's stage, or of a memory-keeper on the notes",
	},
}
