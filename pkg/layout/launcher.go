package layout

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/text"
)

// A Cached is a plugin in a client's cache, which has a folder for each version. Both clients have the
// same names there.
type Cached struct{ plugins, market, name string }

// CachedIn returns which plugin of a cache lies in a folder. ok is false where the client runs it in place.
func CachedIn(plugin string) (c Cached, ok bool) {
	versions := filepath.Dir(plugin)
	market := filepath.Dir(versions)
	cache := filepath.Dir(market)
	c = Cached{filepath.Dir(cache), filepath.Base(market), filepath.Base(versions)}
	return c, filepath.Base(cache) == "cache" && filepath.Base(c.plugins) == "plugins"
}

// Name returns the name of the plugin.
func (c Cached) Name() string { return c.name }

// ID returns the name by which the client's commands know the plugin.
func (c Cached) ID() string { return c.name + "@" + c.market }

// OfCodex reports whether the cache is that of Codex CLI.
func (c Cached) OfCodex() bool {
	codex := filepath.Dir(c.plugins)
	return codex == CodexIn(filepath.Dir(codex)) || codex == Resolved(CodexOf(os.Getenv))
}

// Offers returns the path of the list of what the marketplace offers, as the client fetched it last. Claude
// Code has one of a marketplace that it fetches.
func (c Cached) Offers() string {
	return at(c.plugins, "marketplaces", c.market, ".claude-plugin", "marketplace.json")
}

// launcherScript starts the newest of some programs.
//
//go:embed launcher.sh
var launcherScript string

// Launcher returns the path of the script by which a person starts the command line, if they want one.
func Launcher() string { return at(os.Getenv("HOME"), ".local", "bin", "keepsake") }

// LauncherFor returns the text of a launcher for the plugin in a folder. It goes on working when the client
// updates the plugin.
func LauncherFor(plugin string) string {
	return strings.NewReplacer("@PROGRAMS@", programsOf(plugin),
		"@FOLDER@", text.ShellQuoted(folderOf(plugin))).Replace(launcherScript)
}

// folderOf returns the folder in which a plugin is looked for: in a client's cache that of all versions.
func folderOf(plugin string) string {
	if _, cached := CachedIn(plugin); cached {
		return filepath.Dir(plugin)
	}
	return plugin
}

// programsOf returns the shell's pattern of the programs that a launcher chooses between.
func programsOf(plugin string) string {
	if _, cached := CachedIn(plugin); cached {
		return text.ShellQuoted(filepath.Dir(plugin)) + "/*/bin/keepsake"
	}
	return text.ShellQuoted(plugin + "/bin/keepsake")
}

// launcherLines are the first lines of all launchers.
var launcherLines, _, _ = strings.Cut(launcherScript, "newest=")

// IsLauncher reports whether a file's text is that of a launcher, for whatever plugin.
func IsLauncher(script []byte) bool { return strings.HasPrefix(string(script), launcherLines) }

// maxLauncher bounds what is read of a launcher, in bytes.
const maxLauncher = 16 << 10

// StartsThis reports whether a path starts the command line of this installation: it is one, a link to it or
// a launcher.
func StartsThis(path string) bool {
	real := Resolved(path)
	if real == Resolved(CommandPath()) || real == Resolved(Program()) {
		return true
	}
	script, err := disk.ReadLinked(path, maxLauncher)
	return err == nil && IsLauncher(script) && strings.Contains(string(script), programsOf(Plugin()))
}

// FirstOnPath returns the path of the first program of a name that PATH leads to, or "". It looks nowhere in
// the folders of a project that are named, since what lies there may have come with it.
func FirstOnPath(name string, project ...string) string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && filepath.IsAbs(path) &&
			!Inside(dir, project...) && !Inside(path, project...) {
			return path
		}
	}
	return ""
}

// OnPath returns the path by which PATH leads to this installation, or "".
func OnPath() string {
	if path := FirstOnPath("keepsake"); path != "" && StartsThis(path) {
		return path
	}
	return ""
}

// Command returns what a person types in a terminal to start the command line: its name where that is enough,
// else its path.
func Command() string {
	if OnPath() != "" {
		return "keepsake"
	}
	return CommandPath()
}
