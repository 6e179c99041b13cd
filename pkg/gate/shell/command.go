package shell

import (
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/text"
)

// command judges one simple command whose words are folded: wrappers are taken
// off until the program itself is reached.
func (s *shell) command(f []string, in source) {
	adrift, given := s.adrift, s.given
	defer func() { s.adrift, s.given = adrift, given }()
	for range maxPending {
		if s.stopped() || len(f) == 0 {
			return
		}
		if v, ok := s.alias(f[0]); ok {
			if f = append(v, f[1:]...); len(f) == 0 { // alias x=
				return
			}
		}
		if leaves(program(f[0])) {
			s.adrift++
		}
		rest, ok := s.unwrap(program(f[0]), f, in)
		if !ok {
			s.run(program(f[0]), f, in)
			return
		}
		f = rest
	}
	if s.look(f).palace {
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
}

// alias looks a word up among the aliases that this call defined.
func (s *shell) alias(word string) ([]string, bool) {
	v, ok := s.scope.get("alias " + word)
	return append([]string(nil), v...), ok
}

// commandText returns a command in the form in which a reason shows it.
func commandText(f []string) string {
	t := strings.Join(f[:min(len(f), 40)], " ")
	return show(text.CutBytes(t, 1000))
}

// run judges the program itself.
func (s *shell) run(name string, f []string, in source) {
	args := f[1:]
	if palaceProgram(f[0]) {
		s.palace(f)
		return
	}
	if hasHole(f[0]) {
		if t := strings.ToLower(f[0]); namesPalace(t) || strings.Contains(t, "palace") {
			s.addFinding(rules.RuleUndecided, commandText(f))
			return
		}
		s.unknown(f, in)
		return
	}
	s.carried(name, f)
	s.called(f[0])
	switch name {
	case "cd", "pushd", "chdir":
		s.chdir(args)
	case "popd":
		s.cwd = ""
	case "eval":
		s.judgeCode(strings.Join(args, " "), f)
	case ".", "source":
		s.file(args)
	case "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "yash", "csh", "tcsh", "nu",
		"elvish", "xonsh", "pwsh", "powershell", "su", "runuser":
		s.shellProgram(name, f, in)
	case "newgrp": // starts a shell
		words := []string{"sh"}
		if i := slices.Index(f, "-c"); i > 0 {
			words = append(words, f[i:]...)
		}
		s.shellProgram("sh", words, in)
	case "alias":
		for _, a := range args {
			if k, v, ok := strings.Cut(a, "="); ok {
				s.scope.set("alias "+k, strings.Fields(v))
			}
		}
	case "hash":
		if len(args) == 3 && args[0] == "-p" {
			s.scope.set("alias "+args[2], args[1:2])
		}
	case "trap":
		if len(args) > 0 {
			s.judgeCode(args[0], f)
		}
	case "set":
		for i, a := range args {
			if a == "--" || len(a) > 0 && a[0] != '-' && a[0] != '+' {
				if a == "--" {
					i++
				}
				s.params, s.paramsKnown = args[i:], true
				break
			}
		}
	case "shift":
		if s.paramsKnown && len(s.params) > 0 {
			s.params = s.params[1:]
		}
	case "read", "mapfile", "readarray":
		s.readInto(args, in)
	case "unset":
		s.unset(args)
	case "printf":
		if len(args) > 2 && args[0] == "-v" {
			if t, ok := formatted(args[2], args[3:]); ok && !holed(args) {
				s.scope.set(args[1], []string{t})
			} else {
				g := s.look(args)
				s.scope.set(args[1], []string{quotedHole + g.taint()})
			}
		}
	case "find", "gfind":
		s.findCommand(f)
	case "keepsake":
		s.keepsake(f)
	case "python", "ipython", "pypy":
		s.python(f, in)
	case "pytest", "py.test", "mocha":
		s.preloads(strings.Replace(name, ".", "", 1), f)
		s.unknown(f, in)
	case "pdb", "ipdb", "ipdb3", "kernprof", "memray", "pyinstrument", "scalene", "viztracer":
		s.module(name, args, f, in)
	case "coverage":
		if len(args) > 1 && args[0] == "run" {
			s.python(append([]string{"python"}, args[1:]...), in)
		}
	case "node", "nodejs", "bun", "deno", "ruby", "perl", "php", "lua", "tsx", "ts-node", "osascript",
		"rscript", "r", "awk", "gawk", "mawk", "nawk", "jshell", "elixir", "erl", "groovy", "tclsh",
		"julia", "guile", "racket", "sbcl", "scala", "swift", "raku", "crystal", "nim", "ocaml", "ghc",
		"runghc", "kotlin", "m4", "dc":
		s.interpreted(name, f, in)
	case "npm", "pnpm", "yarn":
		if len(args) > 2 && args[0] == "pkg" && args[1] == "set" {
			for _, a := range args[2:] {
				if _, v, ok := strings.Cut(a, "="); ok && namesPalace(v) && s.writesPalace(filled(v)) {
					s.addFinding(rules.RuleLater, commandText(f))
				}
			}
		}
		if len(args) > 2 && args[0] == "set-script" && namesPalace(args[2]) &&
			s.writesPalace(filled(args[2])) {
			s.addFinding(rules.RuleLater, commandText(f))
		}
		for i, a := range args {
			option, value, joined := strings.Cut(strings.TrimLeft(a, "-"), "=")
			if !joined && i+1 < len(args) {
				value = args[i+1]
			}
			if option == "script-shell" {
				s.command([]string{value, "-c", ""}, source{})
			}
		}
		s.unknown(f, in)
	case "husky":
		if len(args) > 2 && (args[0] == "add" || args[0] == "set") && namesPalace(args[2]) &&
			s.writesPalace(filled(args[2])) {
			s.addFinding(rules.RuleLater, commandText(f))
		}
		s.unknown(f, in)
	case "crontab", "at", "batch":
		s.scheduled(name, f, in)
		s.unknown(f, in)
	case "curl", "wget", "http", "https", "xh", "xhs", "curlie", "nc", "ncat", "netcat", "socat", "telnet",
		"websocat", "grpcurl", "hurl":
		s.network(f, in)
	case "claude", "codex", "gemini", "opencode", "aider", "cursor-agent", "amp", "goose", "qwen", "copilot",
		"droid", "crush", "cline", "claude-code", "gemini-cli":
		s.agent(f, in)
	case "systemctl", "service", "launchctl", "pm2", "supervisorctl", "brew", "docker", "podman", "nerdctl",
		"docker-compose", "kubectl", "oc":
		s.service(name, f, in)
	case "ssh", "parallel", "watch", "script", "tmux", "screen", "hyperfine", "entr", "nodemon",
		"systemd-run", "nsenter", "firejail", "bwrap", "xvfb-run", "nix-shell", "start-stop-daemon",
		"daemonize", "sem", "fd", "fdfind", "concurrently", "expect", "perf", "watchexec", "reflex", "rtk",
		"mosh", "vagrant", "lxc", "distrobox", "toolbox", "xdotool", "ydotool", "wtype", "gdb", "lldb",
		"machinectl", "sg", "pkexec", "salt-call", "salt":
		s.answersFor(f, in)
		s.judgeAmong(args, in)
		here := false
		switch name {
		case "ssh":
			here = s.loginHere(f, in)
		case "watch":
			s.judgeCode(strings.Join(tail(f, skip(f, "nq", "interval equexit")), " "), f)
		}
		if t, ok := s.standardInputText(in); ok && name == "ssh" && len(operands(args)) == 1 { // a shell there reads it
			s.judgeCode(t, f)
		}
		if name == "parallel" || name == "fd" || name == "fdfind" {
			s.placed(name, args, in)
		}
		if t, ok := s.read(in); ok && name == "parallel" {
			n := 0
			for l := range strings.Lines(t) {
				if n++; n > 64 {
					break
				}
				s.judgeAmong(append(append([]string(nil), args...), strings.Fields(l)...), source{})
			}
		}
		if !here {
			s.zoneArgs(f)
		}
	case "jj", "hg", "svn":
		if len(args) > 0 && listed(args[0], "restore revert rm remove mv rename update checkout") {
			s.zoneArgs(f)
		}
	case "psql", "pgcli", "mysql", "mycli", "mariadb", "clickhouse-client", "mongosh":
		s.database(f, in)
	case "make", "gmake", "just", "task", "ninja", "go", "cargo":
		if in.hdoc != nil || in.known {
			if t, _ := s.read(in); namesPalace(t) {
				s.addFinding(rules.RuleUndecided, commandText(f))
			}
		}
		if name != "go" && name != "cargo" {
			for i, a := range args {
				text, ok := strings.CutPrefix(a, "--eval=")
				if a == "--eval" && i+1 < len(args) {
					text, ok = args[i+1], true
				}
				if ok && namesPalace(text) {
					for _, r := range commands(recipes, text) {
						s.judgeHanded(r)
					}
				}
			}
			if listedIn(args, "-c") || listedIn(args, "--command") {
				s.mentions(args) // of just
			}
			s.zoneArgs(f)
			s.reaches(f)
		} else if len(args) > 0 && args[0] == "run" {
			for _, a := range args[1:] {
				if text, ok := s.scriptText(a); ok && strings.HasSuffix(a, ".go") {
					s.program(text, f)
				}
			}
			s.mentions(args[1:])
			s.zoneArgs(f)
			s.reaches(f)
		} else if i := slices.Index(args, "-o"); i >= 0 && i+1 < len(args) {
			s.target(args[i+1], f, replaced) // of go build
		}
	case "sqlite3", "sqlite", "sqlcipher", "duckdb", "litecli":
		s.sqlite(f, in)
	default:
		if strings.HasPrefix(name, "python") || strings.HasPrefix(name, "pypy") {
			s.python(f, in)
			return
		}
		if s.mutates(name, f) {
			return
		}
		if reader(name, args) {
			s.puts(name, args, f)
			return
		}
		s.unknown(f, in)
	}
}

// palace judges a command that is MemPalace's own.
func (s *shell) palace(f []string) {
	prog := program(f[0])
	if strings.HasSuffix(prog, ".sh") || strings.HasSuffix(prog, ".bash") || strings.Contains(prog, "hook") {
		if text, ok := s.scriptText(f[0]); ok {
			s.judgeCode(text, f)
			return
		}
		s.addFinding(rules.RulePalaceCommand, commandText(f))
		return
	}
	// Without a word MemPalace prints its help. Keepsake's program of that name, which
	// asks it and is on no path, takes no words, and stores what it reads.
	if own := len(f) == 1 && strings.Contains(f[0], "/"); !own && palaceUse(prog, f[1:]) == useRead {
		return
	}
	var details []string
	for i, a := range f {
		if a == "--wing" && i+1 < len(f) {
			details = append(details, "wing "+show(f[i+1]))
		}
	}
	s.addFinding(rules.RulePalaceCommand, commandText(f), details...)
}

// unknown judges a program we know nothing about: a script is read, a known
// writing command among its arguments counts, and so does a file of a zone.
func (s *shell) unknown(f []string, in source) {
	if strings.Contains(f[0], "/") || strings.HasSuffix(f[0], ".sh") {
		if text, ok := s.scriptText(f[0]); ok {
			s.anyScript(text, f)
		}
	}
	if s.call.Resolve != nil && strings.Contains(f[0], "/") {
		if real := s.resolve(s.absolute(f[0], s.cwd)); palaceProgram(real) && !hasHole(f[0]) {
			s.palace(append([]string{real}, f[1:]...))
		}
	}
	s.client(f)
	s.mentions(f[1:])
	s.zoneArgs(f)
	if !s.followed(f) {
		s.reaches(f)
	}
	t, _ := s.read(in)
	promotes := len(f) > 1 && listed(f[1], "promote save") // of a copy of the program
	for _, a := range append([]string{t}, f[1:]...) {
		if promotes && (a == "--approval" || strings.HasPrefix(a, "--approval=")) {
			s.addFinding(rules.RuleApproval, commandText(f))
		}
		if strings.HasPrefix(a, "/keepsake:") && typesAnswer(a) {
			s.addFinding(rules.RuleApproval, commandText(f))
		}
	}
}

// client stops a command-line client of MCP that is told to call a tool that
// writes.
func (s *shell) client(f []string) {
	text := strings.Join(f[:min(len(f), 64)], " ")
	if low := strings.ToLower(text); !strings.Contains(low, "mcp") && !strings.Contains(low, "tools/call") {
		return
	}
	write, _ := toolNames(text)
	for _, a := range f[1:min(len(f), 64)] {
		if tool, ok := dotted(a); ok && !palaceRead("mempalace_"+strings.TrimPrefix(tool, "mempalace_")) {
			write = tool
		}
	}
	switch {
	case write != "":
		s.addFinding(rules.RulePalaceCommand, commandText(f))
	case strings.Contains(text, ":8765/mcp"):
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
}

// zoneArgs stops an unknown program that is given a file of a zone, or runs inside one.
func (s *shell) zoneArgs(f []string) {
	var z zone
	if s.cwd != "" {
		z = s.named(".")
	}
	for _, a := range f[1:] {
		if strings.HasSuffix(a, ":ro") {
			continue
		}
		if strings.HasPrefix(a, quotedHole) && strings.HasSuffix(a, quotedHole) && len(a) > 1 {
			continue // computed from a zone, which is not a file of one
		}
		z |= zoneNamed(a)
	}
	s.findWrite(z, f)
}
