package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/client/permissions"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// settingsFile reports whether p is a file from which the client takes its settings,
// its hooks, its plugins or its servers.
func (j *judge) settingsFile(p, cwd string) bool {
	if p = j.absolute(p, cwd); p == "" {
		return false
	}
	if isSettings(lower(cleanPath(p)), lower(j.call.ClientDir)) {
		return true
	}
	real, ok := j.leadsTo(p)
	return ok && isSettings(lower(real), lower(j.call.ClientDir))
}

func isSettings(p, client string) bool {
	name := path.Base(p)
	switch name {
	case ".mcp.json", ".claude.json", "managed-settings.json", "managed-mcp.json", "hooks.json":
		return true
	}
	dir := path.Dir(p)
	if !strings.HasSuffix(name, ".json") {
		return name == "config.toml" && path.Base(dir) == ".codex"
	}
	switch path.Base(dir) {
	case ".claude":
		return strings.HasPrefix(name, "settings")
	case ".claude-plugin", "managed-settings.d":
		return true
	}
	return client != "" && dir == client && strings.HasPrefix(name, "settings")
}

// codexHarms is harms for the settings of Codex, a TOML file or some lines of it.
func codexHarms(text string) (h harm) {
	table := ""
	for l := range strings.Lines(lower(text)) {
		l = strings.TrimSpace(l)
		if l = strings.TrimPrefix(l, "features."); strings.HasPrefix(l, "[") {
			table = l
		}
		key, set := wordAt(l), strings.Contains(l, "=")
		switch off := strings.HasSuffix(l, "false"); {
		case l == "" || l[0] == '#':
		case set && off && strings.HasSuffix(key, "hooks"):
			h.off++
		case set && off && key == "enabled" && strings.Contains(table, "keepsake"):
			h.unloads++
		case palace.IsNamed(l) && key != "disabled_tools":
			h.palace++
		}
	}
	return h
}

// wordAt returns the word that a text in small letters begins with.
func wordAt(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "_-abcdefghijklmnopqrstuvwxyz0123456789"))]
}

// A harm counts the settings in a text that could let permanent memory be written without a person.
type harm struct {
	off     int // switches hooks off
	unloads int // switches Keepsake off
	answers int // a hook that answers permission dialogs
	palace  int // names a MemPalace: its server, a hook or a rule for it
}

// beyond returns in words the first kind of harm of which h has more than old, or "".
func (h harm) beyond(old harm) string {
	switch {
	case h.off > old.off:
		return "it switches hooks off, and the gate with them"
	case h.unloads > old.unloads:
		return "it switches Keepsake off, and the gate with it"
	case h.answers > old.answers:
		return "it adds a hook that answers permission dialogs"
	case h.palace > old.palace:
		return "it names a MemPalace: a server, a hook or a rule for it"
	}
	return ""
}

// harms reads settings: whole ones by their structure, a part of them by its words.
func harms(text string) harm {
	t := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	key := ""
	if len(t) > 1 && t[0] == '"' && strings.Contains(t, ":") { // some members, perhaps of permissions
		key, t = "permissions", completed(t)
	}
	if len(t) > 1 && t[0] == '{' && rules.Shallow([]byte(t)) && gjson.Valid(t) {
		var h harm
		h.value(key, gjson.Parse(t), 0)
		return h
	}
	return harmsIn(t)
}

