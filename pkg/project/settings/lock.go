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

// maxFile bounds what is read of a file of the client's, in bytes.
const maxFile = 16 << 20

// A Lock is the gate's second lock: rules in permissions.ask of the client's own settings.
type Lock struct {
	Path   string // of the settings, links resolved
	Before []byte // what they say; nil where there are none
	memo   string // the file that says what the lock put in
	was    locked
}

// locked is what the lock put into the settings, kept beside the approvals so that
// exactly that can be taken out again.
type locked struct {
	Path  string   `json:"path"`
	Rules []string `json:"rules"`
	// Sum is the SHA-256 of the settings as they were left, Before what they were: as
	// long as nobody has changed them since, they come back byte for byte.
	Sum    string `json:"sum"`
	Before []byte `json:"before"`
	Made   bool   `json:"made,omitempty"` // there was no file before
}

// A LockChange is what becomes of the client's settings, and of what is known of the lock.
type LockChange struct {
	After []byte // nil: the file goes
	Rules int    // how many come or go; 0: nothing is to be done
	now   locked // without a path: there is no lock any more
}

// OpenLock reads the settings of a client, and what the lock put into them.
func OpenLock(client string) (l Lock, err error) {
	l.Path = layout.Resolved(layout.ClientSettings(client)[0]) // which may be a link into somebody's dotfiles
	l.memo = filepath.Join(layout.ClientOwn(client), "lock.json")
	if l.Before, err = readFile(l.Path); err != nil {
		return l, err
	}
	b, err := readFile(l.memo)
	if err == nil && b != nil {
		if err = json.Unmarshal(b, &l.was); err != nil {
			err = fmt.Errorf("%s: broken: %w; hint: take the rules out of permissions.ask "+
				"in %s by hand, and remove %[1]s", l.memo, err, l.Path)
		}
	}
	return l, err
}

// readFile returns what a file says, nil where there is none.
func readFile(path string) ([]byte, error) {
	b, err := disk.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return append([]byte{}, b...), err
}

// Install returns the change that puts the lock in before the tools of these servers.
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

// Write makes a change, if the settings are still what they were, and keeps beside them what that was.
// What is put in is written down first, what is taken out last.
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

// replace writes the settings anew.
func (l Lock) replace(after []byte) error {
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

// remember writes down what the lock put in.
func (l Lock) remember(now locked) error {
	if err := disk.Private(filepath.Dir(l.memo)); err != nil {
		return err
	}
	b, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return disk.Write(l.memo, append(b, '\n'), 0o600)
}

// usualServers are the names that MemPalace has when it is set up as it says itself:
// as a server, and by its plugin.
var usualServers = []string{"mempalace", "plugin_mempalace_mempalace"}

// PalaceServers returns the names of the MCP servers that are MemPalace, as they stand
// in the names of tools: the usual ones, and those that the configuration of the
// person, of this project and of plugins names. What can't be read is a trouble.
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
		b, err := os.ReadFile(path)
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
		b, err := os.ReadFile(path)
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
