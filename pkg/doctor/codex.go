package doctor

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"

	"github.com/BurntSushi/toml"
)

// codexSettings is the part of Codex CLI's settings that doctor reads.
type codexSettings struct {
	Features map[string]any `toml:"features"`
	Plugins  map[string]struct {
		Enabled *bool `toml:"enabled"`
	} `toml:"plugins"`
	Hooks struct {
		State map[string]struct {
			Enabled *bool  `toml:"enabled"`
			Trusted string `toml:"trusted_hash"`
		} `toml:"state"`
	} `toml:"hooks"`
}

// codexEvents are the events of the hooks that Codex CLI has to run, as its settings name them.
var codexEvents = []string{"pre_tool_use", "user_prompt_submit", "post_tool_use", "session_start", "stop"}

// checkCodex reports whether Codex CLI, if this person has it, loads this plugin and runs its hooks. It runs
// none that the person has not trusted, and says so only when it starts.
func checkCodex(_ Patient, r *report) {
	path := layout.CodexSettings(layout.CodexOf(os.Getenv))
	b, err := disk.ReadLinked(path, maxFile)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return
	}
	var s codexSettings
	if err == nil {
		err = toml.Unmarshal(b, &s)
	}
	if err != nil {
		r.note("mend it: Codex CLI can't read it either", "%s: %v", path, err)
		return
	}
	plugin, enabled := "", false
	for name, p := range s.Plugins {
		if strings.HasPrefix(name, pluginName+"@") && !enabled {
			plugin, enabled = name, p.Enabled == nil || *p.Enabled
		}
	}
	switch {
	case plugin == "":
		return // whoever has Codex CLI need not want Keepsake there
	case !enabled:
		r.note("codex plugin add "+plugin, "%s is switched off in %s", plugin, path)
		return
	case s.Features["hooks"] == false || s.Features["plugins"] == false:
		r.bad("take features.hooks and features.plugins out of "+path, "%s switches hooks off: nothing is "+
			"noticed or recalled in Codex CLI, and no memory write is stopped", path)
		return
	}
	var idle []string
	for _, event := range codexEvents {
		runs := false
		for name, h := range s.Hooks.State {
			if strings.HasPrefix(name, plugin+":") && strings.Contains(name, ":"+event+":") {
				runs = runs || h.Trusted != "" && (h.Enabled == nil || *h.Enabled)
			}
		}
		if !runs {
			idle = append(idle, event)
		}
	}
	if len(idle) > 0 {
		r.bad("start codex in a terminal and choose to trust the hooks, or type /hooks there",
			"%s is installed in Codex CLI, which does not run its hooks yet (%s): you have not trusted them",
			plugin, strings.Join(idle, ", "))
		return
	}
	r.ok("%s is installed in Codex CLI, and its hooks are trusted", plugin)
}
