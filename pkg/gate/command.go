package gate

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/checkpoint"
)

// command judges one simple command whose words are folded: wrappers are taken
// off until the program itself is reached.
func (s *shell) command(f []string, in source) {
	for range maxPending {
		if s.stopped() || len(f) == 0 {
			return
		}
		if v, ok := s.alias(f[0]); ok {
			f = append(v, f[1:]...)
		}
		rest, ok := s.unwrap(program(f[0]), f, in)
		if !ok {
			s.run(program(f[0]), f, in)
			return
		}
		f = rest
	}
	if s.look(f).palace {
		s.find(checkpoint.RuleUndecided, line(f))
	}
}

// alias looks a word up among the aliases this call defined.
func (s *shell) alias(word string) ([]string, bool) {
	v, ok := s.scope.get("alias " + word)
	return append([]string(nil), v...), ok
}

// line is a command as a reason shows it.
func line(f []string) string {
	t := strings.Join(f[:min(len(f), 40)], " ")
	return show(t[:min(len(t), 1000)])
}

// runs says how a simple wrapper is written: short options that take a value,
// long ones that take it as the next word, and how many words stand before the
// command.
type runs struct {
	values, long string
	words        int
}

func wrapper(name string) (runs, bool) {
	switch name {
	case "sudo", "doas":
		return runs{values: "ugpChrTtRDUa", long: "user group prompt host chdir chroot role type other-user command-timeout close-from"}, true
	case "timeout", "gtimeout":
		return runs{values: "sk", long: "signal kill-after", words: 1}, true
	case "nice":
		return runs{values: "n", long: "adjustment"}, true
	case "ionice":
		return runs{values: "cnpPut", long: "class classdata"}, true
	case "chrt":
		return runs{values: "TPD", words: 1}, true
	case "taskset", "setarch", "chroot", "numactl", "cgexec":
		words := 1
		if name == "numactl" || name == "cgexec" {
			words = 0
		}
		return runs{values: "gmNCpi", words: words}, true
	case "stdbuf":
		return runs{values: "ioe", long: "input output error"}, true
	case "time", "gtime":
		return runs{values: "of", long: "output format"}, true
	case "exec":
		return runs{values: "a"}, true
	case "caffeinate":
		return runs{values: "tw"}, true
	case "strace", "ltrace":
		return runs{values: "oepusaPIbXEn"}, true
	case "setsid", "spawn": // expect's
		return runs{}, true
	case "unshare":
		return runs{values: "RwSGl", long: "root wd setuid setgid"}, true
	case "nohup", "builtin", "command", "unbuffer", "noglob", "nocorrect", "rlwrap", "chronic", "torsocks", "tsocks",
		"busybox", "toybox", "arch", "ifne", "dbus-run-session", "eatmydata", "proxychains", "proxychains4", "-", "winpty", "catchsegv", "valgrind":
		return runs{values: "f"}, true
	}
	if name == "ld.so" || strings.HasPrefix(name, "ld-linux") || strings.HasPrefix(name, "ld-musl") {
		return runs{long: "library-path inhibit-rpath audit preload argv0"}, true
	}
	return runs{}, false
}

