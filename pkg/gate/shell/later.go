package shell

import (
	"path"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/markdown"
	"keepsake/pkg/why/palace"
)

// runsLater reports whether the text of a file is run later, by the file's place and name. Plain documents
// are not run.
func runsLater(p string) bool {
	dir, name := path.Split(strings.ToLower(p))
	dir = "/" + dir
	switch {
	case strings.HasSuffix(name, ".md"):
		return prompts(dir)
	case strings.HasSuffix(name, ".sample"):
		return false
	case laterNames()[name]:
		return true
	case name == "tasks.json":
		return strings.Contains(dir, "/.vscode/")
	case name == "config":
		return strings.Contains(dir, "/.git/")
	}
	switch path.Ext(name) {
	case ".mk", ".service", ".timer", ".ipynb":
		return true
	case ".desktop":
		return strings.Contains(dir, "/autostart/")
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts": // settings that are code, as of vite
		return strings.Contains(name, ".config.")
	case ".plist":
		return containsAny(dir, "/launchagents/", "/launchdaemons/")
	}
	return containsAny(dir, "/.config/nvim/", "/.vim/", "/.ipython/profile_", "/.git/hooks/",
		"/.husky/", "/.githooks/", "/git-hooks/", "/.hooks/",
		"/etc/profile.d/", "/etc/cron.", "/var/spool/cron/")
}

// taskFiles are the files whose commands a program runs that is told no more than to run them.
const taskFiles = `makefile gnumakefile bsdmakefile justfile .justfile package.json composer.json deno.json
	deno.jsonc devcontainer.json .devcontainer.json crontab lefthook.yml lefthook.yaml .lefthook.yml
	.pre-commit-config.yaml taskfile.yml taskfile.yaml procfile .gitconfig noxfile.py tasks.py fabfile.py
	dodo.py conftest.py sitecustomize.py rakefile mise.toml .mise.toml tox.ini compose.yaml compose.yml
	docker-compose.yml docker-compose.yaml .vimrc .gvimrc .nvimrc init.vim init.lua build.rs setup.py`

// startFiles are the files that a shell reads when it starts or ends, and hookFiles those that git runs in a
// folder of hooks.
const (
	startFiles = `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv
		.zprofile .zlogin .zlogout .kshrc .envrc .xprofile .xinitrc .xsessionrc config.fish bash.bashrc`
	hookFiles = `pre-commit commit-msg prepare-commit-msg post-commit pre-push pre-rebase post-checkout
		post-merge post-rewrite`
)

// laterNames are all of these names.
var laterNames = sync.OnceValue(func() map[string]bool {
	all := make(map[string]bool)
	for name := range strings.FieldsSeq(taskFiles + " " + startFiles + " " + hookFiles) {
		all[name] = true
	}
	return all
})

// prompts reports whether a folder is one of the client's agents, skills or commands, which have hooks on top
// and run !`command` below.
func prompts(dir string) bool {
	return containsAny(dir, "/.claude/agents/", "/.claude/skills/", "/.claude/commands/")
}

// later judges the new text of a file that is run later. It does not judge lines again that the file had
// before.
func (j *judge) later(p, before, after string) {
	if !runsLater(p) || !palace.IsNamed(after) && !palace.IsEncoded(after) {
		return
	}
	text := after
	if dir, _ := path.Split(lower(p)); prompts("/" + dir) {
		head, body, _ := markdown.CutFrontmatter(after)
		if text = ""; strings.Contains(head, "hooks:") {
			text = head
		}
		for run := range behind(body, "!`") {
			run, _, _ = strings.Cut(run, "`")
			text += "\n" + run
		}
	}
	// Of another language than the shell's, all of the text says what a line can do.
	code := ""
	if listed(path.Ext(lower(p)), ".ipynb .py .js .cjs .mjs .ts .cts .mts .lua .vim .rs .rb") {
		if code = after; gjson.Valid(after) {
			code = strings.Join(stringsIn(gjson.Get(after, "cells.#.source"), 0), "")
		}
		if palace.IsUsed(code) {
			j.addFinding(rules.RuleLater, shortPath(p), "it uses MemPalace")
			return
		}
	}
	had := make(map[string]bool)
	for _, l := range entries(before) {
		had[l] = true
	}
	names := ""
	for _, l := range entries(text) {
		if had[l] || !palace.IsNamed(l) && !palace.IsEncoded(l) || isComment(l) {
			continue
		}
		if names == "" {
			names = l
		}
		if j.runsPalace(l, code) {
			j.addFinding(rules.RuleLater, shortPath(p), rules.Clip(l, 90))
			return
		}
	}
	name := path.Base(lower(p))
	if names == "" || listed(name, taskFiles) || path.Ext(name) != "" && !listed(name, startFiles) {
		return // no script
	}
	if palace.IsUsed(after) || j.writesPalace(after) && (before == "" || !j.writesPalace(before)) {
		j.addFinding(rules.RuleLater, shortPath(p), rules.Clip(names, 90))
	}
}

// entries returns the lines of a text, or the members of a JSON text, without what is around them.
func entries(text string) (all []string) {
	t := strings.TrimSpace(text)
	if t != "" && t[0] == '{' && rules.Shallow([]byte(t)) && gjson.Valid(t) {
		text = gjson.Get(t, "@pretty").Raw
	}
	for l := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		l = strings.TrimSpace(l)
		if n := len(all); n > 0 && strings.HasPrefix(l, `"args"`) { // of the command before them
			all[n-1] += l
		} else {
			all = append(all, l)
		}
	}
	return all
}

// isComment reports whether a line is a comment, in any language.
func isComment(l string) bool {
	return l == "" || l[0] == '#' || l[0] == ';' ||
		strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "//go:generate")
}

// runsPalace reports whether a line of a text that is run, in whatever language, has a command that writes
// a palace. code is the text around it, if its language is not the shell's.
func (j *judge) runsPalace(l, code string) bool {
	if i := strings.IndexAny(l, ":="); i > 0 && !strings.ContainsAny(l[:i], " (") {
		if key := strings.Trim(lower(l[:i]), `"'`); key == "alias" || listed(key,
			"description name title displayname author license homepage keywords") {
			return false
		}
		l = strings.TrimLeft(l[i+1:], ` "'!`)
	}
	l = strings.TrimLeft(l, "+@- ")
	words := wordsOf(l)
	if len(words) == 0 || strings.HasPrefix(l, "alias ") ||
		code == "" && programNamed(program(words[0])).kind == kindReads {
		return false
	}
	return palaceWrite(words) >= 0 || palace.IsEncoded(l) || zoneIn(l)&inPalace != 0 &&
		(capable(code) || code == "" && j.writesPalace(l))
}

// writesPalace reports whether a shell text would be stopped at before_mempalace_write.
func (j *judge) writesPalace(text string) bool {
	c, k := *j.call, *j
	c.Quiet, c.Dialog = true, true
	k.call, k.found = &c, nil
	k.shellText(text)
	found := k.found != nil
	k.call, k.found, k.reorganises = j.call, j.found, j.reorganises
	*j = k // keep the answers of the machine and what was spent
	return found
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
