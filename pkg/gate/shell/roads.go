package shell

import (
	"path"
	"strings"

	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/verbs"
)

// The agent types of Keepsake's own agents.
const (
	Drafter  = "keepsake:drafter"
	Verifier = "keepsake:verifier"
	Keeper   = "keepsake:memory-keeper"
	Digester = "keepsake:digest"
)

// planMode is the permission mode in which nothing that writes is allowed.
const planMode = "plan"

// roads allows the calls that Keepsake itself needs, so that a save shows no dialog. Each road is as
// narrow as it can be. A call that is not exactly one of them gets no decision.
func (j *judge) roads() {
	switch j.call.Tool {
	case "Skill":
		if name, ok := j.one("skill"); ok && ownSkill(name) && !j.keeps() &&
			(j.call.Mode != planMode || name == "keepsake:recall") {
			j.addFinding(rules.RuleSkill, name)
		}
	case "Bash":
		if command, ok := j.one("command"); ok && j.ownCommand(command) {
			j.addFinding(rules.RuleBinary, command)
		}
	case "Read", "Write":
		if j.stageFile(j.call.Tool == "Write") {
			j.addFinding(rules.RuleStageFile, j.call.Tool)
		}
	case "Agent":
		if kind, ok := j.ownAgent(); ok {
			j.addFinding(rules.RuleDrafterStart, kind)
		}
	}
}

// ownAgent reports whether the call starts one of our drafters or verifiers on this session's stage, a
// memory-keeper on the notes, or the digest, with the lines that the skill or the hook gives it and
// nothing else. In auto mode the client otherwise puts the start of an agent to its own safety check,
// and to the person where that check is not to be had.
func (j *judge) ownAgent() (kind string, ok bool) {
	kind, ok = j.one("subagent_type")
	if !ok || kind != Drafter && kind != Verifier && kind != Keeper && kind != Digester ||
		j.call.Mode == planMode || j.call.Agent != "" || j.call.Stage == nil {
		return "", false
	}
	prompt, ok := j.one("prompt")
	if !ok {
		return "", false
	}
	known := true
	j.members(func(k, _ gjson.Result) bool {
		switch k.Str {
		case "subagent_type", "prompt", "description", "model", "run_in_background":
		default:
			known = false
		}
		return known
	})
	if kind == Digester {
		prompt = strings.TrimSpace(prompt)
		return kind, known && (prompt == "Judge what waits." ||
			prompt == "Judge what waits, beside other work.")
	}
	stage := j.call.Stage()
	if !known || stage == "" {
		return "", false
	}
	lines := strings.Split(strings.TrimSpace(prompt), "\n")
	switch kind {
	case Verifier:
		return kind, len(lines) == 2 && isVerifierPrompt(lines, stage)
	case Keeper:
		return kind, isKeeperPrompt(lines, stage)
	}
	return kind, len(lines) == 3 && isDrafterPrompt(lines, stage)
}

// isKeeperPrompt reports whether lines are the prompt of a memory-keeper, with the notes and
// contexts of this session.
func isKeeperPrompt(lines []string, stage string) bool {
	for _, l := range lines[1:] {
		name, ok := strings.CutPrefix(l, "Passages: "+path.Clean(stage)+"/context-")
		of, isContext := strings.CutSuffix(name, ".txt")
		if !ok || !isContext || !category(of) {
			return false
		}
	}
	return lines[0] == "Notes: .agents/memory/scratch"
}

// isDrafterPrompt reports whether lines are the prompt of a drafter: the context and the draft of
// one category.
func isDrafterPrompt(lines []string, stage string) bool {
	name, ok := strings.CutPrefix(lines[0], "Category: ")
	return ok && category(name) &&
		lines[1] == "Context file: "+path.Join(stage, "context-"+name+".txt") &&
		lines[2] == "Output: "+path.Join(stage, "intent-"+name+".json")
}

// isVerifierPrompt reports whether lines are the prompt of a verifier: one draft and the context of
// its category.
func isVerifierPrompt(lines []string, stage string) bool {
	file, ok := strings.CutPrefix(lines[0], "Draft: ")
	dir, name := path.Split(file)
	of, isDraft := draftOf(name)
	return ok && isDraft && path.Clean(dir) == path.Clean(stage) && file == path.Join(stage, name) &&
		lines[1] == "Context file: "+path.Join(stage, "context-"+of+".txt")
}

// ownSkill reports whether a name is that of a skill of this plugin that a model may invoke.
func ownSkill(name string) bool {
	return listed(name, "keepsake:save keepsake:recall keepsake:memory keepsake:tidy")
}

// one returns the string argument called name; false when it is missing, no
// string, or given twice (in any case).
func (j *judge) one(name string) (string, bool) {
	if !j.parse() {
		return "", false
	}
	var v gjson.Result
	n := 0
	j.members(func(k, val gjson.Result) bool {
		if strings.EqualFold(k.Str, name) {
			v = val
			n++
			if k.Str != name {
				n++
			}
		}
		return true
	})
	return v.Str, n == 1 && v.Type == gjson.String
}

