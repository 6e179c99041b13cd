package shell

import (
	"path"
	"strconv"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// file judges a shell that runs the script args[0].
func (s *shell) file(args []string, in source) {
	if len(args) == 0 {
		return
	}
	text, ok := s.scriptText(args[0])
	if !ok && standardInput(args[0]) {
		text = filled(s.standing(in))
		ok = text != ""
	}
	if ok {
		c := s.sub()
		c.depth++
		c.params, c.paramsKnown = args[1:], true
		c.script(text)
		return
	}
	s.blindly(args)
	switch {
	case palaceProgram(args[0]): // one of MemPalace's own hook scripts
		s.addFinding(rules.RulePalaceCommand, commandText(args))
	case hasHole(args[0]) && s.look(args[:1]).palace:
		s.addFinding(rules.RuleUndecided, commandText(append([]string{"source"}, args...)))
	}
}

// scriptText returns the content of a file that is run: a constant <( ), what this
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
	p := s.fileOf(name)
	if from, ok := s.moved[p]; ok && s.files[p] == nil {
		p = from
	}
	if b := s.files[p]; b != nil {
		return b.String(), true
	}
	if text, ok := s.someText(p, true); ok || p == "." || hasHole(p) {
		return text, ok
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
		if strings.IndexByte(text, 0) < 0 && (palace.IsNamed(text) || strings.Contains(text, "/memory") ||
			approves(text) || s.nearTranscripts(f) || s.adrift > 0 && strings.Contains(text, "keepsake")) {
			c := s.sub()
			c.depth++
			c.params, c.paramsKnown, c.self = f[1:], true, f[0]
			c.script(text)
		}
	default:
		if palace.IsNamed(first) {
			s.judgeHanded(first[2:] + " " + f[0])
		}
		s.program(text, f)
	}
}

