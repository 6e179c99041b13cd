// Package config reads settings. One table, in schema.go, says every key: what
// it takes, its default, what it does. From it come the defaults, the reading
// and its warnings, the editing of a settings file, docs/config.md and the JSON
// Schema in assets/schemas.
//
// Settings come from four places, the later winning key by key: the defaults,
// the person's own file ($XDG_CONFIG_HOME/keepsake/config.json), the project's
// (.claude/memory/memory-config.json), and the environment.
//
//	{
//	  "triage":     {"enabled": true, "thresholds": {"decision": 0.7}},
//	  "capture":    {"on_stop": "save", "max_saves_per_session": 3},
//	  "retrieval":  {"enabled": true, "max_inject": 3},
//	  "categories": {"decision": {"enabled": true, "auto_capture": true, "description": "…"}}
//	}
//
// A value that can't be used warns, names its key and leaves that key alone at
// what it was; a key that would do nothing warns too, with the reason.
//
// The keys of the gate are the person's: a project's file and variables, which
// a project can set, only make them stricter. No key loosens the check before a
// permanent memory write. Which program keeps what was promoted is the person's
// alone.
package config

import (
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

// Config holds all settings, with defaults filled in. The field Doc of each key in schema.go describes
// it.
type Config struct {
	Triage    Triage
	Capture   Capture
	Retrieval Retrieval
	Delete    Delete
	Inbox     Inbox
	Budget    Budget
	Logging   Logging
	Tiers     Tiers
	Handoff   Handoff
	Memdir    Memdir
	Scope     Scope
	Upkeep    Upkeep
	// Gate holds the answer of each checkpoint that has a key: off, ask or deny.
	Gate map[string]string
	// MaxPerCategory is how many active memories a category holds; 0 sets no limit.
	MaxPerCategory int
	Categories     map[memory.Category]Category
}

// Triage holds the settings for what is noticed and who drafts it.
type Triage struct {
	Enabled    bool
	Thresholds map[memory.Category]float64 // 0..1, the least probability
	Moments    bool                        // progress, entities, patterns and corrections are noticed, too
	Learn      bool                        // the person's answers move the judgement
	Parallel   Parallel
}

// Parallel holds the settings for drafters that run side by side, and their models.
type Parallel struct {
	Enabled      bool
	DefaultModel string                     // haiku, sonnet or opus
	Models       map[memory.Category]string // by category, else DefaultModel

	// Verify has a second agent check risky drafts before they are applied.
	Verify            bool
	VerificationModel string // haiku, sonnet or opus
}

// OnStop is how findings are handled at the end of a turn.
type OnStop string

const (
	Save  OnStop = "save"  // the agent is told to save it
	Ride  OnStop = "ride"  // the agent is told at the next prompt, beside its other work
	Heard OnStop = "heard" // it waits in the journal
	Off   OnStop = "off"   // nothing is noticed
)

// Digest is who starts the small model that judges what may be worth keeping.
type Digest string

const (
	DigestAuto Digest = "auto" // the agent, when a session begins
	DigestAsk  Digest = "ask"  // the person, who is told of it
	DigestOff  Digest = "off"  // nobody in a session
)

// Capture holds the settings for how often the agent is asked to save, and how.
type Capture struct {
	OnStop   OnStop
	Level    triage.Eagerness // how much is noticed
	MaxSaves int              // requests per session until a compaction; 0 never asks, however full it is
	Window   int              // tokens in the model's context window; 0 finds it out by the model
	Drafters bool             // drafting agents write down even a little
	Digest   Digest

	FindingDays   int // days that a finding waits before it expires; 0 is for ever
	CandidateDays int // days that a candidate waits before it expires; 0 is for ever
}

// Retrieval holds the settings for the memories that are added to a prompt.
type Retrieval struct {
	Enabled   bool
	MaxInject int // memories per prompt, 0..20
	// 0..1: a memory that is found with less is not brought; 0 leaves it to the search's own floor
	Floor float64
	Point bool // name the client's own memory files that a prompt is about
	Log   bool // keep what became of the last prompts, for `keepsake recall --log`
}

// Delete holds the settings for retired memories.
type Delete struct {
	GraceDays int  // whole days a retired memory stays before gc takes it
	Archive   bool // gc archives it then, instead of deleting the file
}

// Inbox holds the settings for proposals to the person.
type Inbox struct {
	Keeper         bool // the agent is told of notes that no memory-keeper has looked at
	DailyProposals int  // candidates that go on the inbox in one day
}

// Logging holds the settings for the log of Keepsake's events.
type Logging struct {
	Enabled       bool
	Level         string // the lowest level that is logged: debug, info, warning or error
	RetentionDays int    // days a day's events are kept; 0 keeps them until there are too many
}

// Budget limits what memory costs.
type Budget struct {
	TokensPerDay int // 0 sets no limit
}

// Category is one category's own settings.
type Category struct {
	Enabled     bool   // false: neither noticed nor recalled
	AutoCapture bool   // false: not noticed by itself, still saved on request
	Description string // shown to drafters and with recalled memories; at most MaxDescription runes

	RetentionDays int // days after its last change that a memory is retired; 0 keeps it for ever
	MaxRetained   int // session_summary only: how many active ones are kept
}

// Tiers names the back ends that answer what the memories don't.
type Tiers struct {
	Where string // auto, embedded or qmd
	Why   string // auto, embedded or mempalace
	// MemPalaceCommand starts MemPalace's MCP server; "" is mempalace-mcp.
	MemPalaceCommand string
	// Router names who asks WHERE and WHY: builtin, or code-memory-router, a skill.
	Router string
}

// Handoff holds the setting for the file of the note that a session leaves for the next.
type Handoff struct {
	Note string // own or progress
}

// Memdir holds the settings for directories of Markdown memories.
type Memdir struct {
	Profile string // auto, pointer, density or table
	Dir     string // an absolute path or one below ~/; "" is the client's own memory
	Log     bool   // a line for each note and save in the log of the day
	LogOwn  bool   // the person set Log; else there is none in the client's own directory
	// Subagents is auto, on or off: whether subagents are told how to file what lasts.
	Subagents string
}

// Upkeep holds the settings for what is archived without asking.
type Upkeep struct {
	Auto bool // daily logs and finished topics of the Markdown memories, when a session begins
}

// Scope holds the place of memories that concern more than one project.
type Scope struct {
	Root string // a folder's absolute path, one below ~/, or the client's name for one; "" is none
}

// MaxDescription is the longest description of a category, in runes.
const MaxDescription = 500

// TriageOptions are the settings in triage's own terms: categories that are
// disabled or not captured by themselves are off.
func (c Config) TriageOptions() triage.Options {
	o := triage.Options{Thresholds: c.Triage.Thresholds, Off: map[memory.Category]bool{},
		NoMoments: !c.Triage.Moments, Eagerness: c.Capture.Level}
	for cat, s := range c.Categories {
		if !s.Enabled || !s.AutoCapture {
			o.Off[cat] = true
		}
	}
	return o
}