// unwrap takes one wrapper off; false means that f is the command itself.
func (s *shell) unwrap(name string, f []string, in source) ([]string, bool) {
	switch name {
	case "env":
		s.chdirOption(f, "-C", "--chdir")
		rest := unwrapEnv(f)
		for _, a := range f[1:max(1, len(f)-len(rest))] {
			if variable, value, ok := strings.Cut(a, "="); ok {
				s.environment(variable, value)
				if startsProgram(variable) {
					s.handed(strings.TrimLeft(value, "|-"))
				}
			}
		}
		return rest, true
	case "command", "type":
		if len(f) > 1 && len(f[1]) > 1 && f[1][0] == '-' && strings.ContainsAny(f[1], "vV") {
			return nil, true // looks a name up
		}
	case "xargs", "gxargs":
		return s.unwrapXargs(f, in), true
	case "uvx", "pipx", "uv", "npx", "bunx", "pnpx", "poetry", "pipenv", "pdm", "hatch", "rye", "pixi", "conda", "mamba", "micromamba",
		"npm", "pnpm", "yarn", "bun", "bundle", "rbenv", "pyenv", "nodenv", "asdf", "mise", "rtx", "direnv", "dotenv", "op", "doppler",
		"aws-vault", "infisical", "devbox", "flox", "nix", "pkgx", "with-env", "snap", "flatpak":
		return s.unwrapRunner(name, f)
	case "faketime": // its moment may begin with a dash
		i := 1
		for i < len(f) && (f[i] == "-f" || f[i] == "-m") {
			i++
		}
		return tail(f, i+1), true
	case "flock":
		i := skip(f, "wE", "timeout wait conflict-exit-code") + 1
		if i < len(f) && f[i] == "-c" {
			return append([]string{"sh"}, f[i:]...), true
		}
		return tail(f, i), true
	}
	if name == "sudo" || name == "doas" {
		s.chdirOption(f, "-D", "--chdir")
		if rest, ok := unwrapPlain(name, f); ok && len(rest) > 0 && shellOption(f[:len(f)-len(rest)]) {
			return []string{"sh", "-c", strings.Join(rest, " ")}, true
		} else if ok && len(rest) == 0 && shellOption(f) {
			return []string{"sh"}, true
		}
	}
	return unwrapPlain(name, f)
}

// chdirOption follows a wrapper's option that names the command's directory.
func (s *shell) chdirOption(f []string, short, long string) {
	for i, a := range f {
		if (a == short || a == long) && i+1 < len(f) {
			s.chdir(f[i+1 : i+2])
		} else if dir, ok := strings.CutPrefix(a, long+"="); ok {
			s.chdir([]string{dir})
		}
	}
}

// shellOption says that sudo hands its command to a shell.
func shellOption(options []string) bool {
	for _, o := range options {
		if o == "-s" || o == "-i" || o == "--shell" || o == "--login" {
			return true
		}
	}
	return false
}

// unwrapPlain takes off a wrapper that hands its command nothing of its own.
func unwrapPlain(name string, f []string) ([]string, bool) {
	w, ok := wrapper(name)
	if !ok {
		return nil, false
	}
	i := skip(f, w.values, w.long) + w.words
	if name == "sudo" || name == "doas" {
		for i < len(f) && assignment(f[i]) {
			i++
		}
	}
	return tail(f, i), true
}

// bare is a command without its plain wrappers.
func bare(f []string) []string {
	for range maxPending {
		if len(f) == 0 {
			break
		}
		name := program(f[0])
		rest, ok := unwrapPlain(name, f)
		if name == "env" {
			rest, ok = unwrapEnv(f), true
		}
		if !ok {
			break
		}
		f = rest
	}
	return f
}

func tail(f []string, i int) []string {
	if i >= len(f) {
		return nil
	}
	return f[i:]
}

// skip returns the index of the first word behind the options of f[0].
func skip(f []string, values, long string) int {
	i := 1
	for i < len(f) {
		a := f[i]
		switch {
		case a == "--":
			return i + 1
		case len(a) < 2 || a[0] != '-':
			return i
		case strings.HasPrefix(a, "--"):
			name, _, joined := strings.Cut(a[2:], "=")
			if !joined && listed(name, long) {
				i++
			}
		default:
			for k := 1; k < len(a); k++ {
				if strings.IndexByte(values, a[k]) >= 0 {
					if k == len(a)-1 {
						i++
					}
					break
				}
			}
		}
		i++
	}
	return i
}

// listed says that name is one of the words of list.
func listed(name, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == name {
			return true
		}
	}
	return false
}

