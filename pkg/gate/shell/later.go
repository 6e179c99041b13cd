package shell

import (
	"path"
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/markdown"
)

// A runner is a kind of file whose text is run later, without a tool call. It determines how the commands
// are found in the text.
type runner uint8

const (
	notRun   runner = iota
	asShell         // the whole text is a shell script
	recipes         // indented lines: make, just
	strings1        // JSON: the strings that are commands
	execs           // KEY=command, as in a systemd unit
	tables          // crontab: a command behind the time
	steps           // YAML: a command behind a key or a dash
	plists          // launchd: <string> elements are the words
	prompts         // agents, skills and commands of the client: hooks on top, !`command` below
)

// runsLater returns how the text of a file is run later, by the file's place and name. Plain documents
// are not run.
func runsLater(p string) runner {
	p = strings.ToLower(p)
	dir, name := path.Split(p)
	dir = "/" + dir
	in := func(part string) bool { return strings.Contains(dir, part) }
	switch name {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc",
		".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".envrc", ".xprofile", ".xinitrc",
		".xsessionrc", "config.fish", "bash.bashrc":
		return asShell
	case "makefile", "gnumakefile", "bsdmakefile", "justfile", ".justfile":
		return recipes
	case "package.json", "composer.json", "deno.json", "deno.jsonc", "devcontainer.json",
		".devcontainer.json":
		return strings1
	case "pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "pre-push", "pre-rebase",
		"post-checkout", "post-merge", "post-rewrite":
		return asShell
	case "tasks.json":
		if in("/.vscode/") {
			return strings1
		}
	case "crontab":
		return tables
	case "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".pre-commit-config.yaml", "taskfile.yml",
		"taskfile.yaml", "procfile":
		return steps
	case ".gitconfig":
		return execs
	case "config":
		if in("/.git/") {
			return execs
		}
	}
	switch {
	case strings.HasSuffix(name, ".md") &&
		(in("/.claude/agents/") || in("/.claude/skills/") || in("/.claude/commands/")):
		return prompts
	case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".sample"):
	case in("/.git/hooks/"), in("/.husky/"), in("/.githooks/"), in("/git-hooks/"), in("/.hooks/"),
		in("/etc/profile.d/"), in("/etc/cron.daily/"), in("/etc/cron.hourly/"), in("/etc/cron.weekly/"),
		in("/etc/cron.monthly/"):
		return asShell
	case strings.HasSuffix(name, ".mk"):
		return recipes
	case in("/etc/cron.d/"), in("/var/spool/cron/"):
		return tables
	case strings.HasSuffix(name, ".desktop") && in("/autostart/"),
		strings.HasSuffix(name, ".service"), strings.HasSuffix(name, ".timer"):
		return execs
	case strings.HasSuffix(name, ".plist") && (in("/launchagents/") || in("/launchdaemons/")):
		return plists
	}
	return notRun
}

// later judges the new text of a file that is run later. It does not judge commands again that the file
// had before.
func (j *judge) later(p, before, after string) {
	kind := runsLater(p)
	if kind == notRun || !namesPalace(after) && !encodesPalace(after) {
		return
	}
	var found string
	if kind == asShell {
		if first, _, _ := strings.Cut(after, "\n"); strings.HasPrefix(first, "#!") &&
			!strings.Contains(first, "sh") {
			k := j.aside()
			if k.program(after, []string{"script"}); k.found != nil || usesPalace(after) {
				found = "a program that uses a MemPalace"
			}
		} else if j.writesPalace(after) && (before == "" || !j.writesPalace(before)) {
			found = j.firstLine(after)
		}
	}
	if found == "" && (kind != asShell || before != "") {
		old := make(map[string]bool)
		for _, c := range commands(kind, before) {
			old[c] = true
		}
		for _, c := range commands(kind, after) {
			if !old[c] && (namesPalace(c) || encodesPalace(c)) && j.writesPalace(c) {
				found = c
				break
			}
		}
	}
	if found != "" {
		j.addFinding(rules.RuleLater, shortPath(p), clip(found, 90))
	}
}

// firstLine returns the first line of a script that names a palace.
func (j *judge) firstLine(text string) string {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); namesPalace(l) && l[0] != '#' {
			return l
		}
	}
	return "mempalace"
}

// aside returns a separate judgement of the same call that looks only for before_mempalace_write.
func (j *judge) aside() *judge {
	c := *j.call
	c.Quiet, c.Dialog = true, true
	k := *j
	k.call, k.found = &c, nil
	return &k
}

// writesPalace reports whether a shell text would be stopped at before_mempalace_write.
func (j *judge) writesPalace(text string) bool {
	k := j.aside()
	k.shellText(text)
	found := k.found != nil
	k.call, k.found, k.reorganises = j.call, j.found, j.reorganises
	*j = *k // keep the answers of the machine and what was spent
	return found
}

