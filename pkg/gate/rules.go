package gate

// Checkpoints, as seed 0 names them. The roads and the drafter's bounds are
// Keepsake's own.
const (
	MemPalaceWrite = "before_mempalace_write"
	MemoryWrite    = "before_memory_write"
	KeepsakeRoad   = "keepsake_road"
	DrafterBounds  = "drafter_bounds"
)

// A rule is one row of the table: at which checkpoint, what it matches, what it
// answers and what it says. The answer of a row that asks becomes deny where
// nobody can be asked.
type rule struct {
	name       string
	checkpoint string
	matches    string // for people who read the table
	answer     Decision
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
	ruleDrafter
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
		matches: "a change to a file of a palace, by a file tool, a command or an SQL shell",
		says:    "permanent memory write into the files of a palace", because: palaceBecause, remedy: palaceRemedy,
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
		matches: "a shell command that would approve, reject or promote in the person's place, or change the lock in the client's settings",
		says:    "only the person approves", remedy: "Nothing was approved.\nhint: tell the person what waits, and let them answer it",
	},
	ruleDrafter: {
		name: "drafter-elsewhere", checkpoint: DrafterBounds, answer: Deny,
		matches: "a drafter or verifier that reaches for anything but its files on this session's stage",
		says:    "a drafter or verifier keeps to the files of its prompt",
		remedy:  "hint: use the exact paths of the prompt",
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
		matches: "the start of a drafter or a verifier with a context and a draft of this session's stage",
	},
}