func assignment(w string) bool {
	k := strings.IndexByte(w, '=')
	if k <= 0 {
		return false
	}
	for i := 0; i < k; i++ {
		if c := w[i]; c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

func unwrapEnv(f []string) []string {
	i := 1
	for i < len(f) {
		a := f[i]
		text, split := "", false
		switch {
		case a == "--":
		case a == "-S" || a == "--split-string":
			if i++; i < len(f) {
				text, split = f[i], true
			}
		case strings.HasPrefix(a, "--split-string="):
			text, split = a[len("--split-string="):], true
		case strings.HasPrefix(a, "-S"):
			text, split = a[2:], true
		case strings.HasPrefix(a, "-vS"):
			text, split = a[3:], true
		case a == "-u" || a == "-C" || a == "-P" || a == "--unset" || a == "--chdir":
			i++
		case assignment(a) || len(a) > 0 && a[0] == '-':
		default:
			return f[i:]
		}
		i++
		if split {
			return append(strings.Fields(text), tail(f, i)...)
		}
	}
	return nil
}

// unwrapXargs is the command xargs runs, with what it reads behind it.
func (s *shell) unwrapXargs(f []string, in source) []string {
	i := 1
	replace := ""
	for i < len(f) && len(f[i]) > 1 && f[i][0] == '-' {
		a := f[i]
		i++
		if a == "--" {
			break
		}
		name, value, joined := strings.Cut(a, "=")
		switch {
		case a == "-I" || a == "-J" || a == "--replace":
			replace = "{}"
			if a != "--replace" && i < len(f) {
				replace = f[i]
				i++
			}
		case name == "--replace" && joined:
			replace = value
		case strings.HasPrefix(a, "-I"):
			replace = a[2:]
		case a == "-i":
			replace = "{}"
		case a == "-a" || name == "--arg-file":
			if !joined && i < len(f) {
				value = f[i]
				i++
			}
			in = source{saw: in.saw}
			in.str, in.known = s.scriptText(value)
		case len(a) == 2 && strings.ContainsAny(a[1:], "dEeLlnPRSs"):
			i++
		case !joined && listed(strings.TrimPrefix(a, "--"), "delimiter max-lines max-args max-procs max-chars process-slot-var"):
			i++
		}
	}
	rest := append([]string(nil), tail(f, i)...)
	if len(rest) == 0 {
		return nil
	}
	given := []string{bareHole + in.saw.taint()}
	if t, ok := s.read(in); ok && rest[len(rest)-1] == "-c" { // -0, -d or quotes may make it one word, which a shell then reads
		given = []string{strings.NewReplacer("'", "", `"`, "", "\x00", " ").Replace(t)}
	} else if ok {
		given = strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(t))
	}
	if replace == "" {
		return append(rest, given...)
	}
	all := strings.Join(given, " ")
	for k := range rest {
		rest[k] = strings.ReplaceAll(rest[k], replace, all)
	}
	return rest
}

// unwrapRunner takes off a program that runs another one out of a package or an
// environment. A package named with --from or --with counts as the program when
// it is MemPalace's.
func (s *shell) unwrapRunner(name string, f []string) ([]string, bool) {
	verbs := "run exec x dlx tool shell develop"
	i := 1
	switch name {
	case "uvx", "npx", "bunx", "pnpx", "pkgx", "with-env":
		verbs = ""
	case "aws-vault", "direnv", "asdf", "mise", "rtx", "rbenv", "pyenv", "nodenv", "bundle":
		verbs = "exec x"
	case "op", "doppler", "infisical", "devbox", "flox", "dotenv":
		verbs = "run activate"
	case "npm":
		verbs = "exec x"
	case "snap", "flatpak":
		verbs = "run"
	}
	const long = "from with with-editable python project directory package extra group env-file index index-url default-index extra-index-url " +
		"spec pip-args call prefix name environment config profile cwd filter workspace refresh-package"
	values := "pnwCc"
	if name == "poetry" || name == "pdm" {
		values = "CpP"
	}
	if verbs != "" {
		i = skip(f, values, long)
		if i >= len(f) || !listed(f[i], verbs) {
			return nil, false
		}
		tool := f[i] == "tool"
		i++
		if tool {
			if i >= len(f) || f[i] != "run" {
				return nil, false
			}
			i++
		}
	}
	start := i
	g := append([]string{name}, tail(f, i)...)
	if name == "uv" {
		values = "pw"
	}
	k := skip(g, values, long)
	rest := tail(g, k)
	opts := g[:min(k, len(g))]
	if (name == "direnv" || name == "mise" || name == "rtx" || name == "asdf" || name == "aws-vault" || name == "dotenv" || name == "nix" || name == "conda") && start < len(f) {
		s.among(tail(f, start), source{}) // a directory, a profile or a tool stands before the command
	}
	for n, o := range opts {
		switch {
		case strings.HasPrefix(o, "--command=") && name == "flatpak": // in place of the application's own
			return append([]string{o[len("--command="):]}, tail(rest, 1)...), true
		case (o == "-c" || o == "--call" || o == "--command") && n+1 < len(opts):
			s.handed(opts[n+1])
		case (o == "-m" || o == "--module") && len(g) > n+1:
			return append([]string{"python", "-m"}, g[n+1:]...), true
		}
	}
	if len(rest) == 0 {
		return nil, true
	}
	if listed(path.Ext(rest[0]), ".js .mjs .cjs .ts .mts") { // of bun
		return append([]string{"node"}, rest...), true
	}
	if (name == "uv" || name == "pipx") && (rest[0] == "-" || strings.HasSuffix(rest[0], ".py")) {
		return append([]string{"python"}, rest...), true
	}
	from := false
	for n, o := range opts {
		if v, ok := strings.CutPrefix(o, "--from="); ok {
			from = from || palaceProgram(v)
		} else if v, ok := strings.CutPrefix(o, "--spec="); ok {
			from = from || palaceProgram(v)
		} else if (o == "--from" || o == "--spec" || o == "--package" || o == "-p") && n+1 < len(opts) {
			from = from || palaceProgram(opts[n+1])
		}
	}
	if from && !palaceProgram(rest[0]) && !interpreter(program(rest[0])) {
		if palaceUse("mempalace", rest[1:]) != useRead {
			s.find(checkpoint.RuleUndecided, line(f))
		}
	}
	return rest, true
}

// typed is the text that a program of unknown options reads from its standard
// input.
func (s *shell) typed(in source) (string, bool) {
	if in.hdoc != nil && in.hdoc.Hdoc != nil && !verbatim(in.hdoc.Word) {
		return s.hereFold(in.hdoc.Hdoc), true
	}
	return s.read(in)
}

// handed judges a text that another program hands to a shell.
func (s *shell) handed(text string) {
	if hasHole(text) {
		if s.look([]string{text}).palace && !strings.ContainsAny(withoutHoles(text), " ") {
			s.find(checkpoint.RuleUndecided, show(text))
			return
		}
	}
	c := s.sub()
	c.depth++
	c.script(filled(text))
}

// among judges the arguments of a program that runs a command somewhere among
// them: any word that begins a command we know is taken as one.
func (s *shell) among(args []string, in source) {
	s.mentions(args)
	for i, a := range args {
		if s.stopped() || i > 64 {
			return
		}
		if strings.ContainsAny(a, " \t\n") {
			s.handed(a)
			continue
		}
		if program(a) == "keepsake" {
			s.keepsake(args[i:])
		}
		if interpreter(program(a)) {
			c := s.sub()
			c.depth++
			if c.depth <= maxNested {
				c.command(args[i:], in)
			}
			return
		}
	}
}

// mentions looks for MemPalace's program among the arguments of another one.
// Only a sub-command that is known to write counts: a mere name is a mention.
func (s *shell) mentions(args []string) {
	for i, a := range args {
		if len(a) < 6 {
			if a == "-m" && i+1 < len(args) {
				if u, ok := palaceModule(args[i+1], tail(args, i+2)); ok && u == useWrite {
					s.find(checkpoint.RulePalaceCommand, line(args[i:]))
				}
			}
			continue
		}
		if palaceProgram(a) && palaceUse(program(a), args[i+1:]) == useWrite {
			s.find(checkpoint.RulePalaceCommand, line(args[i:]))
			return
		}
	}
}

// interpreter names programs whose arguments are commands or code, so that they
// are worth finding behind a wrapper we do not know.
func interpreter(p string) bool {
	switch p {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "env", "sudo", "xargs", "eval", "uvx", "pipx", "timeout", "nohup":
		return true
	}
	return strings.HasPrefix(p, "python")
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
			s.find(checkpoint.RuleUndecided, line(f))
			return
		}
		s.unknown(f, in)
		return
	}
	s.carried(name, f)
	switch name {
	case "cd", "pushd", "chdir":
		s.chdir(args)
	case "popd":
		s.cwd = ""
	case "eval":
		s.code(strings.Join(args, " "), f)
	case ".", "source":
		s.file(args)
	case "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "yash", "csh", "tcsh", "nu", "elvish", "xonsh", "pwsh", "powershell", "su", "runuser":
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
			s.code(args[0], f)
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
	case "node", "nodejs", "bun", "deno", "ruby", "perl", "php", "lua", "tsx", "ts-node", "osascript", "rscript", "r", "awk", "gawk", "mawk", "nawk", "jshell", "elixir", "erl", "groovy", "tclsh",
		"julia", "guile", "racket", "sbcl", "scala", "swift", "raku", "crystal", "nim", "ocaml", "ghc", "runghc", "kotlin", "m4", "dc":
		s.interpreted(name, f, in)
	case "npm", "pnpm", "yarn":
		if len(args) > 2 && args[0] == "pkg" && args[1] == "set" {
			for _, a := range args[2:] {
				if _, v, ok := strings.Cut(a, "="); ok && namesPalace(v) && s.writesPalace(filled(v)) {
					s.find(checkpoint.RuleLater, line(f))
				}
			}
		}
		if len(args) > 2 && args[0] == "set-script" && namesPalace(args[2]) && s.writesPalace(filled(args[2])) {
			s.find(checkpoint.RuleLater, line(f))
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
		if len(args) > 2 && (args[0] == "add" || args[0] == "set") && namesPalace(args[2]) && s.writesPalace(filled(args[2])) {
			s.find(checkpoint.RuleLater, line(f))
		}
		s.unknown(f, in)
	case "crontab", "at", "batch":
		s.scheduled(name, f, in)
		s.unknown(f, in)
	case "curl", "wget", "http", "https", "xh", "xhs", "curlie", "nc", "ncat", "netcat", "socat", "telnet", "websocat", "grpcurl", "hurl":
		s.network(f, in)
	case "claude", "codex", "gemini", "opencode", "aider", "cursor-agent", "amp", "goose", "qwen", "copilot", "droid", "crush", "cline", "claude-code", "gemini-cli":
		s.agent(f, in)
	case "systemctl", "service", "launchctl", "pm2", "supervisorctl", "brew", "docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc":
		s.service(name, f, in)
	case "ssh", "parallel", "watch", "script", "tmux", "screen", "hyperfine", "entr", "nodemon", "systemd-run", "nsenter", "firejail", "bwrap",
		"xvfb-run", "nix-shell", "start-stop-daemon", "daemonize", "sem", "fd", "fdfind", "concurrently", "expect", "perf", "watchexec", "reflex", "rtk", "mosh", "vagrant", "lxc", "distrobox", "toolbox", "xdotool", "ydotool", "wtype", "gdb", "lldb", "machinectl", "sg", "pkexec", "salt-call", "salt":
		s.answersFor(f, in)
		s.among(args, in)
		here := false
		switch name {
		case "ssh":
			here = s.loginHere(f, in)
		case "watch":
			s.code(strings.Join(tail(f, skip(f, "nq", "interval equexit")), " "), f)
		}
		if t, ok := s.typed(in); ok && name == "ssh" && len(operands(args)) == 1 { // a shell there reads it
			s.code(t, f)
		}
		if t, ok := s.read(in); ok && name == "parallel" {
			n := 0
			for l := range strings.Lines(t) {
				if n++; n > 64 {
					break
				}
				s.among(append(append([]string(nil), args...), strings.Fields(l)...), source{})
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
				s.find(checkpoint.RuleUndecided, line(f))
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
						s.handed(r)
					}
				}
			}
			if listedIn(args, "-c") || listedIn(args, "--command") {
				s.mentions(args) // of just
			}
			s.zoneArgs(f)
		} else if len(args) > 0 && args[0] == "run" {
			for _, a := range args[1:] {
				if text, ok := s.scriptText(a); ok && strings.HasSuffix(a, ".go") {
					s.program(text, f)
				}
			}
			s.mentions(args[1:])
			s.zoneArgs(f)
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
		if !reader(name, args) {
			s.unknown(f, in)
		}
	}
}