// commands finds the commands in a text of some kind.
func commands(kind runner, text string) []string {
	if kind == strings1 {
		if t := strings.TrimSpace(text); len(t) > 0 && t[0] == '{' && rules.Shallow([]byte(t)) &&
			gjson.Valid(t) {
			return jsonCommands(gjson.Parse(t))
		}
	}
	if kind == plists {
		var words []string
		for rest := text; ; {
			_, from, ok := strings.Cut(rest, "<string>")
			word, after, closed := strings.Cut(from, "</string>")
			if !ok || !closed {
				return []string{strings.Join(words, " ")}
			}
			words = append(words, word)
			rest = after
		}
	}
	var out []string
	if kind == prompts {
		head, body, _ := markdown.CutFrontmatter(text)
		if strings.Contains(head, "hooks:") {
			out = commands(steps, head)
		}
		for {
			_, rest, ok := strings.Cut(body, "!`")
			run, after, closed := strings.Cut(rest, "`")
			if !ok || !closed {
				return out
			}
			out = append(out, run)
			body = after
		}
	}
	for l := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		out = append(out, commandsOf(kind, strings.TrimRight(l, "\r\n"))...)
	}
	return out
}

// commandsOf finds the commands in one line.
func commandsOf(kind runner, l string) []string {
	t := strings.TrimSpace(l)
	if t == "" || t[0] == '#' || t[0] == ';' || strings.HasPrefix(t, "//") {
		return nil
	}
	switch kind {
	case asShell:
		return []string{t}
	case recipes:
		if l[0] == '\t' || l[0] == ' ' {
			return []string{strings.TrimLeft(t, "@-+")}
		}
		if _, inline, ok := strings.Cut(t, ";"); ok {
			return []string{inline}
		}
	case strings1: // a part of JSON: strings of several words
		parts := strings.Split(t, `"`)
		var out []string
		key := ""
		for i := 1; i < len(parts); i += 2 {
			switch {
			case i+1 < len(parts) && strings.HasPrefix(strings.TrimSpace(parts[i+1]), ":"):
				key = parts[i]
			case strings.Contains(parts[i], " ") &&
				!listed(key, "description name title displayName author license homepage keywords"):
				out = append(out, parts[i])
			}
		}
		return out
	case execs:
		key, v, ok := strings.Cut(t, "=")
		v = strings.TrimLeft(v, " \t\"")
		switch key = strings.TrimSpace(key); {
		case !ok:
		case strings.HasPrefix(key, "Exec"):
			return []string{strings.TrimLeft(v, "@-:+!")}
		case strings.HasPrefix(v, "!"):
			return []string{strings.Trim(v[1:], `"`)}
		}
	case tables:
		f := strings.Fields(t)
		switch {
		case f[0][0] == '@' && len(f) > 1:
			return []string{strings.Join(f[1:], " "), strings.Join(tail(f, 2), " ")}
		case len(f) > 5:
			return []string{strings.Join(f[5:], " "), strings.Join(tail(f, 6), " ")}
		}
	case steps:
		t = strings.TrimLeft(t, "- ")
		if k := strings.Index(t, ": "); k > 0 && !strings.Contains(t[:k], " ") {
			t = t[k+2:]
		}
		t = strings.TrimSpace(t)
		if len(t) > 1 && (t[0] == '"' || t[0] == '\'') && t[len(t)-1] == t[0] {
			t = t[1 : len(t)-1]
		}
		return []string{t}
	}
	return nil
}

// jsonCommands finds the commands of a package's scripts and hooks, and of an editor's tasks.
func jsonCommands(v gjson.Result) []string {
	var out []string
	v.ForEach(func(k, item gjson.Result) bool {
		switch k.Str {
		case "postCreateCommand", "postStartCommand", "postAttachCommand", "onCreateCommand",
			"updateContentCommand", "initializeCommand", "scripts", "husky", "simple-git-hooks",
			"lint-staged", "pre-commit", "gitHooks", "tasks":
			out = append(out, stringsIn(item, 0)...)
		}
		return true
	})
	v.Get("tasks").ForEach(func(_, task gjson.Result) bool {
		words := []string{task.Get("command").String()}
		task.Get("args").ForEach(func(_, a gjson.Result) bool {
			words = append(words, a.String())
			return true
		})
		out = append(out, strings.Join(words, " "))
		return true
	})
	return out
}

// stringsIn returns the strings of a JSON value, at any depth.
func stringsIn(v gjson.Result, depth int) (all []string) {
	switch {
	case depth > rules.MaxNesting:
	case v.IsObject() || v.IsArray():
		v.ForEach(func(_, item gjson.Result) bool {
			all = append(all, stringsIn(item, depth+1)...)
			return true
		})
	case v.Type == gjson.String:
		return []string{v.Str}
	}
	return all
}
