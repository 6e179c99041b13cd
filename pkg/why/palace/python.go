package palace

import (
	"regexp"
	"strings"
	"sync"
)

// IsUsed reports whether code imports MemPalace for more than its version.
func IsUsed(text string) bool {
	t := strings.ReplaceAll(strings.ToLower(text), "import_module('mempalace').__version__", "")
	write, _ := ToolNames(t)
	if (write != "" || strings.Contains(t, ":8765/mcp")) &&
		containsAny(t, "call_tool", "calltool", "tools/call") { // a client of MCP
		return true
	}
	if containsAny(t, "from \"mempal", "from 'mempal", "__import__('mempal", "__import__(\"mempal",
		"import_module('mempal", "import_module(\"mempal", "require('mempal", "require(\"mempal") ||
		strings.Contains(t, "entry_points") && strings.Contains(t, ".load()") {
		return true
	}
	if containsAny(t, "import mempal", "from mempal") ||
		strings.Contains(t, ", mempal") && strings.Contains(t, "import ") {
		return !usesReadingNames(text)
	}
	if containsAny(t, "mempalace(", "tool_add_drawer", "knowledgegraph(") {
		return true
	}
	return forms().member.MatchString(t)
}

// readingNames are the functions, classes, methods and properties of MemPalace's modules that write nothing.
// All others count as writes; tools are known by [IsRead].
const readingNames = `__version__ __file__ __path__ __doc__ __name__ TOOLS keys
	search search_memories search_with_media build_where_filter render_with_line_numbers extract_line_range
	MemoryStack Layer0 Layer1 Layer2 Layer3 wake_up recall status render token_estimate generate retrieve
	search_raw KnowledgeGraph query_entity find_entity_candidates query_relationship timeline timeline_total
	stats dump_rows close build_graph traverse find_tunnels graph_stats list_tunnels follow_tunnels topic_room
	list_hallways MempalaceConfig config_dir palace_path tunnel_file hallway_file collection_name backend
	people_map topic_wings hall_keywords chunk_size chunk_overlap embedding_model embedding_device lang
	hooks_auto_save get_configured_collection_name sqlite_read_uri normalize_wing_name sanitize_name
	audit_palace render_audit audit_to_json get_source_groups show_stats load_config detect_room chunk_text
	scan_project parse_query_input tokenize_dsl check_text extract_memories normalize strip_noise
	cached_update_status`

// isReadingName reports whether a name of MemPalace's modules writes nothing.
func isReadingName(name string) bool {
	tool, ok := strings.CutPrefix(name, "tool_")
	return listed(name, readingNames) || ok && (tool == "traverse_graph" || IsRead("mempalace_"+tool))
}

// The forms of Python code that are looked for, compiled once there is some.
var forms = sync.OnceValue(func() (f struct {
	literal, asked, imported, assigned, member, word *regexp.Regexp
}) {
	const double, single = `"(?:[^"\\\n]|\\.)*"`, `'(?:[^'\\\n]|\\.)*'`
	const long = `(?s)"""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?'''`
	f.literal = regexp.MustCompile(long + `|` + double + `|` + single + `|#[^\n]*`)
	f.asked = regexp.MustCompile(`\b(?:inspect\.\w+|help|dir)\([^()]*\)|getattr\(\w+, *['"]__\w+__['"]`)
	f.imported = regexp.MustCompile(`(?:^|[\n;:])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+` +
		`(\([^)]*\)|[\w., \t]+|\*)`)
	f.assigned = regexp.MustCompile(`(\w+)[ \t]*=[ \t]*(\w+)((?:\.\w+)*)(\(?)`)
	f.member = regexp.MustCompile(`(?:^|[^./'"\w])mempalace\.[a-z]\w*[(.\[]`) // no part of a path or a string
	f.word = regexp.MustCompile(`[A-Za-z_]\w*`)
	return f
})

// maxCode is how much code is looked at, in bytes.
const maxCode = 128 << 10

// usesReadingNames reports whether Python code that imports MemPalace uses only names that write nothing. It
// does not follow names that are put together.
func usesReadingNames(text string) bool {
	if len(text) > maxCode {
		return false
	}
	f := forms()
	used := f.imported.ReplaceAllString(text, "\n")
	text = f.asked.ReplaceAllString(text, "")
	b := []byte(text)
	for _, at := range f.literal.FindAllStringIndex(text, -1) {
		if at[0] == 0 || text[at[0]-1]|0x20 != 'f' { // what stands in f"{…}" runs
			for i := at[0]; i < at[1]; i++ {
				b[i] = ' '
			}
		}
	}
	code := string(b)
	if containsAny(code, "getattr", "__dict__", "__import__", "import_module", "eval(", "exec(", "vars(",
		"globals", "locals", "getmodule", "methodcaller", "attrgetter", "sys.modules", ".add_", ".set_",
		".save", ".invalidate", ".supersede", ".rewrite", ".upsert", ".delete", ".load()") {
		return false
	}
	meant := map[string]string{} // names in the code and what they are in MemPalace; "" for an object
	for _, m := range f.imported.FindAllStringSubmatch(code, -1) {
		for item := range strings.SplitSeq(strings.Trim(m[2], "()"), ",") {
			w := strings.Fields(item)
			if len(w) == 0 || !IsNamed(m[1]) && (m[1] != "" || !IsNamed(w[0])) {
				continue
			}
			name := w[len(w)-1]
			if w[0] == "*" || strings.Contains(m[1], ".") && !isReadingName(w[0]) ||
				w[0] != "mempalace" && !strings.Contains(used, name) { // other code may use it
				return false
			}
			first, _, _ := strings.Cut(name, ".")
			meant[first] = w[0]
		}
	}
	if len(meant) == 0 {
		return false
	}
	code = f.imported.ReplaceAllString(code, "\n")
	for _, m := range f.assigned.FindAllStringSubmatch(code, -1) {
		name, ours := meant[m[2]]
		if last := m[3][strings.LastIndex(m[3], ".")+1:]; last != "" {
			name = last
		}
		if ours && (isClass(name) || name == "TOOLS" || m[3]+m[4] == "") {
			if m[4] == "(" {
				name = ""
			}
			meant[m[1]] = name
		}
	}
	for _, at := range f.word.FindAllStringIndex(code, -1) {
		name, ours := meant[code[at[0]:at[1]]]
		if ours && (at[0] == 0 || code[at[0]-1] != '.') && !readsAlong(name, code[at[1]:]) {
			return false
		}
	}
	return true
}

// isClass reports whether a name of MemPalace's is that of a class that may be used to read.
func isClass(name string) bool {
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && name != "TOOLS" && isReadingName(name)
}

// readsAlong reports whether what follows a name in code, members and calls, only reads.
func readsAlong(name, rest string) bool {
	for first := true; ; first = false {
		switch {
		case strings.HasPrefix(rest, "("):
			if !isReadingName(name) {
				return false
			}
			for depth, i := 0, 0; i < len(rest); i++ {
				depth += strings.Count(rest[i:i+1], "(") - strings.Count(rest[i:i+1], ")")
				if depth == 0 {
					rest = rest[i+1:]
					break
				}
			}
			if !isClass(name) || !strings.HasPrefix(rest, ".") {
				return true // what it returned is data
			}
		case strings.HasPrefix(rest, "["):
			return name != "TOOLS" && isReadingName(name)
		case !strings.HasPrefix(rest, "."):
			return first || isReadingName(name)
		}
		rest = rest[1:]
		name = forms().word.FindString(rest)
		rest = strings.TrimPrefix(rest, name)
	}
}
