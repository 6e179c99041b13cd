package shell

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
)

// A sample is one line of a corpus file: a Bash command, or a tool with its
// arguments as an object or as raw text.
type sample struct {
	Bash string
	Tool string
	Args json.RawMessage
	Raw  string
	Rule string // the rule that must stop it, when the line names one

	Agent string            // agent_type, in a subagent
	Route int               // the way around a gate that it takes, when the line names one
	Set   map[string]string // what the person's settings have a checkpoint answer
	Count int               // which call it is that reorganises memories after one prompt

	Effect  *string // what a dry run says of it
	Deletes int
}

func (s sample) call(t testing.TB) Call {
	c := world()
	c.Tool, c.Args, c.Agent = s.Tool, s.Args, s.Agent
	switch {
	case s.Bash != "":
		c.Tool, c.Args = "Bash", mustJSON(t, map[string]any{"command": s.Bash, "description": "x"})
	case s.Raw != "":
		c.Args = []byte(s.Raw)
	}
	c.Reorganised = func() int { return s.Count }
	if s.Effect != nil {
		c.Effect = func(string, []string) (rules.Effect, error) {
			return rules.Effect{Says: *s.Effect, Deletes: s.Deletes}, nil
		}
	}
	if s.Set != nil {
		c.Settings = func(at string) rules.Decision {
			for _, d := range []rules.Decision{rules.Ask, rules.Deny} {
				if s.Set[at] == d.String() {
					return d
				}
			}
			return rules.Pass
		}
	}
	return c
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// notes is a memory directory of the made-up machine and the client's auto
// memory there; what is not in it is absent.
func notes(p string) (File, bool) {
	for _, dir := range []string{"/home/u/proj/kb/memory", "/home/u/proj/.agents/memory",
		"/home/u/.claude/projects/-home-u-proj/memory", "/srv/auto"} {
		rest, in := strings.CutPrefix(p, dir)
		if !in {
			continue
		}
		switch rest {
		case "", "/events", "/cases", "/user", "/user/events", "/agent", "/agent/cases", "/archive",
			"/scratch":
			return File{Kind: Directory}, true
		case "/MEMORY.md", "/decisions.md", "/debug-journal.md", "/events/2026-01-launch.md",
			"/user/events/2026-02-move.md", "/agent/cases/first-import.md", "/user/profile.md",
			"/archive/old.md", "/scratch/general.md", "/events/photo.png":
			return File{Kind: Regular, Links: 1}, true
		}
		return File{Kind: Absent}, true
	}
	return File{}, false
}

// world is a made-up machine: a person u with a palace at its usual place and
// one at /data/pal, a project with a store and links into both, notes, settings
// and scripts.
func world() Call {
	scripts := map[string]string{
		"/home/u/.claude/settings.json": `{"model":"opus","enabledPlugins":{"keepsake@keepsake":true,"other@x":true}}`,
		"/home/u/proj/.mcp.json":        `{"mcpServers":{"mempalace":{"command":"mempalace-mcp"}}}`,
		"/home/u/proj/Makefile":         "mine:\n\tmempalace mine .\n\nbuild:\n\tgo build ./...\n",
		"/home/u/proj/package.json":     `{"scripts":{"mine":"mempalace mine .","test":"jest"},"dependencies":{"mempalace":"^3.0.0"}}`,
		"/home/u/.bashrc": "export PATH=$HOME/bin:$PATH\nmempalace mine ~/notes " +
			">/dev/null 2>&1 &\n",
		"/home/u/proj/off.json":         `{"disableAllHooks":true}`,
		"/home/u/proj/scripts/save.sh":  "#!/bin/sh\nset -e\nmempalace mine \"$1\"\n",
		"/home/u/proj/scripts/build.sh": "#!/bin/sh\n# mempalace mine .\ngo build ./...\n",
		"/home/u/proj/tools/palace_writer.py": "import mempalace.mcp_server as " +
			"m\nm.tool_add_drawer('w','r','x')\n",
		"/home/u/proj/tools/plugin.py": "import subprocess\nsubprocess.run(['mempalace', 'mine', " +
			"'.'])\n",
		"/home/u/proj/tools/palace.js":    "require('child_process').execSync('mempalace mine .')\n",
		"/home/u/proj/manage.py":          "import os, sys\nos.execv('x', sys.argv)\n",
		"/home/u/proj/.venv/bin/activate": "export PATH=x\n",
		"/home/u/proj/notes.b32":          "NVSW24DBNRQWGZJANVUW4ZJAFYFA====\n",
	}
	links := []struct{ from, to string }{
		{"/home/u/proj/link-to-store", "/home/u/proj/.claude/memory"},
		{"/home/u/proj/palace-link", "/home/u/.mempalace"},
		{"/home/u/proj/link-prog", "/usr/local/bin/mempalace"},
	}
	return Call{
		Cwd: "/home/u/proj", ProjectDir: "/home/u/proj", Home: "/home/u", Dialog: true, Mode: "default",
		ClientDir:  "/home/u/.claude",
		AutoMemory: func() []string { return []string{"/srv/auto"} },
		PluginRoot: func() string { return "/opt/keepsake" },
		Stage:      func() string { return "/run/user/1000/.keepsake-staging-0123456789ab/sid" },
		Own: func() []string {
			return []string{"/home/u/.local/state/keepsake", "/home/u/.cache/keepsake",
				"/home/u/.config/keepsake", "/home/u/.claude/keepsake"}
		},
		Base: func(name string) string {
			return map[string]string{"XDG_STATE_HOME": "/home/u/.local/state"}[name]
		},
		Palaces: func() []string {
			return []string{"/data/pal", "/home/u/.local/share/keepsake/drawers",
				"/data/share/keepsake/drawers"}
		},
		Promotion: func(args []string) (rules.Promotion, error) {
			return rules.Promotion{Digest: "d", To: "MemPalace", Where: "wing proj, room decisions",
				Program: "/opt/keepsake/bin/keepsake", Words: args}, nil
		},
		Resolve: func(p string) string {
			for _, l := range links {
				if p = path.Clean(p); p == l.from || strings.HasPrefix(p, l.from+"/") {
					return l.to + p[len(l.from):]
				}
			}
			return p
		},
		Lstat: func(p string) File {
			if f, ok := notes(p); ok {
				return f
			}
			switch {
			case p == "/run/user/1000/.keepsake-staging-0123456789ab/sid":
				return File{Kind: Directory}
			case strings.HasSuffix(p, "intent-runbook.json"):
				return File{Kind: Absent}
			case strings.HasSuffix(p, "intent-preference.json"):
				return File{Kind: Regular, Links: 2}
			case strings.HasSuffix(p, "intent-constraint.json"):
				return File{Kind: Other}
			case strings.HasSuffix(p, "/twin.json"), strings.HasSuffix(p, "/two-names.json"):
				return File{Kind: Regular, Links: 2}
			// a folder without memories, files to come
			case strings.Contains(p, "/template"), strings.HasSuffix(p, ".bak"),
				strings.Contains(p, "/.git/hooks/"):
				return File{Kind: Absent}
			case strings.HasSuffix(p, ".json"), strings.HasSuffix(p, ".txt"):
				return File{Kind: Regular, Links: 1}
			}
			return File{Kind: Directory}
		},
		Twin: func(p string) string {
			if strings.HasSuffix(p, "/twin.json") {
				return "/home/u/proj/.claude/memory/decisions/a.json"
			}
			return ""
		},
		Script: func(p string) ([]byte, bool) {
			s, ok := scripts[p]
			return []byte(s), ok
		},
	}
}

func samples(t testing.TB, name string) []sample {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []sample
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var s sample
		if err := json.Unmarshal(sc.Bytes(), &s); err != nil {
			t.Fatalf("%s: %v: %s", name, err, sc.Text())
		}
		all = append(all, s)
	}
	return all
}