// ownCommand reports whether text is one plain command, every word of it literal, whose program is this
// plugin's own binary and whose verb is one of every day. The path is compared with where the hook
// itself lies. A bare `keepsake` is not ours to allow: a project's settings can put another program of
// that name first on PATH.
func (j *judge) ownCommand(text string) bool {
	if len(text) > 64<<10 || text == "" || text[0] != '/' && text[0] != '"' && text[0] != '\'' ||
		!strings.Contains(text, "/bin/keepsake") || j.call.PluginRoot == nil {
		return false
	}
	st, parsed := loneCommand(text)
	if len(parsed) == 0 || len(st.Redirs) > 1 || st.Semicolon.IsValid() {
		return false
	}
	words := make([]string, len(parsed))
	for i, w := range parsed {
		var ok bool
		if words[i], ok = literal(w); !ok {
			return false
		}
	}
	verb, n := verbs.Find(words[1:])
	if verb == nil || !j.everyday(ownCall{verbs.Call{Verb: verb, Args: words[1+n:]}}) {
		return false
	}
	// Of a folder of Markdown memories git is asked things for which it starts programs that the folder's own
	// configuration names.
	save := &rules.Command{Args: words[1:], Alone: strings.HasPrefix(verb.Name, "md ")}
	if len(st.Redirs) == 1 {
		if verb.Name != "remember" || !quotedHeredoc(st.Redirs[0]) {
			return false
		}
		save.Stdin, _ = wordText(st.Redirs[0].Hdoc)
	}
	root := j.call.PluginRoot()
	if root == "" || !path.IsAbs(words[0]) {
		return false
	}
	own := path.Join(root, "bin", "keepsake")
	if words[0] != own && (j.call.Resolve == nil || path.Clean(words[0]) != words[0] ||
		j.call.Resolve(words[0]) != j.call.Resolve(own)) {
		return false
	}
	if verb.Saves() {
		j.save = save
	}
	return true
}

// quotedHeredoc reports whether a redirection is a here-document whose delimiter is
// quoted, 'EOF', "EOF" or \EOF, so that no shell changes a word of it.
func quotedHeredoc(r *syntax.Redirect) bool {
	if r.Op != syntax.Hdoc || r.N != nil || r.Word == nil || r.Hdoc == nil || len(r.Word.Parts) != 1 {
		return false
	}
	ok := false
	switch q := r.Word.Parts[0].(type) {
	case *syntax.SglQuoted:
		ok = !q.Dollar
	case *syntax.DblQuoted:
		ok = !q.Dollar && isPlainDelimiter((&syntax.Word{Parts: q.Parts}).Lit())
	case *syntax.Lit:
		ok = q.Value[0] == '\\' && isPlainDelimiter(q.Value[1:])
	}
	_, plain := wordText(r.Hdoc)
	return ok && plain
}

