package config

import (
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Kind is the type of a key's value.
type Kind uint8

const (
	Bool   Kind = iota + 1
	Whole       // a whole number from Lo to Hi
	Number      // a number from Lo to Hi
	Word        // one of Words, in any case
	Text        // at most Hi characters
)

// A Key is one setting. Its name may hold perCategory, and is then one setting
// for each category.
type Key struct {
	Name   string
	Kind   Kind
	Lo, Hi float64
	Words  []string
	// Foreign is set if a number outside Lo to Hi is no slip of the pen but from another scale. It is
	// then refused, and not replaced by the nearer end.
	Foreign bool
	// Firm is set if Lo has a meaning of its own (at once, for ever, no limit). A number below it is then
	// refused, as nobody means Lo with it.
	Firm bool
	// Tightens is set for a key whose Words go from loose to strict. The project's file and variables,
	// which a project can set too, count only if they are stricter than the person's setting.
	Tightens bool
	// OwnVariable is set for a key that tightens and whose variable counts like the person's file. The
	// reader of the environment ignores such a variable if a project sets it.
	OwnVariable bool
	// Personal is set for a key that decides which program runs, where
	// something is kept for good, or how the person's own files are
	// rewritten: only the person's own file sets it.
	Personal bool

	Default string          // as JSON
	By      []by            // defaults of single categories that differ
	Only    memory.Category // the only category that has the key; "" for all

	Doc string // what it does, in one sentence

	set func(*Config, memory.Category, value)
}

// by is the default of one category.
type by struct {
	Category memory.Category
	Default  string
}

// value is the value of a key, in the field for its kind.
type value struct {
	yes  bool
	num  float64
	text string
}

// perCategory stands for the name of a category in the name of a key.
const perCategory = "<category>"

// Sizes beyond which a number is a slip of the pen.
const (
	maxInject = 20 // the range of max_inject is 0 to 20
	maxSaves  = 100
	maxDays   = 36_500
	maxKept   = 100_000
	maxWindow = 100_000_000 // tokens
)

// schema lists all keys in the order in which they are documented. Names and defaults are those of
// claude-memory, with two exceptions. capture.* is Keepsake's own: it allows three interruptions per
// context window. logging.enabled is on, as problems can't be looked into without a log. The compiler
// lays the table out in the program, so that it costs nothing at start.
var schema = [...]Key{
	{Name: "triage.enabled", Kind: Bool, Default: "true",
		Doc: "Whether sessions are listened to at all.",
		set: func(c *Config, _ memory.Category, v value) { c.Triage.Enabled = v.yes }},
	{Name: "triage.thresholds.<category>", Kind: Number, Hi: 1, Default: "0.6",
		Doc: "How likely a statement must be worth keeping to be noticed as one of this category, from 0 " +
			"to 1; with 1 only what you ask to have remembered is. What is less likely may still wait to " +
			"be judged: see capture.level. For session_summary it is how much work makes one.",
		set: func(c *Config, cat memory.Category, v value) { c.Triage.Thresholds[cat] = v.num }},
	{Name: "triage.moments", Kind: Bool, Default: "true",
		Doc: "Whether progress of the project, people and accounts that are new, lessons and your " +
			"corrections are noticed besides the categories, for the Markdown memories.",
		set: func(c *Config, _ memory.Category, v value) { c.Triage.Moments = v.yes }},
	{Name: "triage.learn", Kind: Bool, Default: "true",
		Doc: "Whether your answers in keepsake review and keepsake inbox move a little what is noticed in " +
			"this project. Keepsake keeps no text for it; keepsake dev triage explain shows what was " +
			"learned, and keepsake dev triage reset forgets it.",
		set: func(c *Config, _ memory.Category, v value) { c.Triage.Learn = v.yes }},
	{Name: "triage.parallel.enabled", Kind: Bool, Default: "true",
		Doc: "Whether the drafters of a save run side by side, or one after the other.",
		set: func(c *Config, _ memory.Category, v value) { c.Triage.Parallel.Enabled = v.yes }},
	{Name: "triage.parallel.default_model", Kind: Word, Words: []string{"haiku", "sonnet", "opus"},
		Default: `"haiku"`,
		Doc:     "The model of drafters whose category names none.",
		set:     func(c *Config, _ memory.Category, v value) { c.Triage.Parallel.DefaultModel = v.text }},
	{Name: "triage.parallel.category_models.<category>", Kind: Word,
		Words: []string{"haiku", "sonnet", "opus"}, Default: `"haiku"`,
		By:  []by{{memory.Decision, `"sonnet"`}, {memory.Constraint, `"sonnet"`}},
		Doc: "The model that drafts this category.",
		set: func(c *Config, cat memory.Category, v value) { c.Triage.Parallel.Models[cat] = v.text }},
	{Name: "triage.parallel.verification_enabled", Kind: Bool, Default: "false",
		Doc: "Whether a second agent checks risky drafts before they are applied.",
		set: func(c *Config, _ memory.Category, v value) { c.Triage.Parallel.Verify = v.yes }},
	{Name: "triage.parallel.verification_model", Kind: Word, Words: []string{"haiku", "sonnet", "opus"},
		Default: `"sonnet"`,
		Doc:     "The model of the agent that checks drafts.",
		set: func(c *Config, _ memory.Category, v value) {
			c.Triage.Parallel.VerificationModel = v.text
		}},

	{Name: "capture.on_stop", Kind: Word, Words: []string{"save", "ride", "heard", "off", "stage"},
		Default: `"save"`,
		Doc: "What happens at the end of a turn with what was noticed: the agent is told to save it at " +
			"once (save), or with its next tool calls (ride), or it only waits for you (heard, which stage " +
			"also means), or nobody looks (off).",
		set: func(c *Config, _ memory.Category, v value) {
			if c.Capture.OnStop = OnStop(v.text); v.text == "stage" {
				c.Capture.OnStop = Heard
			}
		}},
	{Name: "capture.level", Kind: Word, Words: []string{"quiet", "normal", "eager"}, Default: `"normal"`,
		Doc: "How much is noticed: quiet halves the doubt that the thresholds leave and has less wait to " +
			"be judged, eager notices earlier and has more wait.",
		set: func(c *Config, _ memory.Category, v value) { c.Capture.Level = triage.LevelOf(v.text) }},
	{Name: "capture.drafters", Kind: Word, Words: []string{"auto", "always"}, Default: `"auto"`,
		Doc: "Who writes down what was noticed: the agent itself as long as it is little (auto), or " +
			"drafting agents each time (always).",
		set: func(c *Config, _ memory.Category, v value) { c.Capture.Drafters = v.text == "always" }},
	{Name: "capture.digest", Kind: Word, Words: []string{"auto", "ask", "off"}, Default: `"ask"`,
		Tightens: true, OwnVariable: true,
		Doc: "Who starts the small model that looks through earlier sessions for what is worth keeping: " +
			"the agent, in the background, when a session begins (auto); you, who are told once of " +
			"/keepsake:digest (ask); or nobody in a session (off). In a terminal keepsake records digest " +
			"always can.",
		set: func(c *Config, _ memory.Category, v value) { c.Capture.Digest = Digest(v.text) }},
	{Name: "capture.finding_days", Kind: Whole, Hi: maxDays, Default: "60",
		Doc: "How many days something noticed waits to be saved before it is forgotten; 0 is for ever.",
		set: func(c *Config, _ memory.Category, v value) { c.Capture.FindingDays = int(v.num) }},
	{Name: "capture.candidate_days", Kind: Whole, Hi: maxDays, Default: "14",
		Doc: "How many days something that may be worth keeping waits to be judged before it is forgotten; " +
			"0 is for ever.",
		set: func(c *Config, _ memory.Category, v value) { c.Capture.CandidateDays = int(v.num) }},
	{Name: "capture.max_saves_per_session", Kind: Whole, Hi: maxSaves, Default: "3",
		Doc: "How often the agent is told to save until the conversation is compacted; what you ask to " +
			"have remembered does not count, nor what is said when the context window is nearly full. With " +
			"0 it is told only what you ask for, however full the window is.",
		set: func(c *Config, _ memory.Category, v value) { c.Capture.MaxSaves = int(v.num) }},
	{Name: "capture.context_window", Kind: Whole, Firm: true, Hi: maxWindow, Default: "0",
		Doc: "How many tokens the model's context window holds, for what happens when it fills; 0 finds it " +
			"out from the model, and where that can't be told nothing is said of it.",
		set: func(c *Config, _ memory.Category, v value) { c.Capture.Window = int(v.num) }},

	{Name: "retrieval.enabled", Kind: Bool, Default: "true",
		Doc: "Whether prompts bring memories back, and a session starts with where the work stands and how " +
			"the last one ended.",
		set: func(c *Config, _ memory.Category, v value) { c.Retrieval.Enabled = v.yes }},
	{Name: "retrieval.max_inject", Kind: Whole, Hi: maxInject, Default: "3",
		Doc: "How many memories a prompt brings back at most, in 2,000 bytes together; no key changes that " +
			"second limit.",
		set: func(c *Config, _ memory.Category, v value) { c.Retrieval.MaxInject = int(v.num) }},
	{Name: "retrieval.confidence_abs_floor", Kind: Number, Hi: 1, Foreign: true, Default: "0",
		Doc: "The score below which a memory that is found is not brought; the search has a floor of its " +
			"own, which this can raise.",
		set: func(c *Config, _ memory.Category, v value) { c.Retrieval.Floor = v.num }},
	{Name: "retrieval.point", Kind: Bool, Default: "true",
		Doc: "Whether a prompt is pointed to the client's own memory files whose description it matches, " +
			"two at most and each once.",
		set: func(c *Config, _ memory.Category, v value) { c.Retrieval.Point = v.yes }},
	{Name: "retrieval.log", Kind: Bool, Default: "true",
		Doc: "Whether `keepsake recall --log` can say what the last 200 prompts were given and why not " +
			"more: a file of your own keeps the first 80 characters of each, without secrets and " +
			"`<private>` text.",
		set: func(c *Config, _ memory.Category, v value) { c.Retrieval.Log = v.yes }},

	{Name: "categories.<category>.enabled", Kind: Bool, Default: "true",
		Doc: "Whether the category is noticed and recalled.",
		set: func(c *Config, cat memory.Category, v value) {
			c.category(cat, func(s *Category) { s.Enabled = v.yes })
		}},
	{Name: "categories.<category>.auto_capture", Kind: Bool, Default: "true",
		Doc: "Whether it is noticed by itself, or only saved when you ask.",
		set: func(c *Config, cat memory.Category, v value) {
			c.category(cat, func(s *Category) { s.AutoCapture = v.yes })
		}},
	{Name: "categories.<category>.description", Kind: Text, Hi: MaxDescription, Default: `""`,
		Doc: "What the category is for in this project, told to drafters and with recalled memories.",
		set: func(c *Config, cat memory.Category, v value) {
			c.category(cat, func(s *Category) { s.Description = v.text })
		}},
	{Name: "categories.<category>.retention_days", Kind: Whole, Firm: true, Hi: maxDays, Default: "0",
		By:  []by{{memory.SessionSummary, "90"}},
		Doc: "How many days after its last change a memory is retired; 0 keeps it for ever.",
		set: func(c *Config, cat memory.Category, v value) {
			c.category(cat, func(s *Category) { s.RetentionDays = int(v.num) })
		}},
	{Name: "categories.<category>.max_retained", Kind: Whole, Firm: true, Lo: 1, Hi: maxKept, Default: "5",
		Only: memory.SessionSummary,
		Doc:  "How many session summaries stay active; with one more the oldest is retired.",
		set: func(c *Config, cat memory.Category, v value) {
			c.category(cat, func(s *Category) { s.MaxRetained = int(v.num) })
		}},
	{Name: "max_memories_per_category", Kind: Whole, Firm: true, Hi: maxKept, Default: "100",
		Doc: "How many active memories a category holds before the oldest are retired; 0 sets no limit.",
		set: func(c *Config, _ memory.Category, v value) { c.MaxPerCategory = int(v.num) }},

	{Name: "delete.grace_period_days", Kind: Whole, Firm: true, Hi: maxDays, Default: "30",
		Doc: "How many days a retired memory stays before gc takes it.",
		set: func(c *Config, _ memory.Category, v value) { c.Delete.GraceDays = int(v.num) }},
	{Name: "delete.archive_retired", Kind: Bool, Default: "true",
		Doc: "Whether gc then archives it, or deletes the file.",
		set: func(c *Config, _ memory.Category, v value) { c.Delete.Archive = v.yes }},

	{Name: "gate.before_mempalace_write", Kind: Word, Words: []string{"ask", "deny"}, Tightens: true,
		Default: `"ask"`,
		Doc: "Permanent memory writes: put to you in the client's dialog, or denied until you approve them " +
			"by id. No setting turns this off.",
		set: func(c *Config, _ memory.Category, v value) { c.Gate["before_mempalace_write"] = v.text }},
	{Name: "gate.before_memory_write", Kind: Word, Words: []string{"off", "ask", "deny"}, Tightens: true,
		Default: `"ask"`,
		Doc:     "Direct writes into the memory store and into Keepsake's own files.",
		set:     func(c *Config, _ memory.Category, v value) { c.Gate["before_memory_write"] = v.text }},
	{Name: "gate.before_planning_write", Kind: Word, Words: []string{"off", "ask", "deny"}, Tightens: true,
		Default: `"off"`,
		Doc: "Changes of task_plan.md, findings.md and progress.md by any agent; Keepsake's own agents " +
			"never make them.",
		set: func(c *Config, _ memory.Category, v value) { c.Gate["before_planning_write"] = v.text }},
	{Name: "gate.before_auto_memory_write", Kind: Word, Words: []string{"off", "ask", "deny"}, Tightens: true,
		Default: `"off"`,
		Doc:     "Every write into the client's own auto memory.",
		set:     func(c *Config, _ memory.Category, v value) { c.Gate["before_auto_memory_write"] = v.text }},
	{Name: "gate.before_append_only_write", Kind: Word, Words: []string{"off", "ask", "deny"}, Tightens: true,
		Default: `"ask"`,
		Doc:     "Changes of files that exist under events or cases of a memory directory.",
		set:     func(c *Config, _ memory.Category, v value) { c.Gate["before_append_only_write"] = v.text }},
	{Name: "gate.before_topic_write", Kind: Word, Words: []string{"off", "ask", "deny"}, Tightens: true,
		Default: `"ask"`,
		Doc:     "Rewriting a whole topic file of a memory directory, instead of editing it or adding to it.",
		set:     func(c *Config, _ memory.Category, v value) { c.Gate["before_topic_write"] = v.text }},
	{Name: "gate.circuit_breaker", Kind: Word, Words: []string{"off", "ask", "deny"}, Tightens: true,
		Default: `"deny"`,
		Doc:     "More than 3 calls after one prompt that rewrite, remove, move or rename memories.",
		set:     func(c *Config, _ memory.Category, v value) { c.Gate["circuit_breaker"] = v.text }},

	{Name: "inbox.keeper", Kind: Bool, Default: "true",
		Doc: "Whether the agent is told at the end of a turn of notes that no memory-keeper has looked at " +
			"yet.",
		set: func(c *Config, _ memory.Category, v value) { c.Inbox.Keeper = v.yes }},
	{Name: "inbox.daily_proposals", Kind: Whole, Firm: true, Hi: maxSaves, Default: "5",
		Doc: "How many candidates of memory-keepers go on the inbox in one day; 0 takes none. What is over " +
			"it stays in the notes, which are looked at again another day.",
		set: func(c *Config, _ memory.Category, v value) { c.Inbox.DailyProposals = int(v.num) }},

	{Name: "budget.tokens_per_day", Kind: Whole, Firm: true, Hi: maxWindow, Default: "0",
		Doc: "About how many tokens memory may cost a day in a project. Once they are used up, you are " +
			"told once, the agent is told to save only what you ask for, and what is noticed waits in your " +
			"inbox. keepsake stats says what it costs. It is counted from the log, so with " +
			"logging.enabled off, or a logging.level above info, no limit is reached. 0 sets none.",
		set: func(c *Config, _ memory.Category, v value) { c.Budget.TokensPerDay = int(v.num) }},

	{Name: "logging.enabled", Kind: Bool, Default: "true",
		Doc: "Whether events are written to the log, which holds no text of the conversation.",
		set: func(c *Config, _ memory.Category, v value) { c.Logging.Enabled = v.yes }},
	{Name: "logging.level", Kind: Word, Words: []string{"debug", "info", "warning", "error"},
		Default: `"info"`,
		Doc:     "The least level of events that are written.",
		set:     func(c *Config, _ memory.Category, v value) { c.Logging.Level = v.text }},
	{Name: "logging.retention_days", Kind: Whole, Firm: true, Hi: maxDays, Default: "14",
		Doc: "How many days events are kept; 0 keeps them until the log is full.",
		set: func(c *Config, _ memory.Category, v value) { c.Logging.RetentionDays = int(v.num) }},

	{Name: "tiers.where", Kind: Word, Words: []string{"auto", "embedded", "qmd"}, Default: `"auto"`,
		Doc: "What answers where something is: Keepsake's own search of the files that git tracks, QMD, or " +
			"both if QMD is installed and has a collection of the project, else its own.",
		set: func(c *Config, _ memory.Category, v value) { c.Tiers.Where = v.text }},
	{Name: "tiers.why", Kind: Word, Words: []string{"auto", "embedded", "mempalace"}, Personal: true,
		Default: `"auto"`,
		Doc: "What keeps what was promoted: Keepsake's own drawers, MemPalace, or MemPalace if it is " +
			"installed and has a palace, else its own.",
		set: func(c *Config, _ memory.Category, v value) { c.Tiers.Why = v.text }},
	{Name: "tiers.mempalace_command", Kind: Text, Hi: 500, Personal: true, Default: `""`,
		Doc: "What starts MemPalace's MCP server, as words with spaces between them, such as uvx --from " +
			"mempalace mempalace-mcp; without it, mempalace-mcp on your PATH. What only reads runs with " +
			"MEMPALACE_MCP_READ_ONLY=1.",
		set: func(c *Config, _ memory.Category, v value) { c.Tiers.MemPalaceCommand = v.text }},
	{Name: "tiers.router", Kind: Word, Words: []string{"builtin", "code-memory-router"}, Default: `"builtin"`,
		Doc: "Who answers questions that ask where or why: Keepsake, or the skill code-memory-router, " +
			"which has to be installed. With the skill, Keepsake prints the words to call it with.",
		set: func(c *Config, _ memory.Category, v value) { c.Tiers.Router = v.text }},

	{Name: "handoff.note", Kind: Word, Words: []string{"own", "progress"}, Default: `"own"`,
		Doc: "Where the note goes that a session leaves for the next one: Keepsake's own " +
			".agents/memory/handoff.md, or the end of the project's progress.md where there is one.",
		set: func(c *Config, _ memory.Category, v value) { c.Handoff.Note = v.text }},

	{Name: "memdir.profile", Kind: Word, Words: []string{"auto", "pointer", "density", "table"},
		Personal: true, Default: `"auto"`,
		Doc: "How the directory of your MEMORY.md is laid out: by pointer lines, in layers of rising " +
			"density, by a routing table, or as it looks.",
		set: func(c *Config, _ memory.Category, v value) { c.Memdir.Profile = v.text }},
	{Name: "memdir.dir", Kind: Text, Hi: 1000, Personal: true, Default: `""`,
		Doc: "The directory of your Markdown memories, as an absolute path or one that begins with ~/; " +
			"without it, the client's own memory of the project.",
		set: func(c *Config, _ memory.Category, v value) { c.Memdir.Dir = v.text }},
	{Name: "memdir.log", Kind: Bool, Default: "true",
		Doc: "Whether each note and each save adds a line to the log of the day, YYYY-MM-DD.md, in the " +
			"directory of your Markdown memories. In the client's own directory only if you set it " +
			"yourself: the client adds a pointer for each such file to what every session loads.",
		set: func(c *Config, _ memory.Category, v value) { c.Memdir.Log = v.yes }},
	{Name: "memdir.subagents", Kind: Word, Words: []string{"auto", "on", "off"}, Default: `"auto"`,
		Doc: "Whether subagents are told in three lines how to file what later sessions need: where the " +
			"directory has layers or a routing table, wherever there is one, or never.",
		set: func(c *Config, _ memory.Category, v value) { c.Memdir.Subagents = v.text }},
	{Name: "scope.root", Kind: Text, Hi: 1000, Personal: true, Default: `""`,
		Doc: "The folder whose Markdown memories keep what concerns more than one project: its path, or " +
			"the client's name for it below ~/.claude/projects.",
		set: func(c *Config, _ memory.Category, v value) { c.Scope.Root = v.text }},
	{Name: "upkeep.auto", Kind: Bool, Personal: true, Default: "false",
		Doc: "Whether a session that begins archives, at most once a day, what keepsake md upkeep finds: " +
			"daily logs of your Markdown memories that are more than a week old, and topics that are done.",
		set: func(c *Config, _ memory.Category, v value) { c.Upkeep.Auto = v.yes }},
}

func (c *Config) category(cat memory.Category, change func(*Category)) {
	s := c.Categories[cat]
	change(&s)
	c.Categories[cat] = s
}

// A refusal is a key of claude-memory that would have no effect here. The keys below it are refused too.
type refusal struct {
	name, reason string
	// unless reports whether a value asks for what Keepsake does anyway. Such a value is accepted
	// silently, so that a settings file of claude-memory can stay as it is. It may be nil.
	unless func(memory.Category, gjson.Result) bool
	fits   string // that value, for the documentation
	// says is claude-memory's own message for any other value; "" for the reason.
	says string
}

var refusals = [...]refusal{
	{name: "triage.max_messages",
		reason: "the transcript is read from where the last look ended, not by a number of messages"},
	{name: "categories.<category>.folder",
		reason: "the folders of the categories are fixed",
		unless: func(c memory.Category, v gjson.Result) bool { return v.Str == c.Folder() },
		fits:   `"<folder>"`},
	{name: "retrieval.match_strategy",
		reason: "there is one search, by full text",
		unless: func(_ memory.Category, v gjson.Result) bool { return v.Str == "fts5_bm25" },
		fits:   `"fts5_bm25"`},
	{name: "retrieval.output_mode",
		reason: "memories are shown in one way: their decisive fields, as far as the room goes"},
	{name: "retrieval.cluster_detection_enabled",
		reason: "how sure a memory is does not depend on how many others are found",
		unless: isFalse, fits: "false"},
	{name: "retrieval.judge",
		reason: "a judge would need a network and a key in a hook that every prompt waits for",
		unless: func(_ memory.Category, v gjson.Result) bool { return v.Get("enabled").Type == gjson.False },
		fits:   `{"enabled": false}`},
	{name: "memory_root",
		reason: "memories live in .claude/memory of the project",
		unless: func(_ memory.Category, v gjson.Result) bool { return v.Str == ".claude/memory" },
		fits:   `".claude/memory"`},
	{name: "auto_commit",
		reason: "keepsake changes nothing in your git; commit .claude/memory when you like",
		unless: isFalse, fits: "false"},
	{name: "architecture.simplified_flow",
		reason: "there is one flow, the simplified one",
		says: "Cannot fall back to v5 flow: SKILL.md.v5 is missing. Set architecture.simplified_flow to " +
			"true in memory-config.json or restore SKILL.md.v5.",
		// null is no wish for the old flow, which would end all saving.
		unless: func(_ memory.Category, v gjson.Result) bool {
			return v.Type == gjson.True || v.Type == gjson.Null
		}, fits: "true"},
}

func isFalse(_ memory.Category, v gjson.Result) bool { return v.Type == gjson.False }

func (r *refusal) fine(cat memory.Category, v gjson.Result) bool {
	return r.unless != nil && r.unless(cat, v)
}

// warning returns the message about a value in a file.
func (r *refusal) warning() string {
	if r.says != "" {
		return r.says
	}
	return "ignored: " + r.reason
}

// err returns the error for the key's name, or for a value to set.
func (r *refusal) err(name string) error {
	return refused{name + ": " + ErrRefused.Error() + ": " + r.reason}
}

// Want returns in words which values the key takes.
func (k Key) Want() string {
	switch k.Kind {
	case Bool:
		return "true or false"
	case Whole:
		return "a whole number from " + plain(k.Lo) + " to " + plain(k.Hi)
	case Number:
		return "a number from " + plain(k.Lo) + " to " + plain(k.Hi)
	case Word:
		return text.AnyOf(k.Words)
	}
	return "text of at most " + plain(k.Hi) + " characters"
}

// DefaultFor returns the key's default for a category, as JSON.
func (k Key) DefaultFor(cat memory.Category) string {
	for _, b := range k.By {
		if b.Category == cat {
			return b.Default
		}
	}
	return k.Default
}

// Categories returns the categories that have the key, or only "" for a key that does not depend on the
// category.
func (k Key) Categories() []memory.Category {
	switch {
	case !strings.Contains(k.Name, perCategory):
		return []memory.Category{""}
	case k.Only != "":
		return []memory.Category{k.Only}
	}
	return memory.Categories()
}

// For returns the key's name for a category.
func (k Key) For(cat memory.Category) string {
	return strings.Replace(k.Name, perCategory, string(cat), 1)
}

// Env is the variable that overrides the key, "" for keys of a category and
// those that only the person's file sets.
func (k Key) Env() string {
	if k.Personal || strings.Contains(k.Name, perCategory) {
		return ""
	}
	return "KEEPSAKE_" + strings.ToUpper(strings.ReplaceAll(k.Name, ".", "_"))
}
