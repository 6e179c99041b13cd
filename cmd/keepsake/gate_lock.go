package main

import (
	"bufio"
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

type gateLockCmd struct {
	Remove bool `help:"Take exactly the rules out again that this put in."`
	DryRun bool `help:"Only show what would change."`
}

func (gateLockCmd) Help() string {
	return `The gate is a hook: where the client runs no hooks, there is no gate. The second lock is a
list of rules in permissions.ask of your own settings of Claude Code. With it the client itself asks
before MemPalace's tools that store. The rules are for the MCP servers that are configured, and for the
usual names.

What it costs: a call that you have approved asks once more, and where nobody can be asked (claude -p)
every one of these calls is refused, approved or not. It knows tools by name: run it again after an update
of MemPalace.

It shows the change and asks at the controlling terminal. The file as it was is kept beside it. The agent
can't run this.

Examples:

    keepsake gate install-lock --dry-run
    keepsake gate install-lock
    keepsake gate install-lock --remove`
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

func (v gateLockCmd) Run(c *call) error {
	client := layout.ClientHere()
	if client == "" {
		return failed(errors.New("no settings of Claude Code: neither CLAUDE_CONFIG_DIR nor HOME is set"))
	}
	l := lock{call: c, memo: filepath.Join(layout.ClientOwn(client), "lock.json"),
		// which may be a link into somebody's dotfiles
		path: layout.Resolved(layout.ClientSettings(client)[0])}
	text, err := disk.Read(l.path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		l.absent, err = true, nil
	}
	if err != nil {
		return err
	}
	l.before = string(text)
	if v.Remove {
		return l.remove(v.DryRun)
	}
	return l.install(client, v.DryRun)
}

// lock is one change of the client's settings.
type lock struct {
	*call
	path   string // of the settings, links resolved
	memo   string // what was put in
	before string
	absent bool // there is no settings file
}

// fails says which file an error of the gate's editing is about.
func (l lock) fails(err error) error { return failed(fmt.Errorf("%s: %w", l.path, err)) }

func (l lock) install(client string, dry bool) error {
	servers, troubles := palaceServers(client, l.cwd)
	for _, t := range troubles {
		l.note("%v", t)
	}
	after, added, err := permissions.Add(l.before, permissions.Rules(servers))
	if err != nil {
		return l.fails(err)
	}
	if len(added) == 0 {
		l.line("the lock is in %s already, for %s", l.path, strings.Join(servers, ", "))
		return nil
	}
	was, err := l.recall()
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(after))
	now := locked{l.path, added, hex.EncodeToString(sum[:]), []byte(l.before), l.absent}
	if was.Path == l.path { // a second install adds what is new
		now.Rules = append(was.Rules, added...)
		now.Before, now.Made = nil, false
	}
	intro := fmt.Sprintf("permissions.ask in %s gets %s, for the MCP servers %s:", l.path,
		count(len(added), "rule"), strings.Join(servers, ", "))
	cost := "With the lock Claude Code itself asks before these tools, whether or not the gate runs.\n" +
		"What it costs: a call that you have approved asks once more, and headless (claude -p) it stays " +
		"denied."
	ok, err := l.agreed(intro, after, cost, dry)
	if err != nil || !ok {
		return err
	}
	if err := l.remember(&now); err != nil {
		return err
	}
	if err := l.write(after); err != nil {
		return err
	}
	l.line("the lock is in %s; keepsake gate install-lock --remove takes it out again", l.path)
	return nil
}

func (l lock) remove(dry bool) error {
	was, err := l.recall()
	if err != nil {
		return err
	}
	if len(was.Rules) == 0 || was.Path != l.path {
		l.line("keepsake put no lock into %s", l.path)
		return nil
	}
	after, gone := "", false
	if sum := sha256.Sum256([]byte(l.before)); was.Sum == hex.EncodeToString(sum[:]) &&
		(was.Made || was.Before != nil) {
		after, gone = string(was.Before), was.Made
	} else {
		var dropped []string
		if after, dropped, err = permissions.Drop(l.before, was.Rules); err != nil {
			return l.fails(err)
		}
		if len(dropped) == 0 {
			l.line("none of the lock's rules is in %s any more", l.path)
			return l.remember(nil)
		}
	}
	ok, err := l.agreed(fmt.Sprintf("%s loses the lock:", l.path), after,
		"Without it only the gate stands before a permanent memory write.", dry)
	if err != nil || !ok {
		return err
	}
	if gone {
		err = disk.Remove(l.path)
	} else {
		err = l.write(after)
	}
	if err != nil {
		return err
	}
	l.line("the lock is out of %s", l.path)
	return l.remember(nil)
}

// agreed shows the change, and asks at the controlling terminal unless it is dry.
func (l lock) agreed(intro, after, cost string, dry bool) (bool, error) {
	shown := intro + "\n\n" + changed(l.before, after) + "\n" + cost
	if dry {
		l.line("%s\nnothing was written", shown)
		return false, nil
	}
	tty, err := l.person.open(yourself)
	if err != nil {
		return false, err
	}
	defer tty.Close()
	fmt.Fprintln(tty, shown)
	if ask(tty, bufio.NewReader(tty), "Write "+l.path+"?", yesOrNo...) != yes {
		l.line("nothing was written")
		return false, nil
	}
	return true, nil
}

// write replaces the settings, if they are still what was shown, and keeps what they
// were beside them.
func (l lock) write(after string) error {
	now, err := disk.Read(l.path, maxFile)
	if err != nil && !(l.absent && errors.Is(err, fs.ErrNotExist)) {
		return err
	}
	if string(now) != l.before {
		return failed(fmt.Errorf("%s was changed meanwhile, so nothing was written", l.path), "run it again")
	}
	if err := disk.MakeDir(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	if !l.absent {
		if err := disk.Write(l.path+".before-keepsake", []byte(l.before), 0o600); err != nil {
			return err
		}
	}
	return disk.Write(l.path, []byte(after), 0o644)
}

// recall is what the lock put in, nothing when there is none.
func (l lock) recall() (was locked, err error) {
	b, err := disk.Read(l.memo, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return was, nil
	}
	if err == nil {
		if err = json.Unmarshal(b, &was); err != nil {
			err = failed(fmt.Errorf("%s: broken: %w", l.memo, err),
				"take the rules out of permissions.ask in "+l.path+" by hand, and remove "+l.memo)
		}
	}
	return was, err
}

func (l lock) remember(now *locked) error {
	if now == nil {
		return disk.Remove(l.memo)
	}
	if err := disk.Private(filepath.Dir(l.memo)); err != nil {
		return err
	}
	b, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return disk.Write(l.memo, append(b, '\n'), 0o600)
}

// changed shows the lines that differ between two texts, with those around them.
func changed(before, after string) string {
	const around = 2
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	if before == "" {
		a = nil
	}
	head, tail := 0, 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	say := func(mark string, lines []string) {
		for _, line := range lines {
			out.WriteString("  " + mark + " " + line + "\n")
		}
	}
	say(" ", a[max(0, head-around):head])
	say("-", a[head:len(a)-tail])
	say("+", b[head:len(b)-tail])
	say(" ", a[len(a)-tail:min(len(a), len(a)-tail+around)])
	return out.String()
}

// usualServers are the names that MemPalace has when it is set up as it says itself:
// as a server, and by its plugin.
var usualServers = []string{"mempalace", "plugin_mempalace_mempalace"}

// palaceServers lists the names of the MCP servers that are MemPalace, as they stand
// in the names of tools: the usual ones, and those that the configuration of the
// person, of this project and of plugins names. What can't be read is a trouble.
func palaceServers(client, cwd string) (names []string, troubles []error) {
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
