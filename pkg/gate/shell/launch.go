package shell

import (
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// judgeAmong judges the arguments of a program that runs a command somewhere among them. Any word
// that begins a command we know is taken as one.
func (s *shell) judgeAmong(args []string, in source) {
	s.mentions(args)
	for i, a := range args {
		if s.stopped() || i > 64 {
			return
		}
		if strings.ContainsAny(a, " \t\n") {
			s.judgeHanded(a)
			continue
		}
		if program(a) == "keepsake" {
			s.keepsake(args[i:])
		}
		if interpreter(program(a)) {
			c := s.sub()
			c.depth++
			c.command(args[i:], in)
			return
		}
	}
}

// mentions looks for MemPalace's program among the arguments of another one. Only a sub-command
// that is known to write counts, since a mere name is a mention.
func (s *shell) mentions(args []string) {
	if i := palaceWrite(args); i >= 0 {
		s.addFinding(rules.RulePalaceCommand, commandText(args[i:]))
	}
}

// palaceWrite returns where among words a command begins that is known to write a palace, or -1.
func palaceWrite(words []string) int {
	for i, w := range words {
		if i > 0 && listed(words[i-1], "from import") { // of Python, which starts nothing
			continue
		}
		if len(w) >= 6 && palaceProgram(w) && (palace.Command(program(w), words[i+1:]) == palace.Writes ||
			i+1 < len(words) && strings.HasPrefix(words[i+1], "$")) {
			return i
		}
	}
	return -1
}

// launches judges a program that runs a command among its arguments.
func (s *shell) launches(name string, f []string, in source) {
	args := f[1:]
	s.answersFor(f, in)
	s.judgeAmong(args, in)
	s.blindly(f)
	here := false
	switch name {
	case "ssh":
		here = s.loginHere(f, in)
		if len(operands(args)) == 1 { // a shell there reads it
			s.judgeCode(s.standing(in), f)
		}
	case "su":
		s.judgeCode(s.standing(in), f)
	case "watch":
		s.judgeCode(strings.Join(tail(f, skip(f, "nq", "interval equexit")), " "), f)
		here = true
	case "parallel", "fd", "fdfind":
		s.placed(name, args, in)
	}
	if t, ok := s.read(in); ok && name == "parallel" {
		s.judgeAmong(append(args[:len(args):len(args)], strings.Fields(t)...), source{})
	}
	if !here {
		s.zoneArgs(f)
	}
}

// interpreter reports whether a program's arguments are commands or code, so that they are worth finding
// behind a wrapper that we do not know.
func interpreter(name string) bool {
	p := programNamed(name)
	return p.kind == kindShell || p.kind == kindPython || p.kind == kindWraps || p.kind == kindAround ||
		listed(name, "eval uvx pipx")
}

// scheduled judges a table of jobs, or a job, that a command hands over.
func (s *shell) scheduled(name string, f []string, in source) {
	text, ok := s.read(in)
	ops := operands(f[1:])
	if name != "crontab" {
		for _, name := range valuesOf(f, "-f") {
			text, ok = s.scriptText(name)
		}
		if ok {
			s.judgeCode(text, f)
		}
	} else {
		if len(ops) > 0 && ops[len(ops)-1] != "-" {
			text, ok = s.scriptText(ops[len(ops)-1])
		}
		for l := range strings.Lines(text) {
			i, words := 5, strings.Fields(l) // five of them say when
			if strings.HasPrefix(l, "@") {
				i = 1
			}
			s.judgeHanded(strings.Join(tail(words, i), " "))
		}
	}
	if !ok && in.saw.palace {
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
}
