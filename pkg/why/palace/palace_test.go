package palace

import (
	"strings"
	"testing"
)

// TestCommand: what the command line of MemPalace does, by its arguments.
func TestCommand(t *testing.T) {
	for args, want := range map[string]Use{
		"":                                      Reads,
		"status":                                Reads,
		"--palace /p search dns":                Reads,
		"mine docs":                             Writes,
		"mine docs --dry-run":                   Reads,
		"mine docs --dry-run --redetect-origin": Writes,
		"audit --fail-under 60 --quiet":         Reads,
		"rules --host mac --harness claude":     Reads,
		"rules add x":                           Writes,
		"hallways --wing proj":                  Reads,
		"hallways --prune-spellings":            Reads,
		"hallways --prune-spellings --yes":      Writes,
		"hallways --reb":                        Writes,
		"tunnels prune":                         Reads,
		"tunnels prune --yes":                   Writes,
		"tunnels propose":                       Writes,
		"rooms apply --wing proj":               Reads,
		"sweep docs --help":                     Reads,
		"levitate":                              Unknown,
		Hole:                                    Unknown,
		"audit " + Holes:                        Writes,
	} {
		if got := Command("mempalace", strings.Fields(args)); got != want {
			t.Errorf("mempalace %q: %v, want %v", args, got, want)
		}
	}
	if Command("mempalace-mcp", nil) != Writes || Command("mempalace-mcp", []string{"--help"}) != Reads {
		t.Error("a server opens a way to write, its help does not")
	}
}

// TestTools: no tool both reads and writes, and one that nobody knows does not read.
func TestTools(t *testing.T) {
	for _, tool := range WritingTools() {
		if IsRead(tool) || !IsWrite(tool) {
			t.Errorf("%s writes", tool)
		}
	}
	if IsRead("mempalace_levitate") || !IsRead("mempalace_search") {
		t.Error("only tools that are known read")
	}
	write, read := ToolNames("then mempalace_search, MemPalace_Add_Drawer and palace_palace_x")
	if write != "mempalace_add_drawer" || read != "mempalace_search" {
		t.Errorf("%q and %q", write, read)
	}
}

// TestPython: code that uses only names that write nothing is no use of a palace.
func TestPython(t *testing.T) {
	for code, used := range map[string]bool{
		"import mempalace; print(mempalace.__version__)":                                              false,
		"import mempalace.searcher as s\ns.search_memories('x')['results']":                           false,
		"from mempalace.layers import MemoryStack\nMemoryStack().wake_up(wing='p')":                   false,
		"from mempalace import miner\nimport inspect\ninspect.getsource(miner.mine)":                  false,
		"from mempalace.mcp_server import TOOLS\nprint(sorted(TOOLS), len(TOOLS))":                    false,
		"from mempalace.knowledge_graph import KnowledgeGraph as K\nk = K(f(1))\nk.query_entity('a')": false,
		"from mempalace.knowledge_graph import KnowledgeGraph as K\nk = K(f(1))\nk.add_triple('a')":   true,
		"from mempalace.knowledge_graph import KnowledgeGraph as K\nk = K()\nk.levitate()":            true,
		"from mempalace.knowledge_graph import KnowledgeGraph\nf = KnowledgeGraph().rewrite":          true,
		"from mempalace.mcp_server import TOOLS\nTOOLS['x']['handler']()":                             true,
		"from mempalace.mcp_server import tool_status as s, tool_add_drawer as a\ns()":                true,
		"import mempalace.mcp_server as m\nprint(f'{m.tool_add_drawer(1)}')":                          true,
		"import mempalace.mcp_server as m\ngetattr(m, 'tool_' + x)()":                                 true,
		"from mempalace.mcp_server import *\ntool_status()":                                           true,
		"import mempalace.cli":                                  true, // other code may use it
		"import mempalace.miner as m\nm.mine('docs')":           true,
		"const m = require('mempalace')":                        true,
		"print('from here to mempalace')":                       false,
		"await session.call_tool('mempalace_add_drawer', args)": true,
	} {
		if got := IsUsed(code); got != used {
			t.Errorf("%q: %v", code, got)
		}
	}
}

// FuzzPython: no code makes the reader of Python fail, and what is added to code that writes takes nothing
// back.
func FuzzPython(f *testing.F) {
	f.Add("from mempalace.layers import MemoryStack\nMemoryStack().wake_up(wing='p')")
	f.Add("import mempalace as m, os\nx = m.config.MempalaceConfig((1)).palace_path[0]")
	f.Fuzz(func(t *testing.T, code string) {
		IsUsed(code)
		if strings.ContainsAny(code, "\"'#\\") || len(code) > 4096 {
			return
		}
		if !IsUsed("import mempalace.miner as m_\nm_.mine(1)\n" + code) {
			t.Errorf("with %q it reads", code)
		}
	})
}