// palace judges a command that is MemPalace's own.
func (s *shell) palace(f []string) {
	prog := program(f[0])
	if strings.HasSuffix(prog, ".sh") || strings.HasSuffix(prog, ".bash") || strings.Contains(prog, "hook") {
		if text, ok := s.scriptText(f[0]); ok {
			s.code(text, f)
			return
		}
		s.find(checkpoint.RulePalaceCommand, line(f))
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
	s.find(checkpoint.RulePalaceCommand, line(f), details...)
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
	t, _ := s.read(in)
	promotes := len(f) > 1 && listed(f[1], "promote save") // of a copy of the program
	for _, a := range append([]string{t}, f[1:]...) {
		if promotes && (a == "--approval" || strings.HasPrefix(a, "--approval=")) {
			s.find(checkpoint.RuleApproval, line(f))
		}
		if strings.HasPrefix(a, "/keepsake:") && types(a) {
			s.find(checkpoint.RuleApproval, line(f))
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
		s.find(checkpoint.RulePalaceCommand, line(f))
	case strings.Contains(text, ":8765/mcp"):
		s.find(checkpoint.RuleUndecided, line(f))
	}
}

// zoneArgs stops an unknown program that is given a file of a zone, or is run
// inside one.
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

// code judges text that is run as shell commands by f.
func (s *shell) code(text string, f []string) {
	text = s.spelled(text)
	if hasHole(text) {
		if g := s.look(append([]string{text}, f...)); g.palace || g.zones&inPalace != 0 {
			// What is known of it may still be a plain read with an unknown word.
			s.handed(text)
			if !s.stopped() && undecidable(text) {
				s.find(checkpoint.RuleUndecided, line(f))
			}
			return
		}
	}
	c := s.sub()
	c.depth++
	c.script(filled(text))
}

// spelled is the text of a word that is only what cat prints of a file, as in
// sh -c "$(cat name)", or else the word itself.
func (s *shell) spelled(word string) string {
	if mark := strings.ReplaceAll(word, bareHole, quotedHole); strings.HasPrefix(mark, procMark) {
		if text, ok := s.scriptText(mark); ok {
			return text
		}
	}
	return word
}

// undecidable says that a hole in text may be a command of its own: it stands
// where a command begins.
func undecidable(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != quotedHole[0] && text[i] != bareHole[0] {
			continue
		}
		before := strings.TrimRight(text[:i], " \t")
		if before == "" || strings.IndexByte(";|&(\n{`", before[len(before)-1]) >= 0 {
			return true
		}
	}
	return false
}

func (s *shell) chdir(args []string) {
	var to string
	for _, a := range args {
		if a == "" || a[0] != '-' {
			to = a
			break
		}
	}
	switch {
	case to == "" && len(args) > 0:
		s.cwd = ""
	case to == "":
		s.cwd = s.call.Home
	default:
		if s.cwd = s.absolute(to, s.cwd); s.cwd != "" {
			s.cwd = tidy(s.cwd) // cd goes by the name, not by the link
		}
	}
}

// readInto sets the variables of read from what it reads.
func (s *shell) readInto(args []string, in source) {
	t, ok := s.read(in)
	words := strings.Fields(t)
	var names []string
	for _, a := range args {
		if a != "" && a[0] != '-' {
			names = append(names, a)
		}
	}
	for i, n := range names {
		v := quotedHole + in.saw.taint()
		if ok {
			v = strings.Join(words, " ")
			if len(names) > 1 && i < len(words) {
				v = words[i]
			}
		}
		s.scope.set(n, []string{v})
	}
}

// file judges `source name`.
func (s *shell) file(args []string) {
	if len(args) == 0 {
		return
	}
	if text, ok := s.scriptText(args[0]); ok {
		c := s.sub()
		c.depth++
		c.params, c.paramsKnown = args[1:], true
		c.script(text)
		return
	}
	switch {
	case palaceProgram(args[0]): // one of MemPalace's own hook scripts
		s.find(checkpoint.RulePalaceCommand, line(args))
	case hasHole(args[0]) && s.look(args[:1]).palace:
		s.find(checkpoint.RuleUndecided, line(append([]string{"source"}, args...)))
	}
}

// scriptText is the content of a file that is run: a constant <( ), what this
// call wrote itself, or what the door can read.
func (s *shell) scriptText(name string) (string, bool) {
	if n, ok := strings.CutPrefix(name, procMark); ok {
		if i, err := strconv.Atoi(n); err == nil && i < len(s.procs) {
			if s.procs[i].file == "" {
				return s.procs[i].text, true
			}
			name = s.procs[i].file
		}
	}
	p := path.Clean(s.absolute(name, s.cwd))
	if p == "." || hasHole(p) {
		return "", false
	}
	if b := s.files[p]; b != nil {
		return b.String(), true
	}
	if from, ok := s.moved[p]; ok {
		p = from
	}
	if s.call.Script == nil || p[0] != '/' {
		return "", false
	}
	return s.judge.script(p)
}

// anyScript judges an executable text by its first line.
func (s *shell) anyScript(text string, f []string) {
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case !strings.HasPrefix(first, "#!"), strings.Contains(first, "sh"):
		if strings.IndexByte(text, 0) < 0 && (namesPalace(text) || strings.Contains(text, "/memory") || approves(text)) {
			c := s.sub()
			c.depth++
			c.params, c.paramsKnown, c.self = f[1:], true, f[0]
			c.script(text)
		}
	default:
		s.program(text, f)
	}
}