// isPlainDelimiter reports whether a delimiter is letters, digits and underscores: one
// that all shells read in the same way, without an escape of its own.
func isPlainDelimiter(s string) bool {
	return s != "" && strings.Trim(s, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// everyday reports whether a call writes nothing, or only notes or what a plan of this
// session writes, and that no option moves it to another session or place.
func (j *judge) everyday(c ownCall) bool {
	v := c.Verb
	switch v.Agent {
	case verbs.Free:
	case verbs.Saves:
		if j.call.Mode == planMode {
			return false
		}
	case verbs.Adds: // undo takes it back
		if !c.looks() && (j.call.Mode == planMode || j.answer(rules.RuleAutoMemory) != rules.Pass) {
			return false
		}
	case verbs.Looks:
		if !c.looks() {
			return false
		}
	default:
		return false
	}
	if v.With != "" && c.writes() || v.Only != "" && !c.onlyNamed() || v.Does == verbs.Keeps &&
		!onlyNotes(c.Args) {
		return false
	}
	for _, a := range c.Args {
		if a == "--" {
			return true
		}
		name, _, _ := strings.Cut(a, "=")
		switch name {
		case "--session", "--project", "--root", "--stage", "--dir", "--config", "--replay":
			return false
		}
	}
	return true
}

// onlyNotes reports whether keepsake save writes nothing but notes: those of scratch or
// those of where things are.
func onlyNotes(args []string) bool {
	for i, a := range args {
		if a == "--" {
			break
		}
		name, value, joined := strings.Cut(a, "=")
		if name != "--tier" {
			continue
		}
		if !joined {
			if i+1 == len(args) {
				return false
			}
			value = args[i+1]
		}
		if value != "scratch" && value != "where" {
			return false
		}
	}
	return true
}

// onlyNamed reports whether a call has only the options that its verb may have unasked, and prints
// words of no folder that its arguments name.
func (c ownCall) onlyNamed() bool {
	for i, a := range c.Args {
		name, _, _ := strings.Cut(a, "=")
		switch {
		case i > 0 && (c.Args[i-1] == "--profile" || c.Args[i-1] == "--from"): // its value
		case strings.HasPrefix(a, "-"):
			if !listed(name, c.Verb.Only) {
				return false
			}
		// behind an option it may be the name of another verb
		case c.Verb.Prints == verbs.Files, c.Verb.Default:
			return false
		}
	}
	return true
}

// literal returns the value of a word that no shell changes: no expansion, no glob,
// no brace, no tilde, no escape, and nothing that zsh reads as one.
func literal(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if p.Value == `\'` { // an apostrophe between two quoted parts
				b.WriteByte('\'')
				continue
			}
			if strings.ContainsAny(p.Value, "\\*?[]{}~^#!\n") || i == 0 && strings.HasPrefix(p.Value, "=") {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if p.Dollar {
				return "", false
			}
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok || strings.ContainsAny(lit.Value, "\\$`!") {
					return "", false
				}
				b.WriteString(lit.Value)
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// stageFile reports whether the call is for one of the named files of this session's
// stage: a context or the triage data to read, a draft to read or write.
func (j *judge) stageFile(write bool) bool {
	p, ok := j.one("file_path")
	if !ok || j.call.Stage == nil || j.call.Lstat == nil || !path.IsAbs(p) || path.Clean(p) != p {
		return false
	}
	dir, name := path.Split(p)
	if !stageName(name, write) && (name != tidyName || j.call.Agent != "") || write &&
		j.call.Mode == planMode {
		return false
	}
	dir = path.Clean(dir)
	stage := j.call.Stage()
	if stage == "" || dir != path.Clean(stage) || j.call.Lstat(dir).Kind != Directory {
		return false
	}
	switch f := j.call.Lstat(p); f.Kind {
	case Regular:
		return f.Links == 1
	case Absent:
		return true
	}
	return false
}

// tidyName is the file of a stage with the answers to keepsake tidy, which the main agent writes.
const tidyName = "tidy.json"

// stageName reports whether a name is that of a file of a stage that an agent may read or, with write,
// write.
func stageName(name string, write bool) bool {
	kind, rest, _ := strings.Cut(name, "-")
	of, ending, _ := strings.Cut(rest, ".")
	switch {
	case !category(of):
		return name == "triage-data.json" && !write
	case kind == "intent":
		return ending == "json" || ending == "hand.json"
	case kind == "context":
		return ending == "txt" && !write
	}
	_, isDraft := draftOf(name)
	return isDraft && !write
}

// draftOf reads the category in the name of a file that is written for verifiers:
// draft-decision.txt, or draft-decision.2.txt where there are several.
func draftOf(name string) (of string, ok bool) {
	of, ok = strings.CutPrefix(name, "draft-")
	if !ok {
		return "", false
	}
	of, ok = strings.CutSuffix(of, ".txt")
	of, number, _ := strings.Cut(of, ".")
	return of, ok && category(of) && len(number) < 4 && strings.Trim(number, "0123456789") == ""
}

// category reports whether a name is that of a category of memories. The gate does not import package
// memory, as the hook must start fast.
func category(name string) bool {
	return listed(name, "session_summary decision runbook constraint tech_debt preference")
}

// drafter keeps one of our drafters or verifiers to its files, and a memory-keeper to reading, whatever
// its instructions became on the way. It returns true when the call is decided.
func (j *judge) drafter() bool {
	if j.call.Agent != Drafter && j.call.Agent != Verifier && j.call.Agent != Keeper {
		return false
	}
	switch tool := j.call.Tool; {
	case j.call.Agent == Keeper && (tool == "Read" || tool == "Glob" || tool == "Grep" || tool == "LS"):
		return false // as the client has it; a file of the stage has its road
	case tool == "Read", tool == "Write" && j.call.Agent == Drafter:
		if j.stageFile(tool == "Write") {
			j.addFinding(rules.RuleStageFile, tool)
			return true
		}
		p, _ := j.one("file_path")
		j.addFinding(rules.RuleDrafter, tool+" "+p)
		return true
	case strings.HasPrefix(tool, "mcp__"):
	case tool == "Write", tool == "Edit", tool == "MultiEdit", tool == "NotebookEdit", tool == "Bash",
		tool == "Glob", tool == "Grep", tool == "LS",
		tool == "WebFetch", tool == "WebSearch", tool == "Agent", tool == "Task", tool == "Skill",
		tool == "Monitor", tool == "SendMessage":
	default: // the client's own, such as handing the result back
		return false
	}
	if j.call.Agent == Keeper {
		j.addFinding(rules.RuleKeeper, j.call.Tool)
	} else {
		j.addFinding(rules.RuleDrafter, j.call.Tool)
	}
	return true
}
