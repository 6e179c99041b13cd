package doctor

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/text"
)

// A foreignHook is one hook that is not ours.
type foreignHook struct {
	event, runs string
	where       string // the file that names it
}

// foreignHooks returns the hooks of the client's settings and of the plugins that are
// enabled there, ours left out. It reports the files that cannot be read.
func foreignHooks(p Patient, r *report) (all []foreignHook, plugins []string) {
	enabled := map[string]bool{}
	add := func(where string, events map[string]json.RawMessage) {
		for _, event := range slices.Sorted(maps.Keys(events)) {
			var entries []struct {
				Hooks []struct{ Type, Command, Prompt, URL, Server string }
			}
			if err := json.Unmarshal(events[event], &entries); err != nil {
				r.note("mend it: the client can't read them either",
					"%s: the hooks of %s cannot be read: %v", where, event, err)
				continue
			}
			for _, e := range entries {
				for _, h := range e.Hooks {
					runs := strings.Join([]string{h.Command, h.URL, h.Server, h.Prompt}, " ")
					all = append(all, foreignHook{event, strings.TrimSpace(runs), where})
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
	for _, name := range slices.Sorted(maps.Keys(enabled)) {
		if !enabled[name] || strings.HasPrefix(name, pluginName+"@") {
			continue
		}
		plugins = append(plugins, name)
		for _, dir := range pluginFolders(name) {
			path := layout.HooksFile(dir)
			b, err := disk.ReadLinked(path, maxFile)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			var file struct{ Hooks map[string]json.RawMessage }
			if err == nil {
				err = json.Unmarshal(b, &file)
			}
			if err != nil {
				r.note("the client can't read it either; update the plugin "+name, "%s: %v", path, err)
				continue
			}
			add(path, file.Hooks)
		}
	}
	return all, plugins
}

// pluginFolders returns where the client may have put a plugin, NAME@MARKET: what it
// notes as installed, else all versions in its cache.
func pluginFolders(name string) (dirs []string) {
	home := filepath.Join(layout.ClientHere(), "plugins")
	var installed struct{ Plugins map[string]json.RawMessage }
	b, err := disk.ReadLinked(filepath.Join(home, "installed_plugins.json"), maxFile)
	if err == nil && json.Unmarshal(b, &installed) == nil {
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
	plugin, market, ok := strings.Cut(name, "@")
	if ok && len(dirs) == 0 && filepath.IsLocal(plugin) && filepath.IsLocal(market) {
		dirs, _ = filepath.Glob(filepath.Join(home, "cache", market, plugin, "*"))
	}
	return dirs
}

// checkAnswers reports hooks that can answer a dialog in the person's place.
func checkAnswers(p Patient, r *report) {
	all, _ := foreignHooks(p, r)
	for _, h := range all {
		if h.event == "PermissionRequest" {
			r.note("see that it allows no tool of MemPalace, or take it out of "+h.where,
				"%s: a PermissionRequest hook runs %q: where it allows, the gate's question is answered "+
					"without you",
				h.where, text.Shorten(h.runs, shownRunes))
		}
	}
}

// autoSave is the variable by which MemPalace's own hooks are switched.
const autoSave = "MEMPALACE_HOOKS_AUTO_SAVE"

// checkAutoSave reports MemPalace's own hooks, which store without a tool call, so that no gate sees
// them.
func checkAutoSave(p Patient, r *report) {
	unread := report{check: r.check}
	all, plugins := foreignHooks(p, &unread)
	ofMemPalace := func(text string) bool { return strings.Contains(strings.ToLower(text), "mempal") }
	var where []string
	for _, h := range all {
		if h.event != "PermissionRequest" && ofMemPalace(h.runs) && !slices.Contains(where, h.where) {
			where = append(where, h.where)
		}
	}
	isPlugin := func(w string) bool { return strings.Contains(w, "plugins") }
	for _, name := range plugins {
		if ofMemPalace(name) && !slices.ContainsFunc(where, isPlugin) {
			where = append(where, "the plugin "+name)
		}
	}
	if len(where) > 0 { // else the check of the answers tells it
		r.found = unread.found
	}
	off, config := autoSaveOff(p, r)
	hooks := strings.Join(where, ", ")
	switch {
	case len(where) == 0:
		r.ok("MemPalace's own hooks are in no settings")
	case off != "":
		r.ok("MemPalace's own hooks (%s) are told to store nothing by %s", hooks, off)
	default:
		r.bad(`write {"hooks": {"auto_save": false}} into `+config+", or switch these hooks off",
			"MemPalace's own hooks (%s) store after every few turns without asking: no gate sees that", hooks)
	}
}

// autoSaveOff returns what switches MemPalace's own hooks off, or "" if nothing does, and the settings
// file of MemPalace that counts.
func autoSaveOff(p Patient, r *report) (by, config string) {
	set, value := "", ""
	for _, path := range settingsFiles(p) {
		if s, err := readClientSettings(path); err == nil && s.Env[autoSave] != nil {
			set, value = path, strings.Trim(string(s.Env[autoSave]), `"`)
		}
	}
	if v, ok := os.LookupEnv(autoSave); ok && set == "" {
		set, value = "the environment", v
	}
	for _, dir := range layout.Palaces(layout.Homes(layout.ClientHere())) {
		path := layout.PalaceSettings(dir)
		b, err := disk.ReadLinked(path, maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			r.note("mend it: a palace that it names can't be guarded", "%v", err)
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
				r.note("mend it: MemPalace can't read it either", "%s: %v", path, err)
			} else if conf.Hooks.AutoSave != nil && !*conf.Hooks.AutoSave {
				by = path
			}
		}
	}
	if config == "" {
		config = "config.json in MemPalace's own folder"
	}
	if set != "" { // the variable goes before the file
		by = ""
		if slices.Contains([]string{"false", "0", "no"}, strings.ToLower(value)) {
			by = autoSave + " of " + set
		}
	}
	return by, config
}
