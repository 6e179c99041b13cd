package shell

import (
	"strings"

	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// mcp judges a call of an MCP tool: mcp__<server>__<tool>, where a plugin's
// server is plugin_<plugin>_<server>. MemPalace is known by the server or by
// the tool, whatever the other is called.
func (j *judge) mcp(name string) {
	rest := strings.TrimPrefix(name, "mcp__")
	server, tool := "", rest
	if i := strings.LastIndex(rest, "__"); i >= 0 {
		server, tool = rest[:i], rest[i+2:]
	}
	tool, ours := palaceTool(tool)
	low := strings.ToLower(server)
	if !ours && !strings.Contains(low, "mempal") && !strings.Contains(low, "palace") {
		j.gateway(rest)
		return
	}
	if palace.IsRead(tool) {
		return
	}
	if j.parse() && readsByArgs(tool, j.args) {
		return
	}
	j.addFinding(rules.RulePalaceTool, tool, rules.Destination(name, j.args)...)
}

// palaceTool finds the name of a MemPalace tool at the end of a tool segment,
// behind whatever a wrapper put before it.
func palaceTool(tool string) (name string, ok bool) {
	low := lower(tool)
	if i := strings.LastIndex(low, "mempalace_"); i >= 0 {
		return tool[i:], true
	}
	if strings.Contains(low, "mempal") {
		return tool, true
	}
	for i := range low {
		if i == 0 || !letter(low[i-1]) {
			if n, ok := palace.LightTool(low[i:]); ok && i+len(n) == len(low) {
				return tool[i:], true
			}
		}
	}
	return tool, false
}

// lower folds ASCII letters only, so that what is found in it is found at the same place in s.
func lower(s string) string {
	i := 0
	for i < len(s) && (s[i] < 'A' || s[i] > 'Z') {
		i++
	}
	if i == len(s) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// readsByArgs decides the tools that read or write by their arguments. Only the
// exact JSON literal that means "read" is one: the server coerces strings by
// truth ("false" is true), and an argument it may not know makes it a write.
func readsByArgs(tool string, args gjson.Result) bool {
	seen := ""
	literal := func(allowed, name string, want gjson.Type, absent bool) bool {
		ok := absent
		good := true
		args.ForEach(func(k, v gjson.Result) bool {
			if !listed(k.Str, allowed) || listed(k.Str, seen) || strings.ContainsAny(k.Raw, "\\ ") {
				good = false
				return false
			}
			seen += " " + k.Str
			if k.Str == name {
				ok = v.Type == want
			}
			return true
		})
		return good && ok
	}
	switch tool {
	case "mempalace_sync":
		return literal("project_dir wing apply", "apply", gjson.False, true)
	case "mempalace_delete_by_source":
		return literal("source_file wing dry_run", "dry_run", gjson.True, true)
	case "mempalace_mine":
		return literal("source mode wing agent limit dry_run extract", "dry_run", gjson.True, false)
	case "mempalace_hook_settings":
		return literal("", "", gjson.Null, true)
	}
	return false
}

// gateway judges any other MCP tool: one that passes calls on carries MemPalace's tool names in its
// arguments, one that runs commands carries a command, one that writes files a path.
func (j *judge) gateway(rest string) {
	if !j.parse() {
		if len(j.call.Args) > 0 {
			j.unreadable()
		}
		return
	}
	g := gateway{judge: j, tool: rest, reads: readName(rest)}
	g.types = !g.reads && typesKeys(rest)
	g.value("", j.args, 0)
	g.puts()
	if g.server && !g.readTool && !g.reads {
		j.addFinding(rules.RulePalaceGateway, rest)
	}
}

// gatewayValue judges one argument of a tool of the client that is not known.
func (j *judge) gatewayValue(key string, v gjson.Result) {
	g := gateway{judge: j, tool: j.call.Tool, types: typesKeys(j.call.Tool)}
	g.value(key, v, 0)
}

// A gateway is a search through the arguments of one call.
type gateway struct {
	*judge
	tool     string
	reads    bool // the tool's own name says that it only looks
	types    bool // it says that it types
	server   bool // some argument names a MemPalace server to call
	readTool bool // some argument names a tool of it that reads

	paths, texts []string // files it writes, and what may be put into them

	seen map[argument]bool // what was judged: lists repeat themselves
}

// An argument is one string, or one list or object as it was sent, by the name that it goes by.
type argument struct {
	key, value string
	compound   bool
}

// again reports whether an argument was judged before, and remembers it if it was not.
func (g *gateway) again(a argument) bool {
	if g.seen[a] {
		return true
	}
	if g.seen == nil {
		g.seen = make(map[argument]bool)
	}
	if len(g.seen) < maxLooked {
		g.seen[a] = true
	}
	return false
}

// puts judges the files that a tool writes by what it puts into them.
func (g *gateway) puts() {
	n := 0
	for _, p := range g.paths {
		settings := g.settingsFile(p, g.call.Cwd)
		if n == 4 || !runsLater(p) && !settings {
			continue
		}
		n++
		for _, t := range g.texts {
			if settings {
				g.settingsBecome(p, "", t, true)
			}
			g.later(p, "", t)
		}
	}
}

func (g *gateway) value(key string, v gjson.Result, depth int) {
	if depth > rules.MaxNesting || g.stopped() {
		return
	}
	switch {
	case v.IsObject() || v.IsArray():
		if len(v.Raw) < maxPath && g.again(argument{key, v.Raw, true}) {
			return
		}
		if line := commandLine(key, v); line != "" {
			g.text("command", line, depth)
		}
		v.ForEach(func(k, item gjson.Result) bool {
			name := key
			if k.Type == gjson.String {
				name = k.Str
				g.name(k.Str)
			}
			g.value(name, item, depth+1)
			return !g.stopped()
		})
	case v.Type == gjson.String:
		g.text(strings.ToLower(key), v.Str, depth)
	}
}

// commandLine returns the command that a list of words under key is, or an object with a program and
// its arguments; "" for anything else, and for a list that names no palace.
func commandLine(key string, v gjson.Result) string {
	if len(v.Raw) > maxPath || !palace.IsNamed(v.Raw) {
		return ""
	}
	const lists = "args argv arguments params"
	var first, words []string
	add := func(v gjson.Result) {
		for _, w := range stringsIn(v, 0) {
			q, _ := syntax.Quote(w, syntax.LangBash)
			words = append(words, q)
		}
	}
	switch {
	case v.IsArray() && listed(strings.ToLower(key), "command cmd exec "+lists):
		add(v)
	case v.IsObject():
		v.ForEach(func(k, item gjson.Result) bool {
			switch low := strings.ToLower(k.Str); {
			case listed(low, lists) && item.Type == gjson.String: // words apart by spaces
				words = append(words, item.Str)
			case listed(low, lists):
				add(item)
			case item.Type == gjson.String && listed(low, "command cmd program executable binary bin"):
				first = append(first, item.Str)
			}
			return true
		})
		if first == nil || words == nil {
			return ""
		}
	}
	return strings.Join(append(first, words...), " ")
}

// dotted reads the name of a tool behind that of a MemPalace server, as in
// mempalace.add_drawer, mempalace/mine.
func dotted(s string) (tool string, ok bool) {
	i := strings.LastIndexAny(s, "./:")
	if i <= 0 || !palace.IsNamed(s[:i]) {
		return "", false
	}
	tool = s[i+1:]
	for _, c := range tool {
		if c != '_' && (c < 'a' || c > 'z') {
			return "", false
		}
	}
	return tool, strings.Contains(tool, "_") ||
		listed(tool, "mine sync checkpoint search status traverse reconnect")
}

// name judges a string that is nothing but a name, with or without a server before it.
func (g *gateway) name(s string) bool {
	if len(s) > 200 || len(s) < 6 || strings.ContainsAny(s, " \t\n(){}\"'") {
		return false
	}
	last := s
	if i := strings.LastIndexAny(s, "/.:#"); i >= 0 {
		last = s[i+1:]
	}
	low := strings.ToLower(last)
	if !strings.HasPrefix(low, "mempalace_") && !strings.Contains(low, "__mempalace_") {
		if _, ok := palace.LightTool(low); !ok && !strings.Contains(low, "__palace_") {
			return false
		}
	}
	if i := strings.LastIndex(last, "__"); i >= 0 {
		last = last[i+2:]
	}
	switch tool, ok := palaceTool(last); {
	case !ok:
		return false
	case palace.IsRead(tool):
		g.readTool = true
	case !g.reads:
		g.addFinding(rules.RulePalaceGateway, tool, rules.Destination(g.call.Tool, g.args)...)
	}
	return true
}

func (g *gateway) text(key, s string, depth int) {
	if g.again(argument{key: key, value: s}) || g.name(s) {
		return
	}
	if g.types && listed(key, "keys key text input command cmd stdin send characters") &&
		(typesAnswer(s) || approves(s)) {
		g.addFinding(rules.RuleApproval, g.tool)
		return
	}
	if !g.reads && len(g.texts) < maxEdits {
		g.texts = append(g.texts, s)
	}
	t := strings.TrimSpace(s)
	if len(t) > 1 && (t[0] == '{' || t[0] == '[') && rules.Shallow([]byte(t)) && gjson.Valid(t) {
		g.value(key, gjson.Parse(t), depth+1)
		return
	}
	switch key {
	case "server", "server_name", "servername", "mcp_server", "mcpserver", "server_id", "serverid",
		"namespace", "provider", "toolkit", "connector":
		g.server = g.server || palace.IsNamed(s)
	case "tool", "tool_name", "toolname", "name", "method", "function", "action", "operation":
		switch tool, ok := dotted(s); {
		case palace.IsRead("mempalace_" + s), palace.IsRead(s), ok && palace.IsRead("mempalace_"+tool):
			g.readTool = true
		case ok && !g.reads:
			g.addFinding(rules.RulePalaceGateway, s)
		case key == "function": // of a browser
			g.program(s, []string{g.tool})
		}
	case "target", "slug", "tool_slug", "tool_id":
		if tool, ok := dotted(s); ok && !g.reads && palace.IsWrite("mempalace_"+tool) {
			g.addFinding(rules.RulePalaceGateway, s)
		}
	case "url", "uri", "endpoint":
		if !g.reads && strings.Contains(s, ":8765/mcp") {
			g.addFinding(rules.RuleUndecided, g.tool)
		}
	case "query", "sql", "statement", "statements":
		if zoneIn(s)&inPalace != 0 && !queries(s) {
			g.addFinding(rules.RuleUndecided, g.tool)
		}
	case "patch", "diff", "patch_text", "patchtext":
		g.patched(s)
	case "command", "commands", "cmd", "cmds", "shell", "commandline", "command_line", "commandstring",
		"command_string", "cmdstring", "cmdline", "shell_command", "shellcommand",
		"script", "bash", "input", "stdin", "keys":
		if palace.IsNamed(s) || zoneIn(s) != 0 || strings.Contains(s, "keepsake") || palace.IsEncoded(s) {
			g.shellText(s)
		}
		fallthrough
	case "code", "source_code", "python_code", "cell_source", "cell", "source", "javascript", "js", "python",
		"py", "program", "expression", "snippet", "dsl", "pql", "body", "data", "payload", "json", "request":
		if write, _ := palace.ToolNames(s); write != "" &&
			(strings.Contains(s, write+"(") || strings.Contains(s, `"`+write+`"`) ||
				strings.Contains(s, "'"+write+"'") || strings.HasPrefix(write, "palace_")) && !prose(key) {
			g.addFinding(rules.RulePalaceGateway, write)
		}
		if !prose(key) {
			g.program(s, []string{g.tool})
		}
	}
	if !g.reads && len(s) < maxPath && strings.Contains(s, "/") {
		switch key {
		case "path", "file", "filepath", "file_path", "filename", "destination", "dest", "target", "to",
			"output", "output_path", "uri", "db", "database", "db_path", "database_path", "paths", "files",
			"dir", "directory", "folder", "source", "from", "notebook_path", "relative_path", "absolute_path",
			"old_path", "new_path", "oldpath", "newpath", "src", "dst", "connection", "connection_string",
			"dsn":
			if z := g.findChanged(s, g.call.Cwd); z != 0 { // each is asked about once anyway
				g.findZone(z, g.tool+" "+s, true)
			}
			d := edited
			if strings.Contains(lower(g.tool), "write") {
				d = replaced
			}
			g.memory(s, g.call.Cwd, d, func() string { return g.tool + " " + s })
			if len(g.paths) < maxEdits {
				g.paths = append(g.paths, s)
			}
		}
	}
}

// patched judges the files that a patch names, in the form of diff or of apply_patch.
func (g *gateway) patched(text string) {
	for l := range strings.Lines(text) {
		for _, before := range [...]string{"+++ ", "--- ", "*** Update File: ", "*** Add File: ",
			"*** Delete File: ", "*** Move to: "} {
			if p, ok := strings.CutPrefix(strings.TrimSpace(l), before); ok && len(p) < maxPath {
				g.findZone(g.changed(p, g.call.Cwd), g.tool+" "+p, true)
			}
		}
	}
}

// typesKeys reports whether a tool's name promises to type into a terminal or a window.
func typesKeys(tool string) bool {
	return containsAny(lower(tool), "tmux", "term", "pty", "tty", "key", "type", "shell", "screen", "console",
		"exec", "process")
}

// prose reports whether a key usually holds text for people, where the name of a tool is a mention.
func prose(key string) bool { return listed(key, "body data") }

// readName reports whether a tool's own name promises that it only looks: the last
// segment of an MCP name.
func readName(rest string) bool {
	if i := strings.LastIndex(rest, "__"); i >= 0 {
		rest = rest[i+2:]
	}
	low := strings.ToLower(rest)
	for _, verb := range [...]string{"read", "get", "list", "search", "find", "describe", "stat", "info",
		"view", "show", "tree", "query-docs", "resolve", "directory_tree", "inspect", "lookup", "browse",
		"count", "head", "tail", "cat", "grep"} {
		if after, ok := strings.CutPrefix(low, verb); ok && (after == "" || !letter(after[0])) {
			return true
		}
	}
	return false
}
