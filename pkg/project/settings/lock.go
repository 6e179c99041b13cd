package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/client/permissions"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// maxFile is how much is read of one of the client's files, in bytes.
const maxFile = 16 << 20

// A ClientFile is the client's own settings, and a record of what was put into them.
type ClientFile struct {
	Path   string // of the settings, links resolved
	Before []byte // their text; nil if there is no file
	memo   string // path of the record
}

// openFile reads the settings of a client, and the record of a name into was.
func openFile(client, record string, was any) (f ClientFile, err error) {
	f.Path = layout.Resolved(layout.ClientSettings(client)[0]) // may be a link into somebody's dotfiles
	f.memo = filepath.Join(layout.ClientOwn(client), record)
	if f.Before, err = readFile(f.Path); err != nil {
		return f, err
	}
	b, err := readFile(f.memo)
	if err == nil && b != nil {
		if err = json.Unmarshal(b, was); err != nil {
			err = fmt.Errorf("%s: broken: %w; hint: take out of %s by hand what the lock put there, "+
				"and remove %[1]s", f.memo, err, f.Path)
		}
	}
	return f, err
}

// A Lock is the gate's second lock: rules in permissions.ask of the client's own settings.
type Lock struct {
	ClientFile
	was locked
}

// locked records what the lock put into the settings. It is kept beside the approvals, so that exactly
// that can be taken out again.
type locked struct {
	Path  string   `json:"path"`
	Rules []string `json:"rules"`
	// Sum is the SHA-256 of the settings after the change, Before their text before it. While nobody has
	// changed them since, they are restored byte for byte.
	Sum    string `json:"sum"`
	Before []byte `json:"before"`
	Made   bool   `json:"made,omitempty"` // there was no file before
}

// A LockChange is a change of the client's settings, and of the record of the lock.
type LockChange struct {
	After []byte // nil to remove the file
	Rules int    // how many rules are added or removed; 0 if nothing is to be done
	now   locked // has no path if the lock is removed
}

// OpenLock reads the settings of a client, and the record of what the lock put into them.
func OpenLock(client string) (l Lock, err error) {
	l.ClientFile, err = openFile(client, "lock.json", &l.was)
	return l, err
}

// readFile returns the text of a file, or nil if there is none.
func readFile(path string) ([]byte, error) {
	b, err := disk.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return append([]byte{}, b...), err
}

// Install returns the change that adds the lock's rules for the tools of these servers.
func (l Lock) Install(servers []string) (ch LockChange, err error) {
	after, added, err := permissions.Add(string(l.Before), permissions.Rules(servers))
	if err != nil {
		return ch, fmt.Errorf("%s: %w", l.Path, err)
	}
	ch = LockChange{[]byte(after), len(added), locked{l.Path, added, sumOf(after), l.Before, l.Before == nil}}
	if l.was.Path == l.Path { // a second install adds what is new
		ch.now.Rules = append(slices.Clone(l.was.Rules), added...)
		ch.now.Before, ch.now.Made = nil, false
	}
	return ch, nil
}

// Held reports whether the lock put rules into the settings.
func (l Lock) Held() bool { return len(l.was.Rules) > 0 && l.was.Path == l.Path }