// shellProgram judges sh, bash and their kin: -c text, a script, or stdin.
func (s *shell) shellProgram(name string, f []string, in source) {
	i, command := 1, false
	su := name == "su" || name == "runuser"
	for i < len(f) && len(f[i]) > 1 && (f[i][0] == '-' || f[i][0] == '+') {
		a := f[i]
		i++
		if a == "--" {
			break
		}
		if strings.HasPrefix(a, "--") {
			if a == "--rcfile" || a == "--init-file" || a == "--user" || a == "--shell" {
				if i < len(f) && a[2:] != "user" && a[2:] != "shell" {
					s.file(f[i : i+1])
				}
				i++
			}
			if t, ok := strings.CutPrefix(a, "--command="); ok {
				s.code(t, f)
				return
			}
			command = command || a == "--command"
			continue
		}
		if strings.EqualFold(a, "-command") { // of PowerShell
			command = true
			continue
		}
		if a == "-n" && name != "su" && name != "runuser" {
			return // reads what it is given and runs nothing
		}
		command = command || strings.Contains(a, "c")
		if !command && strings.ContainsAny(a, "oO") {
			i++
		}
	}
	if su && !command {
		for k := i; k+1 < len(f); k++ {
			if f[k] == "-c" || f[k] == "--command" {
				i, command = k+1, true
			}
		}
		if !command {
			s.mentions(f[1:]) // runuser -u USER COMMAND
			if t, ok := s.typed(in); ok && name == "su" {
				s.code(t, f)
			}
			return
		}
	}
	rest := tail(f, i)
	if command {
		if len(rest) == 0 {
			return
		}
		c := s.sub()
		c.params, c.paramsKnown = tail(rest, 2), true
		if len(rest) > 1 {
			c.self = rest[1]
		}
		c.code(rest[0], f)
		return
	}
	if len(rest) > 0 && !standardInput(rest[0]) {
		s.file(rest)
		return
	}
	if t, ok := s.read(in); ok {
		c := s.sub()
		c.depth++
		c.params, c.paramsKnown = tail(rest, 1), true
		c.script(t)
		return
	}
	if in.hdoc != nil {
		t := s.hereFold(in.hdoc.Hdoc)
		s.code(t, append(f, show(t)))
		return
	}
	if in.file != "" {
		s.file([]string{in.file})
	}
	if in.saw.palace {
		s.find(checkpoint.RuleUndecided, line(f))
	}
}