// TestCorpus: there is enough of it, no call stands there twice, and those that
// must pass speak of a palace often enough.
func TestCorpus(t *testing.T) {
	seen := map[string]string{}
	for name, least := range map[string]int{"stop.jsonl": 400, "pass.jsonl": 2000} {
		all := samples(t, name)
		mentions := 0
		for _, s := range all {
			c := s.call(t)
			key := fmt.Sprint(c.Tool, " ", string(c.Args), s.Agent, s.Set, s.Count)
			if before, ok := seen[key]; ok {
				t.Errorf("%s: %s stands in %s too", name, key, before)
			}
			seen[key] = name
			if strings.Contains(strings.ToLower(key), "palace") {
				mentions++
			}
		}
		if len(all) < least || mentions < 400 {
			t.Errorf("%s: %d samples, want at least %d; %d speak of a palace, want at least 400", name,
				len(all), least, mentions)
		}
	}
}

// routes are the ways around a gate that a hook can see.
var routes = map[int]string{
	1: "another name of the server, or a gateway", 2: "a tool that is new", 3: "the command line",
	4: "the program by a path",
	5: "a wrapper", 6: "a runner of packages", 7: "Python and other languages",
	8: "a command put together from pieces",
	9: "shells in shells", 10: "SQLite", 11: "file tools", 12: "the shell's file programs",
	13: "a palace moved elsewhere",
	14: "HTTP", 15: "a server started", 16: "a subagent", 17: "another agent", 18: "later", 20: "a hook",
	21: "the gate switched off",
	25: "the grammar of its options",
}

// TestRoutes: each way around has several calls of its own.
func TestRoutes(t *testing.T) {
	n := map[int]int{}
	for _, s := range samples(t, "stop.jsonl") {
		n[s.Route]++
	}
	for route, name := range routes {
		if n[route] < 5 {
			t.Errorf("route %d, %s: %d calls, want at least 5", route, name, n[route])
		}
	}
}

// TestStops: everything in stop.jsonl is put to the person, and denied where
// nobody can be asked.
func TestStops(t *testing.T) {
	for _, s := range samples(t, "stop.jsonl") {
		c := s.call(t)
		v := Judge(c)
		if v.Decision != rules.Ask && v.Decision != rules.Deny {
			t.Errorf("%s %s: %v, want a stop", c.Tool, c.Args, v.Decision)
			continue
		}
		if s.Rule != "" && v.Rule != s.Rule {
			t.Errorf("%s %s: stopped by %s, want %s", c.Tool, c.Args, v.Rule, s.Rule)
		}
		if c.Dialog = false; Judge(c).Decision != rules.Deny {
			t.Errorf("%s %s: not denied without a dialog", c.Tool, c.Args)
		}
	}
}

// TestPasses: everything in pass.jsonl is left to the client's own flow.
func TestPasses(t *testing.T) {
	for _, s := range samples(t, "pass.jsonl") {
		c := s.call(t)
		if v := Judge(c); v.Decision != rules.Pass {
			t.Errorf("%s %s: %v by %s: %s", c.Tool, c.Args, v.Decision, v.Rule, v.Reason)
		}
	}
}