// Remove returns the change that takes the lock's rules out again.
func (l Lock) Remove() (LockChange, error) {
	if l.was.Sum == sumOf(string(l.Before)) && (l.was.Made || l.was.Before != nil) {
		return LockChange{After: l.was.Before, Rules: len(l.was.Rules)}, nil
	}
	after, dropped, err := permissions.Drop(string(l.Before), l.was.Rules)
	if err != nil {
		return LockChange{}, fmt.Errorf("%s: %w", l.Path, err)
	}
	return LockChange{After: []byte(after), Rules: len(dropped)}, nil
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Write makes a change if the settings have not changed since OpenLock, and keeps a copy of the old ones
// beside them. The record of the lock is written before rules are added, and removed after they are
// removed.
func (l Lock) Write(ch LockChange) error {
	if ch.now.Path != "" {
		if err := l.remember(ch.now); err != nil {
			return err
		}
	}
	if ch.Rules > 0 {
		if err := l.replace(ch.After); err != nil {
			return err
		}
	}
	if ch.now.Path == "" {
		return disk.Remove(l.memo)
	}
	return nil
}

// replace writes the settings, or removes the file if after is nil.
func (l ClientFile) replace(after []byte) error {
	now, err := readFile(l.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, l.Before) || (now == nil) != (l.Before == nil) {
		return fmt.Errorf("%s was changed meanwhile, so nothing was written; hint: run it again", l.Path)
	}
	if after == nil {
		return disk.Remove(l.Path)
	}
	if err := disk.MakeDir(filepath.Dir(l.Path), 0o700); err != nil {
		return err
	}
	if l.Before != nil {
		if err := disk.Write(l.Path+".before-keepsake", l.Before, 0o600); err != nil {
			return err
		}
	}
	return disk.Write(l.Path, after, 0o644)
}

// remember stores the record of what was put in.
func (l ClientFile) remember(now any) error {
	if err := disk.Private(filepath.Dir(l.memo)); err != nil {
		return err
	}
	b, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return disk.Write(l.memo, append(b, '\n'), 0o600)
}

// usualServers are the names of MemPalace's server in its usual setups: as a server of its own, and from
// its plugin.
var usualServers = []string{"mempalace", "plugin_mempalace_mempalace"}

// PalaceServers returns the names of the MCP servers that are MemPalace, as they stand in the names of
// tools: the usual ones, and those in the configuration of the person, of this project and of plugins.
// troubles has an error for each configuration that can't be read.
func PalaceServers(client, cwd string) (names []string, troubles []error) {
	names = append(names, usualServers...)
	add := func(prefix string, servers map[string]json.RawMessage) {
		for _, name := range slices.Sorted(maps.Keys(servers)) {
			text := strings.ToLower(name + string(servers[name]))
			if !strings.Contains(text, "mempal") && !strings.Contains(strings.ToLower(name), "palace") {
				continue
			}
			name = prefix + plainName(name)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	read := func(path string, into any) bool {
		b, err := disk.ReadLinked(path, maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			return false
		}
		if err == nil {
			if err = json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), into); err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
		}
		if err != nil {
			troubles = append(troubles, err)
		}
		return err == nil
	}
	type servers struct{ MCPServers map[string]json.RawMessage }
	var own struct {
		servers
		Projects map[string]servers
	}
	file := filepath.Join(client, ".claude.json")
	if os.Getenv("CLAUDE_CONFIG_DIR") == "" {
		file = filepath.Join(filepath.Dir(client), ".claude.json")
	}
	if read(file, &own) {
		add("", own.MCPServers)
		for _, p := range slices.Sorted(maps.Keys(own.Projects)) {
			add("", own.Projects[p].MCPServers)
		}
	}
	var project servers
	if read(filepath.Join(layout.Project("", cwd).Dir, ".mcp.json"), &project) {
		add("", project.MCPServers)
	}
	found, _ := filepath.Glob(filepath.Join(client, "plugins", "cache", "*", "*", "*", ".mcp.json"))
	for _, path := range found {
		b, err := disk.ReadLinked(path, maxFile)
		if err != nil {
			continue
		}
		// A plugin's file may have the servers at its top.
		var wrapped servers
		var bare map[string]json.RawMessage
		if json.Unmarshal(b, &wrapped) == nil && wrapped.MCPServers == nil &&
			json.Unmarshal(b, &bare) == nil {
			wrapped.MCPServers = bare
		}
		add("plugin_"+plainName(filepath.Base(filepath.Dir(filepath.Dir(path))))+"_", wrapped.MCPServers)
	}
	return names, troubles
}

// plainName is a name as the client writes it into the names of tools.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}