// shellProgram judges sh, bash and their kin: -c text, a script, or stdin.
func (s *shell) shellProgram(name string, f []string, in source) {
	i, command, reads := 1, false, false
	for i < len(f) && len(f[i]) > 1 && (f[i][0] == '-' || f[i][0] == '+') {
		a := f[i]
		i++
		if strings.HasPrefix(a, "--") {
			command = command || a == "--command"
			continue
		}
		if strings.EqualFold(a, "-command") { // of PowerShell
			command = true
			continue
		}
		if a == "-n" {
			return // reads what it is given and runs nothing
		}
		command = command || strings.Contains(a, "c")
		reads = reads || strings.Contains(a, "s")
		if !command && strings.EqualFold(a[len(a)-1:], "o") {
			i++
		}
	}
	rest := tail(f, i)
	if command {
		if len(rest) == 0 {
			return
		}
		s.keep(quotedHole, s.standing(in), false)
		c := s.sub()
		c.params, c.paramsKnown = tail(rest, 2), true
		if len(rest) > 1 {
			c.self = rest[1]
		}
		c.judgeCode(strings.TrimPrefix(rest[0], "& "), f) // of PowerShell
		return
	}
	if len(rest) > 0 && !reads {
		if !standardInput(rest[0]) {
			s.file(rest, in)
			return
		}
		rest = rest[1:]
	}
	c := s.sub()
	c.params, c.paramsKnown = rest, true
	if in.known || in.hdoc != nil {
		t := s.standing(in)
		c.judgeCode(t, append(f, show(t)))
		return
	}
	s.blindly(f)
	if in.file != "" {
		s.file([]string{in.file}, in)
	}
	if in.saw.palace {
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
}

// judgeHanded judges a text that another program hands to a shell.
func (s *shell) judgeHanded(text string) { s.judgeCode(text, []string{text}) }

// judgeCode judges text that f runs as shell commands.
func (s *shell) judgeCode(text string, f []string) {
	text = s.printedWord(text)
	if hasHole(text) {
		blind := strings.TrimLeft(text, quotedHole+bareHole) != text
		if blind {
			s.blindly(f)
		}
		// What is known of it may still be a plain read with an unknown word.
		g := s.look(append([]string{text}, f...))
		if (g.palace || g.zones&inPalace != 0) && (blind || !strings.Contains(withoutHoles(text), " ")) {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	}
	c := s.sub()
	c.depth++
	c.script(filled(text))
}

// printedWord returns the text of the file where a word is only what cat prints of it, as in sh -c
// "$(cat name)". Otherwise it returns the word itself.
func (s *shell) printedWord(word string) string {
	if mark := strings.ReplaceAll(word, bareHole, quotedHole); strings.HasPrefix(mark, procMark) {
		if text, ok := s.scriptText(mark); ok {
			return text
		}
	}
	return word
}

// preloads judges the files of the modules that options make an interpreter or a test runner load before
// its program.
func (s *shell) preloads(p *row, f []string) {
	for i := 1; i < len(f); i++ {
		option, value, joined := strings.Cut(f[i], "=")
		if len(f[i]) > 2 && f[i][1] != '-' && !joined && listed(f[i][:2], p.loads) {
			option, value, joined = f[i][:2], f[i][2:], true
		}
		if !joined && i+1 < len(f) {
			value = f[i+1]
		}
		if !listed(option, p.loads) {
			continue
		}
		s.loaded(value, f)
	}
}

// environment judges the files that a variable in front of a command makes the command read or load.
func (s *shell) environment(name, value string) {
	switch name {
	case "BASH_ENV", "ENV": // a shell reads it first
		s.file([]string{value}, source{})
	case "GIT_WORK_TREE", "GIT_DIR", "GIT_OBJECT_DIRECTORY":
		s.findWrite(s.zoneOf(value, s.cwd)|s.takesTranscripts(value, s.cwd), []string{name + "=" + value})
	case "PYTEST_PLUGINS", "PYTHONSTARTUP":
		for m := range strings.SplitSeq(value, ",") {
			s.loaded(m, []string{"python", m})
		}
	case "PYTEST_ADDOPTS", "NODE_OPTIONS", "RUBYOPT":
		name, _, _ = strings.Cut(strings.TrimSuffix(lower(name), "opt"), "_")
		s.preloads(programNamed(name), append([]string{name}, strings.Fields(value)...))
	}
}

// foundFile returns the one file that a find can only mean: the place it starts at, or there the name it
// looks for; "" when that is not one that can be read.
func (s *shell) foundFile(start, tests []string) string {
	at := strings.Join(start[:min(1, len(start))], "")
	for _, name := range valuesOf(tests, "-name") {
		at = path.Join(at, name)
	}
	for _, p := range valuesOf(tests, "-path -wholename") {
		at = p
	}
	if _, ok := s.scriptText(at); !ok {
		return ""
	}
	return at
}

// thisMachine reports whether a host's name, with a user before it or not, is that of the
// machine itself.
func thisMachine(host string) bool {
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return listed(host, "localhost localhost.localdomain ip6-localhost ::1 0.0.0.0") ||
		strings.HasPrefix(host, "127.")
}

// loginHere judges what ssh runs on this very machine: in the home directory, with the files that
// are here. It returns false where it judged nothing.
func (s *shell) loginHere(f []string, in source) bool {
	i := skip(f, "BbcDEeFIiJLlmOopQRSWw", "")
	words := tail(f, i+1)
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if i >= len(f) || !thisMachine(f[i]) {
		s.zoneArgs(f[:min(i+1, len(f))])
		// the shell there takes the quotes off once more
		if text := strings.Join(words, " "); palace.IsNamed(text) || zoneIn(text) != 0 {
			s.judgeHanded(text)
		}
		return true
	}
	c := s.sub()
	if c.depth++; c.depth > maxNested {
		return false
	}
	c.adrift++ // its parents are no client's
	here := s.cwd
	c.cwd = s.call.Home
	if len(words) > 0 {
		c.judgeCode(strings.Join(words, " "), f)
		c.cwd = here
		if first, _, _ := strings.Cut(words[0], " "); !interpreter(program(first)) {
			return true
		}
	}
	c.cwd = here
	if in.file != "" {
		c.file([]string{in.file}, in)
	}
	c.judgeCode(s.standing(in), f)
	return true
}
