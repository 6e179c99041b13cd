package layout

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/disk"
)

// Homes returns the person's home directories as a hook may know them: HOME, which a project's
// settings can move, and the folder in which the client's own configuration directory lies.
func Homes(client string) []string {
	homes := []string{os.Getenv("HOME")}
	if home := homeOfClient(client); home != "" && home != homes[0] {
		homes = append(homes, home)
	}
	return slices.DeleteFunc(homes, func(h string) bool { return !filepath.IsAbs(h) })
}

// Drawers returns the folders in which Keepsake itself keeps what was promoted: the usual one below
// each home, and the one where the variables put it now.
func Drawers(homes []string) []string { return kept(homes, ".local/share", Load().Data, "drawers") }

// States returns the folders in which Keepsake keeps state, and with it what it wrote down of each
// promotion, in the same way as Drawers.
func States(homes []string) []string { return kept(homes, ".local/state", Load().State, "") }

func kept(homes []string, usual, now, name string) []string {
	var all []string
	if now != "" {
		all = append(all, at(now, name))
	}
	for _, h := range homes {
		for _, below := range []string{usual, "Library/Application Support"} {
			all = append(all, filepath.Join(h, below, "keepsake", name))
		}
	}
	return all
}

// Palaces returns the directories in which MemPalace keeps its settings or its data, by its own
// rules, whether they exist or not: the fixed ones, those of its variables, and those that its
// settings name.
func Palaces(homes []string) []string {
	var settings []string
	for _, h := range homes {
		settings = append(settings, filepath.Join(h, ".mempalace"), filepath.Join(h, ".config", "mempalace"))
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		settings = append(settings, filepath.Join(dir, "mempalace"))
	}
	settings = append(settings, expandHomes(os.Getenv("MEMPALACE_CONFIG_DIR"), homes)...)
	all := slices.Clone(settings)
	for _, name := range []string{"MEMPALACE_PALACE_PATH", "MEMPALACE_PALACE", "MEMPAL_PALACE_PATH"} {
		all = append(all, expandHomes(os.Getenv(name), homes)...)
	}
	for _, dir := range settings {
		b, ok := readSettings(PalaceSettings(dir))
		if !ok {
			continue
		}
		for _, palace := range namedPalaces(b) {
			all = append(all, expandHomes(palace, homes)...)
		}
	}
	var found []string
	for _, dir := range all {
		if dir = filepath.Clean(dir); filepath.IsAbs(dir) && dir != "/" && !slices.Contains(found, dir) {
			found = append(found, dir)
		}
	}
	return found
}

// Walled returns the folders that no shell of an agent has to write to, whether they exist or not:
// MemPalace's, Keepsake's own drawers, state and settings, and what the gate rests on below the client's
// folder.
func Walled(client string) (all []string) {
	d := Load()
	for _, dir := range append(Palaces(Homes(client)), d.Drawers(), d.State, d.Config, ClientOwn(client)) {
		if dir == "" {
			continue
		}
		for _, dir := range []string{filepath.Clean(dir), Resolved(dir)} { // a link leads around its target
			if !slices.Contains(all, dir) {
				all = append(all, dir)
			}
		}
	}
	return all
}

// namedPalaces returns the palaces that settings of MemPalace name. It returns both where a key is
// there twice, and those before what only Python takes for JSON. One too many is only protected
// without need.
func namedPalaces(settings []byte) (all []string) {
	d := json.NewDecoder(bytes.NewReader(settings))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		var value any
		if err != nil || d.Decode(&value) != nil {
			break
		}
		if path, ok := value.(string); ok && key == "palace_path" {
			all = append(all, path)
		}
	}
	return all
}

// PalaceLog returns the path of what a palace held when it was last looked at. It lies beside the
// approvals, so that no project moves it. It is "" for no directory.
func PalaceLog(client string) string {
	return at(client, "keepsake", "palace.json")
}

// PalaceHistory returns the folder of what the palaces said at earlier looks. It lies beside PalaceLog, and
// is "" for no directory.
func PalaceHistory(client string) string { return at(client, "keepsake", "palace") }

// Revoked returns the folder of what a person took out of their palaces.
func Revoked(client string) string { return at(client, "keepsake", "revoked") }

// expandHomes returns a path with a leading ~ replaced by each of the homes.
func expandHomes(path string, homes []string) []string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return []string{path}
	}
	var all []string
	for _, h := range homes {
		all = append(all, filepath.Join(h, rest))
	}
	return all
}

// maxSettings is the largest settings file of MemPalace that is read, in bytes.
const maxSettings = 1 << 20

// readSettings follows a link, which may lead into somebody's dotfiles.
func readSettings(path string) ([]byte, bool) {
	b, err := disk.ReadLinked(path, maxSettings)
	return b, err == nil
}
