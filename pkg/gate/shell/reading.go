package shell

import (
	"regexp"
	"strings"
	"sync"

	"keepsake/pkg/gate/rules"
)

// Code that names a palace asks unless all that it does with one is read here: names of MemPalace's Python
// modules that write nothing, and commands that are written out.

// readingNames are the functions, classes, methods and properties of MemPalace's modules that write nothing.
// All others count as writes; tools are known by [palaceRead].
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
	return listed(name, readingNames) || ok && (tool == "traverse_graph" || palaceRead("mempalace_"+tool))
}

// The forms of code that are looked for.
var forms = sync.OnceValue(func() (f struct{ literal, asked, imported, assigned, word, start *regexp.Regexp }) {
	f.literal = regexp.MustCompile(`(?s)"""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|` +
		`'(?:[^'\\\n]|\\.)*'|#[^\n]*`)
	f.asked = regexp.MustCompile(`\b(?:inspect\.\w+|help|dir)\([^()]*\)|getattr\(\w+, *['"]__\w+__['"]`)
	f.imported = regexp.MustCompile(`(?:^|[\n;:])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+` +
		`(\([^)]*\)|[\w., \t]+|\*)`)
	f.assigned = regexp.MustCompile(`(\w+)[ \t]*=[ \t]*(\w+)((?:\.\w+)*)(\(?)`)
	f.word = regexp.MustCompile(`[A-Za-z_]\w*`)
	f.start = regexp.MustCompile(`\b(?:run|call|check_output|check_call|Popen|system|p?open2?|exec\w*|spawn\w*)\b`)
	return f
})

// usesReadingNames reports whether Python code that imports MemPalace uses only names that write nothing. What it
// does by names that are put together is not known.
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
	if containsAny(code, "getattr", "__dict__", "__import__", "import_module", "eval(", "exec(", "vars(", "globals",
		"locals", "getmodule", "methodcaller", "attrgetter", "sys.modules", ".add_", ".set_", ".save", ".invalidate",
		".supersede", ".rewrite", ".upsert", ".delete", ".load()") {
		return false
	}
	meant := map[string]string{} // names in the code and what they are in MemPalace; "" for an object
	for _, m := range f.imported.FindAllStringSubmatch(code, -1) {
		for item := range strings.SplitSeq(strings.Trim(m[2], "()"), ",") {
			w := strings.Fields(item)
			if len(w) == 0 || !namesPalace(m[1]) && (m[1] != "" || !namesPalace(w[0])) {
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
		if ours && (isClass(name) || m[3]+m[4] == "") {
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

// startsReads reports whether all programs that code starts are named in it, each with its verb, and are
// commands of MemPalace or of programs that read which write no palace. It returns the code without them.
func (j *judge) startsReads(text string) (rest string, ok bool) {
	if len(text) > maxCode {
		return "", false
	}
	f, found := forms(), 0
	for _, at := range f.start.FindAllStringIndex(text, -1) {
		after := text[at[1]:]
		list, call := strings.CutPrefix(after, "(")
		if next := strings.TrimLeft(after, " \t"); !call {
			if next != "" && strings.IndexByte(",})\n;'\"", next[0]) < 0 {
				return "", false // it gets another name
			}
			continue
		}
		command := commandIn(list)
		words := strings.Fields(command)
		if text[at[0]:at[1]] == "open" && len(words) < 2 {
			continue // a file
		}
		if len(words) == 0 || !palaceProgram(words[0]) && programNamed(program(words[0])).kind != kindReads ||
			j.writesPalace(command) {
			return "", false
		}
		found++
	}
	return strings.NewReplacer("subprocess", "", "child_process", "", "shell=", "").Replace(
		f.start.ReplaceAllString(text, "")), found > 0
}

// commandIn returns the command that the arguments of a call begin with: a string, a list of words, or a
// program and a list; "" for anything else.
func commandIn(args string) string {
	args = strings.TrimLeft(args, " \t\n")
	literal := forms().literal
	at := literal.FindStringIndex(args)
	if at == nil || at[0] > 1 || at[0] == 1 && args[0] != '[' {
		return ""
	}
	command := unquotedLiteral(args[at[0]:at[1]])
	list, ok := args[1:], at[0] == 1
	if !ok {
		if list, ok = strings.CutPrefix(strings.TrimLeft(args[at[1]:], ", \t\n"), "["); !ok {
			return command
		}
	} else {
		list, command = args[at[1]:], rules.Quote(command)
	}
	for list = strings.TrimLeft(list, ", \t\n"); list != "" && list[0] != ']'; list = strings.TrimLeft(list, ", \t\n") {
		if at := literal.FindStringIndex(list); at != nil && at[0] == 0 {
			command += " " + rules.Quote(unquotedLiteral(list[:at[1]]))
			list = list[at[1]:]
			continue
		}
		command += ` "$unknown"`
		list = list[max(1, strings.IndexAny(list, ",]")):]
	}
	return command
}

func unquotedLiteral(s string) string { return strings.Trim(s, `'"`) }
