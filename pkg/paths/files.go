package paths

import "path/filepath"

// Settings is the path of the person's own settings. It need not exist.
func (d Dirs) Settings() string { return filepath.Join(d.Config, "config.json") }

// Drawers is the folder of what was promoted, "" where there is no data home.
func (d Dirs) Drawers() string {
	if d.Data == "" {
		return ""
	}
	return filepath.Join(d.Data, "drawers")
}

// Log is the folder of a project's events; home is the Home of its Place.
func (d Dirs) Log(home string) string { return filepath.Join(d.State, Key(home), "log") }

// Settings is the path of the project's settings. It need not exist.
func (p Place) Settings() string { return filepath.Join(p.Memory, "memory-config.json") }