// completed returns members of a JSON object as a whole one, with what they leave open closed.
func completed(members string) string {
	var open []byte
	quoted := false
	for i := 0; i < len(members); i++ {
		switch c := members[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			open = append(open, c+2) // the bracket that closes it
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	return "{" + strings.TrimRight(members, ", \t\n") + string(open) + "}"
}

func (h *harm) value(key string, v gjson.Result, depth int) {
	low := lower(key)
	switch {
	case depth > rules.MaxNesting:
	case low == "disableallhooks" || low == "allowmanagedhooksonly":
		if v.Type != gjson.False && v.Type != gjson.Null {
			h.off++
		}
	case strings.HasPrefix(low, "keepsake@") && (v.Type == gjson.False || v.Type == gjson.Null):
		h.unloads++
	case low == "permissionrequest":
		if !v.IsArray() || len(v.Array()) > 0 {
			h.answers++
		}
	case v.IsObject() || v.IsArray():
		v.ForEach(func(k, item gjson.Result) bool {
			if low == "permissions" && (k.Str == "deny" || k.Str == "ask") || keepsOut(k.Str, item) {
				return true // a rule that denies or asks does no harm
			}
			if k.Type == gjson.String && palace.IsNamed(k.Str) {
				h.palace++
			}
			name := k.Str
			if v.IsArray() {
				name = key
			}
			h.value(name, item, depth+1)
			return true
		})
	case v.Type == gjson.String && low == "allow" && allowsRead(v.Str):
	case v.Type == gjson.String && (palace.IsNamed(v.Str) || strings.Contains(v.Str, ":8765/mcp")):
		h.palace++
	}
}

// keepsOut reports whether a member of settings names a palace to keep something out of it: a variable that
// switches off what stores, or the entry of a server that has one.
func keepsOut(name string, v gjson.Result) bool {
	switch value := lower(v.String()); lower(name) {
	case "mempalace_mcp_read_only":
		return listed(value, "1 true yes on")
	case "mempalace_hooks_auto_save":
		return listed(value, "0 false no off")
	}
	run := v.Get("command").Str
	return v.IsObject() && (palaceProgram(run) && palace.Serves(program(run)) ||
		programNamed(program(run)).kind == kindPython && v.Get("args.1").Str == "mempalace.mcp_server") &&
		keepsOut("mempalace_mcp_read_only", v.Get("env.MEMPALACE_MCP_READ_ONLY"))
}

// maxKey is the longest name of a plugin or a value that is read from a part of settings, in bytes.
const maxKey = 128

// allowsRead reports whether a permission rule names one MCP tool of a MemPalace that only reads, or a
// command of it that does so whatever its arguments are.
func allowsRead(rule string) bool {
	if args, ok := strings.CutPrefix(rule, "Bash(mempalace "); ok {
		return palace.Command("mempalace", []string{wordAt(args), bareHole}) == palace.Reads
	}
	i := strings.LastIndex(rule, "__")
	return strings.HasPrefix(rule, "mcp__") && i > len("mcp") && palace.IsRead(rule[i+2:])
}

// harmsIn returns the harm of a part of settings, or of a command that edits them, by its words.
func harmsIn(text string) harm {
	t := lower(text)
	var h harm
	switched := strings.Contains(t, "true")
	for _, key := range [...]string{"disableallhooks", "allowmanagedhooksonly"} {
		for rest := range behind(t, key) {
			if v, set := value(rest); set && v != "false" && v != "null" || !set && switched {
				h.off++
			}
		}
	}
	for rest := range behind(t, "keepsake") {
		name := rest[:min(len(rest), maxKey)]
		k := len(name) - len(strings.TrimLeft(name, "@-_./abcdefghijklmnopqrstuvwxyz0123456789"))
		if v, set := value(rest[k:]); set && (v == "false" || v == "null") {
			h.unloads++
		}
	}
	h.answers = strings.Count(t, "permissionrequest")
	if palace.IsNamed(t) || strings.Contains(t, ":8765/mcp") {
		h.palace++
	}
	return h
}

// namesSettings reports whether code names a file from which the client takes its settings.
func namesSettings(text string) bool {
	return containsAny(lower(text), "settings.json", "settings.local.json", "managed-settings", ".mcp.json",
		".claude.json", "hooks.json", ".codex/config.toml")
}

// value returns the word to which a key is set. rest is the text right behind the key's name, in JSON or
// in the words of a program that edits it.
func value(rest string) (word string, set bool) {
	rest = strings.TrimLeft(rest, "\"'\\]) \t")
	v := strings.TrimLeft(rest, ":=|, \t")
	if len(v) == len(rest) {
		return "", false
	}
	return wordAt(v[:min(len(v), maxKey)]), true
}

// enables reports whether settings switch Keepsake on as a plugin.
func enables(text string) bool {
	found := false
	gjson.Get(text, "enabledPlugins").ForEach(func(k, v gjson.Result) bool {
		found = strings.HasPrefix(lower(k.Str), "keepsake@") && v.Type != gjson.False && v.Type != gjson.Null
		return !found
	})
	return found
}

// settingsBecome judges a change of a settings file. after is its whole new text or, with part, the text
// that is put into it.
func (j *judge) settingsBecome(p, before, after string, part bool) {
	if !part && permissions.WeakensSandbox(before, after) {
		j.addFinding(rules.RuleSettings, shortPath(p), "it takes down the client's sandbox, or opens it")
		return
	}
	read := harms
	if strings.HasSuffix(p, ".toml") {
		read = codexHarms
	}
	now := read(after)
	if now == (harm{}) && (part || before == "") {
		return
	}
	var old harm
	if !part {
		old = read(before)
	}
	what := now.beyond(old)
	if what == "" && !part && enables(before) && !enables(after) {
		what = harm{unloads: 1}.beyond(harm{})
	}
	if what != "" {
		j.addFinding(rules.RuleSettings, shortPath(p), what)
	}
}

// settings judges a command that changes a settings file in a way that is not
// followed: by the words of all commands so far.
func (s *shell) settings(p string, f []string, d deed) {
	if d == touched || !s.settingsFile(p, s.cwd) {
		return
	}
	for ; s.weighed < len(s.commands); s.weighed++ {
		c := s.commands[s.weighed]
		h := harmsIn(strings.Join(c[1:], " "))
		h.palace = 0
		for _, a := range c[1:] {
			if !palaceProgram(c[0]) && palace.IsNamed(a) && strings.ContainsAny(a, "{=[\"' ") {
				h.palace++
			}
			if low := lower(a); strings.Contains(low, "keepsake") && unloads(low) ||
				strings.Contains(low, "del(.enabledplugins)") {
				h.unloads++
			}
		}
		if h.beyond(s.worst) != "" {
			s.worst = h
		}
	}
	what := s.worst.beyond(harm{})
	if what == "" && (d == removed || d == replaced && program(f[0]) == "truncate") {
		p = path.Clean(s.absolute(p, s.cwd))
		if base := path.Base(p); strings.ContainsAny(base, "*?[") && matchesName(base, "settings.json") {
			p = path.Join(path.Dir(p), "settings.json")
		}
		if old, ok := s.content(p); ok && enables(old) {
			what = harm{unloads: 1}.beyond(harm{})
		}
	}
	if what != "" {
		s.addFinding(rules.RuleSettings, commandText(f), what)
	} else if d == edited && listed(program(f[0]), "sed gsed") {
		s.settingsReplaced(p, f[1:])
	}
}

// settingsReplaced judges a settings file in which sed replaces plain texts.
func (s *shell) settingsReplaced(p string, args []string) {
	before, known := "", false
	after := ""
	for _, a := range args {
		from, to, n, ok := replacement(a)
		if !ok {
			continue
		}
		if !known {
			p = path.Clean(s.absolute(p, s.cwd))
			if before, known = s.content(p); !known {
				return
			}
			after = before
		}
		var b strings.Builder
		for l := range strings.Lines(after) {
			b.WriteString(strings.Replace(l, from, to, n))
		}
		if after = b.String(); len(after) > maxScript {
			return
		}
	}
	if known && after != before {
		s.settingsBecome(p, before, after, false)
	}
}

// replacement reads sed's s/from/to/ and s/from/to/g, when both are plain text; n is
// how often it replaces in one line.
func replacement(script string) (from, to string, n int, ok bool) {
	if len(script) < 4 || script[0] != 's' || letter(script[1]) {
		return "", "", 0, false
	}
	parts := strings.Split(script[2:], script[1:2])
	if len(parts) != 3 || parts[0] == "" || strings.ContainsAny(parts[0], `\.*[]^$+?(){}|`) ||
		strings.ContainsAny(parts[1], `\&`) || hasHole(script) {
		return "", "", 0, false
	}
	switch parts[2] {
	case "":
		return parts[0], parts[1], 1, true
	case "g":
		return parts[0], parts[1], -1, true
	}
	return "", "", 0, false
}

// unloads reports whether an edit, in the words of the program that makes it, removes or switches off
// what it names.
func unloads(edit string) bool {
	return containsAny(edit, "del(", "delpaths", "/d", "false", "delete", "pop(", "remove", "null", "rm ")
}

// content returns the present text of a file, if it is regular and small. It reads at most maxContents
// files in one call.
func (j *judge) content(p string) (string, bool) {
	if p = j.absolute(p, j.call.Cwd); j.call.Script == nil || !path.IsAbs(p) || hasHole(p) ||
		j.contents == maxContents {
		return "", false
	}
	j.contents++
	return j.script(path.Clean(p))
}

const maxContents = 8
