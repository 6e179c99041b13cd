package layout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// at returns a path below a folder, "" where there is no folder, since a path joined to nothing
// would lie in the working directory.
func at(dir string, below ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, below...)...)
}

// UsualDirs returns Keepsake's folders below a home, wherever variables put them.
func UsualDirs(home string) Dirs {
	return Dirs{
		Config: at(home, ".config", "keepsake"), Data: at(home, ".local", "share", "keepsake"),
		State: at(home, ".local", "state", "keepsake"), Cache: at(home, ".cache", "keepsake"),
	}
}

// Settings returns the path of the person's own settings. It need not exist.
func (d Dirs) Settings() string { return at(d.Config, "config.json") }

// Drawers returns the folder of what was promoted.
func (d Dirs) Drawers() string { return at(d.Data, "drawers") }

// Notices returns the path of the list of notices that the person is given once.
func (d Dirs) Notices() string { return at(d.State, "notices") }

// Cached returns the path of a file of the cache that belongs to no project.
func (d Dirs) Cached(name string) string { return at(d.Cache, name) }

// ProjectCached returns the path of a file of the cache that belongs to the project in a folder.
func (d Dirs) ProjectCached(root, name string) string { return at(d.Cache, Key(root), name) }

// Beside returns the folder for what is kept of a directory of memories, outside of it. The
// directory is given without links.
func (d Dirs) Beside(dir string) string { return at(d.State, "notes", Key(dir)) }

// A State is the folder of what Keepsake knows of one project and must outlive a logout.
// It is "", and so are all paths in it, where there is no state home.
type State string

// Of returns the State of a project; home is the Home of its Place.
func (d Dirs) Of(home string) State { return State(at(d.State, Key(home))) }

// States returns the states of all projects, none where there is no folder of states.
func (d Dirs) States() ([]State, error) { return statesIn(d.State) }

func statesIn(dir string) (all []State, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, e := range entries {
		if e.IsDir() {
			all = append(all, State(filepath.Join(dir, e.Name())))
		}
	}
	return all, err
}

// Is reports whether s is the state of the project with this home.
func (s State) Is(home string) bool { return filepath.Base(string(s)) == Key(home) }

// Folder returns the path of what identifies the project's own folder.
func (s State) Folder() string { return at(string(s), "folder.json") }

// Sessions returns the folder of the sessions' states.
func (s State) Sessions() string { return at(string(s), "sessions") }

// Session returns the path of the state of a session, by its name as [Session] makes it.
func (s State) Session(name string) string { return at(s.Sessions(), name+".json") }

// Pending returns the folder of what ended sessions left unsaved.
func (s State) Pending() string { return at(string(s), "pending") }

// Ledger returns the path of the log of what was refused or lost.
func (s State) Ledger() string { return at(string(s), "ledger.jsonl") }

// Events returns the folder of the event log.
func (s State) Events() string { return at(string(s), "log") }

// Prompts returns the path of the log of what the last prompts were given.
func (s State) Prompts() string { return at(string(s), "prompts.jsonl") }

// Journal returns the path of the log of what was noticed.
func (s State) Journal() string { return at(string(s), "journal.jsonl") }

// Settled returns the path of the log of findings that were settled long ago.
func (s State) Settled() string { return at(string(s), "settled.jsonl") }

// Backfill returns the path of the log of what sessions said that Keepsake did not hear.
func (s State) Backfill() string { return at(string(s), "backfill.jsonl") }

// Answers returns the path of what the person answered about findings.
func (s State) Answers() string { return at(string(s), "answers.jsonl") }

// Usage returns the path of the log of what became of memories that were given.
func (s State) Usage() string { return at(string(s), "usage.jsonl") }

// Idle returns the path of the list of memories that were given often and never used.
func (s State) Idle() string { return at(string(s), "idle") }

// Digests returns the path of what is known of the project's digests.
func (s State) Digests() string { return at(string(s), "digest.json") }

// Inbox returns the folder of what waits for the person.
func (s State) Inbox() string { return at(string(s), "inbox") }

// Promotions returns the folder of promotions under way.
func (s State) Promotions() string { return at(string(s), "promotions") }

// Drawers returns the path of the list of what was promoted from the project.
func (s State) Drawers() string { return at(string(s), "drawers.json") }

// Tracked returns the path of what was found out about git and the store.
func (s State) Tracked() string { return at(string(s), "tracked.json") }

// Standing returns the path of what is known against the project's records in the worktree at a folder.
func (s State) Standing(worktree string) string {
	return at(string(s), "standing", Key(worktree)+".json")
}

// Branches returns the path of what is known of the branches that the project's records were made on.
func (s State) Branches() string { return at(string(s), "standing", "branches.json") }

// Choices returns the path of what the person chose for records of which a check fails.
func (s State) Choices() string { return at(string(s), "standing", "choices.json") }

// Reorganised counts the calls that reorganised memories.
func (s State) Reorganised() string { return at(string(s), "reorganised.json") }

// Handoff returns the path of the lock of the handoff note.
func (s State) Handoff() string { return at(string(s), "handoff.lock") }

// Lockless returns the path of a file that is there once the person was told that a file system has no
// locks.
func (s State) Lockless() string { return at(string(s), "lockless") }

// Settings returns the path of the project's settings. It need not exist.
func (p Place) Settings() string { return filepath.Join(p.Memory, "memory-config.json") }

// Agents returns the folder of Keepsake's notes for all agents, in this checkout.
func (p Place) Agents() string { return filepath.Join(AgentsIn(p.Dir), "memory") }

// ClientSettings returns the settings files of a client's folder, of the person or of a
// project, the stronger one last.
func ClientSettings(client string) []string {
	return []string{at(client, "settings.json"), at(client, "settings.local.json")}
}

// SettingsOf returns all settings files that count for a client in a project: the person's, the project's,
// and those of whoever looks after the machine, the strongest last. They need not exist.
func SettingsOf(client, project string) []string {
	return slices.Concat(ClientSettings(client)[:1], ClientSettings(at(project, ".claude")), managed())
}

// managed returns the settings files of the machine, as the client looks for them.
func managed() []string {
	dir := "/etc/claude-code"
	if runtime.GOOS == "darwin" {
		dir = "/Library/Application Support/ClaudeCode"
	}
	parts, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json"))
	return append([]string{filepath.Join(dir, "managed-settings.json")}, parts...)
}

// ClientIn returns the client's folder in a home or in a project.
func ClientIn(dir string) string { return at(dir, ".claude") }

// CodexIn returns the folder of Codex CLI in a home or in a project.
func CodexIn(dir string) string { return at(dir, ".codex") }

// CodexSettings returns the settings file of Codex CLI in its folder.
func CodexSettings(codex string) string { return at(codex, "config.toml") }

// AgentsIn returns the folder of all agents in a home or in a project.
func AgentsIn(dir string) string { return at(dir, ".agents") }

// StoreIn returns the folder of a project's memories. It need not exist.
func StoreIn(dir string) string { return at(dir, ".claude", "memory") }

// Attributes returns the path of git's file of attributes in a folder.
func Attributes(dir string) string { return filepath.Join(dir, ".gitattributes") }

// GitSetup begins the rows that git-setup writes there.
const GitSetup = "# keepsake git-setup: begin"

// PalaceSettings returns the path of MemPalace's own settings in one of [Palaces].
func PalaceSettings(dir string) string { return filepath.Join(dir, "config.json") }

// ConfigHere returns the folder in which another program has its settings, by the environment.
func ConfigHere(program string) string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, program)
	}
	return filepath.Join(os.Getenv("HOME"), ".config", program)
}
