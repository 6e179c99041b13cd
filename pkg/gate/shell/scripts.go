package shell

import (
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/gate/rules"
)

// file judges a shell that runs the script args[0].
func (s *shell) file(args []string, in source) {
	if len(args) == 0 {
		return
	}
	text, ok := s.scriptText(args[0])
	if !ok && standardInput(args[0]) {
		if text, ok = s.read(in); !ok {
			text = filled(s.standing(in))
			ok = text != ""
		}
	}
	if ok {
		c := s.sub()
		c.depth++
		c.params, c.paramsKnown = args[1:], true
		c.script(text)
		return
	}
	s.blindly(append([]string{"source"}, args...))
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
		if strings.IndexByte(text, 0) < 0 && (namesPalace(text) || strings.Contains(text, "/memory") ||
			approves(text) || s.nearTranscripts(f) || s.adrift > 0 && strings.Contains(text, "keepsake")) {
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
	if name == "newgrp" { // it starts a shell
		words := []string{"sh"}
		if i := slices.Index(f, "-c"); i > 0 {
			words = append(words, f[i:]...)
		}
		name, f = "sh", words
	}
	i, command, reads := 1, false, false
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
					s.file(f[i:i+1], in)
				}
				i++
			}
			if t, ok := strings.CutPrefix(a, "--command="); ok {
				s.judgeCode(t, f)
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
		reads = reads || strings.Contains(a, "s") && !su
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
			if t, ok := s.standardInputText(in); ok && name == "su" {
				s.judgeCode(t, f)
			}
			return
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
		c.judgeCode(rest[0], f)
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
	if t, ok := s.read(in); ok {
		c.depth++
		c.script(t)
		return
	}
	if in.hdoc != nil {
		t := s.hereFold(in.hdoc.Hdoc)
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
