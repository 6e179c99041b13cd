package shell

import (
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/text"
	"keepsake/pkg/why/palace"
)

// command judges one simple command whose words are folded: wrappers are taken
// off until the program itself is reached.
func (s *shell) command(f []string, in source) {
	if s.depth > maxNested {
		return
	}
	adrift, given := s.adrift, s.given
	defer func() { s.adrift, s.given = adrift, given }()
	for range maxPending {
		if s.stopped() || len(f) == 0 {
			return
		}
		for range maxAliases {
			v, ok := s.scope.get("alias " + f[0])
			if !ok || len(v) > 0 && v[0] == f[0] {
				break
			}
			if f = slices.Concat(v, f[1:]); len(f) == 0 { // alias x=
				return
			}
		}
		s.call.Watch.Ran(f)
		name := program(f[0])
		p := programNamed(name)
		if p.leaves {
			s.adrift++
		}
		rest, ok := f, p.runner || p.kind == kindWraps || p.kind == kindAround
		if ok {
			rest, ok = s.unwrap(name, f, in)
		}
		if !ok {
			s.run(name, p, f, in)
			return
		}
		f = rest
	}
	if s.look(f).palace {
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
}

// maxAliases is how many aliases of aliases are followed.
const maxAliases = 8

// commandText returns a command in the form in which a reason shows it.
func commandText(f []string) string {
	t := strings.Join(f[:min(len(f), 40)], " ")
	return show(text.CutBytes(t, 1000))
}

// run judges the program itself.
func (s *shell) run(name string, p *row, f []string, in source) {
	args := f[1:]
	if palaceProgram(f[0]) {
		s.palace(f)
		return
	}
	if hasHole(f[0]) {
		if t := strings.ToLower(f[0]); palace.IsNamed(t) || strings.Contains(t, "palace") {
			s.addFinding(rules.RuleUndecided, commandText(f))
			return
		}
		s.unknown(f, in)
		return
	}
	if s.called(f, in) {
		return
	}
	s.carried(p, f)
	switch p.kind {
	case kindKeepsake:
		s.keepsake(f)
	case kindBuiltin:
		s.builtin(name, f, in)
	case kindShell:
		s.shellProgram(name, f, in)
	case kindModule:
		s.module(name, args, f, in)
	case kindPython, kindCode:
		s.interpreted(name, p, f, in)
	case kindTests:
		s.preloads(p, f)
		s.tests = f
		s.unknown(f, in)
	case kindBuilds:
		s.builds(name, f, in)
	case kindPackages:
		s.packages(f, in)
	case kindJobs:
		s.scheduled(name, f, in)
	case kindLaunches:
		s.launches(name, f, in)
	case kindAgent:
		s.agent(f, in)
	case kindServices:
		s.service(name, f, in)
	case kindSends:
		s.network(f, in)
	case kindDatabase:
		s.database(f, in)
	case kindSQLite:
		s.sqlite(f, in)
	case kindFind:
		s.findCommand(f)
	case kindGit:
		if slices.Contains(args, "apply") || slices.Contains(args, "am") {
			s.keep(quotedHole, s.standing(in), false)
		}
		s.git(args, f)
	case kindVersions:
		if len(args) > 0 && listed(args[0], "restore revert rm remove mv rename update checkout") {
			s.zoneArgs(f)
		}
	case kindReads:
		if strings.HasPrefix(name, "pip") && slices.Contains(args, "install") { // a folder's own code
			s.blindly(f)
		}
		s.puts(p, args, f)
	default:
		if !s.mutates(name, p, f, in) {
			s.unknown(f, in)
		}
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
	own := len(f) == 1 && (strings.Contains(f[0], "/") || hasHole(f[0]))
	if !own && palace.Command(prog, f[1:]) == palace.Reads {
		return
	}
	var details []string
	for _, wing := range valuesOf(f, "--wing") {
		details = append(details, "wing "+show(wing))
	}
	s.addFinding(rules.RulePalaceCommand, commandText(f), details...)
}

// unknown judges a program we know nothing about: a script is read, a known
// writing command among its arguments counts, and so does a file of a zone.
func (s *shell) unknown(f []string, in source) {
	text, ok := "", false
	if strings.Contains(f[0], "/") || strings.HasSuffix(f[0], ".sh") || hasHole(f[0]) {
		text, ok = s.scriptText(f[0])
	}
	switch p := programNamed(program(f[0])); {
	case ok:
		s.anyScript(text, f)
	case p.kind == kindUnknown:
		for _, code := range valuesOf(f, "-e -c -x --eval --exec --command --cmd --run --script") {
			s.keep(descriptors+"=", code, false)
		}
		if slices.ContainsFunc(f[1:], func(a string) bool { return standardInput(a) || a == "--stdin" }) {
			s.keep(quotedHole, s.standing(in), false)
		}
		s.blindly(f)
	case hasHole(f[0]), p.kind == kindPackages && len(f) > 1 &&
		listed(f[1], "run run-script start"):
		s.blindly(f)
	}
	if s.call.Resolve != nil && strings.Contains(f[0], "/") {
		if real := s.resolve(s.absolute(f[0], s.cwd)); palaceProgram(real) && !hasHole(f[0]) {
			s.palace(append([]string{real}, f[1:]...))
		}
	}
	s.client(f, in)
	s.mentions(f[1:])
	s.zoneArgs(f)
	if !s.followed(f) {
		s.reaches(f)
	}
	t, _ := s.read(in)
	promotes := len(f) > 1 && listed(f[1], "promote save") // of a copy of the program
	signs := program(f[0]) == "ssh-keygen" && (slices.Contains(f, "sign") || slices.Contains(f, "-Ysign"))
	for _, a := range append([]string{t}, f[1:]...) {
		if promotes && (a == "--approval" || strings.HasPrefix(a, "--approval=")) ||
			signs && listed(a, "keepsake -nkeepsake") ||
			strings.HasPrefix(a, "/keepsake:") && typesAnswer(a) {
			s.addFinding(rules.RuleApproval, commandText(f))
		}
	}
}

// client stops a command-line client of MCP that is told to call a tool that writes.
func (s *shell) client(f []string, in source) {
	text := strings.Join(f[:min(len(f), 64)], " ") + " " + s.standing(in)
	if low := strings.ToLower(text); !strings.Contains(low, "mcp") && !strings.Contains(low, "tools/call") {
		return
	}
	write, _ := palace.ToolNames(text)
	named := palace.IsNamed(text)
	for _, a := range f[1:min(len(f), 64)] {
		if named && palace.IsWrite("mempalace_"+a) {
			write = a
		}
		if tool, ok := dotted(a); ok && !palace.IsRead("mempalace_"+strings.TrimPrefix(tool, "mempalace_")) {
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

// builtin judges a command that changes the shell which runs it.
func (s *shell) builtin(name string, f []string, in source) {
	args := f[1:]
	switch name {
	case "cd", "pushd", "chdir":
		s.chdir(args)
	case "popd":
		s.cwd = ""
	case "eval":
		s.judgeCode(strings.Join(args, " "), f)
	case ".", "source":
		s.file(args, in)
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
			g := s.look(args)
			v := quotedHole + g.taint()
			if t, ok := formatted(args[2], args[3:]); ok && !holed(args) {
				v = t
			}
			s.scope.set(args[1], []string{v})
		}
	}
}

func (s *shell) chdir(args []string) {
	to := strings.Join(append(operands(args), "")[:1], "")
	switch {
	case to == "-", to == "" && len(args) > 0:
		s.cwd = ""
	case to == "":
		s.cwd = s.call.Home
	default:
		if s.cwd = s.absolute(to, s.cwd); s.cwd != "" {
			s.cwd = cleanPath(s.cwd) // cd goes by the name, not by the link
		}
	}
}

// readInto sets the variables of read from what it reads.
func (s *shell) readInto(args []string, in source) {
	t, ok := s.read(in)
	if strings.HasPrefix(in.file, procMark) {
		t, ok = s.scriptText(in.file)
	}
	apart, _ := s.variable("IFS")
	words := strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune(apart+" \t\n", r) })
	names := operands(args)
	for i, n := range names {
		v := []string{quotedHole + in.saw.taint()}
		switch {
		case !ok:
		case flagged(args, "a"):
			v = words
		case len(names) > 1 && i < len(words):
			v = words[i : i+1]
		default:
			v = []string{strings.Join(words, " ")}
		}
		s.scope.set(n, v)
	}
}
