package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// clientSettings is the part of a settings file of the client that doctor reads.
type clientSettings struct {
	EnabledPlugins  map[string]json.RawMessage `json:"enabledPlugins"`
	DisableAllHooks *bool                      `json:"disableAllHooks"`
	Hooks           map[string]json.RawMessage `json:"hooks"`
	Env             map[string]json.RawMessage `json:"env"`
}

// settingsFiles returns the client's settings files that count here, the strongest last:
// the person's, the project's, the person's for this project.
func settingsFiles(p Patient) []string {
	return append(layout.ClientSettings(layout.ClientHere())[:1],
		layout.ClientSettings(layout.ClientIn(p.Root))...)
}

// pluginName is the plugin's name in its manifest, and its marketplace's.
const pluginName = "keepsake"

// checkClient reports whether the client's settings make it load this plugin and run hooks. As in the
// client, the project's settings go before the person's.
func checkClient(p Patient, r *report) {
	home := layout.ClientHere()
	var plugin, where, off string
	enabled := false
	for _, path := range settingsFiles(p) {
		s, err := readClientSettings(path)
		if err != nil {
			r.note("mend it: the client can't read it either", "%v", err)
			continue
		}
		for name, v := range s.EnabledPlugins {
			if strings.HasPrefix(name, pluginName+"@") && (string(v) == "true" || !enabled || where != path) {
				plugin, where, enabled = name, path, string(v) == "true"
			}
		}
		if s.DisableAllHooks != nil {
			off = ""
			if *s.DisableAllHooks {
				off = path
			}
		}
	}
	if off != "" {
		r.bad("remove disableAllHooks from "+off,
			"%s: disableAllHooks is true: nothing is noticed or recalled, "+
				"and no memory write is asked about", off)
	}
	const other = "fine when claude is started with --plugin-dir"
	skills := filepath.Join(home, "skills") + string(filepath.Separator)
	switch {
	case enabled:
		r.ok("%s is enabled in %s", plugin, where)
	case plugin != "":
		r.note("claude plugin enable "+plugin, "%s is switched off in %s; %s", plugin, where, other)
	case strings.HasPrefix(p.plugin+string(filepath.Separator), skills):
		r.ok("loaded from %s", skills)
	default:
		r.note(fmt.Sprintf("claude plugin marketplace add %s, then claude plugin install %s@%[2]s",
			p.plugin, pluginName), "not enabled in %s; %s", layout.ClientSettings(home)[0], other)
	}
}

// readClientSettings reads a settings file of the client, which may be a link into somebody's dotfiles. A
// file that is absent or not regular has no settings.
func readClientSettings(path string) (s clientSettings, err error) {
	b, err := disk.ReadLinked(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrNotRegular) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
