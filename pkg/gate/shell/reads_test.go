package shell

import (
	"encoding/json"
	"testing"
)

func TestMemoryRead(t *testing.T) {
	lstat := func(p string) File {
		if p == "/w/memory/MEMORY.md" {
			return File{Kind: Regular, Links: 1}
		}
		return File{}
	}
	const auto = "/home/me/.claude/projects/-w/memory"
	for name, tc := range map[string]struct {
		tool, path string
		quiet      bool
		dir, file  string
	}{
		"the client's": {tool: "Read", path: auto + "/user_role.md", dir: auto, file: "user_role.md"},
		"in a folder": {tool: "Read", path: auto + "/teams/../teams/Billing.MD", dir: auto,
			file: "teams/Billing.MD"},
		"one with an index":  {tool: "Read", path: "/w/memory/a.md", dir: "/w/memory", file: "a.md"},
		"where it was moved": {tool: "Read", path: "/mine/a.md", dir: "/mine", file: "a.md"},
		"without an index":   {tool: "Read", path: "/x/memory/a.md"},
		"records":            {tool: "Read", path: "/w/.claude/memory/a.md"},
		"no note":            {tool: "Read", path: auto + "/a.txt"},
		"the directory":      {tool: "Read", path: auto},
		"another tool":       {tool: "Write", path: auto + "/user_role.md"},
		"relative":           {tool: "Read", path: "memory/a.md"},
		"switched off":       {tool: "Read", path: auto + "/user_role.md", quiet: true},
		"elsewhere":          {tool: "Read", path: "/w/README.md"},
	} {
		args, err := json.Marshal(map[string]any{"file_path": tc.path})
		if err != nil {
			t.Fatal(err)
		}
		dir, file, ok := MemoryRead(Call{Tool: tc.tool, Args: args, Quiet: tc.quiet,
			ClientDir: "/home/me/.claude", Lstat: lstat, AutoMemory: func() []string {
				return []string{"/mine"}
			}})
		if ok != (tc.dir != "") || ok && (dir != tc.dir || file != tc.file) {
			t.Errorf("%s: %q %q %v", name, dir, file, ok)
		}
	}
	if _, _, ok := MemoryRead(Call{Tool: "Read", Args: []byte("{")}); ok {
		t.Error("broken arguments are a read")
	}
}
