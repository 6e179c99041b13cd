package tiers

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// Choice is the back end of a tier and the reason for it.
type Choice struct {
	Backend     string   `json:"backend"` // "embedded", "qmd" or "mempalace"
	Why         string   `json:"why"`
	Collections []string `json:"collections,omitempty"` // of QMD that are searched
	Both        bool     `json:"both,omitempty"`        // whether the embedded search is asked too
}

// PickWhere chooses the back end for WHERE by the setting tiers.where, auto,
// embedded or qmd. With auto it is QMD where that is installed and has a
// collection of this project, and the embedded search with it, as a collection has only
// Markdown unless somebody named other endings. It starts nothing: whether QMD works is
// found out by asking it, and if it does not, that is an error.
func PickWhere(setting, root string) Choice {
	switch setting {
	case "qmd":
		return Choice{Backend: "qmd", Why: "tiers.where is qmd", Collections: Collections(root)}
	case "embedded":
		return Choice{Backend: "embedded", Why: "tiers.where is embedded"}
	}
	if _, err := qmdPath(root); err != nil {
		return Choice{Backend: "embedded", Why: "tiers.where is auto, and qmd is not installed"}
	}
	if c := Collections(root); len(c) > 0 {
		return Choice{Backend: "qmd", Collections: c, Both: true,
			Why: "tiers.where is auto, and qmd has a collection of this project; " +
				"the embedded search is asked too"}
	}
	return Choice{Backend: "embedded", Why: "tiers.where is auto, and qmd has no collection of this project"}
}

// PickWhy chooses the back end for WHY by the setting tiers.why, auto, embedded or
// mempalace. With auto it is MemPalace where that is installed, which installed
// says by being nil, and one of palaces, its folders, is there. It starts nothing:
// whether MemPalace works is found out by asking it, and if it does not, that is
// an error.
func PickWhy(setting string, installed error, palaces []string) Choice {
	switch {
	case setting == "mempalace":
		return Choice{Backend: "mempalace", Why: "tiers.why is mempalace"}
	case setting == "embedded":
		return Choice{Backend: "embedded", Why: "tiers.why is embedded"}
	case installed != nil:
		return Choice{Backend: "embedded", Why: "tiers.why is auto, and MemPalace is not installed"}
	}
	for _, dir := range palaces {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return Choice{Backend: "mempalace",
				Why: "tiers.why is auto, and MemPalace is installed and has a palace"}
		}
	}
	return Choice{Backend: "embedded", Why: "tiers.why is auto, and MemPalace has no palace"}
}

// maxSettings is the largest file of settings that is read, in bytes.
const maxSettings = 1 << 20

// Collections returns the names of QMD's collections whose folder is the project's, in it or above it. They
// are read from the nearest .qmd/index.yml from the project upward, else from the person's settings.
func Collections(root string) (names []string) {
	text, err := []byte(nil), os.ErrNotExist
	for dir := root; err != nil; dir = filepath.Dir(dir) {
		text, err = disk.Read(filepath.Join(dir, ".qmd", "index.yml"), maxSettings)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if err != nil {
		if text, err = disk.Read(filepath.Join(qmdSettings(), "index.yml"), maxSettings); err != nil {
			return nil
		}
	}
	for _, c := range collections(text) {
		if layout.Inside(c.path, root) || layout.Inside(root, c.path) {
			names = append(names, c.name)
		}
	}
	return names
}

func qmdSettings() string {
	if dir := os.Getenv("QMD_CONFIG_DIR"); dir != "" {
		return dir
	}
	return layout.ConfigHere("qmd")
}

type collection struct{ name, path string }

// collections reads the names and folders out of QMD's settings as QMD writes
// them, which is little YAML: nothing else of it is needed.
func collections(text []byte) (all []collection) {
	in := false
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimRight(lines.Text(), " \r")
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = unquote(strings.TrimSpace(value))
		switch depth := len(line) - len(strings.TrimLeft(line, " ")); {
		case line == "" || strings.HasPrefix(key, "#"):
		case depth == 0:
			in = key == "collections"
		case in && depth == 2:
			all = append(all, collection{name: unquote(key)})
		case in && depth == 4 && key == "path" && len(all) > 0:
			all[len(all)-1].path = value
		}
	}
	kept := all[:0]
	for _, c := range all {
		if filepath.IsAbs(c.path) {
			kept = append(kept, c)
		}
	}
	return kept
}

// unquote takes the quotes of YAML off.
func unquote(s string) string {
	if n := len(s); n > 1 && s[0] == s[n-1] && (s[0] == '"' || s[0] == '\'') {
		return s[1 : n-1]
	}
	return s
}
