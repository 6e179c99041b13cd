package layout

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Homes returns the person's home directories as a hook may know them: what HOME
// says, which a project's settings can move, and where the client's own
// configuration directory lies.
func Homes(client string) []string {
	homes := []string{os.Getenv("HOME")}
	if filepath.Base(client) == ".claude" && filepath.Dir(client) != homes[0] {
		homes = append(homes, filepath.Dir(client))
	}
	return slices.DeleteFunc(homes, func(h string) bool { return !filepath.IsAbs(h) })
}

// Drawers lists the folders in which Keepsake itself keeps what was promoted: where
// it is without a variable below each home, and where the variables put it now.
func Drawers(homes []string) []string { return kept(homes, ".local/share", Load().Data, "drawers") }

// States lists the folders in which Keepsake keeps state, and with it what it wrote
// down of each promotion, as Drawers does.
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

// Palaces lists the directories in which MemPalace keeps its settings or its
// data, by its own rules, whether they are there or not: the fixed ones, those of
// its variables, and those that its settings name.
func Palaces(homes []string) []string {
	var settings []string
	for _, h := range homes {
		settings = append(settings, filepath.Join(h, ".mempalace"), filepath.Join(h, ".config", "mempalace"))
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		settings = append(settings, filepath.Join(dir, "mempalace"))
	}
	settings = append(settings, expand(os.Getenv("MEMPALACE_CONFIG_DIR"), homes)...)
	all := slices.Clone(settings)
	for _, name := range []string{"MEMPALACE_PALACE_PATH", "MEMPALACE_PALACE", "MEMPAL_PALACE_PATH"} {
		all = append(all, expand(os.Getenv(name), homes)...)
	}
	for _, dir := range settings {
		b, ok := readSettings(PalaceSettings(dir))
		if !ok {
			continue
		}
		for _, palace := range named(b) {
			all = append(all, expand(palace, homes)...)
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

// named returns the palaces that settings of MemPalace name: each of them where the key
// is there twice, and those before what only Python takes for JSON. What is too much
// is protected and nothing else.
func named(settings []byte) (all []string) {
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

// PalaceLog returns where it is kept how much a palace held when it was last looked
// at: beside the approvals, so that no project moves it. "" for no directory.
func PalaceLog(client string) string {
	return at(client, "keepsake", "palace.json")
}

// expand reads a leading ~ as each of the homes.
func expand(path string, homes []string) []string {
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
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxSettings {
		return nil, false
	}
	b, err := os.ReadFile(path)
	return b, err == nil
}
