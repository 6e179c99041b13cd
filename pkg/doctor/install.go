package doctor

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"keepsake/hooks"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// repair returns how to bring the programs and hooks back: from the sources that lie in the plugin's folder,
// by the client that has the plugin, or as they came.
func (p Patient) repair() string {
	c, cached := layout.CachedIn(p.plugin)
	switch {
	case layout.HasSources(p.plugin):
		return "make build in " + p.plugin
	case cached && c.OfCodex():
		return "codex plugin remove " + c.ID() + ", then codex plugin add " + c.ID()
	case cached:
		return "claude plugin uninstall " + c.ID() + ", then claude plugin install " + c.ID() +
			", in a terminal; then start a new session"
	}
	return "bring " + p.plugin + " back as it was released: by git checkout, or from its archive"
}

// repairHooks returns how to bring hooks.json back. From sources, a build alone would take the changed file
// for the one that ships.
func (p Patient) repairHooks() string {
	if layout.HasSources(p.plugin) {
		return "git checkout hooks/hooks.json and make build in " + p.plugin
	}
	return p.repair()
}

func checkPlugin(p Patient, r *report) {
	b, err := disk.Read(layout.Manifest(p.plugin), maxFile)
	var manifest struct{ Name, Version string }
	if err == nil {
		err = json.Unmarshal(b, &manifest)
	}
	switch {
	case err != nil:
		r.bad("run bin/keepsake of the installed plugin", "%s is not in a plugin folder: %v", p.exe, err)
	case manifest.Version != layout.Version() && layout.Version() != "dev":
		r.bad(p.repair(), "this binary is %s, the plugin's manifest says %s", layout.Version(),
			manifest.Version)
	default:
		r.ok("%s %s in %s", manifest.Name, manifest.Version, p.plugin)
	}
	switch plugin, version, err := session.Newer(); {
	case err != nil:
		r.note("claude plugin marketplace update", "whether there is a newer version can't be told: %v", err)
	case version != "":
		r.note("claude plugin update "+plugin, "version %s is there", version)
	}
}

// hookPrograms returns the paths of the programs that answer the client, which the hooks that ship start.
func hookPrograms() (paths []string) {
	shipped, _ := parseHooks(hooks.JSON) // that it can't be read is for checkBinaries to say
	for event := range shipped {
		name, _ := hooks.Call(event)
		paths = append(paths, layout.Hook(name))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// noteLeftovers names what lies beside the programs that answer the client and is started by no hook. A build
// leaves what an older one made, for sessions that were open then.
func noteLeftovers(r *report) {
	dir, started := filepath.Dir(layout.Hook("event")), hookPrograms()
	files, _ := os.ReadDir(dir) // that it can't be read is for checkNetwork to say
	var left []string
	for _, f := range files {
		if !slices.Contains(started, layout.Hook(f.Name())) {
			left = append(left, text.Shorten(f.Name(), shownRunes))
		}
	}
	if len(left) > 0 {
		r.note("delete what is left of an older build, once no session that began with it is open",
			"no hook starts %s in %s", strings.Join(left, ", "), dir)
	}
}

// checkBinaries looks whether hooks.json has the hooks that this binary was built with, for the programs that
// they and this binary start, and whether those were built from the same source as it.
func checkBinaries(p Patient, r *report) {
	events, err := readHooks(p.plugin)
	if err != nil {
		r.bad(p.repair(), "%v", err)
		return
	}
	shipped, err := parseHooks(hooks.JSON)
	if err != nil {
		r.bad(p.repair(), "the hooks of this binary: %v", err)
		return
	}
	compareHooks(p, events, shipped, r)
	programs := hookPrograms()
	for _, name := range []string{"palace", "mempalace", "parsers", "tui"} {
		programs = append(programs, layout.Libexec(name))
	}
	own, known := debug.ReadBuildInfo()
	for _, path := range programs {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			r.bad(p.repair(), "%v", err)
			continue
		case info.Mode()&0o111 == 0:
			r.bad("chmod +x "+path, "%s cannot be executed", path)
			continue
		}
		program, err := disk.ReadLinked(path, maxProgram)
		if err == nil && known {
			err = sameBuild(program, own)
		}
		if err != nil {
			r.bad(p.repair(), "%s: %v", path, err)
		}
	}
	if len(r.found) == 0 {
		r.ok("%s, the counter of palaces, the client of MemPalace, the page of a review and the parsers of "+
			"Markdown and of commands in place, same build", text.Count(len(events), "hook"))
	}
	noteLeftovers(r)
}

// compareHooks reports the events whose hooks are others than those that ship. Those of the gate, its own
// check compares.
func compareHooks(p Patient, events, shipped map[string][]hookEntry, r *report) {
	names := slices.Concat(slices.Collect(maps.Keys(events)), slices.Collect(maps.Keys(shipped)))
	slices.Sort(names)
	for _, event := range slices.Compact(names) {
		is, want := events[event], shipped[event]
		switch {
		case event == "PreToolUse" || reflect.DeepEqual(is, want):
		case len(is) == 0:
			r.bad(p.repairHooks(), "hooks.json lacks the hook of %s", event)
		case len(want) == 0:
			r.bad(p.repairHooks(), "hooks.json has a hook of %s, and none ships", event)
		default:
			r.bad(p.repairHooks(), "hooks.json has another hook of %s than the one that ships", event)
		}
	}
}

func checkSwitch(_ Patient, r *report) {
	if session.Off() {
		r.note("unset KEEPSAKE",
			"KEEPSAKE=off: nothing is noticed or recalled; only the gate before a MemPalace write stays")
	}
}

func checkRuntime(p Patient, r *report) {
	dir, tier, err := p.Dirs.StageBase()
	switch {
	case err != nil:
		r.bad("log in through a session manager, or set XDG_RUNTIME_DIR to a directory of your own with "+
			"mode 0700",
			"%v", err)
	case tier == "cache":
		r.note("a runtime directory (XDG_RUNTIME_DIR, mode 0700) would be emptied at logout",
			"drafts are staged in %s: there is no private runtime directory", dir)
	default:
		r.ok("drafts are staged in %s (%s)", dir, tier)
	}
}

// tryBackend reports which back end try finds for a tier; a nil try reports nothing.
func tryBackend(try func() (string, error), r *report) {
	if try == nil {
		return
	}
	choice, err := try()
	if err == nil {
		r.ok("%s", choice)
		return
	}
	why, remedy, _ := strings.Cut(err.Error(), "; hint: ")
	r.bad(strings.ReplaceAll(remedy, "; hint: ", "; or "), "%s, which can't be used: %s", choice, why)
}
