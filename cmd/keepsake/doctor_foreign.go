package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/paths"
)

// A foreignHook is one hook that is not ours.
type foreignHook struct {
	event, runs string
	where       string // the file that names it
}

// foreignHooks lists the hooks of the client's settings and of the plugins that are
// enabled there, ours left out, and the files that cannot be read.
func foreignHooks(p patient) (all []foreignHook, plugins []string, broken []diagnosis) {
	enabled := map[string]bool{}
	add := func(where string, events map[string]json.RawMessage) {
		for _, event := range sortedKeys(events) {
			var entries []struct {
				Hooks []struct{ Type, Command, Prompt, URL, Server string }
			}
			if err := json.Unmarshal(events[event], &entries); err != nil {
				broken = append(broken, diagnosis{State: noted,
					What:   fmt.Sprintf("%s: the hooks of %s cannot be read: %v", where, event, err),
					Remedy: "mend it: the client can't read them either"})
				continue
			}
			for _, e := range entries {
				for _, h := range e.Hooks {
					all = append(all, foreignHook{event, strings.TrimSpace(strings.Join([]string{h.Command, h.URL, h.Server, h.Prompt}, " ")), where})
				}
			}
		}
	}
	for _, path := range settingsFiles(p) {
		s, err := readClientSettings(path)
		if err != nil {
			continue // told by the check of the client
		}
		add(path, s.Hooks)
		for name, v := range s.EnabledPlugins {
			enabled[name] = string(v) == "true"
		}
	}
	for _, name := range sortedKeys(enabled) {
		if !enabled[name] || strings.HasPrefix(name, pluginName+"@") {
			continue
		}
		plugins = append(plugins, name)
		for _, dir := range pluginFolders(name) {
			path := paths.HooksFile(dir)
			b, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			var file struct{ Hooks map[string]json.RawMessage }
			if err == nil {
				err = json.Unmarshal(b, &file)
			}
			if err != nil {
				broken = append(broken, diagnosis{State: noted, What: fmt.Sprintf("%s: %v", path, err),
					Remedy: "the client can't read it either; update the plugin " + name})
				continue
			}
			add(path, file.Hooks)
		}
	}
	return all, plugins, broken
}

// pluginFolders are where the client may have put a plugin, NAME@MARKET: what it
// notes as installed, else all versions in its cache.
func pluginFolders(name string) (dirs []string) {
	home := filepath.Join(paths.ClientHere(), "plugins")
	var installed struct{ Plugins map[string]json.RawMessage }
	if b, err := os.ReadFile(filepath.Join(home, "installed_plugins.json")); err == nil && json.Unmarshal(b, &installed) == nil {
		type at struct{ InstallPath string }
		var one at
		var many []at
		raw := installed.Plugins[name]
		if json.Unmarshal(raw, &many) != nil && json.Unmarshal(raw, &one) == nil {
			many = []at{one}
		}
		for _, a := range many {
			if filepath.IsAbs(a.InstallPath) && !slices.Contains(dirs, a.InstallPath) {
				dirs = append(dirs, a.InstallPath)
			}
		}
	}
	if plugin, market, ok := strings.Cut(name, "@"); ok && len(dirs) == 0 && filepath.IsLocal(plugin) && filepath.IsLocal(market) {
		dirs, _ = filepath.Glob(filepath.Join(home, "cache", market, plugin, "*"))
	}
	return dirs
}

// checkAnswers looks for hooks that can answer a dialog in the person's place.
func checkAnswers(p patient) []diagnosis {
	all, _, out := foreignHooks(p)
	for _, h := range all {
		if h.event == "PermissionRequest" {
			out = append(out, diagnosis{State: noted,
				What: fmt.Sprintf("%s: a PermissionRequest hook runs %q: where it allows, the gate's "+
					"question is answered without you", h.where, cut(h.runs, reasonRunes)),
				Remedy: "see that it allows no tool of MemPalace, or take it out of " + h.where})
		}
	}
	if len(out) == 0 {
		out = []diagnosis{{What: "no other hook answers for you"}}
	}
	return out
}

// autoSave is the variable by which MemPalace's own hooks are switched.
const autoSave = "MEMPALACE_HOOKS_AUTO_SAVE"

// checkAutoSave looks for MemPalace's own hooks, which store without a tool call, so
// that no gate sees them.
func checkAutoSave(p patient) []diagnosis {
	all, plugins, out := foreignHooks(p)
	var where []string
	for _, h := range all {
		if h.event != "PermissionRequest" && strings.Contains(strings.ToLower(h.runs), "mempal") && !slices.Contains(where, h.where) {
			where = append(where, h.where)
		}
	}
	for _, name := range plugins {
		if strings.Contains(strings.ToLower(name), "mempal") && !slices.ContainsFunc(where, func(w string) bool { return strings.Contains(w, "plugins") }) {
			where = append(where, "the plugin "+name)
		}
	}
	off, config, trouble := autoSaveOff(p)
	if len(where) == 0 {
		out = nil // the check of the answers tells it
	}
	if trouble != nil {
		out = append(out, *trouble)
	}
	if len(where) == 0 {
		return append(out, diagnosis{What: "MemPalace's own hooks are in no settings"})
	}
	if off != "" {
		return append(out, diagnosis{What: fmt.Sprintf("MemPalace's own hooks (%s) are told to store "+
			"nothing by %s", strings.Join(where, ", "), off)})
	}
	return append(out, diagnosis{State: wrong,
		What: fmt.Sprintf("MemPalace's own hooks (%s) store after every few turns without asking: no "+
			"gate sees that", strings.Join(where, ", ")),
		Remedy: fmt.Sprintf(`write {"hooks": {"auto_save": false}} into %s, or switch these hooks off`, config)})
}

// autoSaveOff says what switches MemPalace's own hooks off, "" when nothing does, and
// which of its settings files counts.
func autoSaveOff(p patient) (by, config string, trouble *diagnosis) {
	no := func(v string) bool { return slices.Contains([]string{"false", "0", "no"}, strings.ToLower(v)) }
	set, value := "", ""
	for _, path := range settingsFiles(p) {
		if s, err := readClientSettings(path); err == nil && s.Env[autoSave] != nil {
			set, value = path, strings.Trim(string(s.Env[autoSave]), `"`)
		}
	}
	if v, ok := os.LookupEnv(autoSave); ok && set == "" {
		set, value = "the environment", v
	}
	for _, dir := range paths.Palaces(paths.Homes(paths.ClientHere())) {
		path := paths.PalaceSettings(dir)
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			trouble = &diagnosis{State: noted, What: err.Error(),
				Remedy: "mend it: a palace that it names can't be guarded"}
			continue
		}
		var conf struct {
			Hooks struct {
				AutoSave *bool `json:"auto_save"`
			}
		}
		if config == "" {
			config = path // the first one counts, as for MemPalace
			if err := json.Unmarshal(b, &conf); err != nil {
				trouble = &diagnosis{State: noted, What: fmt.Sprintf("%s: %v", path, err),
					Remedy: "mend it: MemPalace can't read it either"}
			} else if conf.Hooks.AutoSave != nil && !*conf.Hooks.AutoSave {
				by = path
			}
		}
	}
	if config == "" {
		config = "config.json in MemPalace's own folder"
	}
	if set != "" { // the variable goes before the file
		if by = ""; no(value) {
			by = autoSave + " of " + set
		}
	}
	return by, config, trouble
}