// findCommand judges find with its actions.
func (s *shell) findCommand(f []string) {
	var start []string
	i := 1
	for ; i < len(f) && (f[i] == "" || f[i][0] != '-' && f[i] != "(" && f[i] != "!"); i++ {
		start = append(start, f[i])
	}
	if len(start) == 0 {
		start = []string{"."}
	}
	for _, p := range start {
		if base := path.Base(p); strings.EqualFold(base, ".claude") && s.swallows(p, s.cwd) != 0 {
			start = append(start, p+"/memory")
		}
	}
	given, tests := start, i
	only, sure := "", false // the one file it can mean, once looked for
	start = append(start[:len(start):len(start)], sought(f[i:])...)
	for ; i < len(f); i++ {
		switch f[i] {
		case "-delete":
			named := namesPalace(strings.Join(f[tests:], " ")) && !pruned(f[tests:]) // -path '*mempalace*'
			for _, p := range start {
				if named && s.swallows(p, s.cwd)&inPalace != 0 {
					s.find(checkpoint.RuleUndecided, line(f))
				}
				s.findWrite(s.zoneOf(p, s.cwd)|s.narrowed(p, f), f)
				if finds(f, ".md") {
					s.memory(p, s.cwd, removed, func() string { return line(f) })
				}
			}
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(f) {
				s.findWrite(s.zoneOf(f[i+1], s.cwd), f)
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			k := i + 1
			for k < len(f) && f[k] != ";" && f[k] != "+" {
				k++
			}
			cmd := append([]string(nil), f[i+1:k]...)
			for n := range cmd {
				cmd[n] = strings.ReplaceAll(cmd[n], "{}", s.gravest(start)+"/"+quotedHole)
			}
			c := s.sub()
			if c.depth++; c.depth <= maxNested {
				c.command(cmd, source{})
				if !sure {
					only, sure = s.foundFile(given, f[tests:i]), true
				}
				if only != "" {
					for n, w := range f[i+1 : k] {
						cmd[n] = strings.ReplaceAll(w, "{}", only)
					}
					c.command(cmd, source{})
				}
			}
			i = k
		}
	}
}

// finds says that the tests of a find leave files that end so.
func finds(f []string, ending string) bool {
	for k, a := range f {
		if (a == "-name" || a == "-iname") && k+1 < len(f) && !strings.HasSuffix(f[k+1], ending) && !strings.HasSuffix(f[k+1], "*") {
			return false
		}
	}
	return true
}

// pruned says that the tests of a find leave something out.
func pruned(tests []string) bool {
	return listedIn(tests, "-prune") || listedIn(tests, "!") || listedIn(tests, "-not")
}

// sought are the names and paths that the tests of a find look for, as far as
// they name a zone: what it acts on then lies there.
func sought(tests []string) []string {
	var out []string
	for k, a := range tests {
		switch a {
		case "-name", "-iname", "-path", "-ipath", "-wholename":
			if k+1 == len(tests) || zoneNamed(tests[k+1]) == 0 {
				continue
			}
			not := k > 0 && (tests[k-1] == "!" || tests[k-1] == "-not")
			pruned := k+2 < len(tests) && tests[k+2] == "-prune"
			if !not && !pruned {
				out = append(out, tests[k+1])
			}
		}
	}
	return out
}

// gravest is the one of some paths that lies in a zone, or else the first.
func (s *shell) gravest(list []string) string {
	for _, p := range list[:min(len(list), 64)] {
		if s.zoneOf(p, s.cwd) != 0 {
			return p
		}
	}
	return list[0]
}

// narrowed says which zones a find that deletes reaches below p: all of them,
// unless its tests name other places.
func (s *shell) narrowed(p string, f []string) zone {
	for _, a := range f {
		if a == "-name" || a == "-iname" || a == "-path" || a == "-type" || a == "-empty" {
			return 0
		}
	}
	return s.swallows(p, s.cwd)
}

// scheduled judges a table of jobs, or a job, that a command hands over.
func (s *shell) scheduled(name string, f []string, in source) {
	text, ok := s.read(in)
	ops := operands(f[1:])
	if name != "crontab" {
		for i, a := range f {
			if a == "-f" && i+1 < len(f) {
				text, ok = s.scriptText(f[i+1])
			}
		}
		if ok {
			s.code(text, f)
		}
	} else {
		if len(ops) > 0 && ops[len(ops)-1] != "-" {
			text, ok = s.scriptText(ops[len(ops)-1])
		}
		for _, c := range commands(tables, text) {
			s.handed(c)
		}
	}
	if !ok && in.saw.palace {
		s.find(checkpoint.RuleUndecided, line(f))
	}
}
