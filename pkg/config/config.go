// Package config reads settings. There is one schema, used by the person's own
// file ($XDG_CONFIG_HOME/keepsake/config.json) and the project's
// (.claude/memory/memory-config.json); the project's value wins key by key.
//
//	{
//	  "triage":     {"enabled": true, "thresholds": {"decision": 0.4}, "parallel": {"enabled": true, "default_model": "haiku"}},
//	  "capture":    {"on_stop": "save", "max_saves_per_session": 3},
//	  "retrieval":  {"enabled": true, "max_inject": 3},
//	  "categories": {"decision": {"enabled": true, "auto_capture": true, "description": "…"}}
//	}
//
// A value that can't be used warns, names its key and leaves that key alone at
// what it was; a key that would do nothing warns too. Nothing here can loosen
// the gate: its rules read no settings.
package config

import (
	"keepsake/pkg/memory"
	"keepsake/pkg/triage"
)

// Config is every setting, with defaults filled in.
type Config struct {
	Triage    Triage
	Capture   Capture
	Retrieval Retrieval
	Delete    Delete
	// MaxPerCategory is how many active memories a category holds; 0 sets no limit.
	MaxPerCategory int
	Categories     map[memory.Category]Category
}

// Triage says what is noticed and who drafts it.
type Triage struct {
	Enabled    bool
	Thresholds map[memory.Category]float64 // 0..1, a category triggers at its threshold
	Parallel   Parallel
}

// Parallel says whether drafters run side by side and with which models.
type Parallel struct {
	Enabled      bool
	DefaultModel string                     // haiku, sonnet or opus
	Models       map[memory.Category]string // by category, else DefaultModel

	// Verify has a second agent check risky drafts before they are applied.
	Verify            bool
	VerificationModel string // haiku, sonnet or opus
}

// OnStop is what happens with signals at the end of a turn.
type OnStop string

const (
	Save  OnStop = "save"  // stage them and tell the agent
	Stage OnStop = "stage" // stage them and say nothing
	Off   OnStop = "off"   // don't look
)

// Capture says how much the agent is asked to save.
type Capture struct {
	OnStop   OnStop
	MaxSaves int // feedbacks per session until compaction; 0 never asks
}

// Retrieval says what a prompt brings back.
type Retrieval struct {
	Enabled   bool
	MaxInject int // memories per prompt, 0..20
}

// Delete says what becomes of retired memories.
type Delete struct {
	GraceDays int  // whole days a retired memory stays before gc takes it
	Archive   bool // gc archives it then, instead of deleting the file
}

// Category is one category's own settings.
type Category struct {
	Enabled     bool   // false: neither noticed nor recalled
	AutoCapture bool   // false: not noticed by itself, still saved on request
	Description string // shown to drafters and with recalled memories; at most MaxDescription runes

	RetentionDays int // days after its last change that a memory is retired; 0 keeps it for ever
	MaxRetained   int // session_summary only: how many active ones are kept
}

// MaxDescription is seed 3's limit for a category description, in runes.
const MaxDescription = 500

// Default returns the settings of an empty file. Numbers are seed 3's, but for
// MaxSaves, which is ours: three interruptions per context window.
func Default() Config {
	c := Config{
		Triage: Triage{
			Enabled:    true,
			Thresholds: triage.Defaults(),
			Parallel: Parallel{Enabled: true, DefaultModel: "haiku", Models: map[memory.Category]string{
				memory.SessionSummary: "haiku", memory.Decision: "sonnet", memory.Runbook: "haiku",
				memory.Constraint: "sonnet", memory.TechDebt: "haiku", memory.Preference: "haiku",
			}},
		},
		Capture:        Capture{OnStop: Save, MaxSaves: 3},
		Retrieval:      Retrieval{Enabled: true, MaxInject: 3},
		Delete:         Delete{GraceDays: 30, Archive: true},
		MaxPerCategory: 100,
		Categories:     map[memory.Category]Category{},
	}
	c.Triage.Parallel.VerificationModel = "sonnet"
	for _, cat := range memory.Categories() {
		c.Categories[cat] = Category{Enabled: true, AutoCapture: true}
	}
	sessions := c.Categories[memory.SessionSummary]
	sessions.RetentionDays, sessions.MaxRetained = 90, 5
	c.Categories[memory.SessionSummary] = sessions
	return c
}

// TriageOptions are the settings in triage's own terms: categories that are
// disabled or not captured by themselves are off.
func (c Config) TriageOptions() triage.Options {
	o := triage.Options{Thresholds: c.Triage.Thresholds, Off: map[memory.Category]bool{}}
	for cat, s := range c.Categories {
		if !s.Enabled || !s.AutoCapture {
			o.Off[cat] = true
		}
	}
	return o
}
